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
    /// Small tables have one part.
    private static var few: Int { 512 }

    private var parts = [Part()]
    private(set) var count = 0

    private struct Part: Sendable {
        struct Place: Sendable {
            var start: Int
            var count: Int
        }

        /// So many bytes may be unused in any case.
        private static var least: Int { 1024 }

        private(set) var places: [EntryID: Place] = [:]
        private var bytes: [UInt8] = []
        /// Bytes between the values, of those that were there before.
        private var unused = 0

        var size: Int { bytes.count }

        func value(at place: Place) -> Value {
            Value(
                packed: [UInt8](unsafeUninitializedCapacity: place.count) { buffer, count in
                    count = place.count
                    bytes.withUnsafeBufferPointer { bytes in
                        guard let from = bytes.baseAddress, let to = buffer.baseAddress else { return }
                        to.initialize(from: from + place.start, count: place.count)
                    }
                })
        }

        mutating func set(_ value: [UInt8]?, for key: EntryID) {
            let old = places[key]
            if let old, let value, value.count <= old.count {
                // In its place.
                value.withUnsafeBytes { new in
                    bytes.withUnsafeMutableBytes {
                        UnsafeMutableRawBufferPointer(rebasing: $0[old.start..<old.start + new.count])
                            .copyMemory(from: new)
                    }
                }
                unused += old.count - value.count
                places[key] = Place(start: old.start, count: value.count)
                return
            }
            if let old {
                unused += old.count
                places[key] = nil
            }
            if unused > Self.least, unused > bytes.count / 2 { tidy() }
            guard let value else { return }
            let needed = bytes.count + value.count
            if bytes.capacity < needed { bytes.reserveCapacity(needed + needed / 8) }
            places[key] = Place(start: bytes.count, count: value.count)
            bytes += value
        }

        private mutating func tidy() {
            var tidied: [UInt8] = []
            tidied.reserveCapacity(bytes.count - unused)
            places = places.mapValues { place in
                defer { tidied += bytes[place.start..<place.start + place.count] }
                return Place(start: tidied.count, count: place.count)
            }
            (bytes, unused) = (tidied, 0)
        }
    }

    subscript(key: EntryID) -> Value? {
        get {
            let index = index(of: key)
            guard let place = parts[index].places[key] else { return nil }
            return parts[index].value(at: place)
        }
        set {
            let index = index(of: key)
            let before = parts[index].places.count
            parts[index].set(newValue?.packed, for: key)
            count += parts[index].places.count - before
            if parts.count == 1, count > Self.few { split() }
        }
    }

    /// Bytes of all buffers.
    var size: Int { parts.reduce(0) { $0 + $1.size } }

    private func index(of key: EntryID) -> Int { parts.count == 1 ? 0 : key.shard & (Self.parts - 1) }

    private mutating func split() {
        var split = [Part](repeating: Part(), count: Self.parts)
        for (key, value) in all { split[key.shard & (Self.parts - 1)].set(value.packed, for: key) }
        parts = split
    }

    var keys: some Sequence<EntryID> { parts.lazy.flatMap(\.places.keys) }

    /// All, in no order.
    var all: some Sequence<(key: EntryID, value: Value)> {
        parts.lazy.flatMap { part in part.places.lazy.map { (key: $0.key, value: part.value(at: $0.value)) } }
    }
}
