import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import Sync
import Synchronization
import Testing

@testable import Documents

/// Containers of apps that the account does not have yet, while its cloud is away (D-5, D-36).
@Suite("New containers while the cloud is away", .timeLimit(.minutes(1))) struct NewContainersTests {
    private struct FreeArbiter: FileArbiter {
        func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64 {
            answer(.granted)
            return 1
        }

        func end(_ claim: UInt64, _ news: [FileNews]) {}
        func withdraw(_ claim: UInt64) {}
        func tell(_ news: FileNews) {}
        func holders(against accesses: [FileAccess]) -> [String] { [] }
    }

    private final class Trigger: SyncTrigger {
        private let cloud: Mutex<Bool>
        init(isConnected: Bool) { cloud = Mutex(isConnected) }
        func changed(_ zone: ZoneName) {}
        var isConnected: Bool {
            get { cloud.withLock { $0 } }
            set { cloud.withLock { $0 = newValue } }
        }
    }

    private struct Device {
        let directory: TemporaryDirectory
        let service: DocumentsService
        let zones: DocumentsZones
        let trigger: Trigger

        init(_ letter: String, isConnected: Bool = false) async throws {
            directory = try TemporaryDirectory()
            let database = try DaemonDatabase(
                path: directory.file("db.sqlite"), migrations: SyncStore.migrations + DocumentsService.migrations)
            service = try DocumentsService(
                database: database,
                blobs: try await BlobService(database: database, path: directory.file("blobs")),
                directory: directory.file("containers"), arbiter: FreeArbiter(), recorder: NullEventRecorder())
            zones = DocumentsZones(service)
            trigger = Trigger(isConnected: isConnected)
            service.connect(to: trigger)
            await service.accountChanged(
                to: DocumentsAccount(
                    account: AccountID(unchecked: String(repeating: "A", count: 26)),
                    device: DeviceID(unchecked: String(repeating: letter, count: 26)), deviceName: letter,
                    gearKey: [UInt8](repeating: 7, count: GearTable.keyBytes)))
            _ = try await service.open(.drive)
        }

        func digest(_ name: ContainerName) async throws -> Data { try await zones.digest(of: name.zone) ?? Data() }

        func path(_ name: ContainerName, _ file: String) -> String { "\(service.path(of: name))/Documents/\(file)" }

        /// As a link brings it to the other one.
        func give(_ name: ContainerName, to other: Device) async throws {
            let stamps = try await zones.stamps(in: [.all], of: name.zone, meeting: [])
            let contents = try await zones.contents(of: stamps.keys.sorted(), in: name.zone)
            try await other.zones.exchanged(contents, in: name.zone)
            try await other.zones.didFinishInitialFetch(name.zone, by: .device)
        }

        var listed: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: service.path(of: .drive) + "/Containers")) ?? [])
        }
    }

    private static func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while try await !condition() {
            guard ContinuousClock.now < end else {
                Issue.record("Still waiting for \(what).")
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(20))  // sleeps: a container that begins causes no event
        }
    }

    private static func run(_ devices: [Device], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { try await device.service.run() } }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private static func name() throws -> ContainerName {
        try #require(ContainerName(team: .development, identifier: "iCloud.com.example.Notes"))
    }

    @Test(
        "one that the account does not have begins at once on the link, and the other device waits for it (D-5, D-36)")
    func begins() async throws {
        let name = try Self.name()
        let (one, other) = (try await Device("B"), try await Device("C"))
        try await Self.run([one, other]) {
            try await one.zones.didFinishInitialFetch(ContainerName.drive.zone, by: .device)
            _ = try await one.service.open(name)
            #expect(try await one.digest(name).isEmpty, "not before it was looked for")
            try Data("a note".utf8).write(to: URL(fileURLWithPath: one.path(name, "note.txt")))
            try await Self.until("the container to begin") { try await !one.digest(name).isEmpty }
            try await Self.until("it to be noted") { one.listed == ["development~iCloud.com.example.Notes"] }
            // Before that is read, the other one would hear that the account has none.
            let drive = try #require(one.service.running.first { $0.name == .drive })
            try await Self.until("the note to be read") {
                try await drive.perform { (try? $0.reader.find(ContainerDirectory.path(of: name))) != nil }
            }

            // Without what the account has nothing begins.
            _ = try await other.service.open(name)
            try await Self.until("the note to be in the person's own") {
                try await one.give(.drive, to: other)
                return !other.listed.isEmpty
            }
            #expect(try await other.digest(name).isEmpty, "the account has it: somebody will tell")
            try await Self.until("the file to come") {
                try await one.give(name, to: other)
                return FileManager.default.contents(atPath: other.path(name, "note.txt")) == Data("a note".utf8)
            }
            #expect(try await !other.digest(name).isEmpty)
        }
    }

    @Test("one waits for a cloud that is there, and is told to nobody before that has answered (D-36)")
    func waits() async throws {
        let name = try Self.name()
        let device = try await Device("B", isConnected: true)
        try await Self.run([device]) {
            try await device.zones.didFinishInitialFetch(ContainerName.drive.zone, by: .cloud)
            _ = try await device.service.open(name)
            try await Task.sleep(for: .seconds(3))  // sleeps: longer than the first look takes
            #expect(try await device.digest(name).isEmpty)
            #expect(device.listed.isEmpty)
            // It goes away before it has answered.
            device.trigger.isConnected = false
            try await Self.until("the container to begin") { try await !device.digest(name).isEmpty }
            try await Self.until("it to be noted") { !device.listed.isEmpty }
        }
    }

    @Test("what the cloud has told is noted for the other devices at once (D-5)")
    func told() async throws {
        let name = try Self.name()
        let device = try await Device("B", isConnected: true)
        try await Self.run([device]) {
            _ = try await device.service.open(name)
            #expect(device.listed.isEmpty)
            try await device.zones.didFinishInitialFetch(name.zone, by: .cloud)
            #expect(device.listed == ["development~iCloud.com.example.Notes"])
        }
    }
}
