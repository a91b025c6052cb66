import BatonCore

/// Deletions for good: what is older than can be undone leaves the tree, and only its identifier is remembered.
extension FileSyncPlanner {
    /// Whether nothing but its deletion is left of an entry, which others know, so that it may leave for good once its time is
    /// over. The contents of a directory leave before it.
    package func mayBeBuried(_ id: EntryID) -> Bool {
        guard let entry = state.entries[id], entry.deletion != nil, !entry.isPresent, !state.unsent.contains(id),
            !isInUse(id), staging[id] == nil, staged[id] == nil, !state.held.contains(id),
            state.entries.members(of: id).count == 1,
            !state.entries.hasContents(id), !state.entries.isAlive(entry)
        else { return false }
        guard entry.mergedInto != nil, let target = state.entries[state.entries.resolved(id)] else { return true }
        return !state.entries.isAlive(target)
    }

    /// The time announced with an entry that is buried: that of its newest change.
    package func graveTime(of id: EntryID) -> UInt64? { state.entries[id]?.newestStamp.time.rawValue }

    /// The stamp of a grave: nothing that was written at that time or before is later.
    package static func grave(at time: UInt64) -> Stamp {
        Stamp(time: HybridTimestamp(rawValue: time), actor: ActorID(rawValue: .max), settlements: .max)
    }

    /// Entries that other devices buried. One that came back to life stays: a device changed it that had not heard of its
    /// deletion, and no other device has heard of that change; or it lives although its deletion is known here. It gets a stamp
    /// after the grave, by which all distinguish it from an old copy.
    mutating func bury(_ graves: [EntryID: Stamp], kept: Set<EntryID> = []) {
        var open = graves.keys.filter { state.entries[$0] != nil }.sorted()
        while !open.isEmpty {
            let rest = open.filter { id in
                guard let entry = state.entries[id], let stamp = graves[id] else { return false }
                if lives(entry, after: stamp) { return true }
                bury(entry, stamp, isKept: kept.contains(id))
                return false
            }
            // A directory lives for what is in it.
            guard rest.count < open.count else { break }
            open = rest
        }
        for id in open {
            guard var entry = state.entries[id], let stamp = graves[id], entry.newestStamp <= stamp else { continue }
            entry.name.stamp = Stamp(
                time: HybridTimestamp(rawValue: stamp.time.rawValue &+ 1), actor: state.actor)
            update(entry)
        }
    }

    /// It is deleted here first. A process may write to its file until that has left the tree and was compared: that would be a
    /// change which no device has heard of. Then the entry leaves.
    private mutating func bury(_ entry: Entry, _ stamp: Stamp, isKept: Bool) {
        if entry.isPresent {
            var entry = entry
            entry.presence = []
            entry.deletion = max(entry.deletion ?? .zero, Stamp(time: stamp.time, actor: state.actor))
            note(state.entries.update(entry))
        }
        if isKept {
            // Others have none of it any more, and take no old copy.
            if state.entries[entry.id].map({ Self.isOld($0, buriedAt: stamp) }) ?? true {
                state.unsent.remove([entry.id])
            }
            return
        }
        state.unsent.remove([entry.id])
        guard !isInUse(entry.id) else {
            graves[entry.id] = max(graves[entry.id] ?? .zero, stamp)
            return
        }
        note(state.entries.remove(entry.id))
        state.unsent.remove([entry.id])
        state.replaced[entry.id] = nil
    }

    private func isInUse(_ id: EntryID) -> Bool {
        state.base.contains(id) || state.intents[id] != nil || involved.contains(id) || reads.isReading(id)
            || state.displaced.values.contains { $0.entry == id }
    }

    mutating func buryWaiting() {
        guard !graves.isEmpty else { return }
        // Something new in a directory keeps it too.
        let ready = graves.filter { id, stamp in
            guard let entry = state.entries[id] else { return true }
            return !isInUse(id) || lives(entry, after: stamp)
        }
        guard !ready.isEmpty else { return }
        for id in ready.keys { graves[id] = nil }
        bury(ready)
    }

    private func lives(_ entry: Entry, after stamp: Stamp) -> Bool {
        guard entry.isPresent else { return state.entries.isAlive(entry) }
        // With all that the one who buried it knew, and alive.
        let isKnown = entry.deletion != nil && entry.newestStamp.time >= stamp.time
        return state.unsent.contains(entry.id) || entry.newestStamp > stamp || isKnown
    }

    /// Whether an entry that another device sends is no more than an old copy of one that was buried.
    package static func isOld(_ entry: Entry, buriedAt stamp: Stamp) -> Bool { entry.newestStamp <= stamp }
}

extension EntrySet {
    /// Contents in chunks that any entry names, as its own or in its history.
    package func isNamed(_ hash: ContentHash) -> Bool { names(hash) }
}
