import BatonCore
import Foundation
import Testing

@testable import Sync

/// Permanent deletions (D-36).
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
        let week = DeletionAges<Int>.maximumStep
        for look in 1...4 { #expect(ages.look(at: [1: 10, 2: 11], time: UInt64(look) * week).isEmpty) }
        #expect(!ages.isDue(1, stamp: 10, time: 999 + month) && ages.isDue(1, stamp: 10, time: 1000 + month))
        #expect(!ages.isDue(1, stamp: 11, time: 1000 + month))
        #expect(ages.look(at: [1: 10, 2: 11, 3: 5], time: 1000 + month) == [1])
    }

    @Test("an account's time that is wrong for a moment makes nothing old", arguments: [1, 90 * 24 * 60 * 60 * 1000])
    func wrongTime(wrong: UInt64) {
        let (start, hour): (UInt64, UInt64) = (40 * 24 * 60 * 60 * 1000, 60 * 60 * 1000)
        var ages = DeletionAges<Int>()
        #expect(ages.look(at: [1: 10], time: start).isEmpty)
        #expect(ages.look(at: [1: 10], time: wrong).isEmpty)
        #expect(ages.look(at: [1: 10], time: start + hour).isEmpty)
        // Nor does a restart in between.
        ages = DeletionAges(ages.ages, lastLook: wrong)
        #expect(ages.look(at: [1: 10], time: start + 2 * hour).isEmpty)
        #expect(ages.look(at: [1: 10], time: start + 3 * hour).isEmpty && ages.ages[1]?.since == start + 2 * hour)
    }

    @Test("a cloud whose clock leaps a little at each connection makes nothing old before 26 days have passed here")
    func leapingCloud() {
        let (hour, day): (UInt64, UInt64) = (60 * 60 * 1000, 24 * 60 * 60 * 1000)
        var ages = DeletionAges<Int>()
        var (own, cloud): (UInt64, UInt64) = (20_000 * day, 20_000 * day)
        var clock = AccountClock(time: cloud, own: own)
        let start = own
        while ages.look(at: [1: 10], time: clock.hear(cloud, own: own)).isEmpty {
            own += hour
            cloud += 6 * day
        }
        #expect(own - start >= 26 * day && own - start <= 30 * day)
    }

    @Test("a cloud's time is believed where no more has passed than here; what a clock lost is made up for")
    func accountClock() {
        let (day, start): (UInt64, UInt64) = (24 * 60 * 60 * 1000, 20_000 * 24 * 60 * 60 * 1000)
        var clock = AccountClock(time: start, own: 5)
        #expect(clock.hear(start + day, own: 5 + day) == start + day)
        // A clock that goes back is followed, and may come back, and no further.
        #expect(clock.hear(start, own: 5 + day) == start)
        #expect(clock.hear(start + 9 * day, own: 5 + day) == start + day)
        #expect(clock.hear(start + 3 * day, own: 5 + 2 * day) == start + 2 * day + day / 8)
        #expect(clock.hear(start + 12 * day, own: 5 + 11 * day) == start + 12 * day)
        // This device's clock was set back, so that it says nothing of what has passed: a leap is not believed for that.
        #expect(clock.hear(start + 20 * day, own: 1) == start + 12 * day)
        #expect(clock.hear(start + 20 * day, own: 1 + 8 * day) == start + 20 * day)
        #expect(clock.hear(.max, own: .max) == HybridTimestamp.maximumMilliseconds)
        #expect(clock.hear(.max, own: .max) == HybridTimestamp.maximumMilliseconds)
    }

    @Test("a whole shard of made-up graves beyond a full one is taken at once", .timeLimit(.minutes(1)))
    func manyAtOnce() {
        var graveyard = Graveyard()
        let size = UInt64(Graveyard.shardSize)
        for start in [0, size] {
            let told = (start..<start + size).map { (Graveyard.Identifier(high: 7, low: $0), $0) }
            let news = graveyard.bury(Dictionary(uniqueKeysWithValues: told))
            #expect(news.count == Graveyard.shardSize)
        }
        #expect(graveyard.all.count == Graveyard.shardSize && graveyard[.init(high: 7, low: size - 1)] == nil)
    }
}
