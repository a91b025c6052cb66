import AppSessions
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonWire
import Documents
import Foundation
import LaunchServices
import Protection
import SavedActivities
import SearchText
import ServiceLifecycle
import Spotlight

/// The search of this device.
struct SpotlightPart: DaemonPart {
    let service: SpotlightService
    /// Awaited when an app deletes everything that it has indexed, before it is answered.
    let emptied = Hooks<@Sendable (AppIdentity) async throws -> Void>()
    private let harness: SearchHarness
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) async throws {
        let apps = try daemon.part(AppsPart.self)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let saved = try daemon.part(SavedActivitiesPart.self).saved
        let documents = try daemon.part(DocumentsPart.self)
        let adapter = SearchedApps(
            launchServices: apps.launchServices, sessions: sessions, documents: documents.service, recorder: daemon.log)
        let protection = try daemon.part(ProtectionPart.self).service
        let service = try await BlockingQueue("development.baton.search-open").run {
            try SpotlightService(
                files: .init(directory: daemon.options.locations.data), apps: adapter,
                activities: SearchedActivities(saved: saved),
                opener: ResultOpener(opening: try daemon.part(OpeningPart.self).service, documents: documents.service),
                language: Self.language(daemon.options.environment), recorder: daemon.log,
                protection: ItemSealing(service: protection))
        }
        protection.follow { service.protectionChanged(isAvailable: $0) }
        self.service = service
        let settings = try daemon.part(SettingsPart.self).settings
        let peers = try daemon.part(DevicesPart.self).peers
        harness = SearchHarness(
            service,
            devices: DeviceSearch(
                service, devices: SearchedDevices(peers: peers),
                isAllowed: { settings.value(of: .searchDevices) == "on" }))
        apps.uninstalled.add(service.appsRemoved)
        let importers = ImportingApps(
            apps.launchServices, folder: daemon.options.locations.data + "/import", recorder: daemon.log)
        let indexer = DocumentIndexer(
            service,
            documents: SearchedDocuments(
                adapter: documents.adapter, importers: importers,
                readers: DocumentReaders(
                    apps.launchServices, path: daemon.options.environment["PATH"] ?? "", recorder: daemon.log)),
            recorder: daemon.log, language: Self.tag(daemon.options.environment))
        // Rounds come one after the other, whatever they are for.
        let looks = Broadcaster<Void>(.newest)
        sessions.register(ReindexingParticipant(service: service))
        followers = [
            EventFollower(apps.launchServices.events()) { event in
                switch event {
                case .registryChanged:
                    service.appsChanged()
                    // Another app says what is in documents of its types.
                    importers.appsChanged()
                    indexer.appsChanged()
                    looks.send(())
                case .exited: service.appsChanged()
                case .launched: break
                }
            },
            EventFollower(saved.changesOfActivities()) { service.activitiesChanged() },
            // Containers are open before the first look: what is in none is deleted from the index.
            EventFollower(documents.service.changesOfDocuments) { looks.send(()) },
            EventFollower(
                looks.subscribe(),
                atStart: {
                    await documents.adapter.accountChanged()
                    await indexer.changed()
                }, follow: { await indexer.changed() }),
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        SpotlightHarness(service) { [emptied] app in
            for body in emptied.all { try await body(app) }
        }.register(on: &router)
        harness.register(on: &router)
    }

    func registerLink(on router: inout ConnectRouter) { harness.registerLink(on: &router) }

    var services: [any Service] { followers + [service] }

    var stages: [Baton_Link_V1_Stage] {
        let full = service.appsWithoutRoom
        guard !full.isEmpty else { return [] }
        let names = full.prefix(5).map { $0.shortened(toBytes: 60) }.joined(separator: ", ")
        return [
            .init(
                "Search", .failed,
                "no more room in the index for \(names)\(full.count > 5 ? " and others" : ""): “baton index” shows what each has"
            )
        ]
    }

    func shutdown() async { service.close() }

    private static func language(_ environment: [String: String]) -> TextLanguage {
        TextLanguage(tag(environment) ?? "en")
    }

    /// As GNU gettext looks it up.
    private static func tag(_ environment: [String: String]) -> String? {
        ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}

/// The key that seals items of the class `.complete`: the one that is readable while the device is unlocked.
private struct ItemSealing: SpotlightProtection {
    let service: ProtectionService

    var isAvailable: Bool { service.isAvailable }
    func seal(_ bytes: Data, info: Data) throws -> Data { try service.seal(bytes, info: info) }
    func open(_ sealed: Data, info: Data) throws -> Data { try service.open(sealed, info: info) }
}

/// Asks an app that attaches to index again, where the index was lost.
private struct ReindexingParticipant: AppSessionParticipant {
    let service: SpotlightService

    func attached(_ session: AppSession, _ attachment: AppAttachment) {
        // Unstructured: the app is answered meanwhile, and the request ends with its session.
        Task { [service] in await service.appAttached(session.app.identity) }
    }

    func detached(_ session: AppSession) {}
    func processEnded(_ app: AppIdentity, process: Int32, message: String) {}
}
