import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import Sync

/// The cloud's pages and batches have three items.
@Suite("Groups, and deletions that are kept") struct GroupTests {
    private let folder: TemporaryDirectory
    private let cloud: TestCloud
    private let vault = BlobVault()

    init() throws {
        folder = try TemporaryDirectory()
        cloud = try TestCloud()
    }

    private func replica(_ name: String, _ source: ItemSource = ItemSource()) async throws -> TestReplica {
        try await TestReplica(name, cloud, vault, in: folder, source: source)
    }

    private func content(_ number: Int) -> Data { Data([UInt8(number)]) }

    @Test("A group is told as a whole, also where a page ends in the middle of it, and after a restart there")
    func pages() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        try await here.sync()
        here.source.set(["a": content(1)], stamp: 1)
        here.source.set(["b": content(2)], stamp: 1)
        here.source.set(["c": content(3), "d": content(3), "e": content(3)], stamp: 1, isGroup: true)
        here.source.set(["f": content(4), "g": content(4)], stamp: 1, isGroup: true)
        try await here.sync()
        // Versions 1 to 7: pages of three end after c and after f.
        #expect(try await there.pull() == .page(newest: 3, more: true))
        #expect(there.source.received == [["a", "b"]])
        // Waiting items are on the disk: another process continues there.
        let records = there.records
        #expect(try await records.held(in: ItemSource.zone, reaching: 0).count == 1)
        #expect(try await there.pull() == .page(newest: 6, more: true))
        #expect(there.source.received.map(Set.init) == [["a", "b"], ["c", "d", "e"]])
        try await there.pullAll()
        #expect(there.source.received.map(Set.init) == [["a", "b"], ["c", "d", "e"], ["f", "g"]])
        #expect(there.source.contents == here.source.contents)
        #expect(try await records.held(in: ItemSource.zone, reaching: 0).isEmpty)
    }

    @Test("The rest of a group of which an item was written again comes at the end, with that item there")
    func rewritten() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        try await here.sync()
        here.source.set(["a": content(1), "b": content(1)], stamp: 1, isGroup: true)
        try await here.sync()
        for number in 0..<4 { here.source.set(["x\(number)": content(2)], stamp: 2) }
        here.source.set(["a": content(3)], stamp: 3)
        try await here.sync()
        try await there.pullAll()
        let calls = there.source.received
        let first = try #require(calls.firstIndex { $0.contains("b") })
        #expect(first == calls.count - 1, "b waited: its group is not whole")
        #expect(calls[...first].joined().contains("a"))
        #expect(there.source.contents == here.source.contents)
    }

    @Test(
        "A batch holds whole groups only; one that meets a conflict is not written, and the other one's is read whole first"
    )
    func conflict() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        try await here.sync()
        try await there.sync()
        here.source.set(["a": content(1)], stamp: 1)
        here.source.set(["b": content(1)], stamp: 1)
        here.source.set(["c": content(1), "d": content(1)], stamp: 1, isGroup: true)
        #expect(try await here.push() == .written(newest: 2, count: 2), "c and d do not fit any more")
        #expect(try await here.push() == .written(newest: 4, count: 2))
        there.source.set(["c": content(2), "z": content(2)], stamp: 2, isGroup: true)
        #expect(try await there.push() == .behind)
        #expect(there.source.received.isEmpty)
        try await there.sync()
        #expect(there.source.received.allSatisfy { $0.contains("c") == $0.contains("d") })
        try await here.sync()
        #expect(here.source.contents == there.source.contents)
        #expect(here.source.contents["c"] == content(2) && here.source.contents["d"] == content(1))
    }

    @Test("A group that fits into no batch is refused, and says so")
    func tooLarge() async throws {
        let here = try await replica("here")
        try await here.pullAll()
        let items = Dictionary(uniqueKeysWithValues: (0..<4).map { ("\($0)", Optional(content($0))) })
        here.source.set(items, stamp: 1, isGroup: true)
        let error = await #expect(throws: BatonError.self) { try await here.push() }
        #expect(error?.reason == "group_too_large")
    }

    @Test(
        "Where deletions are kept, a device that returns after years is told of one, and what was changed there wins"
    )
    func deletions() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        try await here.sync()
        here.source.set(["gone": content(1)], stamp: 1)
        here.source.set(["edited": content(1)], stamp: 1)
        try await here.sync()
        try await there.sync()
        here.source.set(["gone": nil], stamp: 5)
        here.source.set(["edited": nil], stamp: 5)
        try await here.sync()
        // A year passes: what the cloud forgets, it has forgotten.
        cloud.forgetDeletions()
        there.source.set(["edited": content(9)], stamp: 9)
        // Its cursor is too old, or it is not: both end alike.
        try await there.pullAll(.expired)
        try await there.sync()
        try await here.sync()
        for replica in [here, there] {
            #expect(replica.source.contents == ["edited": content(9)])
            #expect(!replica.source.hasPending)
        }
    }

    @Test("Where they are not, what is missing after the cloud has forgotten is written again")
    func forgotten() async throws {
        let policy = ZonePolicy(deletions: .forgotten)
        let (here, there) = (
            try await replica("here", ItemSource(policy)), try await replica("there", ItemSource(policy))
        )
        try await here.sync()
        here.source.set(["gone": content(1)], stamp: 1)
        try await here.sync()
        try await there.sync()
        here.source.set(["gone": nil], stamp: 5)
        try await here.sync()
        cloud.forgetDeletions()
        try await there.pullAll(.expired)
        #expect(there.source.hasPending, "nobody can tell whether it was deleted or lost")
    }

    @Test("A frame that no device writes is damage")
    func frames() throws {
        let frame = ItemFrame(isDeletion: true, index: 300, count: 500)
        let (opened, content) = try ItemFrame.open(frame.framed(Data([1, 2])))
        #expect(opened == frame && content == Data([1, 2]))
        for bytes in [[], [0, 0, 0, 0], [2, 0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 1, 0, 1]] as [[UInt8]] {
            #expect(throws: BatonError.self) { try ItemFrame.open(Data(bytes)) }
        }
        // More would be held than any device writes together.
        let large = ItemFrame(index: 300, count: UInt16(ZoneTransfer.batchItems) + 1)
        #expect(throws: BatonError.self) { try ItemFrame.open(large.framed(Data([1]))) }
        let odd = ItemGroups.Told(
            id: Data(), item: IncomingItem(name: "a", version: 3, content: nil), frame: ItemFrame(index: 9, count: 10))
        #expect(odd.span == nil, "its group would begin before the first version")
        #expect(ItemGroups.split([odd]).whole == [odd])
    }
}
