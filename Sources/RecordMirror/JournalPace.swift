/// How many lines of the journal are read at once: fewer where the service did not take as many in the time that a call has, and more
/// again, step by step, when it does.
package struct JournalPace: Sendable, Equatable {
    package static let most = 20_000
    package static let least = 500

    package private(set) var lines = JournalPace.most

    package init() {}

    /// - Parameter lines: in the reading that took too long. There may have been fewer than were asked for.
    package mutating func tookTooLong(_ lines: Int) {
        self.lines = max(Self.least, min(self.lines, lines) / 2)
    }

    /// Slower than it fell, so that it does not fail every other time where the service stays slow.
    package mutating func succeeded() { lines = min(Self.most, lines + lines / 4) }
}
