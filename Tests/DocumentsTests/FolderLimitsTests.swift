import BatonCore
import Foundation
import Testing

@testable import Documents

/// Issue 30, folders: rates, metered networks, batteries, and disks with little room.
@Suite struct FolderLimitsTests {
    @Test("what is sent comes to the rate, and a pause saves up a second at most")
    func bucket() {
        var bucket = SendingPace(rate: 1000)
        var now = Duration.zero
        var sent = 0
        while now < .seconds(20) {
            now += max(bucket.take(500, now: now), .milliseconds(1))
            sent += 500
        }
        #expect((19_000...22_500).contains(sent), "\(sent)")
        // Nothing went for an hour.
        now += .seconds(3600)
        #expect(bucket.take(1000, now: now) == .zero)
        #expect(bucket.take(1000, now: now) == .zero)
        #expect(bucket.take(1, now: now) == .seconds(1))
        bucket.set(rate: nil)
        #expect(bucket.take(1 << 40, now: now) == .zero)
        #expect(bucket.take(1, now: now) == .zero)
    }

    @Test("a rate is that of the last ten seconds, also after a clock that stood still")
    func meter() {
        var meter = RateMeter()
        for second in 0..<20 { meter.add(1000, now: .seconds(second)) }
        #expect(meter.rate(now: .seconds(19)) == 1000)
        #expect(meter.rate(now: .seconds(24)) == 500)
        #expect(meter.rate(now: .seconds(100_000)) == 0)
        meter.add(10_000, now: .seconds(100_000))
        #expect(meter.rate(now: .seconds(99_990)) == 1000)
    }

    @Test("the time that is left is the longer of both ways, and unknown where nothing goes on")
    func estimate() {
        var estimate = TransferEstimate()
        #expect(estimate.seconds == nil)
        (estimate.down, estimate.downLeft, estimate.up, estimate.upLeft) = (100, 1001, 10, 50)
        #expect(estimate.seconds == 11)
        estimate.up = 0
        #expect(estimate.seconds == nil)
        // Sizes are what other devices say.
        (estimate.downLeft, estimate.upLeft) = (.max, 0)
        #expect(estimate.seconds == UInt64.max / 100 + 1)
    }

    @Test("contents wait on a metered network, and on battery where that is set; what nobody knows holds up nothing")
    func refusals() async throws {
        var limits = FolderLimits()
        #expect(limits.refusal(isMetered: true, isOnBattery: false)?.reason == "metered_network")
        #expect(limits.refusal(isMetered: nil, isOnBattery: nil) == nil)
        #expect(limits.refusal(isMetered: false, isOnBattery: true) == nil)
        limits.waitsOnBattery = true
        #expect(limits.refusal(isMetered: false, isOnBattery: true)?.reason == "on_battery")
        limits.waitsOnMetered = false
        #expect(limits.refusal(isMetered: true, isOnBattery: nil) == nil)

        let pacer = FolderPacer()
        try await pacer.wait(for: 1 << 30, .down)
        pacer.set(FolderLimits(), isMetered: true, isOnBattery: nil)
        await #expect(throws: BatonError.self) { try await pacer.wait(for: 1, .up) }
    }

    @Test("another limit wakes what waits")
    func wakes() async throws {
        let pacer = FolderPacer()
        var limits = FolderLimits()
        limits.down = 1
        pacer.set(limits, isMetered: nil, isOnBattery: nil)
        try await pacer.wait(for: 1000, .down)
        async let waiting: Void = pacer.wait(for: 1, .down)
        try await Task.sleep(for: .milliseconds(50))  // sleeps: waiting causes no event
        pacer.set(FolderLimits(), isMetered: nil, isOnBattery: nil)
        let begin = ContinuousClock.now
        try await waiting
        #expect(begin.duration(to: .now) < .seconds(30))
    }

    @Test("what was not used for longest leaves first, and no more than is wanted")
    func choice() {
        let candidates: [EvictionChoice.Candidate<Int>] = [
            .init(id: 1, bytes: 100_000, lastUse: 30), .init(id: 2, bytes: 100_000, lastUse: 10),
            .init(id: 3, bytes: 100, lastUse: 5), .init(id: 4, bytes: 100_000, lastUse: 20),
        ]
        #expect(EvictionChoice.choose(candidates, wanted: 150_000) == [2, 4])
        #expect(EvictionChoice.choose(candidates, wanted: 1) == [2])
        #expect(EvictionChoice.choose(candidates, wanted: 0).isEmpty)
        #expect(EvictionChoice.choose(candidates, wanted: .max) == [2, 4, 1])
    }
}
