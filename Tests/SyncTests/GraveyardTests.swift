import BatonCore
import Foundation
import Testing

@testable import Sync

/// What was deleted for good (D-36).
@Suite("Graveyard") struct GraveyardTests {
    private static func id(_ number: UInt64) -> Graveyard.Identifier {
        .init(high: number &* 0x9E37_79B9_7F4A_7C15, low: number)
    }

    @Test("graves come through the zone's items as they were, 24 bytes each, and devices come to the same")
    func items() throws {
        var (one, other) = (Graveyard(), Graveyard())
        for number in 0..<1000 as Range<UInt64> {
            if number % 3 != 0 { one.bury(Self.id(number), at: 5000 + number) }
            if number % 3 != 1 { other.bury(Self.id(number), at: 5000 + number * 2) }
        }
        for (giver, taker) in [(0, 1), (1, 0)] {
            let given = giver == 0 ? one : other
            for name in given.names {
                let content = try #require(given.content(ofName: name))
                #expect((content.count - 1) % 24 == 0)
                for (id, time) in try Graveyard.read(content, ofName: name) {
                    if taker == 1 { other.bury(id, at: time) } else { one.bury(id, at: time) }
                }
            }
        }
        #expect(one == other && one.all.count == 1000)
        #expect(one[Self.id(2)] == 5004 && one[Self.id(4)] == 5004 && one[Self.id(1_000_000)] == nil)
    }

    @Test("a shard keeps the newest of its graves")
    func bound() {
        var graveyard = Graveyard()
        for number in 0..<UInt64(Graveyard.shardSize + 10) { graveyard.bury(.init(high: 7, low: number), at: number) }
        #expect(graveyard.all.count == Graveyard.shardSize)
        #expect(graveyard[.init(high: 7, low: 9)] == nil && graveyard[.init(high: 7, low: 10)] == 10)
        let isNews = graveyard.bury(.init(high: 7, low: 3), at: 3)
        #expect(!isNews)
    }

    @Test(
        "what no device writes is refused", arguments: [Data(), Data([2]), Data([1, 0]), Data([1]) + Data(count: 24)])
    func refusals(content: Data) {
        #expect(throws: BatonError.self) { try Graveyard.read(content, ofName: "graves-3f") }
        #expect(Graveyard.shard(ofName: "graves-3F") == nil && Graveyard.shard(ofName: "graves-40") == nil)
        #expect(Graveyard.shard(ofName: "graves-3f") == 63 && Graveyard.isName("graves-00"))
    }

    @Test("a deletion is old when it was seen to be there for 30 days by the account's time; a change begins anew")
    func ages() {
        var ages = DeletionAges<Int>()
        let month = DeletionAges<Int>.retention
        #expect(ages.look(at: [1: 10, 2: 10], time: 1000).isEmpty)
        #expect(ages.look(at: [1: 10, 2: 11], time: 2000).isEmpty)
        #expect(ages.look(at: [1: 10, 2: 11, 3: 5], time: 1000 + month) == [1])
        // A clock that goes back and comes again makes nothing older than it is.
        #expect(ages.look(at: [2: 11], time: 1500).isEmpty)
        #expect(ages.look(at: [2: 11, 3: 5], time: 1500 + month) == [2])
    }
}
