import Testing

@testable import Spotlight

@Suite("The budget of indexing")
struct IndexingBudgetTests {
    // Issue 28, part 1: a tenth of one core over a minute, a fiftieth on battery.
    @Test(
        "A minute's worth may be used at once; then it takes a tenth of the time, a fiftieth on battery",
        arguments: [false, true])
    func shares(isOnBattery: Bool) {
        var now: UInt64 = 1_000_000
        var budget = IndexingBudget(now: now)
        #expect(budget.wait(now: now, isOnBattery: isOnBattery) == 0)
        var used = 0.0
        let start = now
        while now < start + 600_000 {
            let wait = budget.wait(now: now, isOnBattery: isOnBattery)
            if wait > 0 {
                #expect(budget.isThrottled)
                now += wait
                continue
            }
            budget.spend(50, now: now, isOnBattery: isOnBattery)
            used += 50
            now += 50
        }
        let share = isOnBattery ? 1.0 / 50 : 1.0 / 10
        // Ten minutes, and what was saved up before.
        #expect(used <= 660_000 * share + 100)
        #expect(used >= 550_000 * share)
    }

    @Test("A change now and then is never waited for, and a clock that is set back gives nothing and stops nothing")
    func seldom() {
        var now: UInt64 = 1_000_000
        var budget = IndexingBudget(now: now)
        for _ in 0..<100 {
            #expect(budget.wait(now: now, isOnBattery: true) == 0)
            budget.spend(10, now: now, isOnBattery: true)
            now += 1000
        }
        #expect(budget.wait(now: 0, isOnBattery: true) == 0)
        budget.spend(.infinity, now: 0, isOnBattery: false)
        #expect(budget.wait(now: 1, isOnBattery: false) > 0)
    }
}
