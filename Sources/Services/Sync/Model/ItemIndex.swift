package import Foundation

/// The stamps of a zone's items, for its source: a change costs the same however many there are, and so does the digest of a
/// range.
///
/// Bound: the zone's items, with about 50 bytes and its name for each.
package struct ItemIndex: Sendable {
    /// Digests of all ranges of less depth than this are kept; deeper ones are summed up.
    private static let depth = 4
    static let maximumChanges = 16_384

    private var sums: [ItemRange: RangeDigest] = [:]
    /// By the first three digits of the places.
    private var buckets: [UInt64: ItemBucket] = [:]
    /// Names of items that changed last, in their order. Bound: ``maximumChanges``. Policy: then the older half is forgotten.
    private var changes: [String] = []
    /// How many changes are forgotten.
    private var forgotten = 0
    private let identity = ItemPosition.Index()

    package init() {}

    package init(_ stamps: [String: Data]) {
        for (name, stamp) in stamps { set(stamp, for: name) }
    }

    /// - Parameter stamp: nil: it is not there.
    package mutating func set(_ stamp: Data?, for name: String) {
        let place = ItemRange.place(of: name)
        var bucket = buckets[Self.bucket(of: place)] ?? ItemBucket()
        let old = bucket.digest(of: name, place)
        let new = stamp.map { RangeDigest.digest(name, $0) }
        guard old != new else { return }
        note(name)
        bucket.remove(name, place)
        if let stamp, let new { bucket.add(name, place, stamp, new) }
        buckets[Self.bucket(of: place)] = bucket.isEmpty ? nil : bucket
        for depth in 0..<Self.depth {
            guard let range = Self.range(of: place, depth) else { continue }
            var sum = sums[range] ?? RangeDigest()
            if let old { sum.subtract(old) }
            if let new { sum.add(new) }
            sums[range] = sum.count > 0 ? sum : nil
        }
    }

    private mutating func note(_ name: String) {
        if changes.count >= Self.maximumChanges {
            changes.removeFirst(Self.maximumChanges / 2)
            forgotten += Self.maximumChanges / 2
        }
        changes.append(name)
    }

    /// - Parameter position: nil: none is known.
    package func changes(after position: ItemPosition?) -> ZoneChanges {
        let present = ItemPosition(index: identity, number: forgotten + changes.count)
        guard let position, position.index === identity, position.number >= forgotten else {
            return ZoneChanges(names: nil, position: present)
        }
        return ZoneChanges(names: Set(changes[(position.number - forgotten)...]).sorted(), position: present)
    }

    package subscript(name: String) -> Data? {
        let place = ItemRange.place(of: name)
        return buckets[Self.bucket(of: place)]?.stamp(of: name, place)
    }

    package var count: Int { Int(clamping: digest(of: .all).count) }

    package func digest(of range: ItemRange) -> RangeDigest {
        guard range.depth >= Self.depth else { return sums[range] ?? RangeDigest() }
        var sum = RangeDigest()
        buckets[Self.bucket(of: range.start)]?.visit { item in
            if range.contains(place: item.place) { sum.add(item.digest) }
        }
        return sum
    }

    package func stamps(in range: ItemRange) -> [String: Data] {
        if range.depth >= Self.depth - 1 {
            var stamps: [String: Data] = [:]
            buckets[Self.bucket(of: range.start)]?.visit { item in
                if range.contains(place: item.place) { stamps[item.name] = item.stamp }
            }
            return stamps
        }
        guard digest(of: range).count > 0 else { return [:] }
        return range.parts.reduce(into: [:]) { stamps, part in stamps.merge(self.stamps(in: part)) { first, _ in first }
        }
    }

    package func stamps(in ranges: [ItemRange]) -> [String: Data] {
        ranges.reduce(into: [:]) { stamps, range in stamps.merge(self.stamps(in: range)) { first, _ in first } }
    }

    private static func bucket(of place: UInt64) -> UInt64 { place >> 52 }

    private static func range(of place: UInt64, _ depth: Int) -> ItemRange? {
        ItemRange(depth: depth, start: depth == 0 ? 0 : place & (.max << UInt64(64 - 4 * depth)))
    }
}
