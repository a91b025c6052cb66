/// A value that is a run of bytes.
protocol PackedValue: Sendable {
    init(packed bytes: [UInt8])
    var packed: [UInt8] { get }
}

/// A table of packed values, of which those of one part are in one buffer: an object for each takes more, and a hundred thousand of
/// them among others that come and go keep many pages of memory that are almost empty.
///
/// A copy that is changed copies only the parts that are changed, as that of a ``ShardedTable``.
struct PackedTable<Value: PackedValue>: Sendable {
    private static var parts: Int { 256 }
    /// Small tables have one part: of so many values, and bytes. A part counts its bytes in 32 bits.
    private static var few: Int { 512 }
    private static var small: Int { 1 << 24 }

    private var parts = [PackedPart()]
    private(set) var count = 0

    subscript(key: EntryID) -> Value? {
        get {
            let hash = Self.hash(key)
            return parts[index(of: hash)].value(of: key, hash).map(Value.init)
        }
        set {
            let hash = Self.hash(key)
            let index = index(of: hash)
            let before = parts[index].count
            parts[index].set(newValue?.packed, for: key, hash)
            count += parts[index].count - before
            if parts.count == 1, count > Self.few || parts[index].size > Self.small { split() }
        }
    }

    /// Reads a value where it is, without a copy of it, from one of its bytes on.
    func reader(of key: EntryID, at offset: Int) -> PackedReader? {
        let hash = Self.hash(key)
        return parts[index(of: hash)].reader(of: key, hash, at: offset)
    }

    /// Bytes of all buffers.
    var size: Int { parts.reduce(0) { $0 + $1.size } }

    var largestPart: Int { parts.map(\.size).max() ?? 0 }

    /// Seeded anew in each process, so that no peer can fill one part.
    private static func hash(_ key: EntryID) -> UInt64 { IdentifierTable.hash(of: key) }

    private func index(of hash: UInt64) -> Int {
        parts.count == 1 ? 0 : Int(truncatingIfNeeded: hash >> 56) & (Self.parts - 1)
    }

    /// Gives back the memory that its parts do not use.
    mutating func compact() { for index in parts.indices { parts[index].compact() } }

    private mutating func split() {
        var split = [PackedPart](repeating: PackedPart(), count: Self.parts)
        for (key, value) in all {
            let hash = Self.hash(key)
            split[Int(truncatingIfNeeded: hash >> 56) & (Self.parts - 1)].set(value.packed, for: key, hash)
        }
        parts = split
    }

    var keys: some Sequence<EntryID> {
        parts.lazy.flatMap { part in part.starts.lazy.map { part.key(at: $0) } }
    }

    /// All, in no order.
    var all: some Sequence<(key: EntryID, value: Value)> {
        parts.lazy.flatMap { part in
            part.starts.lazy.map { (key: part.key(at: $0), value: Value(packed: part.value(at: $0))) }
        }
    }
}
