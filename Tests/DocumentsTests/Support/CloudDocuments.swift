import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import Synchronization
import Testing

@testable import Documents
@testable import Sync

/// One device of an account with a cloud, and the folder “work” of its person, in one process.
struct CloudDocuments {
    /// An account's cloud: one zone, and blobs that are there with the items that name them.
    final class Cloud: BlobCloud, SyncTrigger {
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

    let directory: TemporaryDirectory
    let cloud = Cloud()
    let service: DocumentsService
    let blobs: BlobService
    private let database: DaemonDatabase

    init() async throws {
        directory = try TemporaryDirectory()
        database = try DaemonDatabase(
            path: directory.file("data.sqlite"), migrations: SyncStore.migrations + DocumentsService.migrations)
        blobs = try await BlobService(database: database, path: directory.file("blobs"))
        service = try DocumentsService(
            database: database, blobs: blobs, directory: directory.file("containers"), arbiter: Arbiter(),
            recorder: NullEventRecorder())
        service.connect(to: cloud)
        blobs.connected(to: cloud)
        await enter("A")
        try FileManager.default.createDirectory(atPath: directory.file("work"), withIntermediateDirectories: true)
        _ = try await service.addFolder("work", at: directory.file("work"), joins: false)
    }

    func enter(_ account: String) async {
        await service.accountChanged(
            to: DocumentsAccount(
                account: AccountID(unchecked: String(repeating: account, count: 26)),
                device: DeviceID(unchecked: String(repeating: "B", count: 26)), deviceName: "B",
                gearKey: [UInt8](repeating: 7, count: GearTable.keyBytes), hasCloud: true))
    }

    func path(_ name: String) -> String { directory.file("work") + "/" + name }

    func write(_ bytes: Data, _ name: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path(name)))
    }

    func random(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: .min ... .max) }) }

    /// - Parameter takes: whether the cloud takes what it is given meanwhile.
    func until(
        _ what: String, _ container: ContainerEngine, takes: Bool = true,
        _ condition: (ContainerEngine) async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while try await !condition(container) {
            guard ContinuousClock.now < end else {
                Issue.record("Still waiting for \(what).")
                throw CancellationError()
            }
            if takes { try await cloud.take(container.name.zone, from: DocumentsZones(service)) }
            try await Task.sleep(for: .milliseconds(10))  // sleeps: a file that was read causes no event
        }
    }

    func run(_ body: (ContainerEngine) async throws -> Void) async throws {
        let container = try #require(service.running.first { $0.name.folderName != nil })
        try await DocumentsZones(service).didFinishInitialFetch(container.name.zone, by: .cloud)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [service] in try await service.run() }
            defer { group.cancelAll() }
            try await body(container)
        }
    }
}
