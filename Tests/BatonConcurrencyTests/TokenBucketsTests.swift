import BatonConcurrency
import Testing

@Suite("Token buckets of many callers")
struct TokenBucketsTests {
    private static func take(_ buckets: inout TokenBuckets<Int>, _ caller: Int, at seconds: Int) -> Bool {
        buckets.take(caller, burst: 2, interval: .seconds(3), now: .seconds(seconds))
    }

    @Test("each caller has a burst and then one in each interval, and takes nothing from another")
    func rate() {
        var buckets = TokenBuckets<Int>(maximum: 8)
        #expect((0..<3).map { _ in Self.take(&buckets, 1, at: 10) } == [true, true, false])
        #expect(Self.take(&buckets, 2, at: 11) == true)
        #expect([12, 13, 14].map { Self.take(&buckets, 1, at: $0) } == [false, true, false])
    }

    @Test("of more callers than the maximum the one that asked longest ago is forgotten")
    func bound() {
        var buckets = TokenBuckets<Int>(maximum: 2)
        for caller in [1, 1, 2, 3] { _ = Self.take(&buckets, caller, at: 10 + caller) }
        #expect(buckets.count == 2)
        #expect(Self.take(&buckets, 3, at: 14) == true)
        #expect(Self.take(&buckets, 3, at: 14) == false)
    }

    @Test("a clock that was set back gives nothing, and tokens come again from there on")
    func clock() {
        var buckets = TokenBuckets<Int>(maximum: 2)
        for _ in 0..<2 { _ = Self.take(&buckets, 1, at: 1000) }
        #expect([0, 2, 3].map { Self.take(&buckets, 1, at: $0) } == [false, false, true])
    }
}
