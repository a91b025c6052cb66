package import Foundation

/// Reads the time of day. A parameter everywhere, so that tests and simulations own it.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Date

    package init(_ read: @escaping @Sendable () -> Date) { self.read = read }

    package static let system = WallClock { Date() }

    package var now: Date { read() }

    /// Milliseconds since 1970; 0 for a clock before that.
    package var milliseconds: UInt64 { UInt64(max(0, read().timeIntervalSince1970 * 1000)) }
}
