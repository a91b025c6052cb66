import BatonCore
import Testing

@testable import BatonTransport

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
