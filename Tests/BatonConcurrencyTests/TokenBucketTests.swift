import BatonConcurrency
import Testing

@Suite("Token buckets")
struct TokenBucketTests {
    @Test("a burst, then one in each interval, to the moment; a full one saves up nothing more")
    func rate() {
        var bucket = TokenBucket(burst: 2, interval: .seconds(3), now: .seconds(10))
        #expect(bucket.next(now: .seconds(10)) == nil)
        #expect(bucket.take(now: .seconds(10)) == true)
        #expect(bucket.take(now: .seconds(10)) == true)
        #expect(bucket.take(now: .seconds(10)) == false)
        #expect(bucket.next(now: .seconds(11)) == .seconds(13))
        #expect(bucket.take(now: .seconds(13) - .nanoseconds(1)) == false)
        #expect(bucket.take(now: .seconds(13)) == true)
        #expect(bucket.next(now: .seconds(14)) == .seconds(16))
        // An hour later there are two.
        #expect(bucket.take(now: .seconds(3613)) == true)
        #expect(bucket.take(now: .seconds(3613)) == true)
        #expect(bucket.take(now: .seconds(3613)) == false)
    }

    @Test("a third of a second is a third of a token, however often it is looked at")
    func fractions() {
        var bucket = TokenBucket(burst: 1, interval: .milliseconds(700))
        #expect(bucket.take(now: .zero) == true)
        var now = Duration.zero
        for _ in 0..<699 {
            now += .milliseconds(1)
            #expect(bucket.take(now: now) == false)
        }
        #expect(bucket.take(now: .milliseconds(700)) == true)
    }

    @Test("what is taken ahead is waited for")
    func ahead() {
        var bucket = TokenBucket(burst: 10, interval: .milliseconds(2))
        bucket.takeAhead(10, now: .zero)
        #expect(bucket.wait(now: .zero) == .zero)
        bucket.takeAhead(5, now: .zero)
        #expect(bucket.wait(now: .zero) == .milliseconds(10))
        #expect(bucket.wait(now: .milliseconds(4)) == .milliseconds(6))
        #expect(bucket.next(now: .milliseconds(4)) == .milliseconds(12))
        #expect(bucket.wait(now: .milliseconds(40)) == .zero)
    }

    @Test("a clock that was set back gives nothing and takes nothing away; what was given back may be taken again")
    func clocks() {
        var bucket = TokenBucket(burst: 2, interval: .seconds(1), now: .seconds(100))
        #expect(bucket.take(now: .seconds(100)) == true)
        #expect(bucket.take(now: .seconds(50)) == true)
        #expect(bucket.take(now: .seconds(50)) == false)
        #expect(bucket.take(now: .seconds(100)) == false)
        bucket.giveBack()
        #expect(bucket.take(now: .seconds(50)) == true)
        #expect(bucket.take(now: .seconds(101)) == true)
        for _ in 0..<5 { bucket.giveBack() }
        #expect(bucket.take(now: .seconds(101)) == true)
        #expect(bucket.take(now: .seconds(101)) == true)
        #expect(bucket.take(now: .seconds(101)) == false)
    }
}
