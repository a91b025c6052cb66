extension EntrySet {
    /// Brings the tree into order: no cycles, one entry of each name in a directory, and no conflict that must be a file.
    ///
    /// It follows from the entries alone, so all devices do the same, and doing it twice changes nothing. The changes
    /// have a stamp just above the ones that they replace, so a person's later change wins.
    mutating func settle(_ changes: inout EntryChanges) {
        var open = changes.affected
        // Each round gives a register a higher count of settlements, or ends. The bound is for what is hostile.
        var budget = 1000 + count * 8
        while !open.isEmpty, budget > 0 {
            for id in open.sorted() {
                budget -= 1
                guard contains(id) || id == .recovered else { continue }
                var caused = EntryChanges()
                ensureRecovered(id, &caused)
                breakCycle(through: id, &caused)
                settleHeads(of: id, &caused)
                settleName(of: id, &caused)
                for id in caused.unsent { changes.send(id) }
                changes.affected.formUnion(caused.affected)
                open.formUnion(caused.affected)
                open.remove(id)
                if !caused.affected.isEmpty { open.insert(id) }
            }
        }
    }

    private mutating func write(_ entry: Entry, _ changes: inout EntryChanges) {
        guard entry != self[entry.id] else { return }
        changes.send(entry.id)
        put(entry, &changes)
    }

    private mutating func ensureRecovered(_ id: EntryID, _ changes: inout EntryChanges) {
        guard showsLost, !contains(.recovered), parent(of: id) == .recovered else { return }
        let recovered = Entry(
            id: .recovered, kind: .directory, parent: .root, name: .recovered, version: nil, stamp: .zero,
            actor: .settlement)
        write(recovered, &changes)
    }

    // MARK: Cycles

    /// In a cycle the newest move gives way, to the newest older place that is in no cycle, or to the root.
    private mutating func breakCycle(through id: EntryID, _ changes: inout EntryChanges) {
        guard kind(of: id) == .directory, mergedInto(id) == nil else { return }
        guard let cycle = cycle(through: id)?.compactMap({ self[$0] }) else { return }
        let victim = cycle.max { ($0.place.stamp, $0.id) < ($1.place.stamp, $1.id) }
        guard var victim else { return }
        let older = victim.places.dropFirst().map(\.parent)
        let parent = older.first { !isBelow(resolved($0), victim.id) } ?? .root
        victim.put(to: Place(stamp: victim.place.stamp.settled, parent: parent))
        write(victim, &changes)
    }

    private func cycle(through id: EntryID) -> [EntryID]? {
        var members: [EntryID] = []
        var visited: Set<EntryID> = []
        var current = id
        while contains(current), visited.insert(current).inserted {
            members.append(current)
            guard let next = parent(of: current) else { return nil }
            current = next
        }
        // A cycle further up is found from its own members.
        return current == id ? members : nil
    }

    /// Whether an entry is the other one, or in it.
    package func isBelow(_ id: EntryID, _ other: EntryID) -> Bool {
        var current = id
        var visited: Set<EntryID> = []
        while current != other {
            guard visited.insert(current).inserted, let next = parent(of: current) else { return false }
            current = next
        }
        return true
    }

    // MARK: Contents

    private mutating func settleHeads(of id: EntryID, _ changes: inout EntryChanges) {
        guard hasSeveralHeads(id), var entry = self[id], entry.isPresent, let winner = entry.winner else { return }
        let shown = Set(entry.shownDots)
        for (dot, version) in entry.heads where dot != winner.dot {
            // Deleted in a conflict, or the same content twice: no conflict.
            guard !shown.contains(dot) || version.hash == winner.version.hash else { continue }
            if version.hash != winner.version.hash { keepDeleted(dot, version, of: entry, &changes) }
            entry.setAside(dot)
        }
        let allowed = policy == .files ? 0 : EntryLimits.heads - 1
        let conflicts = entry.conflicts
        for (dot, version) in conflicts.dropFirst(allowed) {
            // First the copy: a device that gets only this half has the content twice, and never not at all.
            let copy = conflictEntry(of: entry, dot: dot, version: version)
            write(self[copy.id].map { $0.joined(copy) } ?? copy, &changes)
            entry.setAside(dot)
        }
        write(entry, &changes)
    }

    private func conflictEntry(of entry: Entry, dot: Dot, version: FileVersion) -> Entry {
        let id = EntryID.conflict(of: entry.id, dot: dot)
        let name = ConflictName.name(
            for: entry.name.value, kind: entry.kind, time: version.stamp.time, device: version.device, id: id)
        return copy(of: entry, version, as: id, name)
    }

    /// A content was deleted with an entry that lives on by another one. In the history some saves would end it: it becomes a deleted
    /// entry of the same name, so that this deletion can be undone as long as any other.
    private mutating func keepDeleted(
        _ dot: Dot, _ version: FileVersion, of entry: Entry, _ changes: inout EntryChanges
    ) {
        var deleted = copy(of: entry, version, as: .deleted(from: entry.id, dot: dot), entry.name.value)
        deleted.delete(at: max(entry.deletion ?? .zero, deleted.placed.settled), over: Sighting(of: deleted))
        write(self[deleted.id].map { $0.joined(deleted) } ?? deleted, &changes)
    }

    /// The same on each device, so it has no author.
    private func copy(of entry: Entry, _ version: FileVersion, as id: EntryID, _ name: EntryName) -> Entry {
        Entry(
            id: id, kind: entry.kind, parent: entry.place.parent, name: name, version: version,
            metadata: entry.metadata.mapValues(\.value), stamp: version.stamp, actor: .settlement)
    }

    // MARK: Names

    private mutating func settleName(of id: EntryID, _ changes: inout EntryChanges) {
        guard case .shown(let parent, let name) = placement(of: id) else { return }
        let ids = entries(in: parent, named: name)
        guard ids.count > 1 else { return }
        var group = ids.compactMap { self[$0] }
        group.sort(by: Self.keepsName)
        mergeDirectories(&group, &changes)
        mergeEqualFiles(&group, &changes)
        for var loser in group.dropFirst() {
            let name = ConflictName.name(
                for: loser.name.value, kind: loser.kind, time: loser.placed.time, device: loser.winner?.version.device,
                id: loser.id)
            loser.name = Register(stamp: loser.name.stamp.settled, value: name)
            write(loser, &changes)
        }
    }

    /// Which of two entries of one name keeps it.
    private static func keepsName(_ left: Entry, _ right: Entry) -> Bool {
        // An entry that came back to life against a deletion gives way to one that was made in its place.
        let (leftRevived, rightRevived) = (
            (left.deletion ?? .zero) > left.placed, (right.deletion ?? .zero) > right.placed
        )
        if leftRevived != rightRevived { return rightRevived }
        if (left.kind == .directory) != (right.kind == .directory) { return left.kind == .directory }
        return (left.placed, left.id) < (right.placed, right.id)
    }

    /// Directories of one name are one directory, for good: that of the least identifier. Not where they are lost from different
    /// ones, which may come still: what is shown together in `Recovered` was never in one place.
    private mutating func mergeDirectories(_ group: inout [Entry], _ changes: inout EntryChanges) {
        var merged: Set<EntryID> = []
        for directories in Dictionary(
            grouping: group.filter({ $0.kind == .directory }), by: { resolved($0.place.parent) }
        ).values {
            guard directories.count > 1, let least = directories.map(\.id).min() else { continue }
            for var directory in directories where directory.id != least {
                directory.mergedInto = least
                write(directory, &changes)
                merged.insert(directory.id)
            }
        }
        group.removeAll { merged.contains($0.id) }
    }

    /// The same file made twice becomes one. The other can be restored like any deleted file, and an edit brings it
    /// back.
    private mutating func mergeEqualFiles(_ group: inout [Entry], _ changes: inout EntryChanges) {
        let simple = group.filter { $0.kind != .directory && $0.kind != .package && $0.heads.count == 1 }
        for var entry in simple {
            // The least identifier stays, which no device can see otherwise: two devices never set aside one for the other.
            let isTwin = simple.contains {
                $0.id < entry.id && $0.kind == entry.kind && $0.winner?.version.hash == entry.winner?.version.hash
                    && resolved($0.place.parent) == resolved(entry.place.parent)
            }
            guard isTwin else { continue }
            entry.delete(at: entry.placed.settled, over: Sighting(of: entry))
            write(entry, &changes)
            group.removeAll { $0.id == entry.id }
        }
    }
}

extension Entry {
    /// A content is shown no more. It stays in the history.
    mutating func setAside(_ dot: Dot) {
        guard let version = heads.removeValue(forKey: dot) else { return }
        presence.remove(dot)
        history[dot] = version
        trimHistory()
    }
}
