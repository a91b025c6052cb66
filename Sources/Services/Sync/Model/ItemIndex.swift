package import Foundation

/// The stamps of a zone's items, for its source: a change costs the same however many there are, and so does the digest of a
/// range.
///
/// Bound: the zone's items.
package struct ItemIndex: Sendable {
    private struct Entry: Sendable {
        var stamp: Data
        var place: UInt64
        var digest: RangeDigest
    }

    /// Digests of all ranges of less depth than this are kept; deeper ones are summed up.
    private static let depth = 4

    private var sums: [ItemRange: RangeDigest] = [:]
    /// By the first four digits of the places.
    private var buckets: [UInt64: [String: Entry]] = [:]

    package init() {}

    package init(_ stamps: [String: Data]) {
        for (name, stamp) in stamps { set(stamp, for: name) }
    }

    /// - Parameter stamp: nil: it is not there.
    package mutating func set(_ stamp: Data?, for name: String) {
        let place = ItemRange.place(of: name)
        let bucket = place >> 48
        let old = buckets[bucket]?[name]
        let new = stamp.map { Entry(stamp: $0, place: place, digest: .digest(name, $0)) }
        buckets[bucket, default: [:]][name] = new
        if buckets[bucket]?.isEmpty == true { buckets[bucket] = nil }
        for depth in 0..<Self.depth {
            guard let range = Self.range(of: place, depth) else { continue }
            var sum = sums[range] ?? RangeDigest()
            if let old { sum.subtract(old.digest) }
            if let new { sum.add(new.digest) }
            sums[range] = sum.count > 0 ? sum : nil
        }
    }

    package subscript(name: String) -> Data? { buckets[ItemRange.place(of: name) >> 48]?[name]?.stamp }

    package var count: Int { Int(clamping: digest(of: .all).count) }

    package func digest(of range: ItemRange) -> RangeDigest {
        guard range.depth >= Self.depth else { return sums[range] ?? RangeDigest() }
        var sum = RangeDigest()
        for entry in (buckets[range.start >> 48] ?? [:]).values where range.contains(place: entry.place) {
            sum.add(entry.digest)
        }
        return sum
    }

    package func stamps(in range: ItemRange) -> [String: Data] {
        if range.depth >= Self.depth {
            return (buckets[range.start >> 48] ?? [:]).filter { range.contains(place: $0.value.place) }
                .mapValues(\.stamp)
        }
        guard digest(of: range).count > 0 else { return [:] }
        return range.parts.reduce(into: [:]) { stamps, part in stamps.merge(self.stamps(in: part)) { first, _ in first }
        }
    }

    package func stamps(in ranges: [ItemRange]) -> [String: Data] {
        ranges.reduce(into: [:]) { stamps, range in stamps.merge(self.stamps(in: range)) { first, _ in first } }
    }

    private static func range(of place: UInt64, _ depth: Int) -> ItemRange? {
        ItemRange(depth: depth, start: depth == 0 ? 0 : place & (.max << UInt64(64 - 4 * depth)))
    }
}
