import Crypto
package import Foundation

/// Items of a zone that are neighbours by their places. A place is the first 8 bytes of the SHA-256 of an item's name: so items
/// spread evenly, whatever they are called.
package struct ItemRange: Hashable, Sendable {
    /// How many hexadecimal digits the places have in common; 0 to 15.
    package let depth: Int
    /// The least of the places.
    package let start: UInt64

    /// All items.
    package static let all = ItemRange(unchecked: 0, 0)
    package static let maximumDepth = 15

    private init(unchecked depth: Int, _ start: UInt64) {
        self.depth = depth
        self.start = start
    }

    /// Nil where there is no such range.
    package init?(depth: Int, start: UInt64) {
        guard (0...Self.maximumDepth).contains(depth), start & Self.mask(depth) == start else { return nil }
        self.init(unchecked: depth, start)
    }

    /// As few items as a range has, one of which is called so.
    package init(of name: String) {
        self.init(unchecked: Self.maximumDepth, Self.place(of: name) & Self.mask(Self.maximumDepth))
    }

    package static func place(of name: String) -> UInt64 {
        SHA256.hash(data: Data(name.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package func contains(place: UInt64) -> Bool { place & Self.mask(depth) == start }

    package func contains(_ name: String) -> Bool { depth == 0 || contains(place: Self.place(of: name)) }

    /// Its sixteen parts; none of one that is as small as ranges are.
    package var parts: [ItemRange] {
        guard depth < Self.maximumDepth else { return [] }
        return (0..<16).map { ItemRange(unchecked: depth + 1, start | $0 << UInt64(60 - 4 * depth)) }
    }

    /// The first digits, of all 64 bits.
    static func mask(_ depth: Int) -> UInt64 { depth == 0 ? 0 : .max << UInt64(64 - 4 * depth) }
}

/// A digest of the items in a range, equal on two devices if and only if they hold the same items.
package struct RangeDigest: Hashable, Sendable {
    package private(set) var count: UInt64 = 0
    /// The sum of all items' digests: the first 16 bytes of SHA-256(the name's length in 4 bytes ‖ name ‖ stamp).
    private var sum: UInt128 = 0

    package init() {}

    package mutating func add(_ name: String, _ stamp: Data) { add(Self.digest(name, stamp)) }

    package mutating func add(_ other: RangeDigest) {
        count &+= other.count
        sum &+= other.sum
    }

    package mutating func subtract(_ other: RangeDigest) {
        count &-= other.count
        sum &-= other.sum
    }

    package static func digest(_ name: String, _ stamp: Data) -> RangeDigest {
        var hash = SHA256()
        let utf8 = Data(name.utf8)
        withUnsafeBytes(of: UInt32(clamping: utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: utf8)
        hash.update(data: stamp)
        var digest = RangeDigest()
        digest.count = 1
        digest.sum = hash.finalize().prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
        return digest
    }

    /// The digest of one item.
    init(ofItem sum: UInt128) { (count, self.sum) = (1, sum) }

    /// All but the count, where it is that of one item.
    var item: UInt128 { sum }

    /// The short digest by which parts of a range are compared.
    var short: UInt64 { UInt64(truncatingIfNeeded: sum) }

    /// 24 bytes.
    package var bytes: Data {
        var bytes = withUnsafeBytes(of: count.bigEndian) { Data($0) }
        withUnsafeBytes(of: sum.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }
}
