import BatonCore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Sync

/// Seeded schedules of three devices that write groups and blobs through one cloud, whose pages have three items. `BATON_SEED` runs
/// that one alone.
@Suite("Simulation of groups and blobs", .timeLimit(.minutes(5))) struct GroupSimulationTests {
    private struct Torn: Error { var description: String }

    @Test("A group is seen whole or not at all, after every step; in the end all devices hold the same, blobs too")
    func schedules() async throws {
        for seed in Schedules.seeds(8, soak: 2000) {
            do {
                try await run(seed)
            } catch {
                Issue.record("seed \(seed): \(error). Run it alone with BATON_SEED=\(seed).")
                throw error
            }
        }
    }

    private func run(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        let (cloud, vault) = (try TestCloud(), BlobVault())
        var replicas: [TestReplica] = []
        for number in 0..<3 {
            let replica = try await TestReplica("\(number)", cloud, vault, in: folder)
            // A page at a time, or several.
            replica.gathering.withLock { $0 = .init(items: number * 5, bytes: 1 << 20, rounds: 1 + number) }
            replicas.append(replica)
        }
        var stamp: UInt64 = 0
        for _ in 0..<60 {
            guard let replica = replicas.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                stamp += 1
                try await write(stamp, to: replica, &random)
            case 4..<8:
                await attempt { try await replica.pull(Int.random(in: 0..<20, using: &random) == 0 ? .expired : nil) }
            case 8: await attempt { try await replica.push() }
            default: replica.restart()
            }
            vault.state.withLock {
                $0.left = Bool.random(using: &random) ? .max : Int.random(in: 0..<3, using: &random)
            }
            for replica in replicas { try check(replica) }
        }
        vault.state.withLock { $0.left = .max }
        for _ in 0..<3 {
            for replica in replicas { try await replica.sync() }
        }
        for replica in replicas {
            try check(replica)
            guard replica.source.contents == replicas[0].source.contents, !replica.source.hasPending else {
                throw Torn(description: "the devices do not hold the same")
            }
            for content in replica.source.contents.values {
                let reference = try BlobReference(content)
                guard try await replica.blobs.get(reference).read().count == Int(reference.size) else {
                    throw Torn(description: "a blob is not what it was")
                }
            }
        }
    }

    /// Both items of a pair, which no device ever writes alone; or both are deleted.
    private func write(_ stamp: UInt64, to replica: TestReplica, _ random: inout SeededGenerator) async throws {
        let pair = Int.random(in: 0..<4, using: &random)
        let names = ["\(pair).a", "\(pair).b"]
        guard Int.random(in: 0..<5, using: &random) > 0 else {
            replica.source.set(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }), stamp: stamp, isGroup: true)
            return
        }
        let reference = try await replica.blobs.put(Data(repeating: UInt8(stamp), count: Int(stamp) * 10))
        replica.source.set(
            Dictionary(uniqueKeysWithValues: names.map { ($0, reference.bytes) }), stamp: stamp,
            blobs: Dictionary(uniqueKeysWithValues: names.map { ($0, [reference.id]) }), isGroup: true)
    }

    /// Failures are tried again.
    private func attempt(_ body: () async throws -> some Any) async { _ = try? await body() }

    private func check(_ replica: TestReplica) throws {
        for pair in 0..<4 {
            let (first, second) = (replica.source.entry("\(pair).a"), replica.source.entry("\(pair).b"))
            guard first?.stamp == second?.stamp, first?.content == second?.content else {
                throw Torn(description: "of pair \(pair) one half is \(first as Any), the other \(second as Any)")
            }
        }
    }
}
