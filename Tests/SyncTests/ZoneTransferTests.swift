import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Synchronization
import Testing

@testable import Sync

@Suite("Transfer of a zone")
struct ZoneTransferTests {
    private let directory: TemporaryDirectory
    private let cloud: TestCloud
    private let zone: TestZone

    init() throws {
        directory = try TemporaryDirectory()
        cloud = try TestCloud()
        zone = try TestZone(cloud: cloud, in: directory)
    }

    @Test("A version that is less than the cloud had told has the zone read anew, and is not merged (K-18)")
    func lowerVersion() async throws {
        try await cloud.put("a", [1, 1])
        _ = try await zone.pull()
        _ = zone.take()
        let pending = [OutgoingItem(name: "a", content: Data([0]), replaces: 1 << 62)]
        zone.told.withLock { $0.pending = pending }
        #expect(try await zone.push() == .otherOrder)
        #expect(zone.take().isEmpty)
        #expect(zone.told.withLock { $0.pending } == pending)
        try await zone.pullAll(.replaced)
        #expect(try await zone.push() == .written(newest: 2, count: 1))
    }

    @Test("An item that cannot be opened yet is never written over unseen, and holds up nothing else (K-18)")
    func withoutKey() async throws {
        _ = try await zone.pull()
        try await cloud.put("b", [2, 7])
        zone.told.withLock { told in
            told.pending = ["a", "b", "c"].map { OutgoingItem(name: $0, content: Data([0]), replaces: 0) }
        }
        #expect(try await zone.push() == .conflict)
        #expect(try await zone.push() == .written(newest: 3, count: 2))
        let written = zone.told.withLock { $0.written }
        #expect(written == ["a", "c"])
        do {
            _ = try await zone.push()
            Issue.record("it was written over")
        } catch {
            #expect((error as? BatonError)?.reason == "cannot_open_yet")
        }
        // Values set meanwhile are sent.
        zone.told.withLock { $0.pending.append(OutgoingItem(name: "d", content: Data([0]), replaces: 0)) }
        #expect(try await zone.push() == .written(newest: 4, count: 1))
        #expect(zone.take().isEmpty)
        zone.codec.keys.withLock { _ = $0.insert(2) }
        try await zone.pullAll()
        #expect(zone.take().contains(IncomingItem(name: "b", version: 1, content: Data([7]))))
        #expect(try await zone.push() == .written(newest: 5, count: 1))
        #expect(try await zone.push() == .nothing)
    }

    @Test(
        "A tombstone comes to the others with the name; an unreadable one is a deletion without a tombstone"
    )
    func tombstones() async throws {
        for name in ["a", "b", "c"] { try await cloud.put(name, [1]) }
        try await zone.pullAll()
        _ = zone.take()
        let other = try TestZone(cloud: cloud, in: TemporaryDirectory())
        try await other.pullAll()
        other.told.withLock { told in
            told.pending = [OutgoingItem(name: "a", state: .deleted(tombstone: Data([5])), replaces: 1)]
        }
        #expect(try await other.push() == .written(newest: 4, count: 1))
        try await cloud.delete("b", [0xFF])
        try await cloud.delete("c", [])
        try await zone.pullAll()
        let told = zone.take().sorted { $0.version < $1.version }
        #expect(
            told == [
                IncomingItem(name: "a", version: 4, state: .deleted(tombstone: Data([5]))),
                IncomingItem(name: "b", version: 5, state: .deleted(tombstone: nil)),
                IncomingItem(name: "c", version: 6, state: .deleted(tombstone: nil)),
            ])
        // A deletion under a missing key is not reported before the key comes.
        try await cloud.delete("d", [3, 6])
        try await zone.pullAll()
        #expect(zone.take().isEmpty)
        zone.codec.keys.withLock { _ = $0.insert(3) }
        try await zone.pullAll()
        #expect(zone.take() == [IncomingItem(name: "d", version: 7, state: .deleted(tombstone: Data([6])))])
    }

    @Test("A zone that is read anew tells what came, deletions too")
    func startedOver() async throws {
        for name in ["a", "b", "c", "d"] { try await cloud.put(name, [1]) }
        try await zone.pullAll()
        try await cloud.delete("a", [])
        cloud.forgetDeletions()
        try await cloud.delete("b", [1, 9])
        #expect(try await zone.pull() == .resync(.expired))
        try await zone.pullAll(.expired)
        let told = zone.told.withLock { $0.startedOver }
        #expect(told == ["b", "c", "d"])
        try await cloud.delete("c", [])
        cloud.forgetDeletions()
        try await zone.pullAll(.expired)
        let again = zone.told.withLock { $0.startedOver }
        #expect(again == ["d"])
    }

    @Test("An item that nobody could open for 90 days is written over")
    func givenUp() async throws {
        _ = try await zone.pull()
        try await cloud.put("a", [2, 7])
        try await zone.pullAll()
        zone.told.withLock { $0.pending = [OutgoingItem(name: "a", content: Data([0]), replaces: 0)] }
        for days in [0, 89] as [UInt64] {
            zone.advance(by: days * 86_400_000)
            await #expect(throws: BatonError.self, "after \(days) days") { try await zone.push() }
        }
        zone.advance(by: 2 * 86_400_000)
        #expect(try await zone.push() == .conflict)
        #expect(try await zone.push() == .written(newest: 2, count: 1))
        try await zone.pullAll()
        zone.told.withLock { $0.pending = [OutgoingItem(name: "a", content: Data([1]), replaces: 2)] }
        #expect(try await zone.push() == .written(newest: 3, count: 1))
    }

    @Test("An item that comes readable is not looked for again, and does not keep its name from being written")
    func readableMeanwhile() async throws {
        try await cloud.put("a", [2, 7])
        try await zone.pullAll()
        // Between looking for what was kept in mind, and reading on.
        try await cloud.put("a", [1, 8])
        let record = try #require(try await zone.records.record(of: .data))
        try await zone.records.save(record, of: .data, parking: [Data("a".utf8)], unparking: [])
        try await zone.pullAll()
        #expect(try await zone.records.parked(in: .data, limit: 9).isEmpty)
    }

    @Test("A zone that a source has removed and made again is read from its start")
    func madeAgain() async throws {
        for name in ["a", "b"] { try await cloud.put(name, [1]) }
        try await zone.pullAll()
        #expect(zone.take().count == 2)
        try await zone.pullAll()
        #expect(zone.take().isEmpty)
        zone.told.withLock { $0.identity = Data([2]) }
        try await zone.pullAll()
        #expect(zone.take().count == 2)
        try await zone.pullAll()
        #expect(zone.take().isEmpty)
    }

    @Test("A batch has no more items than the cloud takes")
    func batches() async throws {
        _ = try await zone.pull()
        zone.told.withLock { told in
            told.pending = (0..<7).map { OutgoingItem(name: "\($0)", content: Data([0]), replaces: 0) }
        }
        var counts: [Int] = []
        while case .written(_, let count) = try await zone.push() { counts.append(count) }
        #expect(counts == [3, 3, 1])
    }
}
