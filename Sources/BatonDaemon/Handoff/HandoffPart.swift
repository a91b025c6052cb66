import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import Devices
import Handoff
import LaunchServices
import Peers
import ServiceLifecycle
import SiteAssociations

/// Handoff between the account's devices.
struct HandoffPart: DaemonPart {
    let handoff: HandoffService
    /// Whose URLs are rewritten: each service that has containers adds its own (H-24).
    let documentRoots: DocumentRoots
    private let account: AccountService
    private let launchServices: LaunchServices
    private let log: EventLog
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let devices = try daemon.part(DevicesPart.self)
        let apps = try daemon.part(AppsPart.self)
        let sites = try daemon.part(SitesPart.self).sites
        let settings = try daemon.part(SettingsPart.self)
        var configuration = HandoffConfiguration()
        configuration.payloadLimit = daemon.options.payloadLimit
        let sessions = try daemon.part(SessionsPart.self).sessions
        sessions.greet { [limit = configuration.payloadLimit] in $0.payloadLimit = UInt64(limit) }
        let documentRoots = DocumentRoots(daemon.options.documentRoots)
        self.documentRoots = documentRoots
        let handoff = HandoffService(
            incarnation: daemon.incarnation, sessions: sessions,
            peers: devices.peers, apps: apps.installed, sites: PageSites(associations: sites),
            browser: settings.browser, documents: documentRoots, recorder: daemon.log,
            configuration: configuration)
        self.handoff = handoff
        account = devices.account
        launchServices = apps.launchServices
        log = daemon.log
        followers = [
            EventFollower(apps.launchServices.events()) { [installed = apps.installed] event in
                if case .registryChanged = event { handoff.appsChanged(installed.all) }
            },
            EventFollower(devices.presence.follow(PresenceTopics.offers)) { update in
                switch update {
                case .connected(let device): handoff.deviceConnected(device)
                case .value(let offers, let device): handoff.offersReceived(offers, from: device)
                case .disconnected(let device): handoff.deviceDisconnected(device)
                }
            },
            EventFollower(sites.changes()) { handoff.sitesChanged() },
            EventFollower(settings.settings.values(of: .browser)) { _ in handoff.browserChanged() },
        ]
        handoff.appsChanged(apps.installed.all)
        apps.developmentApps.add { handoff.developmentApps }
    }

    func registerLocal(on router: inout ConnectRouter) {
        HandoffHarness(service: handoff).registerLocal(on: &router)
    }

    func registerLink(on router: inout ConnectRouter) {
        HandoffHarness(service: handoff).registerLink(on: &router)
    }

    var services: [any Service] { [handoff] + followers }

    func fill(_ status: inout Baton_Control_V1_GetStatusResponse) {
        status.activities = UInt32(clamping: handoff.localActivities().count)
        status.offers = UInt32(clamping: handoff.offers().count)
    }

    func explain(
        _ subject: Baton_Control_V1_ExplainRequest.OneOf_Subject
    ) async throws -> [Baton_Control_V1_Explanation]? {
        switch subject {
        case .app(let text):
            let stages = await AppExplanation.stages(text, launchServices: launchServices, handoff: handoff, log: log)
            return [.init(text.shortened(toBytes: 160), stages)]
        case .activity(let subject):
            guard !subject.device.isEmpty else {
                return try await handoff.explainActivity(subject.activity, at: handoff.otherDevices())
            }
            let device = try account.device(named: subject.device)
            guard device != account.snapshot()?.deviceID else {
                let stage = Baton_Link_V1_Stage(
                    "device", .ok, "That is this device.", "Name another one: an activity is offered to the others.")
                return [.init(subject.device, [stage])]
            }
            return try await handoff.explainActivity(subject.activity, at: [device])
        default:
            return nil
        }
    }
}
