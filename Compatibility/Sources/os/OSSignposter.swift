/// Names an interval. OSLog's.
public struct OSSignpostID: Sendable, Hashable {
    /// Its number.
    public let rawValue: UInt64
    /// By its number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// The one of an interval that never overlaps itself.
    public static let exclusive = Self(0)
}

/// An interval that has begun. OSLog's.
public struct OSSignpostIntervalState: Sendable {}

/// Marks intervals for a profiler. OSLog's: Linux has none that reads them, so nothing is written.
public struct OSSignposter: Sendable {
    /// Of no part in particular.
    public init() {}
    /// Of a part of an app.
    public init(subsystem: String, category: String) {}
    /// Of a logger's part.
    public init(logger: Logger) {}
    /// Always false.
    public var isEnabled: Bool { false }
    /// A name for an interval.
    public func makeSignpostID() -> OSSignpostID { .exclusive }
    /// Begins an interval.
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        .init()
    }
    /// Begins an interval.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
    ) -> OSSignpostIntervalState { .init() }
    /// Ends an interval.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
    /// Ends an interval.
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage) {}
    /// Marks a moment.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
    /// Runs something as an interval.
    public func withIntervalSignpost<Output>(
        _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Output
    ) rethrows -> Output { try task() }
}
