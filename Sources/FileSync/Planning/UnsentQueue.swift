/// Entries that others are to be told of: each once, the oldest change first.
package struct UnsentQueue: Sendable, Sequence {
    private var order: [EntryID] = []
    private var members: Set<EntryID> = []

    package init() {}

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }

    package func contains(_ id: EntryID) -> Bool { members.contains(id) }

    mutating func insert(_ id: EntryID) {
        if members.insert(id).inserted { order.append(id) }
    }

    mutating func remove(_ ids: Set<EntryID>) {
        guard !members.isDisjoint(with: ids) else { return }
        members.subtract(ids)
        order.removeAll { !members.contains($0) }
    }

    package func makeIterator() -> IndexingIterator<[EntryID]> { order.makeIterator() }
}
