/// Entries by the hash of something that is in them already: the names of a directory, the handles of files. A reader
/// compares the thing itself, since several may have one hash.
///
/// The hash is seeded anew in each process, so no peer can choose names of one hash.
struct IdentifierTable: Sendable {
    /// Words of a slot: the hash, of which zero says that the slot is free, and the identifier.
    private static let width = 5

    /// Slots in one buffer, without an object or a spare half for each directory. An identifier lies in the slot of its hash or in
    /// the next that is free: an eighth is free at least.
    private var words: [UInt32] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    static func hash(of value: some Hashable) -> UInt64 { UInt64(bitPattern: Int64(value.hashValue)) }

    /// Half of the hash distinguishes enough of them, and a hundred thousand of them take less.
    private static func key(_ hash: UInt64) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash)) }

    private var slots: Int { words.count / Self.width }

    private func home(_ key: UInt32) -> Int { Int((UInt64(key) * UInt64(slots)) >> 32) }

    private func next(_ slot: Int) -> Int { slot + 1 == slots ? 0 : slot + 1 }

    private func key(at slot: Int) -> UInt32 { words[slot * Self.width] }

    private func id(at slot: Int) -> EntryID {
        let first = slot * Self.width
        return EntryID(
            high: UInt64(words[first + 1]) << 32 | UInt64(words[first + 2]),
            low: UInt64(words[first + 3]) << 32 | UInt64(words[first + 4]))
    }

    private mutating func set(_ key: UInt32, _ id: EntryID, at slot: Int) {
        let first = slot * Self.width
        words[first] = key
        words[first + 1] = UInt32(truncatingIfNeeded: id.high >> 32)
        words[first + 2] = UInt32(truncatingIfNeeded: id.high)
        words[first + 3] = UInt32(truncatingIfNeeded: id.low >> 32)
        words[first + 4] = UInt32(truncatingIfNeeded: id.low)
    }

    /// In the order in which they were added.
    subscript(hash: UInt64) -> [EntryID] {
        var result: [EntryID] = []
        visit(hash) { result.append($0) }
        return result
    }

    private func visit(_ hash: UInt64, _ body: (EntryID) -> Void) {
        guard count > 0 else { return }
        let key = Self.key(hash)
        var slot = home(key)
        while self.key(at: slot) != 0 {
            if self.key(at: slot) == key { body(id(at: slot)) }
            slot = next(slot)
        }
    }

    /// The last one of a hash that is it, without a list of them.
    func last(_ hash: UInt64, where isIt: (EntryID) -> Bool) -> EntryID? {
        var last: EntryID?
        visit(hash) { if isIt($0) { last = $0 } }
        return last
    }

    /// All, in no order.
    var ids: [EntryID] { (0..<slots).lazy.filter { key(at: $0) != 0 }.map { id(at: $0) } }

    // MARK: Changing

    mutating func add(_ id: EntryID, _ hash: UInt64) {
        if (count + 1) * 8 > slots * 7 { grow() }
        put(Self.key(hash), id)
        count += 1
    }

    private mutating func put(_ key: UInt32, _ id: EntryID) {
        var slot = home(key)
        while self.key(at: slot) != 0 { slot = next(slot) }
        set(key, id, at: slot)
    }

    private mutating func grow() {
        let (old, oldSlots) = (self, slots)
        words = [UInt32](repeating: 0, count: max(2, oldSlots + (oldSlots + 1) / 2) * Self.width)
        // From behind a free slot on, so that those of one hash keep their order.
        guard let free = (0..<oldSlots).first(where: { old.key(at: $0) == 0 }) else { return }
        for step in 1...oldSlots {
            let slot = (free + step) % oldSlots
            if old.key(at: slot) != 0 { put(old.key(at: slot), old.id(at: slot)) }
        }
    }

    /// Removes those of a hash that are it.
    mutating func remove(_ hash: UInt64, where isIt: (EntryID) -> Bool) {
        guard count > 0 else { return }
        let key = Self.key(hash)
        var slot = home(key)
        while self.key(at: slot) != 0 {
            if self.key(at: slot) == key, isIt(id(at: slot)) { empty(slot) } else { slot = next(slot) }
        }
        if count == 0 { words = [] }
    }

    /// The next ones that a gap before them would hide move into the gap.
    private mutating func empty(_ slot: Int) {
        var (gap, next) = (slot, next(slot))
        while key(at: next) != 0 {
            let home = home(key(at: next))
            let (fromHome, fromGap) = (next - home, next - gap)
            if (fromHome < 0 ? fromHome + slots : fromHome) >= (fromGap < 0 ? fromGap + slots : fromGap) {
                set(key(at: next), id(at: next), at: gap)
                gap = next
            }
            next = self.next(next)
        }
        words[gap * Self.width] = 0
        count -= 1
    }
}

/// The same of which a copy that is changed copies only the parts that are changed: see ``ShardedTable``.
struct ShardedIdentifiers: Sendable {
    private var parts = ShardedTable<UInt64, IdentifierTable>()

    private static func part(of hash: UInt64) -> UInt64 { (hash >> 56) << 16 }

    func last(_ hash: UInt64, where isIt: (EntryID) -> Bool) -> EntryID? {
        parts[Self.part(of: hash)]?.last(hash, where: isIt)
    }

    mutating func add(_ id: EntryID, _ hash: UInt64) { change(hash) { $0.add(id, hash) } }

    mutating func remove(_ hash: UInt64, where isIt: (EntryID) -> Bool) {
        change(hash) { $0.remove(hash, where: isIt) }
    }

    private mutating func change(_ hash: UInt64, _ body: (inout IdentifierTable) -> Void) {
        // Taken out, so that it is not copied.
        var part = parts[Self.part(of: hash)] ?? IdentifierTable()
        parts[Self.part(of: hash)] = nil
        body(&part)
        parts[Self.part(of: hash)] = part.isEmpty ? nil : part
    }
}
