import FileSync

/// The items of a container as its followers have them, by which changes are found without a look at all of them.
///
/// Bound: the container's items, while there are followers.
struct KnownItems {
    /// A container item, and the directory that it is in, which may live for its sake only.
    struct Known {
        var item: ContainerItem
        var parent: EntryID
    }

    /// For more than that, and an eighth of all, all are looked at.
    private static let fewItems = 1000

    private var known: [EntryID: Known] = [:]
    private var marks: ItemMarks?

    /// Parents first.
    var items: [ContainerItem] { known.values.map(\.item).sorted(by: ContainerItem.isBefore) }

    /// Looks at all.
    mutating func lookAtAll(_ reader: ContainerReader) -> ItemChanges {
        marks = ItemMarks(reader)
        let present = reader.shownItems
        var changes = ItemChanges()
        for (id, new) in present where known[id]?.item != new.item { changes.changed[id] = new.item }
        for id in known.keys where present[id] == nil { changes.removed.insert(id) }
        known = present
        return changes
    }

    /// - Parameter touched: entries and records that changed since the last look, and entries that wait to be sent, or do so no more.
    mutating func look(at touched: Set<EntryID>, _ reader: ContainerReader) -> ItemChanges {
        let new = ItemMarks(reader)
        guard let marks, var ids = new.changes(since: marks, reader.planner.state) else { return lookAtAll(reader) }
        ids.formUnion(touched)
        guard ids.count <= max(Self.fewItems, known.count / 8), let found = find(ids, reader) else {
            return lookAtAll(reader)
        }
        self.marks = new
        var changes = ItemChanges()
        for (id, new) in found {
            if let new {
                if known[id]?.item != new.item { changes.changed[id] = new.item }
            } else if known[id] != nil {
                changes.removed.insert(id)
            }
            known[id] = new
        }
        return changes
    }

    /// - Returns: what these are now; nil where the items in a directory may have changed with it.
    private func find(_ ids: Set<EntryID>, _ reader: ContainerReader) -> [EntryID: Known?]? {
        var paths: [EntryID: String] = [:]
        var found: [EntryID: Known?] = [:]
        var open = Array(ids)
        while let id = open.popLast() {
            guard found[id] == nil else { continue }
            let (old, new) = (known[id], reader.shownItem(id, &paths))
            found.updateValue(new, forKey: id)
            let kind = new?.item.kind ?? old?.item.kind ?? reader.planner.state.entries.kind(of: id)
            if kind == .directory {
                // Where it is as before, so are those in it, unless they changed themselves.
                guard let old, let new, old.item.path == new.item.path else { return nil }
            }
            // A directory may come and go with the last that lives in it.
            guard old?.parent != new?.parent else { continue }
            for parent in [old?.parent, new?.parent] { if let parent, parent != .root { open.append(parent) } }
        }
        return found
    }
}

extension ContainerReader {
    /// All items that are there.
    var shownItems: [EntryID: KnownItems.Known] {
        var paths: [EntryID: String] = [:]
        var items: [EntryID: KnownItems.Known] = [:]
        for id in planner.state.entries.ids { items[id] = shownItem(id, &paths) }
        return items
    }
}
