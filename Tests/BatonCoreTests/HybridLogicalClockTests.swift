import BatonCore
import BatonTestSupport
import Testing

@Suite("Hybrid logical clock")
struct HybridLogicalClockTests {
    @Test("Timestamps grow, whatever the wall clock does", arguments: 0..<20)
    func monotonic(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var clock = HybridLogicalClock()
        var last = HybridTimestamp.zero
        for _ in 0..<2000 {
            let next = clock.now(wall: UInt64.random(in: 0...1000, using: &random))
            #expect(next > last)
            last = next
        }
    }

    @Test("An observed time is in the past of later ones")
    func observes() throws {
        var clock = HybridLogicalClock()
        let remote = HybridTimestamp(milliseconds: 5000, counter: 9)
        try clock.observe(remote, wall: 1000)
        #expect(clock.now(wall: 1000) > remote)
    }

    @Test("A clock far in the future is refused and changes nothing")
    func farFuture() throws {
        var clock = HybridLogicalClock()
        let before = clock.last
        let wall: UInt64 = 1_700_000_000_000
        let error = #expect(throws: BatonError.self) {
            try clock.observe(
                HybridTimestamp(milliseconds: wall + HybridLogicalClock.maximumDrift + 1, counter: 0), wall: wall)
        }
        #expect(error?.reason == "clock_too_far_ahead")
        #expect(clock.last == before)
        try clock.observe(HybridTimestamp(milliseconds: wall + HybridLogicalClock.maximumDrift, counter: 0), wall: wall)
    }

    @Test("The extremes do not trap")
    func extremes() {
        var clock = HybridLogicalClock(last: HybridTimestamp(rawValue: .max))
        #expect(clock.now(wall: .max).rawValue == .max)
        #expect(throws: BatonError.self) { try clock.observe(HybridTimestamp(rawValue: .max), wall: 0) }
        #expect(HybridTimestamp(milliseconds: .max, counter: .max).rawValue == .max)
    }
}
