/// A moment that orders events across devices whose wall clocks disagree.
///
/// 48 bits of milliseconds since 1970 and 16 bits of counter, compared as one number. Greater means later in every
/// order that any device could have observed.
package struct HybridTimestamp: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(milliseconds: UInt64, counter: UInt16) {
        rawValue = min(milliseconds, Self.maximumMilliseconds) << 16 | UInt64(counter)
    }

    package var milliseconds: UInt64 { rawValue >> 16 }
    package var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
    package var description: String { "\(milliseconds).\(counter)" }

    package static let zero = HybridTimestamp(rawValue: 0)
    package static let maximumMilliseconds: UInt64 = 1 << 48 - 1

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Makes timestamps that always grow, follow the wall clock, and move past every timestamp received.
///
/// A clock far in the future cannot win for ever: a remote timestamp more than ``maximumDrift`` ahead of the local wall
/// clock is refused.
package struct HybridLogicalClock: Sendable {
    /// How far ahead of the local wall clock a received timestamp may be: one day, in milliseconds.
    package static let maximumDrift: UInt64 = 24 * 60 * 60 * 1000

    package private(set) var last: HybridTimestamp

    package init(last: HybridTimestamp = .zero) { self.last = last }

    /// The timestamp of a local event. `wall` is milliseconds since 1970.
    package mutating func now(wall: UInt64) -> HybridTimestamp {
        let wall = min(wall, HybridTimestamp.maximumMilliseconds)
        if wall > last.milliseconds {
            last = HybridTimestamp(milliseconds: wall, counter: 0)
        } else if last.rawValue < .max {
            // A full counter runs over into the milliseconds, which is what is wanted.
            last = HybridTimestamp(rawValue: last.rawValue + 1)
        }
        return last
    }

    /// Moves past `remote`.
    /// - Throws: `out_of_range` when `remote` is too far ahead of `wall`; the clock is unchanged then.
    package mutating func observe(_ remote: HybridTimestamp, wall: UInt64) throws(BatonError) {
        let (limit, isOver) = wall.addingReportingOverflow(Self.maximumDrift)
        guard isOver || remote.milliseconds <= limit else {
            throw BatonError(
                .outOfRange, reason: "clock_too_far_ahead",
                "The other device's clock is more than a day ahead of this one's. Set the clocks of both devices.")
        }
        last = max(last, remote)
    }
}
