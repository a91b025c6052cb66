import BatonCloud
import BatonCore
import BatonTestSupport
import CloudConformance
import Foundation
import NIOPosix
import Synchronization
import Testing

/// The drivers of items.
enum ItemDriver: String, CaseIterable, Sendable {
    case memory, sqlite, postgreSQL
    /// PostgreSQL, two databases.
    case placed

    /// Runs `body` with a bench of an empty store.
    func with(seed: UInt64 = 1, _ body: (ItemStoreBench) async throws -> Void) async throws {
        switch self {
        case .memory:
            try await body(
                try await ItemStoreBench(
                    seed: seed,
                    copying: { store in
                        guard let copy = (store as? MemoryItemStore)?.copy() else { throw StoreRules.unknownAccount }
                        return { _, _ in copy.copy() }
                    }
                ) { MemoryItemStore(rules: $0, observer: $1) })
        case .sqlite:
            let folder = try TemporaryDirectory()
            let path = Mutex(folder.file("cloud.sqlite"))
            try await body(
                try await ItemStoreBench(
                    seed: seed,
                    copying: { store in
                        guard let store = store as? SQLiteItemStore else { throw StoreRules.unknownAccount }
                        let copy = folder.file("\(UUID().uuidString).sqlite")
                        try CloudDatabase.copy(path.withLock { $0 }, to: copy, isBackup: false)
                        return {
                            try store.close()
                            path.withLock { $0 = copy }
                            return try SQLiteItemStore(path: copy, rules: $0, observer: $1)
                        }
                    }
                ) { try SQLiteItemStore(path: folder.file("cloud.sqlite"), rules: $0, observer: $1) })
        case .postgreSQL, .placed:
            let server = try await PostgreSQLServer.shared.value
            var places = [try await server.place()]
            if self == .placed { places.append(try await server.place()) }
            let opened = Mutex<[PostgreSQLItemStore]>([])
            defer { for store in opened.withLock({ $0 }) { store.close() } }
            let open: @Sendable (StoreRules, @escaping ZoneObserver) throws -> any ItemStore = { [places] in
                for place in places {
                    let store = try PostgreSQLItemStore(location: place, rules: $0, observer: $1)
                    opened.withLock { $0.append(store) }
                }
                let stores = opened.withLock { $0 }
                return self == .placed ? try ShardedItemStore(stores) : stores[0]
            }
            try await body(
                try await ItemStoreBench(
                    seed: seed,
                    copying: { [places] _ in
                        for place in places { try await server.query(Self.copying, in: place) }
                        return {
                            opened.withLock { stores in
                                for store in stores { store.close() }
                                stores = []
                            }
                            for place in places { try await server.query(Self.puttingBack, in: place) }
                            return try open($0, $1)
                        }
                    }, make: open))
        }
    }

    private static let tables = [
        "used", "placements", "accounts", "statements", "zones", "items", "answers", "blobs",
    ]
    private static let copying = tables.map {
        "DROP TABLE IF EXISTS copy_\($0); CREATE TABLE copy_\($0) AS TABLE \($0);"
    }
    .joined()
    private static let puttingBack = tables.map { "TRUNCATE \($0); INSERT INTO \($0) SELECT * FROM copy_\($0);" }
        .joined()
}

@Suite("Drivers of the cloud's storage") struct StoreConformanceTests {
    @Test("Items are kept by the rules", arguments: ItemDriver.allCases, ItemStoreConformance.rules)
    func items(driver: ItemDriver, rule: ItemStoreConformance.Rule) async throws {
        try await driver.with { try await rule.run($0) }
    }

    @Test("Random histories come out as in the model", arguments: ItemDriver.allCases)
    func histories(driver: ItemDriver) async throws {
        let first = UInt64.random(in: 0..<1 << 32)
        for seed in first..<first + (driver == .memory ? 200 : driver == .sqlite ? 12 : 4) {
            do {
                try await driver.with(seed: seed) { try await ItemStoreHistory.run(on: $0, steps: 120) }
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }

    @Test("Blobs are kept by the rules, in memory", arguments: BlobStoreConformance.rules)
    func blobsInMemory(rule: BlobStoreConformance.Rule) async throws { try await rule.run(MemoryBlobStore()) }

    @Test("Blobs are kept by the rules, in a directory", arguments: BlobStoreConformance.rules)
    func blobsInDirectory(rule: BlobStoreConformance.Rule) async throws {
        let folder = try TemporaryDirectory()
        try await rule.run(DirectoryBlobStore(directory: folder.path, threads: NIOThreadPool.singleton))
    }
}
