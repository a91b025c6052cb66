/// Entries by the hash of something that is in them already: the names of a directory, the handles of files. A reader
/// compares the thing itself, since several may have one hash.
///
/// The hash is seeded anew in each process, so no peer can choose names of one hash.
struct IdentifierTable: Sendable {
    /// The first of each hash.
    private var first: [UInt32: EntryID] = [:]
    /// All of a hash that several have.
    private var several: [UInt32: [EntryID]] = [:]

    var isEmpty: Bool { first.isEmpty }

    static func hash(of value: some Hashable) -> UInt64 { UInt64(bitPattern: Int64(value.hashValue)) }

    /// Half of the hash distinguishes enough of them, and a hundred thousand of them take less.
    private static func key(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

    /// In the order in which they were added.
    subscript(hash: UInt64) -> [EntryID] {
        get {
            let key = Self.key(hash)
            return several[key] ?? first[key].map { [$0] } ?? []
        }
        set {
            let key = Self.key(hash)
            first[key] = newValue.first
            if newValue.count > 1 || several[key] != nil { several[key] = newValue.count > 1 ? newValue : nil }
        }
    }

    /// The last one of a hash that is it, without a list of them.
    func last(_ hash: UInt64, where isIt: (EntryID) -> Bool) -> EntryID? {
        let key = Self.key(hash)
        guard let id = first[key] else { return nil }
        if !several.isEmpty, let ids = several[key] { return ids.last(where: isIt) }
        return isIt(id) ? id : nil
    }

    /// Adds one, as most are, without a list of them.
    mutating func add(_ id: EntryID, _ hash: UInt64) {
        let key = Self.key(hash)
        if first[key] == nil { first[key] = id } else { self[hash].append(id) }
    }

    /// All, in no order.
    var ids: [EntryID] {
        var result: [EntryID] = []
        result.reserveCapacity(first.count)
        for (key, id) in first { if let ids = several[key] { result += ids } else { result.append(id) } }
        return result
    }
}

/// The same of which a copy that is changed copies only the parts that are changed: see ``ShardedTable``.
struct ShardedIdentifiers: Sendable {
    private var parts = ShardedTable<UInt64, IdentifierTable>()

    private static func part(of hash: UInt64) -> UInt64 { (hash >> 56) << 16 }

    func last(_ hash: UInt64, where isIt: (EntryID) -> Bool) -> EntryID? {
        parts[Self.part(of: hash)]?.last(hash, where: isIt)
    }

    subscript(hash: UInt64) -> [EntryID] {
        get { parts[Self.part(of: hash)]?[hash] ?? [] }
        set {
            // Taken out, so that it is not copied.
            var part = parts[Self.part(of: hash)] ?? IdentifierTable()
            parts[Self.part(of: hash)] = nil
            part[hash] = newValue
            parts[Self.part(of: hash)] = part.isEmpty ? nil : part
        }
    }
}
