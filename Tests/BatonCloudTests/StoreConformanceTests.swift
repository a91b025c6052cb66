import BatonCloud
import BatonCore
import BatonTestSupport
import CloudConformance
import Foundation
import NIOPosix
import Testing

/// The drivers of items.
enum ItemDriver: String, CaseIterable, Sendable {
    case memory, sqlite

    func make(
        _ rules: StoreRules, _ observer: @escaping ZoneObserver, _ folder: TemporaryDirectory
    ) throws
        -> any ItemStore
    {
        switch self {
        case .memory: MemoryItemStore(rules: rules, observer: observer)
        case .sqlite: try SQLiteItemStore(path: folder.file("cloud.sqlite"), rules: rules, observer: observer)
        }
    }
}

@Suite("Drivers of the cloud's storage") struct StoreConformanceTests {
    @Test("Items are kept by the rules", arguments: ItemDriver.allCases, ItemStoreConformance.rules)
    func items(driver: ItemDriver, rule: ItemStoreConformance.Rule) async throws {
        let folder = try TemporaryDirectory()
        let bench = try await ItemStoreBench { try driver.make($0, $1, folder) }
        try await rule.run(bench)
    }

    @Test("Random histories come out as in the model", arguments: ItemDriver.allCases)
    func histories(driver: ItemDriver) async throws {
        let first = UInt64.random(in: 0..<1 << 32)
        for seed in first..<first + (driver == .memory ? 200 : 12) {
            let folder = try TemporaryDirectory()
            let bench = try await ItemStoreBench(seed: seed) { try driver.make($0, $1, folder) }
            do {
                try await ItemStoreHistory.run(on: bench, steps: 120)
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
