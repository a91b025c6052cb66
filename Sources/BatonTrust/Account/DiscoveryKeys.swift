package import BatonCore
package import BatonWire
import Foundation
import SwiftProtobuf

/// A secret of the account's devices, by which they recognise each other's announcements and no other device does.
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

/// The discovery keys that a device knows. The newest announces and is the only one that is handed to others. Older ones
/// recognise a device that was away while the key changed, until every member has been met under a newer one.
package struct DiscoveryKeys: Sendable {
    /// Bound: the 16 newest are kept, older ones are forgotten; but for the anchor.
    package static let maximumCount = 16
    /// A device sends its newest key. If a message holds more, the newest is taken.
    package static let maximumPerMessage = 1
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

    /// As ``stored`` was, or as a sponsor sends it, whatever the clock says.
    package init(restoring keys: [DiscoveryKey]) {
        let sorted = Set(keys).sorted(by: >)
        all = Array(sorted.prefix(Self.maximumCount + 1))
        anchor = sorted.count > Self.maximumCount ? sorted[Self.maximumCount] : nil
    }

    package var newest: DiscoveryKey? { all.first }

    /// The newest that a device has reported; nil when it is not kept here.
    package func newest(of told: [DiscoveryKey]) -> DiscoveryKey? { all.first { told.contains($0) } }

    /// Merges keys from another device. A key older than every kept one was forgotten, and stays forgotten.
    /// - Parameters:
    ///   - wall: milliseconds since 1970, as the account counts. A key from more than a day ahead is refused: it would
    ///     stay the newest for ever, and a revocation could not replace it.
    ///   - now: milliseconds of this device's clock, which no other device moves.
    /// - Returns: true when anything changed.
    @discardableResult
    package mutating func merge(_ keys: some Sequence<DiscoveryKey>, wall: UInt64, now: UInt64) -> Bool {
        let (sum, isOver) = wall.addingReportingOverflow(HybridLogicalClock.maximumDrift)
        let limit = isOver ? .max : sum
        let oldest = all.last
        let isWanted = { (key: DiscoveryKey) in oldest.map { $0 < key } ?? true }
        let new = Set(keys.lazy.filter { $0.timestamp.milliseconds <= limit && isWanted($0) }).subtracting(all)
        return take(new.sorted(by: >).prefix(Self.maximumPerMessage), now: now)
    }

    /// A key that this device made.
    package mutating func add(_ key: DiscoveryKey, now: UInt64) { take([key], now: now) }

    /// Every member has a key that is at least as new as `time`: no device is found by an older one any more.
    /// - Returns: true when any was forgotten.
    @discardableResult
    package mutating func forget(olderThan time: HybridTimestamp) -> Bool {
        let (count, newest) = (all.count, self.newest)
        all.removeAll { $0.timestamp < time && $0 != newest }
        if let known = anchor, known.timestamp < time { anchor = nil }
        return all.count < count
    }

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

    /// For this device's own file.
    package var stored: [Baton_Link_V1_DiscoveryKey] { all.map(\.message) }

    /// The key sent to other devices: the newest only. A device that joined later must not be found by means of an
    /// older one.
    package var told: [Baton_Link_V1_DiscoveryKey] { newest.map { [$0.message] } ?? [] }
}

extension DiscoveryKey {
    package var message: Baton_Link_V1_DiscoveryKey {
        .with {
            $0.timestamp = timestamp.rawValue
            $0.key = Data(bytes)
        }
    }
}

extension DiscoveryKeys: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}
