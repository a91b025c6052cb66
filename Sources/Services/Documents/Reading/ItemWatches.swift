import FileSync

/// The followers of a container's items. On the container's queue.
///
/// Bound: the calls that follow it, and the container's items while there are any.
struct ItemWatches {
    private var watches: [ObjectIdentifier: ItemWatch] = [:]
    private var known = KnownItems()
    /// Entries and records that changed since the last look, and entries that wait to be sent, or do so no more.
    private var touched: Set<EntryID> = []

    mutating func note(_ ids: Set<EntryID>) {
        if !watches.isEmpty { touched.formUnion(ids) }
    }

    /// - Returns: with the items from which it goes on; parents first.
    mutating func add(_ reader: ContainerReader) -> (watch: ItemWatch, items: [ContainerItem]) {
        // The others have the same from now on.
        let changes = known.lookAtAll(reader)
        touched = []
        if !changes.isEmpty { for watch in watches.values { watch.tell(changes) } }
        let watch = ItemWatch()
        watches[ObjectIdentifier(watch)] = watch
        return (watch, known.items)
    }

    mutating func remove(_ watch: ItemWatch) {
        watches[ObjectIdentifier(watch)] = nil
        if watches.isEmpty { (known, touched) = (KnownItems(), []) }
    }

    /// Wakes all of them, with what changed.
    /// - Parameter untold: changed too, and noted again.
    mutating func tell(_ reader: ContainerReader, untold: Set<EntryID>) {
        guard !watches.isEmpty else { return }
        let changes = known.look(at: touched.union(untold), reader)
        touched = []
        for watch in watches.values { watch.tell(changes) }
    }

    /// The container ends.
    mutating func finish() {
        for watch in watches.values { watch.finish() }
        self = ItemWatches()
    }
}
