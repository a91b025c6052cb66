/// How long to wait before looking again for a server of the machine that is not there: half a minute at first, then twice as long
/// each time, up to eight minutes. A machine may never have it, and looking wakes the processor.
package struct ServerRetry: Sendable {
    private static let first = Duration.seconds(30)
    private static let longest = Duration.seconds(480)

    private var pause = Self.first

    package init() {}

    package mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }

    /// It was there.
    package mutating func reset() { pause = Self.first }
}
