import BatonCore

/// How often an app may have words, addresses and points matched with the places that the person has looked at.
///
/// A person types some letters now and then, and an app knows some addresses. One that tries every three letters, every name or every
/// corner of a town would learn all of them.
struct KnownPlacePace: Sendable {
    static let burst = 60.0
    static let interval = Duration.seconds(10)
    /// Bound: of more apps than this, the one that asked first is forgotten.
    static let maximumApps = 256

    private struct Allowance {
        var left: Double
        var asked: ContinuousClock.Instant
    }

    private var apps: [BundleID: Allowance] = [:]

    /// - Returns: whether it may be matched this time.
    mutating func take(_ app: BundleID, now: ContinuousClock.Instant) -> Bool {
        var allowance = apps[app] ?? Allowance(left: Self.burst, asked: now)
        allowance.left = min(Self.burst, allowance.left + allowance.asked.duration(to: now) / Self.interval)
        allowance.asked = now
        let mayMatch = allowance.left >= 1
        if mayMatch { allowance.left -= 1 }
        apps[app] = allowance
        if apps.count > Self.maximumApps, let first = apps.min(by: { $0.value.asked < $1.value.asked }) {
            apps[first.key] = nil
        }
        return mayMatch
    }
}
