import BackupFormat
import Testing

@Suite("When a backup is made")
struct BackupScheduleTests {
    private static let day = BackupSchedule.day
    private static let good = BackupSchedule.Conditions(
        isLockedOrIdle: true, isOnMains: true, isUnmetered: true, isTargetThere: true)
    private static let start: UInt64 = 1_000_000_000_000

    private static func schedule(_ last: UInt64?) -> BackupSchedule {
        BackupSchedule(hasTarget: true, since: start, lastSuccess: last, started: start)
    }

    @Test("Daily, while the device is locked or idle, on mains power and an unmetered network (B-1)")
    func daily() {
        let schedule = Self.schedule(Self.start)
        let later = Self.start + Self.day
        #expect(schedule.wait(Self.good, now: later - 1) == .notDue(at: later))
        #expect(schedule.wait(Self.good, now: later) == nil)
        var conditions = Self.good
        conditions.isLockedOrIdle = false
        #expect(schedule.wait(conditions, now: later) == .inUse)
        conditions.isUnmetered = false
        #expect(schedule.wait(conditions, now: later) == .metered)
        conditions.isOnMains = false
        #expect(schedule.wait(conditions, now: later) == .notOnMains)
        conditions.isTargetThere = false
        #expect(schedule.wait(conditions, now: later) == .targetAway)
    }

    @Test("After three days without a good moment mains power is enough (B-1)")
    func urgent() {
        let busy = BackupSchedule.Conditions(
            isLockedOrIdle: false, isOnMains: true, isUnmetered: false, isTargetThere: true)
        #expect(Self.schedule(Self.start).wait(busy, now: Self.start + 3 * Self.day - 1) == .metered)
        #expect(Self.schedule(Self.start).wait(busy, now: Self.start + 3 * Self.day) == nil)
        var battery = busy
        battery.isOnMains = false
        #expect(Self.schedule(Self.start).wait(battery, now: Self.start + 9 * Self.day) == .notOnMains)
    }

    @Test("A missed one is made soon after the start, a failed one is tried again later and later (B-1)")
    func missed() {
        var schedule = Self.schedule(Self.start - 2 * Self.day)
        #expect(schedule.wait(Self.good, now: Self.start) == .started(at: Self.start + BackupSchedule.afterStart))
        #expect(schedule.wait(Self.good, now: Self.start + BackupSchedule.afterStart) == nil)
        let failure = Self.start + Self.day
        (schedule.lastFailure, schedule.failures) = (failure, 3)
        let next = failure + 4 * BackupSchedule.retry
        #expect(schedule.wait(Self.good, now: next - 1) == .failed(at: next))
        #expect(schedule.wait(Self.good, now: next) == nil)
        schedule.failures = 1000
        #expect(schedule.wait(Self.good, now: failure + Self.day) == nil)
    }

    @Test("After 14 days without a backup the person is told once, and again after as long (B-1)")
    func telling() {
        var schedule = Self.schedule(nil)
        #expect(!schedule.tells(now: Self.start + 14 * Self.day - 1))
        #expect(schedule.tells(now: Self.start + 14 * Self.day))
        schedule.lastTold = Self.start + 14 * Self.day
        #expect(!schedule.tells(now: Self.start + 15 * Self.day))
        #expect(schedule.tells(now: Self.start + 28 * Self.day))
        #expect(schedule.daysWithout(now: Self.start + 28 * Self.day) == 28)
        schedule.hasTarget = false
        #expect(!schedule.tells(now: Self.start + 28 * Self.day))
        #expect(schedule.wait(Self.good, now: Self.start + 28 * Self.day) == .noTarget)
    }

    @Test("A clock that is set back makes nothing due at once, and crashes nothing (B-1)")
    func clockSetBack() {
        let schedule = Self.schedule(Self.start)
        #expect(schedule.wait(Self.good, now: 5) != nil)
        #expect(!schedule.tells(now: 0))
    }

    @Test("Times that a clock far ahead has noted keep no backup away, and no word of none (B-1)")
    func clockWasAhead() {
        let now = Self.start + 14 * Self.day
        var schedule = Self.schedule(now + 400 * Self.day)
        #expect(schedule.wait(Self.good, now: now) == nil)
        #expect(schedule.tells(now: now) && schedule.daysWithout(now: now) == 14)
        schedule.lastTold = now + 400 * Self.day
        (schedule.lastFailure, schedule.failures) = (now + 400 * Self.day, 1)
        #expect(schedule.wait(Self.good, now: now) == nil && schedule.tells(now: now))
        schedule.lastSuccess = now + 3_600_000
        #expect(schedule.wait(Self.good, now: now) == .notDue(at: now + Self.day), "a little is no wrong clock")
    }
}
