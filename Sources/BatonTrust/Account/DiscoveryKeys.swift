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
package struct DiscoveryKeys: Hashable, Sendable {
    /// Bound: the 16 newest are kept, older ones are forgotten.
    package static let maximumCount = 16

    /// The newest first.
    package private(set) var all: [DiscoveryKey] = []

    package init() {}

    package var newest: DiscoveryKey? { all.first }

    /// - Parameter wall: milliseconds since 1970. A key from more than a day ahead is refused: it would stay the newest
    ///   for ever, and a revocation could not replace it.
    /// - Returns: true when anything changed.
    @discardableResult
    package mutating func merge(_ keys: some Sequence<DiscoveryKey>, wall: UInt64) -> Bool {
        let before = all
        let (sum, isOver) = wall.addingReportingOverflow(HybridLogicalClock.maximumDrift)
        let limit = isOver ? .max : sum
        let union = Set(all).union(keys.lazy.filter { $0.timestamp.milliseconds <= limit })
        all = Array(union.sorted(by: >).prefix(Self.maximumCount))
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
