import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import Synchronization
import Testing

@testable import Documents
@testable import Sync

/// Room in the account's cloud (D-5): what nobody wants any more leaves it at once.
@Suite("Room in the account's cloud", .timeLimit(.minutes(1))) struct PurgeTests {
    /// An account's cloud: one zone, and blobs that are there with the items that name them.
    private final class Cloud: BlobCloud, SyncTrigger {
        struct State {
            var versions: [String: UInt64] = [:]
            var contents: [String: Data] = [:]
            var newest: UInt64 = 0
            var blobs: Set<BlobID> = []
            var released: Set<BlobID> = []
        }
        let state = Mutex(State())

        func missing(_ blobs: [BlobID]) async throws -> [BlobID: UInt64] { [:] }
        func put(_ bytes: Data, at offset: UInt64, of blob: BlobID, size: UInt64) async throws {}
        func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data { throw CocoaError(.fileNoSuchFile) }
        func release(_ blobs: [BlobID]) async throws -> UInt64 {
            state.withLock { state in
                state.released.formUnion(blobs)
                state.blobs.subtract(blobs)
            }
            return UInt64(blobs.count)
        }

        func changed(_ zone: ZoneName) {}
        var accountTime: UInt64? { WallClock.system.milliseconds }

        var packs: Set<String> { state.withLock { Set($0.contents.keys.filter(DocumentPack.isName)) } }

        /// Writes all that waits.
        func take(_ zone: ZoneName, from zones: DocumentsZones) async throws {
            let items = try await zones.pending(in: zone, limit: 500)
            guard !items.isEmpty else { return }
            let written = try state.withLock { state in
                try items.map { item in
                    guard state.versions[item.name, default: 0] == item.replaces else {
                        throw CocoaError(.fileWriteFileExists)
                    }
                    state.newest += 1
                    state.versions[item.name] = state.newest
                    state.contents[item.name] = item.content
                    state.blobs.formUnion(item.blobs)
                    return (item: item, version: state.newest)
                }
            }
            try await zones.written(written, in: zone)
        }
    }

    private struct Arbiter: FileArbiter {
        func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64 {
            answer(.granted)
            return 1
        }
        func end(_ claim: UInt64, _ news: [FileNews]) {}
        func withdraw(_ claim: UInt64) {}
        func tell(_ news: FileNews) {}
        func holders(against accesses: [FileAccess]) -> [String] { [] }
    }

    private let directory: TemporaryDirectory
    private let cloud = Cloud()
    private let service: DocumentsService
    private let blobs: BlobService

    init() async throws {
        directory = try TemporaryDirectory()
        let database = try DaemonDatabase(
            path: directory.file("data.sqlite"), migrations: SyncStore.migrations + DocumentsService.migrations)
        blobs = try await BlobService(database: database, path: directory.file("blobs"))
        service = try DocumentsService(
            database: database, blobs: blobs, directory: directory.file("containers"), arbiter: Arbiter(),
            recorder: NullEventRecorder())
        service.connect(to: cloud)
        blobs.connected(to: cloud)
        await service.accountChanged(
            to: DocumentsAccount(
                account: AccountID(unchecked: String(repeating: "A", count: 26)),
                device: DeviceID(unchecked: String(repeating: "B", count: 26)), deviceName: "B",
                gearKey: [UInt8](repeating: 7, count: GearTable.keyBytes), hasCloud: true))
        try FileManager.default.createDirectory(atPath: directory.file("work"), withIntermediateDirectories: true)
        _ = try await service.addFolder("work", at: directory.file("work"), joins: false)
    }

    private func path(_ name: String) -> String { directory.file("work") + "/" + name }

    private func write(_ bytes: Data, _ name: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path(name)))
    }

    private func random(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: .min ... .max) }) }

    /// - Parameter takes: whether the cloud takes what it is given meanwhile.
    private func until(
        _ what: String, _ container: ContainerSync, takes: Bool = true,
        _ condition: (ContainerSync) async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while try await !condition(container) {
            guard ContinuousClock.now < end else {
                Issue.record("Still waiting for \(what).")
                throw CancellationError()
            }
            if takes { try await cloud.take(container.name.zone, from: DocumentsZones(service)) }
            try await Task.sleep(for: .milliseconds(10))  // sleeps: nobody tells of a file that was read
        }
    }

    private func run(_ body: (ContainerSync) async throws -> Void) async throws {
        let container = try #require(service.running.first { $0.name.folderName != nil })
        try await DocumentsZones(service).caughtUp(container.name.zone, by: .cloud)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [service] in try await service.run() }
            defer { group.cancelAll() }
            try await body(container)
        }
    }

    @Test("a purge removes what was deleted, earlier versions and their packs, and nothing that is there")
    func purge() async throws {
        try await run { container in
            func sent(_ count: Int) -> (ContainerSync) async throws -> Bool {
                { container in
                    try await container.perform { container in
                        let items = container.items()
                        return items.count == count && items.allSatisfy(\.isUploaded)
                            && container.planner.state.unsent.isEmpty
                    }
                }
            }
            let (old, new) = (random(40_000), random(50_000))
            try write(random(30_000), "gone.bin")
            try write(old, "kept.bin")
            try write(Data("small".utf8), "small.txt")
            try await until("all to be sent", container, sent(3))
            try write(new, "kept.bin")
            try FileManager.default.removeItem(atPath: path("gone.bin"))
            try await until("the changes to be seen", container) { container in
                try await container.perform { $0.items().count == 2 && $0.purgeable.versions == 1 }
            }
            try await until("the changes to be sent", container, sent(2))
            let before = cloud.packs
            let found = try await container.perform(\.purgeable)
            #expect(found == ContainerSync.Purge(deleted: 1, versions: 1, bytes: 70_000))
            let done = Mutex<ContainerSync.Purge?>(nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let purge = try await container.purge()
                    done.withLock { $0 = purge }
                }
                try await until("the purge", container) { _ in done.withLock { $0 != nil } }
                try await group.waitForAll()
            }
            let purged = try #require(done.withLock { $0 })
            #expect(purged.left == 0 && purged.freed > 0)
            #expect(cloud.packs.count < before.count && !cloud.packs.isEmpty)
            let (nothing, deleted, versions) = try await container.perform { container in
                let id = try container.find("kept.bin")
                return (container.purgeable, container.items(deleted: true), container.versions(of: id))
            }
            #expect(nothing == ContainerSync.Purge() && deleted.isEmpty && versions.count == 1)
            // What is left is told whole: the pack of the content that is there stays.
            let chunks = try await container.perform { container in
                try container.ports.store.writtenPacks(in: container.row.id).flatMap(\.chunks)
            }
            #expect(chunks.reduce(0) { $0 + Int($1.length) } >= new.count)
            #expect(FileManager.default.contents(atPath: path("kept.bin")) == new)
            #expect(cloud.state.withLock { $0.released.isDisjoint(with: $0.blobs) })
        }
    }

    @Test("without a cloud, or while it is away, a purge says so and removes nothing")
    func noCloud() async throws {
        try await run { container in
            try await container.perform { $0.direct.hasCloud = false }
            let error = await #expect(throws: BatonError.self) { try await container.purge() }
            #expect(error?.reason == "no_cloud")
        }
    }

    @Test("a content that was deleted while the account is full is not sent any more, and keeps nothing back")
    func deletedOverQuota() async throws {
        try await run { container in
            let zones = DocumentsZones(service)
            let zone = container.name.zone
            let full = BatonError(.resourceExhausted, reason: "quota_exceeded", "It is full.")
            try write(random(60_000), "large.bin")
            try await until("it to wait in packs", container, takes: false) { container in
                try await container.perform { !$0.uploads.isEmpty }
            }
            await zones.refused(full, in: zone)
            let blob = try #require(try await zones.pending(in: zone, limit: 500).first?.blobs.first)
            #expect(try await blobs.isHere(blob))
            try FileManager.default.removeItem(atPath: path("large.bin"))
            try await until("the deletion to be seen", container, takes: false) { container in
                try await container.perform { $0.items().isEmpty }
            }
            await zones.refused(full, in: zone)
            try await until("it to be dropped", container, takes: false) { _ in
                let pending = try await zones.pending(in: zone, limit: 500)
                let isReleased = cloud.state.withLock { $0.released.contains(blob) }
                let isHere = try await blobs.isHere(blob)
                return pending.isEmpty && isReleased && !isHere
            }
            let (unstored, unsent) = try await container.perform {
                ($0.planner.state.unstored, $0.planner.state.unsent.isEmpty)
            }
            #expect(unstored.isEmpty && unsent)
            // What comes next is sent.
            try write(random(20_000), "next.bin")
            try await until("the next one to be sent", container) { container in
                try await container.perform { container in
                    let items = container.items()
                    return items.count == 1 && items.allSatisfy(\.isUploaded)
                }
            }
        }
    }
}
