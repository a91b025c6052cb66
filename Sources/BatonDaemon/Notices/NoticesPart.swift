import AirDrop
import BatonCore
import BatonTransport
import Handoff
import Notices
import ServiceLifecycle
import Transfers

/// Notices, which the system gives the person itself.
struct NoticesPart: DaemonPart {
    let notices: NoticeService
    /// Told of the place that the person wants to be led to. Filled by the part that knows places.
    let leading = Hooks<@Sendable (String) -> Void>()
    private let adapter: NoticeAdapter
    private let questions: EventFollower<ReceivingEvent>

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let airDrop = try daemon.part(AirDropPart.self).receiver
        let handoff = try daemon.part(HandoffPart.self).handoff
        notices = NoticeService(
            displays: [
                DesktopDisplay(
                    environment: daemon.options.environment,
                    ledger: daemon.options.locations.runtime + "/notices.json")
            ],
            policy: NoticePolicy(rawValue: settings.value(of: .notifications)) ?? .on, recorder: daemon.log
        ) {
            _ = try handoff.accept($0.rawValue)
        } answer: { question, accepts in
            guard let id = try? TransferID(validating: question) else { return }
            // A question that is over needs no answer.
            try? airDrop.decide(id, accepts: accepts)
        } lead: { [leading] place in
            for lead in leading.all { lead(place) }
        }
        questions = EventFollower(airDrop.watch()) { [notices] in
            if let input = NoticeInput($0) { notices.input(input) }
        }
        adapter = NoticeAdapter(
            notices: notices, handoff: handoff, settings: settings, icons: try daemon.part(AppsPart.self).icons,
            deviceName: try daemon.part(DevicesPart.self).peers.name)
    }

    func registerLocal(on router: inout ConnectRouter) {
        NoticesHarness(service: notices).register(on: &router)
    }

    var services: [any Service] { [notices, adapter, questions] }
}

extension NoticeInput {
    /// Nil for what is not told by notices.
    fileprivate init?(_ event: ReceivingEvent) {
        switch event {
        case .asked(let question):
            let what = question.names + question.links
            let more = question.itemCount > 3 ? " and \(question.itemCount - 3) more" : ""
            let size = question.bytes.map { " (\(ByteSize.text($0)))" } ?? ""
            self = .asked(
                key: question.id.rawValue, title: "\(question.sender) wants to send",
                lines: [what.prefix(3).joined(separator: ", ") + more + size])
        case .progress: return nil
        case .ended(let id, let outcome):
            guard outcome.result == .delivered else {
                self = .questionEnded(key: id.rawValue, received: nil)
                return
            }
            let first = outcome.paths.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
            let more = outcome.paths.count > 1 ? " and \(outcome.paths.count - 1) more" : ""
            let app = outcome.app.map { "Opened in \($0)." }
            self = .questionEnded(
                key: id.rawValue,
                received: NoticeReceived(title: "Received \(first)\(more)", lines: [app].compactMap(\.self)))
        }
    }
}
