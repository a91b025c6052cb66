/// What work in the background asks after. Nil is not known: there is no such service, or it does not say.
package struct ContextSurroundings: Hashable, Sendable {
    package var isMetered: Bool?
    package var isOnBattery: Bool?
    package var isLocked: Bool?
    /// Since when nobody has used the session, in milliseconds since 1970.
    package var idleSince: UInt64?

    package init() {}

    /// Whether nobody has used the session for so long.
    package func isIdle(for time: UInt64, now: UInt64) -> Bool {
        idleSince.map { now >= $0 && now - $0 >= time } ?? false
    }
}
