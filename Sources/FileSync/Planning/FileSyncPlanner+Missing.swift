import BatonCore

/// Files that a scan does not show any more: when that is believed to be a deletion.
extension FileSyncPlanner {
    func lookForMissing(in parent: EntryID, _ pass: inout ScanPass) {
        for id in pass.before.children(of: parent) where !pass.replaced.contains(id) {
            guard let record = state.base[id], record.parent == parent, !pass.sees(id, record.handle) else { continue }
            pass.needsComplete = true
        }
    }

    mutating func deleteMissing(_ pass: ScanPass) {
        var missing: [EntryID] = []
        var files = 0
        for (id, record) in pass.before.summaries {
            guard !pass.sees(id, record.handle), !pass.replaced.contains(id), state.base.contains(id),
                !involved.contains(id), !isInBase(id, below: .stash)
            else { continue }
            missing.append(id)
            if record.kind != .directory, !confirmed.contains(id) { files += 1 }
        }
        missing.sort()
        for id in missing where confirmed.contains(id) {
            state.held.remove(id)
            deleteLocally(id)
        }
        missing.removeAll(where: confirmed.contains)
        confirmed = []
        let known = pass.before.fileCount
        if known >= DeletionGuard.files, files > known / 2 {
            let isNew = !state.held.isSuperset(of: missing)
            state.held.formUnion(missing)
            if isNew { actions.append(.deletionsHeld(files: files)) }
            return
        }
        for id in missing where !state.held.contains(id) { deleteLocally(id) }
    }

    /// A person or a program has deleted what the disk was seen to hold.
    mutating func deleteLocally(_ id: EntryID) {
        guard let record = state.base[id] else { return }
        setBase(id, nil)
        for (member, sighting) in [id: record.sighting].merging(record.members, uniquingKeysWith: { own, _ in own }) {
            guard var entry = state.entries[member] else { continue }
            entry.delete(at: stamp(after: entry), over: sighting)
            update(entry)
        }
        state.evicted.remove(id)
        state.leftForRoom.remove(id)
        state.kept.remove(id)
    }
}

/// When deletions must be confirmed by a person: more than half of at least so many files.
package enum DeletionGuard {
    package static let files = 100
}
