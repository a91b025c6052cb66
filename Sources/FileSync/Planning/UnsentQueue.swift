/// Entries that are to be announced: each once, the oldest change first.
package struct UnsentQueue: Sendable, Sequence {
    /// In their order, with those that left since and came again later.
    private var order: [(id: EntryID, number: UInt64)] = []
    private var numbers: [EntryID: UInt64] = [:]
    private var last: UInt64 = 0
    /// Entries that came or left since they were last taken.
    private var touched: Set<EntryID> = []

    package init() {}

    package var isEmpty: Bool { numbers.isEmpty }
    package var count: Int { numbers.count }

    package func contains(_ id: EntryID) -> Bool { numbers[id] != nil }

    /// Its place: less for what came before.
    package func number(of id: EntryID) -> UInt64? { numbers[id] }

    package mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    mutating func insert(_ id: EntryID) {
        guard numbers[id] == nil else { return }
        last += 1
        numbers[id] = last
        order.append((id, last))
        touched.insert(id)
    }

    mutating func remove(_ ids: some Sequence<EntryID>) {
        for id in ids where numbers.removeValue(forKey: id) != nil { touched.insert(id) }
        if numbers.isEmpty {
            order = []
            numbers.giveBackRoom()
        }
        // Entries that left are passed over, until they are more than those that are there.
        guard order.count > 2 * numbers.count + 64 else { return }
        order.removeAll { numbers[$0.id] != $0.number }
    }

    package func makeIterator() -> some IteratorProtocol<EntryID> {
        order.lazy.filter { numbers[$0.id] == $0.number }.map(\.id).makeIterator()
    }
}
