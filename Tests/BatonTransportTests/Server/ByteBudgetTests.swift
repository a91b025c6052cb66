import BatonCore
import BatonTransport
import Synchronization
import Testing

@Suite("Bytes of requests in memory")
struct ByteBudgetTests {
    private func reason(_ body: () throws(BatonError) -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A client has its part, all together have the whole, and what ends gives it back")
    func bounds() {
        let budget = ByteBudget(maximum: 1000, perClient: 400)
        let shares = (0..<3).map { budget.share(of: "client \($0)") }
        for share in shares.prefix(2) { #expect(reason { () throws(BatonError) in try share.hold(400) } == nil) }
        #expect(reason { () throws(BatonError) in try shares[0].hold(401) } == "too_much_at_once")
        let second = budget.share(of: "client 0")
        #expect(reason { () throws(BatonError) in try second.hold(1) } == "too_much_at_once")
        #expect(reason { () throws(BatonError) in try shares[2].hold(201) } == "overloaded")
        #expect(reason { () throws(BatonError) in try shares[2].hold(200) } == nil)
        // Less than it holds is nothing new, and a small answer needs no room.
        #expect(reason { () throws(BatonError) in try shares[2].hold(100) } == nil && budget.bytes == 1000)
        #expect(reason { () throws(BatonError) in try shares[2].hold(answer: 64 << 10) } == nil && budget.bytes == 1000)
        #expect(reason { () throws(BatonError) in try shares[2].hold(answer: 64 << 10 + 1) } != nil)
        shares[0].end()
        shares[0].end()
        #expect(budget.bytes == 600)
        #expect(reason { () throws(BatonError) in try second.hold(400) } == nil && budget.bytes == 1000)
    }

    @Test("The client that holds the most gives way: its oldest call that may, and no call of one that holds less")
    func givingWay() throws {
        let budget = ByteBudget(maximum: 1000, perClient: 900)
        let ended = Mutex<[String]>([])
        func share(_ client: String, _ name: String, _ bytes: Int) throws -> ByteBudget.Share {
            let share = budget.share(of: client)
            share.mayGiveWay { ended.withLock { $0.append(name) } }
            try share.hold(bytes)
            return share
        }
        let large = try (1...3).map { try share("large", "large \($0)", 200) }
        let small = try share("small", "small", 300)
        // It was read, and is being done: it stays.
        try large[0].mayNotGiveWay()
        let new = try share("new", "new", 200)
        #expect(ended.withLock { $0 } == ["large 2"] && budget.bytes == 900)
        #expect(large[1].hasGivenWay && !large[2].hasGivenWay)
        #expect(reason { () throws(BatonError) in try large[1].hold(1) } == "too_many_bytes")
        #expect(reason { () throws(BatonError) in try large[1].mayNotGiveWay() } == "too_many_bytes")
        large[1].end()
        #expect(budget.bytes == 900)
        // The largest of those above it gives way, and then no other may.
        try new.hold(400)
        #expect(ended.withLock { $0 } == ["large 2", "large 3"] && budget.bytes == 900)
        #expect(reason { () throws(BatonError) in try new.hold(600) } == "overloaded")
        #expect(!small.hasGivenWay && !new.hasGivenWay && budget.bytes == 900)
    }

    @Test("Large bodies leave room for small ones")
    func roomForSmall() throws {
        let (large, size) = (10 * ByteBudget.smallSize, ByteBudget.smallSize)
        let budget = ByteBudget(maximum: 16 * size, perClient: 16 * size)
        let (first, second, third) = (budget.share(of: "one"), budget.share(of: "two"), budget.share(of: "three"))
        try first.hold(large)
        #expect(reason { () throws(BatonError) in try second.hold(5 * size) } == "overloaded")
        try second.hold(4 * size)
        try third.hold(size)
    }

    @Test("A client has so many large bodies at once, and a share that is dropped gives back what it held")
    func large() {
        let budget = ByteBudget(maximum: 10 << 20, perClient: 10 << 20, largePerClient: 2)
        let size = ByteBudget.smallSize + 1
        do {
            let shares = (0..<3).map { _ in budget.share(of: "one") }
            for share in shares.prefix(2) { #expect(reason { () throws(BatonError) in try share.hold(size) } == nil) }
            #expect(reason { () throws(BatonError) in try shares[2].hold(ByteBudget.smallSize) } == nil)
            #expect(reason { () throws(BatonError) in try shares[2].hold(size) } == "too_much_at_once")
            let other = budget.share(of: "other")
            #expect(reason { () throws(BatonError) in try other.hold(size) } == nil)
            // It grows, and is one still.
            #expect(reason { () throws(BatonError) in try shares[0].hold(2 * size) } == nil)
        }
        #expect(budget.bytes == 0)
        let shares = (0..<2).map { _ in budget.share(of: "one") }
        for share in shares { #expect(reason { () throws(BatonError) in try share.hold(size) } == nil) }
    }
}
