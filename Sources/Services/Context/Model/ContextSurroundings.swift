/// The conditions of work in the background. Nil is not known: there is no such service, or it does not say.
package struct ContextSurroundings: Hashable, Sendable {
    package var isMetered: Bool?
    package var isOnBattery: Bool?
    package var isLocked: Bool?
    /// Since when the session was not used, in milliseconds since 1970.
    package var idleSince: UInt64?

    package init() {}

    /// Whether the session was not used for so long.
    package func isIdle(for time: UInt64, now: UInt64) -> Bool {
        idleSince.map { now >= $0 && now - $0 >= time } ?? false
    }
}
