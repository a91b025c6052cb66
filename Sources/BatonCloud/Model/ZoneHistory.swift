package import Foundation

/// Which versions a zone has given out, as far as its database knows: a stretch of them for each start of a server (an
/// incarnation) that wrote to it.
///
/// A database that was put back as it was earlier, or that has lost its log, knows nothing of what came afterwards. Each
/// stretch begins far ahead of the one before, at a random place: so no version of a lost time is given out again, and who
/// knows of one is distinguished from one that does not.
///
/// Bound: ``maximumCount`` stretches. Policy: the oldest goes; who knows of nothing newer reads the zone anew.
package struct ZoneHistory: Hashable, Sendable {
    struct Stretch: Hashable, Sendable {
        var incarnation: UInt64
        /// The zone's head before this stretch.
        var base: UInt64
        /// Its first version.
        var first: UInt64
    }

    static let maximumCount = 64
    private static let byteCount = 24
    /// The least distance between two stretches. The random part is as large.
    private static let distance: UInt64 = 1 << 32

    private(set) var stretches: [Stretch] = []

    package init() {}

    /// The incarnation that wrote last; 0 for a zone last written before there were incarnations.
    package var newest: UInt64 { stretches.last?.incarnation ?? 0 }

    /// The oldest may be forgotten.
    private var isCut: Bool { stretches.count >= Self.maximumCount }

    /// An incarnation is about to write.
    /// - Returns: what the zone counts on from; nil when the incarnation has written before.
    mutating func begin(_ rules: StoreRules, head: UInt64) -> UInt64? {
        guard !stretches.contains(where: { $0.incarnation == rules.incarnation }) else { return nil }
        let start = head == 0 ? 0 : head + Self.distance + rules.number(bytes: 4)
        if isCut { stretches.removeFirst() }
        stretches.append(Stretch(incarnation: rules.incarnation, base: head, first: start + 1))
        return start
    }

    /// How far the zone had come when an incarnation wrote last, or was seen last; nil for one that is not known.
    func end(of incarnation: UInt64, head: UInt64) -> UInt64? {
        if incarnation == 0, !isCut { return stretches.first?.base ?? head }
        guard let index = stretches.firstIndex(where: { $0.incarnation == incarnation }) else { return nil }
        return index + 1 < stretches.count ? stretches[index + 1].base : head
    }

    /// Whether the zone gave this version out.
    func contains(_ version: UInt64, head: UInt64) -> Bool {
        guard version > 0 else { return true }
        guard let index = stretches.lastIndex(where: { $0.first <= version }) else {
            return !isCut && version <= stretches.first?.base ?? head
        }
        return version <= (index + 1 < stretches.count ? stretches[index + 1].base : head)
    }

    // MARK: In a database

    package var encoded: Data {
        var data = Data()
        for number in stretches.flatMap({ [$0.incarnation, $0.base, $0.first] }) {
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    /// - Parameter data: nil for a zone that was last written to before there were incarnations.
    package init(decoding data: Data?) {
        let bytes = Array(data ?? Data())
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        stretches = stride(from: 0, through: bytes.count - Self.byteCount, by: Self.byteCount).map { start in
            Stretch(incarnation: number(start), base: number(start + 8), first: number(start + 16))
        }
    }
}
