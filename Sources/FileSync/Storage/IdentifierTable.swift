/// Entries by the hash of something that is in them already: the names of a directory, the handles of files. A reader
/// compares the thing itself, since several may have one hash.
///
/// The hash is seeded anew in each process, so no peer can choose names of one hash.
struct IdentifierTable: Sendable {
    enum Slot: Sendable {
        case one(EntryID)
        case several([EntryID])

        /// Nil for none.
        init?(_ ids: [EntryID]) {
            guard let first = ids.first else { return nil }
            self = ids.count == 1 ? .one(first) : .several(ids)
        }

        var ids: [EntryID] {
            switch self {
            case .one(let id): [id]
            case .several(let ids): ids
            }
        }
    }

    private var slots: [UInt64: Slot] = [:]

    var isEmpty: Bool { slots.isEmpty }

    static func hash(of value: some Hashable) -> UInt64 { UInt64(bitPattern: Int64(value.hashValue)) }

    /// In the order in which they were added.
    subscript(hash: UInt64) -> [EntryID] {
        get { slots[hash]?.ids ?? [] }
        set { slots[hash] = Slot(newValue) }
    }

    /// All, in no order.
    var ids: [EntryID] {
        var result: [EntryID] = []
        result.reserveCapacity(slots.count)
        for slot in slots.values {
            switch slot {
            case .one(let id): result.append(id)
            case .several(let ids): result += ids
            }
        }
        return result
    }
}
