/// Something on the disk that is otherwise than this disk was made to hold.
package struct LocalDifference: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// Nothing of the tree: with all that is in it.
        case created
        case edited
        /// Its mode or attributes only.
        case described
        case moved
        case deleted
    }

    package var change: Change
    /// Nil for what was created.
    package var entry: EntryID?
    package var kind: EntryKind
    package var handle: LocalHandle
    /// Where it is; for what was deleted, where it was.
    package var place: LocalPlace
    /// As the disk has them.
    package var metadata: [MetadataKey: ByteString] = [:]
}

extension FileSyncPlanner {
    /// The changes by persons or programs that a scan of everything shows. Entries with a step under way are left out.
    package func differences(in scan: LocalScan) -> [LocalDifference] {
        let arriving = Set(state.intents.values.flatMap { $0.outcome.values.compactMap { $0?.handle } })
        var found: [LocalDifference] = []
        var created: Set<LocalHandle> = []
        var seen: Set<EntryID> = []
        for (directory, nodes) in scan.listings {
            for node in nodes {
                let place = LocalPlace(directory: directory, name: node.name)
                guard let id = state.base.id(of: node.handle), let record = state.base[id] else {
                    if arriving.contains(node.handle) { continue }
                    if node.kind == .directory { created.insert(node.handle) }
                    // The directory that it is in is listed, and stands for it.
                    if created.contains(directory) || scan.copies[node.handle] != nil { continue }
                    found.append(LocalDifference(change: .created, kind: node.kind, handle: node.handle, place: place))
                    continue
                }
                seen.insert(id)
                guard !involved.contains(id), let change = change(of: node, record, at: place),
                    change != .edited || scan.copies[node.handle] != id
                else { continue }
                found.append(
                    LocalDifference(
                        change: change, entry: id, kind: record.kind, handle: node.handle, place: place,
                        metadata: node.metadata))
            }
        }
        guard scan.isComplete else { return found }
        for (id, record) in state.base.all.sorted(by: { $0.key < $1.key })
        where !seen.contains(id) && !involved.contains(id) && record.parent != .stash {
            guard let directory = handle(of: record.parent) else { continue }
            found.append(
                LocalDifference(
                    change: .deleted, entry: id, kind: record.kind, handle: record.handle,
                    place: LocalPlace(directory: directory, name: record.localName)))
        }
        return found
    }

    private func change(of node: LocalNode, _ record: BaseRecord, at place: LocalPlace) -> LocalDifference.Change? {
        if handle(of: record.parent) != place.directory || record.localName != node.name { return .moved }
        if record.kind != .directory, !record.fingerprint.hasSameTimeAndSize(as: node.fingerprint) { return .edited }
        if node.metadata != record.metadata.filter({ $0.key != .modified }) { return .described }
        // It was changed, so its content may be another one.
        return record.kind != .directory && record.fingerprint != node.fingerprint ? .edited : nil
    }

    /// Changes made on a disk that only receives are not taken in.
    mutating func overlook(_ scan: LocalScan) {
        guard scan.isComplete else { return }
        if !isScanned {
            isScanned = true
            ready.formUnion(state.entries.ids)
            ready.formUnion(state.base.ids)
        }
        for id in awaitingScan { free(id) }
        awaitingScan = []
    }

    /// These are not on the disk any more, nor is what was in them, and that is no deletion: they come again.
    mutating func bringAgain(_ ids: [EntryID]) {
        var open = ids
        while let id = open.popLast() {
            guard state.base[id] != nil, !involved.contains(id) else { continue }
            open += state.base.children(of: id)
            setBase(id, nil)
            (retries[id], obstructions[id]) = (nil, nil)
            free(id)
        }
    }
}
