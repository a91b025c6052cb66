/// A key of a ``ShardedTable``: whose numbers spread evenly.
protocol ShardKey: Hashable, Sendable {
    var shard: Int { get }
}

extension EntryID: ShardKey {
    var shard: Int { Int(truncatingIfNeeded: high ^ low) }
}

extension UInt64: ShardKey {
    var shard: Int { Int(truncatingIfNeeded: self >> 16) }
}

/// A table of which a copy that is changed copies only the parts that are changed: a look at the disk is compared with the base of
/// before it, while it changes the base.
struct ShardedTable<Key: ShardKey, Value: Sendable>: Sendable {
    private static var shards: Int { 256 }
    /// Small tables have one part.
    private static var few: Int { 512 }

    private var parts: [[Key: Value]] = [[:]]
    private(set) var count = 0

    subscript(key: Key) -> Value? {
        get { parts[index(of: key)][key] }
        set {
            let index = index(of: key)
            let before = parts[index].count
            parts[index][key] = newValue
            count += parts[index].count - before
            if parts.count == 1, count > Self.few { split() }
        }
    }

    private func index(of key: Key) -> Int { parts.count == 1 ? 0 : key.shard & (Self.shards - 1) }

    private mutating func split() {
        var split = [[Key: Value]](repeating: [:], count: Self.shards)
        for (key, value) in parts[0] { split[key.shard & (Self.shards - 1)][key] = value }
        parts = split
    }

    var keys: some Sequence<Key> { parts.lazy.flatMap(\.keys) }

    /// All, in no order.
    var all: some Sequence<(key: Key, value: Value)> {
        parts.lazy.flatMap { $0.lazy.map { (key: $0.key, value: $0.value) } }
    }
}
