import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import Files
import Foundation
import LaunchServices
import Logging
import Synchronization

/// A device's home and what runs on it.
final class LaunchFixture: Sendable {
    let temporary: TemporaryDirectory
    let locations: Locations
    let team: TeamKey
    let service: LaunchServices
    let recorder = MockRecorder()

    /// - Parameter home: of an earlier fixture; nil for a new one.
    init(
        continuing earlier: LaunchFixture? = nil, home: String? = nil, grace: Duration = .seconds(5),
        environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        descriptorLimit: UInt64? = nil, helper: String? = nil,
        installStep: @escaping @Sendable (InstallStep) -> Void = { _ in }
    ) async throws {
        temporary = try earlier?.temporary ?? TemporaryDirectory()
        team = try earlier?.team ?? TeamKey(name: "Example")
        locations = try Locations(
            home: home ?? temporary.file("home"), environment: [:], workingDirectory: "/")
        try SecureDirectory.prepareAll(locations)
        service = try await LaunchServices(
            locations: locations,
            database: try DaemonDatabase(path: locations.database, migrations: LaunchServices.migrations),
            recorder: recorder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            settings: .init(
                environment: environment, terminationGrace: grace, descriptorLimit: descriptorLimit, helper: helper,
                installStep: installStep))
    }

    func bundle(
        _ script: String = "exec sleep 1000", version: String = "1", bundleID: String = "com.example.Example",
        team other: TeamKey? = nil, activityTypes: [String] = [], resources: [String: String] = ["Resources/a.txt": "a"]
    ) throws -> BundleFixture {
        try BundleFixture(
            in: temporary.file("source"), bundleID: bundleID, version: version, activityTypes: activityTypes,
            executable: .script(script), resources: resources
        ).signed(by: other ?? team)
    }

    @discardableResult
    func install(_ script: String = "exec sleep 1000", version: String = "1") async throws -> InstalledApp {
        try await service.install(path: try bundle(script, version: version).path).app
    }

    /// Makes a named pipe in the app's container, to hear from it.
    func pipe(_ name: String, of app: InstalledApp) -> String {
        let path = app.containerPath + "/" + name
        mkfifo(path, 0o600)
        return path
    }

    /// The app's output into a pipe: one opening of it.
    func read(_ pipe: String) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                // Waits for the app to open its end.
                let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                var text: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 100)
                while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
                    text += buffer.prefix(count)
                }
                continuation.resume(
                    returning: String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines))
            }
        }
    }
}

let exampleID = BundleID(unchecked: "com.example.Example")

final class MockRecorder: EventRecorder {
    private let records = Mutex<[EventRecord]>([])

    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        records.withLock {
            $0.append(.init(time: 0, category: category, event: event, message: message, fields: fields))
        }
    }

    func all(_ event: String) -> [EventRecord] { records.withLock { $0.filter { $0.event == event } } }
}

extension AsyncStream where Element == LaunchEvent {
    /// The description of the next end of a process.
    func nextExit() async -> String? {
        for await event in self {
            if case .exited(_, _, let description) = event { return description }
        }
        return nil
    }
}
