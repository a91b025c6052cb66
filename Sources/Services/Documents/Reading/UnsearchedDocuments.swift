import FileSync

/// Entries of a container that may be other than search knows them. On the container's queue.
///
/// Bound: ``maximum(of:)``. Policy: where there are more, search looks at all.
struct UnsearchedDocuments {
    /// In a large tree a look at half of it costs less than one at all of it.
    /// - Parameter count: how many entries there are.
    static func maximum(of count: Int) -> Int { max(1000, count / 2) }

    /// Nil: all, also those to come.
    private var ids: Set<EntryID>?
    /// As search knows it: whether what is in lost directories is shown.
    private var showsLost = false

    /// - Parameters:
    ///   - touched: entries and records that changed.
    ///   - count: how many entries there are.
    mutating func note(_ touched: Set<EntryID>, of count: Int) {
        ids?.formUnion(touched)
        if let ids, ids.count > Self.maximum(of: count) { self.ids = nil }
    }

    /// Search looks at all now.
    mutating func begin(_ reader: ContainerReader) { (ids, showsLost) = ([], reader.showsLost) }

    /// - Returns: what may be another document than before, or none any more; nil: any.
    mutating func take(_ reader: ContainerReader, untold: Set<EntryID>) -> Set<EntryID>? {
        guard let ids, showsLost == reader.showsLost else { return nil }
        self.ids = []
        let maximum = Self.maximum(of: reader.planner.state.entries.count)
        return reader.withContents(ids.union(untold), maximum: maximum)
    }
}

extension ContainerReader {
    /// Whether what is in lost directories is shown.
    var showsLost: Bool { planner.state.entries.isComplete && !planner.state.entries.isReading }

    /// These, and all that is in directories among them, whose paths are others when a directory moves.
    /// - Returns: nil where they are more.
    func withContents(_ ids: Set<EntryID>, maximum: Int) -> Set<EntryID>? {
        let (entries, base) = (planner.state.entries, planner.state.base)
        var found: Set<EntryID> = []
        var open = Array(ids)
        while let id = open.popLast() {
            guard found.insert(id).inserted else { continue }
            guard found.count <= maximum else { return nil }
            // Also where it is gone: its contents are in another one now, or in none.
            for member in entries.members(of: entries.resolved(id)) { open += entries.contents(of: member) }
            open += base.children(of: id)
        }
        return found
    }
}
