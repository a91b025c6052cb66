import BatonCore
import BatonTransport
import Handoff
import Notices
import ServiceLifecycle

/// What the system tells the person itself.
struct NoticesPart: DaemonPart {
    private let notices: NoticeService
    private let adapter: NoticeAdapter

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let handoff = try daemon.part(HandoffPart.self).handoff
        notices = NoticeService(
            displays: [
                DesktopDisplay(
                    environment: daemon.options.environment,
                    ledger: daemon.options.locations.runtime + "/notices.json")
            ],
            policy: NoticePolicy(rawValue: settings.value(of: .notifications)) ?? .on, recorder: daemon.log
        ) { _ = try handoff.accept($0.rawValue) }
        adapter = NoticeAdapter(
            notices: notices, handoff: handoff, settings: settings, icons: try daemon.part(AppsPart.self).icons,
            deviceName: try daemon.part(DevicesPart.self).peers.name)
    }

    func registerLocal(on router: inout ConnectRouter) {
        NoticesHarness(service: notices).register(on: &router)
    }

    var services: [any Service] { [notices, adapter] }
}
