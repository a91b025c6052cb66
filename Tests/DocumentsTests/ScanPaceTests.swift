import Testing

@testable import Documents

@Suite("Pace of looks at the disk")
struct ScanPaceTests {
    @Test("A long look in the background takes half a processor, and a short one is not held back")
    func half() {
        var pace = ScanPace()
        var (now, rested) = (Duration.zero, Duration.zero)
        for _ in 0..<100_000 {
            now += .microseconds(150)
            guard let rest = pace.rest(at: now) else { continue }
            #expect(now >= ScanPace.free)
            now += rest
            rested += rest
        }
        let work = now - rested
        #expect(work == .seconds(15))
        #expect(rested >= work - ScanPace.free - .milliseconds(100) && rested <= work)

        var short = ScanPace()
        #expect(short.rest(at: .milliseconds(499)) == nil)
    }

    @Test("A look that a caller waits for does not rest, nor makes up for it when the caller has gone")
    func waitedFor() {
        var pace = ScanPace()
        #expect(pace.rest(at: .seconds(2)) == .milliseconds(1500))
        #expect(pace.rest(at: .seconds(20), isWaitedFor: true) == nil)
        #expect(pace.rest(at: .milliseconds(20_060)) == .milliseconds(60))
    }

    @Test("A folder that cannot be opened is tried again at the next look, and ever less often then (issue 30)")
    func opening() {
        var pauses = OpeningPauses()
        let looks = (0..<60).filter { _ in
            guard pauses.isDue() else { return false }
            pauses.failed()
            return true
        }
        #expect(looks == [0, 1, 3, 7, 15, 27, 39, 51])
    }
}
