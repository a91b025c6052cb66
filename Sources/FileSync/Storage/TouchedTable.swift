/// A table that says which of its keys changed, so that its keeper need not compare all of it: while ten thousand files come there are as
/// many steps under way.
package struct TouchedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable, Sequence {
    package private(set) var all: [Key: Value] = [:]
    /// Keys whose values were set or removed since they were last taken.
    private var touched: Set<Key> = []

    package init(_ all: [Key: Value] = [:]) { self.all = all }

    package subscript(key: Key) -> Value? {
        get { all[key] }
        _modify {
            touched.insert(key)
            yield &all[key]
        }
    }

    package var isEmpty: Bool { all.isEmpty }
    package var count: Int { all.count }
    package var keys: Dictionary<Key, Value>.Keys { all.keys }
    package var values: Dictionary<Key, Value>.Values { all.values }

    package mutating func removeValue(forKey key: Key) -> Value? {
        guard let old = all.removeValue(forKey: key) else { return nil }
        touched.insert(key)
        return old
    }

    package mutating func takeTouched() -> Set<Key> {
        defer { touched = [] }
        return touched
    }

    /// Gives the room of a large table back once nothing is in it.
    mutating func giveBackRoom() { all.giveBackRoom() }

    package func makeIterator() -> Dictionary<Key, Value>.Iterator { all.makeIterator() }
}

extension TouchedTable: Equatable where Value: Equatable {
    /// Both have the same values.
    package static func == (left: Self, right: Self) -> Bool { left.all == right.all }
}
