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
        case .memory: try await body(try await ItemStoreBench(seed: seed) { MemoryItemStore(rules: $0, observer: $1) })
        case .sqlite:
            let folder = try TemporaryDirectory()
            try await body(
                try await ItemStoreBench(seed: seed) {
                    try SQLiteItemStore(path: folder.file("cloud.sqlite"), rules: $0, observer: $1)
                })
        case .postgreSQL, .placed:
            let server = try await PostgreSQLServer.shared.value
            var places = [try await server.place()]
            if self == .placed { places.append(try await server.place()) }
            let opened = Mutex<[PostgreSQLItemStore]>([])
            defer { for store in opened.withLock({ $0 }) { store.close() } }
            try await body(
                try await ItemStoreBench(seed: seed) { [places] rules, observer in
                    for place in places {
                        let store = try PostgreSQLItemStore(location: place, rules: rules, observer: observer)
                        opened.withLock { $0.append(store) }
                    }
                    let stores = opened.withLock { $0 }
                    return self == .placed ? try PlacedItemStore(stores) : stores[0]
                })
        }
    }
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
