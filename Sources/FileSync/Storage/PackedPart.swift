/// Some values of a ``PackedTable``: a buffer of all of them, each after its key and its length, and where they are in it.
///
/// The places are found by the hashes of the keys. So a value takes about 28 bytes besides its own, where a dictionary of places takes
/// 60 and more.
struct PackedPart: Sendable {
    /// So many bytes may be unused in any case.
    private static let least = 1024
    /// A part that is compact has at most one byte in so many to spare.
    private static let spare = 16
    private static let head = 20
    private static let free = UInt32.max

    /// Where each value begins, in the slot of its key's hash or in the next that is free: a quarter is free at least.
    private var slots: [UInt32] = []
    private(set) var count = 0
    private var bytes: [UInt8] = []
    /// Bytes of values that were there before.
    private var unused = 0

    var size: Int { bytes.count }

    /// Where all values begin.
    var starts: some Collection<UInt32> { slots.lazy.filter { $0 != Self.free } }

    func key(at start: UInt32) -> EntryID { PackedReader.id(bytes, at: Int(start)) }

    func value(at start: UInt32) -> [UInt8] {
        let (first, count) = (Int(start) + Self.head, length(at: start))
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = count
            bytes.withUnsafeBufferPointer { bytes in
                guard let from = bytes.baseAddress, let to = buffer.baseAddress else { return }
                to.initialize(from: from + first, count: count)
            }
        }
    }

    func value(of key: EntryID, _ hash: UInt64) -> [UInt8]? { slot(of: key, hash).map { value(at: slots[$0]) } }

    /// Reads a value where it is, from one of its bytes on.
    func reader(of key: EntryID, _ hash: UInt64, at offset: Int) -> PackedReader? {
        slot(of: key, hash).map { PackedReader(bytes, at: Int(slots[$0]) + Self.head + offset) }
    }

    // MARK: Changing

    mutating func set(_ value: [UInt8]?, for key: EntryID, _ hash: UInt64) {
        var slot = slot(of: key, hash)
        if let found = slot {
            let old = length(at: slots[found])
            if let value, value.count <= old {
                // In its place.
                write(value, at: Int(slots[found]) + Self.head)
                write(length: value.count, at: slots[found])
                unused += old - value.count
                return
            }
            unused += Self.head + old
            empty(found)
            slot = nil
        }
        if unused > Self.least, unused > bytes.count / 2 { tidy() }
        guard let value else { return }
        if (count + 1) * 4 > slots.count * 3 { grow() }
        let start = bytes.count
        let needed = start + Self.head + value.count
        if bytes.capacity < needed { bytes.reserveCapacity(needed + needed / 8) }
        for word in [key.high, key.low] { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
        withUnsafeBytes(of: UInt32(value.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += value
        slots[freeSlot(hash)] = UInt32(start)
        count += 1
    }

    private mutating func write(_ value: [UInt8], at first: Int) {
        value.withUnsafeBytes { new in
            bytes.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[first..<first + new.count]).copyMemory(from: new)
            }
        }
    }

    private mutating func write(length: Int, at start: UInt32) {
        withUnsafeBytes(of: UInt32(length).littleEndian) { write(Array($0), at: Int(start) + 16) }
    }

    private func length(at start: UInt32) -> Int {
        bytes.withUnsafeBytes {
            Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: Int(start) + 16, as: UInt32.self)))
        }
    }

    /// Gives back most of what it does not use. What changes often leaves gaps, and what grew has room for more.
    mutating func compact() {
        if unused > Self.least, unused > bytes.count / Self.spare {
            tidy()
        } else if bytes.capacity > bytes.count + max(Self.least, bytes.count / Self.spare) {
            bytes = bytes.withUnsafeBufferPointer { Array($0) }
        }
    }

    /// Closes the gaps.
    private mutating func tidy() {
        var tidied: [UInt8] = []
        tidied.reserveCapacity(bytes.count - unused)
        for slot in slots.indices where slots[slot] != Self.free {
            let first = Int(slots[slot])
            let end = first + Self.head + length(at: slots[slot])
            slots[slot] = UInt32(tidied.count)
            tidied += bytes[first..<end]
        }
        (bytes, unused) = (tidied, 0)
    }

    // MARK: Slots

    private var mask: Int { slots.count - 1 }

    private func home(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

    private func slot(of key: EntryID, _ hash: UInt64) -> Int? {
        guard count > 0 else { return nil }
        var slot = home(hash)
        while slots[slot] != Self.free {
            if self.key(at: slots[slot]) == key { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func freeSlot(_ hash: UInt64) -> Int {
        var slot = home(hash)
        while slots[slot] != Self.free { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt32](repeating: Self.free, count: max(8, old.count * 2))
        for start in old where start != Self.free { slots[freeSlot(IdentifierTable.hash(of: key(at: start)))] = start }
    }

    /// The next values that a gap before them would hide move into the gap.
    private mutating func empty(_ slot: Int) {
        var (gap, next) = (slot, (slot + 1) & mask)
        while slots[next] != Self.free {
            let home = home(IdentifierTable.hash(of: key(at: slots[next])))
            if (next - home) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = Self.free
        count -= 1
    }
}
