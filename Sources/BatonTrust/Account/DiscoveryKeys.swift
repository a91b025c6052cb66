package import BatonCore
package import BatonWire
import Foundation
import SwiftProtobuf

/// A secret of the account's devices, by which they recognise each other's announcements and nobody else does.
package struct DiscoveryKey: Hashable, Sendable, Comparable {
    package let timestamp: HybridTimestamp
    /// 32 bytes.
    package let bytes: [UInt8]

    /// - Throws: `invalid_argument` unless `bytes` are 32.
    package init(timestamp: HybridTimestamp, bytes: [UInt8]) throws(BatonError) {
        guard bytes.count == 32 else {
            throw BatonError(.invalidArgument, reason: "invalid_discovery_key", "A discovery key must have 32 bytes.")
        }
        self.timestamp = timestamp
        self.bytes = bytes
    }

    /// Older before newer; between equal timestamps the lesser bytes first, so that every device agrees.
    package static func < (left: Self, right: Self) -> Bool {
        left.timestamp != right.timestamp
            ? left.timestamp < right.timestamp : left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// The discovery keys that a device knows. The newest announces; all are recognised, so that a device that was away
/// while the key changed is still found and can learn the new one.
package struct DiscoveryKeys: Sendable {
    /// Bound: the 16 newest are kept, older ones are forgotten; but for the anchor.
    package static let maximumCount = 16
    /// Of one message: a device that was away needs the newest, and another message brings more.
    package static let maximumPerMessage = 2
    /// How long, in milliseconds, a key must have been the newest here to become the anchor.
    package static let anchorAge: UInt64 = 3_600_000

    /// The newest first; the anchor last, if it is older than the others.
    package private(set) var all: [DiscoveryKey] = []

    /// A key that was the newest here for a while, before others came. It is kept however many newer ones there are: a
    /// device that was away has it, and one that makes up keys in a row must not make the others forget it.
    private var anchor: DiscoveryKey?
    /// Since when the newest is the newest; nil when that was before this value was read from where it is stored.
    private var newestSince: UInt64?

    package init() {}

    /// As ``messages`` were stored, or as a sponsor tells them, whatever the clock says.
    package init(restoring keys: [DiscoveryKey]) {
        let sorted = Set(keys).sorted(by: >)
        all = Array(sorted.prefix(Self.maximumCount + 1))
        anchor = sorted.count > Self.maximumCount ? sorted[Self.maximumCount] : nil
    }

    package var newest: DiscoveryKey? { all.first }

    /// Takes in what another device tells.
    /// - Parameters:
    ///   - wall: milliseconds since 1970, as the account counts. A key from more than a day ahead is refused: it would
    ///     stay the newest for ever, and a revocation could not replace it.
    ///   - now: milliseconds of this device's clock, which no other device moves.
    /// - Returns: true when anything changed.
    @discardableResult
    package mutating func merge(_ keys: some Sequence<DiscoveryKey>, wall: UInt64, now: UInt64) -> Bool {
        let (sum, isOver) = wall.addingReportingOverflow(HybridLogicalClock.maximumDrift)
        let limit = isOver ? .max : sum
        let new = Set(keys.lazy.filter { $0.timestamp.milliseconds <= limit }).subtracting(all)
        return take(new.sorted(by: >).prefix(Self.maximumPerMessage), now: now)
    }

    /// A key that this device made.
    package mutating func add(_ key: DiscoveryKey, now: UInt64) { take([key], now: now) }

    @discardableResult
    private mutating func take(_ keys: some Sequence<DiscoveryKey>, now: UInt64) -> Bool {
        let before = all
        let union = Set(all).union(keys).sorted(by: >)
        if let last = before.first, union.first != last {
            // Without an anchor any key is one. Restored keys have not been the newest for long, as far as is known.
            let hasStood = newestSince.map { now > $0 && now - $0 >= Self.anchorAge } ?? false
            if anchor == nil || hasStood { anchor = last }
        }
        if union.first != before.first || newestSince == nil { newestSince = now }
        all = Array(union.prefix(Self.maximumCount))
        if let anchor, !all.contains(anchor) { all.append(anchor) }
        return all != before
    }

    /// The well-formed keys of a message; others are dropped.
    package static func read(_ messages: [Baton_Link_V1_DiscoveryKey]) -> [DiscoveryKey] {
        messages.prefix(4 * maximumCount).compactMap {
            try? DiscoveryKey(timestamp: HybridTimestamp(rawValue: $0.timestamp), bytes: Array($0.key))
        }
    }

    package var messages: [Baton_Link_V1_DiscoveryKey] {
        all.map { key in
            .with {
                $0.timestamp = key.timestamp.rawValue
                $0.key = Data(key.bytes)
            }
        }
    }
}

extension DiscoveryKeys: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}
