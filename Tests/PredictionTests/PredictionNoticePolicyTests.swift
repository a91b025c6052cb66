import Prediction
import Testing

/// When a prediction is a notice (P-61).
@Suite struct PredictionNoticePolicyTests {
    private static let day: UInt64 = 86_400_000
    private static let start: UInt64 = 1_000 * day

    private static func shows(
        _ policy: inout PredictionNoticePolicy, _ context: PredictionContext, _ probability: Double, _ now: UInt64
    ) -> Bool { policy.shows(context, probability: probability, now: now) }

    @Test("only what is likely is shown, at most once in 30 minutes (P-61)")
    func pause() {
        var policy = PredictionNoticePolicy()
        #expect(!Self.shows(&policy, .headphones, 0.3, Self.start))
        #expect(!Self.shows(&policy, .headphones, .nan, Self.start))
        #expect(Self.shows(&policy, .headphones, 0.31, Self.start))
        #expect(!Self.shows(&policy, .car, 0.9, Self.start + 30 * 60_000 - 1))
        #expect(Self.shows(&policy, .car, 0.9, Self.start + 30 * 60_000))
    }

    @Test("three refusals in one context silence it for 30 days, and no other (P-61)")
    func refusals() {
        var policy = PredictionNoticePolicy()
        var now = Self.start
        for _ in 0..<3 {
            #expect(Self.shows(&policy, .headphones, 0.9, now))
            policy.declined(.headphones, now: now)
            now += Self.day
        }
        #expect(!Self.shows(&policy, .headphones, 0.9, now))
        #expect(Self.shows(&policy, .car, 0.9, now))
        #expect(!Self.shows(&policy, .headphones, 0.9, Self.start + 32 * Self.day - 1))
        #expect(Self.shows(&policy, .headphones, 0.9, Self.start + 32 * Self.day))
        // And counts from the beginning again.
        policy.declined(.headphones, now: Self.start + 32 * Self.day)
        #expect(Self.shows(&policy, .headphones, 0.9, Self.start + 33 * Self.day))
    }

    @Test("a notice that is welcome takes refusals back (P-61)")
    func accepted() {
        var policy = PredictionNoticePolicy()
        policy.declined(.home, now: Self.start)
        policy.declined(.home, now: Self.start)
        policy.accepted(.home)
        policy.declined(.home, now: Self.start)
        #expect(Self.shows(&policy, .home, 0.5, Self.start))
    }

    @Test("a clock that is set back silences for a pause at most (P-61)")
    func clock() {
        var policy = PredictionNoticePolicy()
        #expect(Self.shows(&policy, .car, 0.5, Self.start))
        #expect(!Self.shows(&policy, .car, 0.5, 1_000))
        #expect(Self.shows(&policy, .car, 0.5, 1_000 + 30 * 60_000))
        for _ in 0..<3 { policy.declined(.car, now: Self.start) }
        #expect(Self.shows(&policy, .car, 0.5, 2 * Self.day))
    }
}
