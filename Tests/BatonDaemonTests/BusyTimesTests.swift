import Testing

@testable import BatonDaemon

@Suite("Busy times of a daemon") struct BusyTimesTests {
    @Test("the end of a busy time is told once, when all is quiet")
    func end() {
        var times = BusyTimes()
        var used = Duration.zero
        func look(_ spent: Duration) -> Bool {
            used += spent
            return times.isOver(used)
        }
        #expect(!look(.milliseconds(10)))
        #expect(!look(.seconds(5)))
        // Not yet quiet.
        #expect(!look(.milliseconds(500)))
        #expect(look(.milliseconds(20)))
        #expect(!look(.milliseconds(20)))
        // Little work is no busy time.
        #expect(!look(.milliseconds(900)))
        #expect(!look(.milliseconds(20)))
        #expect(!look(.seconds(1)))
        #expect(look(.zero))
    }
}
