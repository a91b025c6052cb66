/// How long to wait before the daemon is tried again: doubling, with full jitter, so that the apps of a person do not
/// all come back in the same instant.
package struct ReconnectBackoff: Sendable {
    package static let shortest = Duration.milliseconds(100)
    /// An app without a daemon wakes this seldom; it is also how late an app may notice a daemon that starts.
    package static let longest = Duration.seconds(10)

    private var attempts = 0

    package init() {}

    package mutating func reset() { attempts = 0 }

    /// - Parameter fraction: drawn from 0 to 1.
    package mutating func next(fraction: Double) -> Duration {
        let ceiling = min(Self.longest, Self.shortest * (1 << min(attempts, 7)))
        attempts += 1
        return .milliseconds(1) + ceiling * fraction
    }
}
