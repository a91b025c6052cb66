import AppSessions
import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonTrust
import Foundation
import Opening
import Synchronization
import Testing
import UniformTypes

/// Documents that a search found, in containers that apps write.
@Suite struct DocumentOpeningTests {
    /// One app that opens pictures, and a desktop for the others.
    private final class Device: OpeningApps, OpeningLinks, OpeningDesktop, AppSessionApps {
        let app: AppIdentity
        let root: String
        let shown = Mutex<[String]>([])

        init(root: String, team: TeamIdentity = .development) throws {
            self.root = root
            app = AppIdentity(bundleID: try BundleID(validating: "com.example.own"), team: team)
        }

        func claimants() -> [OpeningClaimant] {
            var claims = AppClaims()
            claims.documentTypes = [
                .init(name: "", contentTypes: ["public.png"], role: .viewer, rank: .owner, activityType: nil)
            ]
            return [OpeningClaimant(bundleID: app.bundleID, name: "Own", claims: claims)]
        }
        func types() -> TypeRegistry { TypeRegistry(apps: []) }
        func identity(of bundleID: BundleID) -> AppIdentity? { app }
        func container(of bundleID: BundleID) -> String? { root + "/app" }
        func inbox(of bundleID: BundleID) -> String { root + "/inbox" }
        func writableFolders() -> [String] { [root + "/app"] }
        func launchImage(of bundleID: BundleID, for url: String) -> String? { nil }
        func schemeName(of bundleID: BundleID, _ scheme: URLScheme) -> String? { nil }

        func apps(claiming page: String) -> [BundleID] { [] }

        func canOpen(_ scheme: URLScheme) -> Bool { true }
        func open(url: String) async throws { shown.withLock { $0.append(url) } }
        func open(file: String) async throws { shown.withLock { $0.append(file) } }

        func installedApp(of process: PeerProcess, claiming bundleID: String) -> AppCaller? { nil }
        /// A delivered file is in the Inbox by then, and the app is not needed.
        func launch(
            _ app: AppIdentity, environment: [String: String]
        ) async throws -> (processID: Int32, wasRunning: Bool) {
            throw BatonError(.unavailable, reason: "not_started", "No app is started here.")
        }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) {}
        func noteEnded(_ app: AppIdentity, process: PeerProcess) {}
    }

    private static func service(
        _ device: Device, _ folder: TemporaryDirectory
    ) async throws -> (OpeningService, AppSessions) {
        let sessions = AppSessions(apps: device, deviceName: { "A" }, recorder: NullEventRecorder())
        let database = try DaemonDatabase(path: folder.file("daemon.sqlite"), migrations: HandlerDefaults.migrations)
        let service = OpeningService(
            apps: device, sessions: sessions, links: device, desktop: device,
            defaults: try await HandlerDefaults(database: database), recorder: NullEventRecorder())
        return (service, sessions)
    }

    /// GIO looks at the path alone, with the person's rights.
    @Test(
        "a file of another machine, and a path that is none, are not handed to the desktop for an app",
        arguments: [
            "file://elsewhere/home/anna/Secret.pdf", "FILE://elsewhere/home/anna/Secret.pdf", "file://[::1]/home/anna",
            "file:Secret.pdf", "file:", "file:///home/anna/%ff", "file:///home/anna/Secret.pdf",
        ])
    func otherMachines(url: String) async throws {
        let folder = try TemporaryDirectory()
        let team = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
        let device = try Device(root: folder.path, team: team)
        let (service, _) = try await Self.service(device, folder)
        await #expect(throws: BatonError.self) {
            try await service.open(url, from: OpeningCaller(app: device.app))
        }
        #expect(device.shown.withLock { $0 }.isEmpty)
    }

    @Test("a document that was exchanged for a link, or below one, is neither copied for its app nor shown (A-16)")
    func links() async throws {
        let folder = try TemporaryDirectory()
        let container = folder.path + "/container"
        let files = FileManager.default
        for name in ["/container/Documents/Folder", "/app", "/inbox", "/home"] {
            try files.createDirectory(atPath: folder.path + name, withIntermediateDirectories: true)
        }
        for path in [
            "/container/Documents/Good.png", "/container/Documents/Good.own", "/home/Secret.png", "/home/Secret.own",
        ] {
            try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.path + path))
        }
        try files.createDirectory(atPath: container + "/Documents/Package.own", withIntermediateDirectories: true)
        try files.createSymbolicLink(
            atPath: container + "/Documents/Link.png", withDestinationPath: folder.path + "/home/Secret.png")
        try files.createSymbolicLink(
            atPath: container + "/Documents/Link.own", withDestinationPath: folder.path + "/home/Secret.own")
        try files.createSymbolicLink(
            atPath: container + "/Documents/Out", withDestinationPath: folder.path + "/home")

        let device = try Device(root: folder.path)
        let (service, sessions) = try await Self.service(device, folder)
        let running = Task { try await sessions.run() }
        defer { running.cancel() }
        func open(_ name: String) async -> String {
            do {
                _ = try await service.open(document: container + name, in: container)
                return "opened"
            } catch {
                return (error as? BatonError)?.reason ?? "\(error)"
            }
        }
        for name in [
            "/Documents/Link.png", "/Documents/Link.own", "/Documents/Out/Secret.png", "/Documents/Out/Secret.own",
            "/Documents/Out", "/../home/Secret.png", "/Documents/Gone.png",
        ] {
            #expect(await open(name) != "opened", "\(name)")
        }
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/inbox").isEmpty)
        #expect(device.shown.withLock { $0 }.isEmpty)

        // An item that is no link goes where it went: a package and a file to the desktop, a file to its app.
        for name in ["/Documents/Good.own", "/Documents/Package.own"] { #expect(await open(name) == "opened") }
        #expect(device.shown.withLock { $0.count } == 2)
        _ = await open("/Documents/Good.png")
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/inbox") == ["Good.png"])
    }
}
