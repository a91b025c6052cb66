package import BatonCore
package import Foundation

/// The items that were deleted for good in a zone: for each an identifier that is never used again, and the time of its last
/// known change, 24 bytes together.
///
/// A device that was away for long, or whose database was restored, learns here that what it has was deleted, and was not lost. The
/// identifiers are spread over ``shards`` items of the zone by their first byte, so that a burial writes little. All devices come
/// to the same: each shard is the union, of which the newest stay.
package struct Graveyard: Hashable, Sendable {
    package struct Identifier: Hashable, Comparable, Sendable {
        package let high: UInt64
        package let low: UInt64

        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.high, left.low) < (right.high, right.low)
        }

        fileprivate var shard: Int { Int(high >> 58) }
    }

    package static let shards = 64
    /// Identifiers in each shard: 262,144 in a zone. Where there are more, the oldest go first.
    package static let shardSize = 4096
    private static let prefix = "graves-"
    private static let format: UInt8 = 1
    private static let recordSize = 24

    private var graves: [[Identifier: UInt64]] = Array(repeating: [:], count: shards)

    package init() {}

    package var isEmpty: Bool { graves.allSatisfy(\.isEmpty) }

    package var all: [Identifier: UInt64] {
        graves.reduce(into: [:]) { all, shard in all.merge(shard) { $0 < $1 ? $1 : $0 } }
    }

    /// When it was changed last before it was buried; nil for what was not.
    package subscript(id: Identifier) -> UInt64? { graves[id.shard][id] }

    /// - Returns: whether that was new.
    @discardableResult
    package mutating func bury(_ id: Identifier, at time: UInt64) -> Bool {
        !bury([id: time]).isEmpty
    }

    /// - Returns: those that were new, and stay.
    @discardableResult
    package mutating func bury(_ told: [Identifier: UInt64]) -> [Identifier: UInt64] {
        var news: [Identifier: UInt64] = [:]
        var changed: Set<Int> = []
        for (id, time) in told where graves[id.shard][id].map({ $0 < time }) ?? true {
            graves[id.shard][id] = time
            news[id] = time
            changed.insert(id.shard)
        }
        for shard in changed { trim(shard) }
        return news.filter { graves[$0.key.shard][$0.key] != nil }
    }

    private mutating func trim(_ shard: Int) {
        let excess = graves[shard].count - Self.shardSize
        guard excess > 0 else { return }
        let oldest = graves[shard].sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(excess)
        for (id, _) in oldest { graves[shard][id] = nil }
    }

    // MARK: Items

    package static func isName(_ name: String) -> Bool { shard(ofName: name) != nil }

    package static func name(ofShard shard: Int) -> String {
        let digits = String(shard, radix: 16)
        return prefix + (digits.count < 2 ? "0" : "") + digits
    }

    package static func shard(ofName name: String) -> Int? {
        guard name.hasPrefix(prefix), let shard = Int(name.dropFirst(prefix.count), radix: 16),
            (0..<shards).contains(shard), Self.name(ofShard: shard) == name
        else { return nil }
        return shard
    }

    package static func name(of id: Identifier) -> String { name(ofShard: id.shard) }

    /// Format (1) ‖ for each grave, in ascending order, identifier (16) ‖ time (8). Nil for an empty shard.
    package func content(ofName name: String) -> Data? {
        guard let shard = Self.shard(ofName: name), !graves[shard].isEmpty else { return nil }
        var bytes = Data([Self.format])
        bytes.reserveCapacity(1 + graves[shard].count * Self.recordSize)
        for (id, time) in graves[shard].sorted(by: { $0.key < $1.key }) {
            for number in [id.high, id.low, time] {
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }

    /// Those shards that have something.
    package var names: [String] {
        (0..<Self.shards).filter { !graves[$0].isEmpty }.map(Self.name(ofShard:))
    }

    /// The contents of another device's shard.
    /// - Throws: `data_loss` (`bad_graves`) for what no device writes.
    package static func read(_ content: Data, ofName name: String) throws(BatonError) -> [Identifier: UInt64] {
        let bytes = Array(content)
        guard let shard = shard(ofName: name), bytes.first == format, (bytes.count - 1) % recordSize == 0,
            (bytes.count - 1) / recordSize <= shardSize
        else { throw refusal }
        var graves: [Identifier: UInt64] = [:]
        for start in stride(from: 1, to: bytes.count, by: recordSize) {
            let numbers = (0..<3).map { part in
                bytes[start + 8 * part..<start + 8 * part + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            let id = Identifier(high: numbers[0], low: numbers[1])
            guard id.shard == shard else { throw refusal }
            graves[id] = numbers[2]
        }
        return graves
    }

    private static let refusal = BatonError(
        .dataLoss, reason: "bad_graves",
        "The account's list of permanent deletions is malformed and was refused. Update Baton on the device that "
            + "wrote it.")
}
