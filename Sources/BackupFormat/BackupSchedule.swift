/// When the next backup is made. A value without a clock: it is given the time, and this device's state.
package struct BackupSchedule: Hashable, Sendable {
    package static let day: UInt64 = 24 * 3600 * 1000
    /// After so long without a good moment, mains power is enough.
    package static let urgent = 3 * day
    /// After so long without a backup the person is notified, and again after as long.
    package static let telling = 14 * day
    /// A missed one is made so long after the start, at the earliest.
    package static let afterStart: UInt64 = 5 * 60 * 1000
    /// A session that was not used for so long counts as left.
    package static let idle: UInt64 = 10 * 60 * 1000
    /// A failed one is tried again after so long, doubled each time up to a day.
    package static let retry: UInt64 = 15 * 60 * 1000

    /// A condition that is not known counts as given: a desktop without a battery has no UPower.
    package struct Conditions: Hashable, Sendable {
        package var isLockedOrIdle: Bool
        package var isOnMains: Bool
        package var isUnmetered: Bool
        package var isTargetThere: Bool

        package init(isLockedOrIdle: Bool, isOnMains: Bool, isUnmetered: Bool, isTargetThere: Bool) {
            self.isLockedOrIdle = isLockedOrIdle
            self.isOnMains = isOnMains
            self.isUnmetered = isUnmetered
            self.isTargetThere = isTargetThere
        }
    }

    package enum Wait: Hashable, Sendable {
        case noTarget
        case notDue(at: UInt64)
        case started(at: UInt64)
        case failed(at: UInt64)
        case targetAway
        case notOnMains
        case metered
        case inUse

        package var sentence: String {
            switch self {
            case .noTarget:
                "No target is set. “baton backup target DIR” sets a directory, “baton backup target cloud” the account's cloud."
            case .notDue: "The last backup is less than a day old."
            case .started: "The daemon started a moment ago."
            case .failed: "It is tried again later."
            case .targetAway:
                "The target is not there. Connect the disk, mount the share, or wait for the account's cloud (“baton explain sync”)."
            case .notOnMains: "This device runs on its battery. Connect it to mains power."
            case .metered: "The network is metered."
            case .inUse: "This device is in use. The backup waits until it is locked or idle."
            }
        }
    }

    /// All in milliseconds since 1970; nil for never.
    package var hasTarget: Bool
    package var since: UInt64
    package var lastSuccess: UInt64?
    package var lastFailure: UInt64?
    package var failures: Int
    package var started: UInt64
    package var lastTold: UInt64?

    package init(
        hasTarget: Bool, since: UInt64, lastSuccess: UInt64? = nil, lastFailure: UInt64? = nil, failures: Int = 0,
        started: UInt64, lastTold: UInt64? = nil
    ) {
        self.hasTarget = hasTarget
        self.since = since
        self.lastSuccess = lastSuccess
        self.lastFailure = lastFailure
        self.failures = failures
        self.started = started
        self.lastTold = lastTold
    }

    /// A time as it was noted; nil for one that only a wrong clock can have noted. It would keep backups away until then.
    private static func believed(_ time: UInt64?, now: UInt64) -> UInt64? {
        time.flatMap { $0 > now && $0 - now > day ? nil : $0 }
    }

    /// Why no backup is made now; nil: it is made.
    package func wait(_ conditions: Conditions, now: UInt64) -> Wait? {
        guard hasTarget else { return .noTarget }
        // A clock that was set back a little counts as no time that passed.
        let lastSuccess = Self.believed(lastSuccess, now: now)
        let age = lastSuccess.map { now - min(now, $0) }
        if let age, age < Self.day { return .notDue(at: now - age + Self.day) }
        if now - min(now, started) < Self.afterStart { return .started(at: started + Self.afterStart) }
        if let lastFailure = Self.believed(lastFailure, now: now), failures > 0 {
            let pause = min(Self.day, Self.retry << UInt64(min(failures - 1, 10)))
            if now - min(now, lastFailure) < pause { return .failed(at: lastFailure + pause) }
        }
        guard conditions.isTargetThere else { return .targetAway }
        guard conditions.isOnMains else { return .notOnMains }
        if now - min(now, lastSuccess ?? since) >= Self.urgent { return nil }
        guard conditions.isUnmetered else { return .metered }
        return conditions.isLockedOrIdle ? nil : .inUse
    }

    /// Whether the person is to be notified that there was none for long.
    package func tells(now: UInt64) -> Bool {
        guard hasTarget, now - min(now, Self.believed(lastSuccess, now: now) ?? since) >= Self.telling else {
            return false
        }
        return Self.believed(lastTold, now: now).map { now - min(now, $0) >= Self.telling } ?? true
    }

    package func daysWithout(now: UInt64) -> UInt64 {
        (now - min(now, Self.believed(lastSuccess, now: now) ?? since)) / Self.day
    }
}
