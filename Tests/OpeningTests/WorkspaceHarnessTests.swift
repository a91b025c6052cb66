import AppSessions
import BatonConcurrency
import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonTrust
import BatonWire
import Foundation
import Opening
import SwiftProtobuf
import Synchronization
import Testing
import UniformTypes

/// An app's view of the others, and which of them it may start (U-1, X-12).
@Suite struct WorkspaceHarnessTests {
    private static let ours = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
    private static let theirs = TeamIdentity(fingerprint: Array(repeating: 2, count: 32))

    private static func identity(_ name: String, _ team: TeamIdentity) -> AppIdentity {
        AppIdentity(bundleID: BundleID(unchecked: "com.example.\(name)"), team: team)
    }

    /// A reader of our team, an editor of another one that opens pictures and a scheme, and a program in development.
    private final class Device: WorkspaceApps, OpeningApps, OpeningLinks, OpeningDesktop, AppSessionApps {
        let launched = Mutex<[String]>([])
        let shown = Mutex<[String]>([])

        func all() -> [WorkspaceApp] {
            [("reader", WorkspaceHarnessTests.ours), ("editor", WorkspaceHarnessTests.theirs)].map { name, team in
                WorkspaceApp(
                    identity: WorkspaceHarnessTests.identity(name, team), name: name, bundlePath: "/apps/\(name).app",
                    executablePath: "/apps/\(name).app/\(name)", processID: 40, isInFront: name == "editor")
            } + [
                WorkspaceApp(
                    identity: WorkspaceHarnessTests.identity("tool", .development), name: "tool", bundlePath: nil,
                    executablePath: nil, processID: 50, isInFront: false)
            ]
        }
        func launch(_ app: AppIdentity) async throws -> (processID: Int32, wasRunning: Bool) {
            launched.withLock { $0.append(app.bundleID.rawValue) }
            return (60, false)
        }

        func claimants() -> [OpeningClaimant] {
            var editor = AppClaims()
            editor.documentTypes = [
                .init(name: "", contentTypes: ["public.png"], role: .viewer, rank: .owner, activityType: nil)
            ]
            return [
                OpeningClaimant(
                    bundleID: BundleID(unchecked: "com.example.reader"), name: "reader", claims: AppClaims()),
                OpeningClaimant(bundleID: BundleID(unchecked: "com.example.editor"), name: "editor", claims: editor),
            ]
        }
        func types() -> TypeRegistry { TypeRegistry(apps: []) }
        func identity(of bundleID: BundleID) -> AppIdentity? { nil }
        func container(of bundleID: BundleID) -> String? { nil }
        func inbox(of bundleID: BundleID) -> String { "/inbox" }
        func writableFolders() -> [String] { [] }
        func launchImage(of bundleID: BundleID, for url: String) -> String? { nil }
        func schemeName(of bundleID: BundleID, _ scheme: URLScheme) -> String? { nil }
        func apps(claiming page: String) -> [BundleID] { [] }
        func canOpen(_ scheme: URLScheme) -> Bool { false }
        func open(url: String) async throws {}
        func open(file: String) async throws { shown.withLock { $0.append(file) } }
        func installedApp(of process: PeerProcess, claiming bundleID: String) -> AppCaller? { nil }
        func launch(
            _ app: AppIdentity, environment: [String: String]
        ) async throws -> (processID: Int32, wasRunning: Bool) {
            throw BatonError(.unavailable, reason: "not_started", "No app is started here.")
        }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) {}
        func noteEnded(_ app: AppIdentity, process: PeerProcess) {}
    }

    private struct Fixture {
        let folder: TemporaryDirectory
        let device: Device
        let service: OpeningService
        let harness: WorkspaceHarness
    }

    private func fixture() async throws -> Fixture {
        let (folder, device) = (try TemporaryDirectory(), Device())
        let sessions = AppSessions(apps: device, deviceName: { "A" }, recorder: NullEventRecorder())
        let database = try DaemonDatabase(path: folder.file("daemon.sqlite"), migrations: HandlerDefaults.migrations)
        let service = OpeningService(
            apps: device, sessions: sessions, links: device, desktop: device,
            defaults: try await HandlerDefaults(database: database), recorder: NullEventRecorder())
        let harness = WorkspaceHarness(service, apps: device)
        return Fixture(folder: folder, device: device, service: service, harness: harness)
    }

    @Test("an installed app is told of its team's apps, and of another team's only that it opens a type")
    func finding() async throws {
        let fixture = try await fixture()
        let (reader, tool) = (Self.identity("reader", Self.ours), Self.identity("shell", .development))
        func found(
            _ subject: Baton_App_V1_FindAppsRequest.OneOf_Subject, _ caller: AppIdentity
        ) throws -> [String] {
            try fixture.harness.find(.with { $0.subject = subject }, for: caller).map { app in
                "\(app.name) \(app.processID.map(String.init) ?? "-")\(app.isInFront ? " front" : "")"
            }
        }
        #expect(try found(.running(true), reader) == ["reader 40"])
        #expect(try found(.running(true), tool) == ["reader 40", "editor 40 front", "tool 50"])
        #expect(try found(.bundleID("com.example.editor"), reader).isEmpty)
        #expect(try found(.bundleID("com.example.editor"), tool) == ["editor 40 front"])
        #expect(try found(.type("public.png"), reader) == ["editor -"])
        #expect(try found(.type("public.png"), tool) == ["editor 40 front"])
        #expect(throws: BatonError.self) { try fixture.harness.find(.init(), for: tool) }
    }

    @Test("an installed app starts apps of its own team, and is not told whether another's is installed")
    func launching() async throws {
        let fixture = try await fixture()
        let harness = fixture.harness
        let reader = Self.identity("reader", Self.ours)
        let process = try await harness.launch("com.example.reader", for: reader)
        #expect(process.processID == 60)
        for name in ["com.example.editor", "com.example.none", "com.example.tool"] {
            let error = await #expect(throws: BatonError.self) { try await harness.launch(name, for: reader) }
            #expect(error?.reason == "app_of_another_team")
        }
        let shell = Self.identity("shell", .development)
        _ = try await harness.launch("com.example.editor", for: shell)
        let error = await #expect(throws: BatonError.self) {
            try await harness.launch("com.example.none", for: shell)
        }
        #expect(error?.reason == "app_not_installed")
        #expect(fixture.device.launched.withLock { $0 } == ["com.example.reader", "com.example.editor"])
        // A burst, and no more at once.
        await #expect(throws: BatonError.self) {
            for _ in 0..<40 { _ = try await harness.launch("com.example.reader", for: reader) }
        }
        // Nor may it have something opened instead.
        #expect(throws: BatonError.self) {
            for _ in 0..<3 { try fixture.service.checkRate(of: reader, at: MomentClock(wall: .system).now) }
        }
    }

    @Test("a file of a program in development goes to the desktop where no app declares its type (U-1)")
    func files() async throws {
        let fixture = try await fixture()
        let file = URL(fileURLWithPath: fixture.folder.file("a note.txt"))
        try Data("note".utf8).write(to: file)
        let tool = OpeningCaller(app: Self.identity("tool", .development))
        let outcome = try await fixture.service.open(file.absoluteString, from: tool)
        #expect(outcome.app == nil && fixture.device.shown.withLock { $0 } == [file.path])
        // An installed app may open files of its container only, and none with the desktop.
        let reader = OpeningCaller(app: Self.identity("reader", Self.ours))
        await #expect(throws: BatonError.self) { try await fixture.service.open(file.absoluteString, from: reader) }
        #expect(fixture.device.shown.withLock { $0.count } == 1)
    }
}
