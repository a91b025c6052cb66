import AirDrop
import BatonCore
import BatonStore
import BatonTransport
import Foundation
import Handoff
import Notices
import Opening
import Peers
import ServiceLifecycle
import Transfers

/// Notices, which the system gives the person itself.
struct NoticesPart: DaemonPart {
    let notices: NoticeService
    /// Receives the place that the person wants to be led to. Filled by the part that knows places.
    let leading = Hooks<@Sendable (String) -> Void>()
    /// Receives the person's answers to predictions. Filled by the part that predicts.
    let predictionAnswers = Hooks<@Sendable (_ key: String, _ accepts: Bool) -> Void>()
    private let adapter: NoticeAdapter
    private let questions: EventFollower<ReceivingEvent>

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let airDrop = try daemon.part(AirDropPart.self).receiver
        let handoff = try daemon.part(HandoffPart.self).handoff
        let opening = try daemon.part(OpeningPart.self).service
        let reminders = try daemon.part(RemindersPart.self)
        let log = daemon.log
        let trust = DesktopTrust(launchServices: try daemon.part(AppsPart.self).launchServices, recorder: log)
        notices = NoticeService(
            displays: [
                DesktopDisplay(
                    environment: daemon.options.environment,
                    ledger: daemon.options.locations.runtime + "/notices.json", trust: trust.admits)
            ],
            policy: NoticePolicy(rawValue: settings.value(of: .notifications)) ?? .on, recorder: daemon.log
        ) {
            _ = try handoff.accept($0.activity.rawValue, site: $0.site)
        } answer: { question, accepts in
            guard let id = try? TransferID(validating: question) else { return }
            // A question that is over needs no answer.
            try? airDrop.decide(id, accepts: accepts)
        } lead: { [leading] place in
            for lead in leading.all { lead(place) }
        } remind: { reminder, answer in
            reminders.answer(reminder, answer)
        } answerPrediction: { [predictionAnswers] key, accepts in
            for answer in predictionAnswers.all { answer(key, accepts) }
        } show: { path, action in
            // The desktop shows a folder as it shows a file.
            let shown = action == .open ? path : URL(fileURLWithPath: path).deletingLastPathComponent().path
            do {
                _ = try await opening.open(file: shown, from: .person)
            } catch {
                log.record("airdrop", "not_shown", "The received items could not be shown: \(error)", [:])
            }
        }
        reminders.notices.add(notices.input)
        let transfers = TransferNotices()
        questions = EventFollower(airDrop.watch()) { [notices] in
            if let input = transfers.input($0) { notices.input(input) }
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
