import BatonCore

/// Inputs from other devices and people.
extension FileSyncPlanner {
    mutating func receive(_ entries: [Entry], isFromZone: Bool) {
        maySend = true
        for entry in entries {
            guard let own = state.entries[entry.id] else { continue }
            let isUnknown = entry.context[state.actor] > own.context[state.actor]
            let isTwice = entry.heads.contains { dot, version in
                dot.actor == state.actor && own.heads[dot].map { $0 != version } ?? false
            }
            if isUnknown || isTwice { becomeAnother() }
            if let replaced = state.replaced[entry.id] {
                state.replaced[entry.id] = Self.replaced(replaced, in: own, after: entry)
            }
        }
        note(state.entries.merge(entries, isFromZone: isFromZone))
        guard isFromZone else { return }
        // An entry whose content is still on its way there from here is not sent before the content is.
        let known = Set(entries.filter { state.entries[$0.id] == $0 && !waitsForCloud($0.id) }.map(\.id))
        state.unsent.remove(known)
        ready.formUnion(known.intersection(state.evicted))
    }

    /// The contents that an entry would have without an edit that is not stored yet, once others have sent their changes.
    private static func replaced(
        _ versions: [Dot: FileVersion], in own: Entry, after other: Entry
    ) -> [Dot: FileVersion] {
        var result = versions.filter { !other.context.covers($0.key) || other.heads[$0.key] != nil }
        for (dot, version) in other.heads where !own.context.covers(dot) { result[dot] = version }
        return result.isEmpty ? versions : result
    }

    /// Others know changes of this actor that this database does not: it was restored from a backup, or someone lies.
    ///
    /// Unsent changes may have dots that were given twice, and get new ones.
    private mutating func becomeAnother() {
        let old = state.actor
        state.actor = identifiers.actor()
        for id in Array(state.unsent) {
            guard var entry = state.entries[id] else { continue }
            let dots = entry.presence.union(entry.heads.keys).filter { $0.actor == old }
            let fresh = entry.reissue(dots, by: state.actor)
            update(entry)
            guard var record = state.base[id] else { continue }
            record.sighting.replace(fresh)
            state.base[id] = record
        }
    }

    mutating func pushed(_ entries: [Entry]) {
        (isPushing, maySend) = (false, true)
        let known = Set(entries.filter { state.entries[$0.id] == $0 }.map(\.id))
        state.unsent.remove(known)
        ready.formUnion(known.intersection(state.evicted))
    }

    // MARK: Commands

    mutating func perform(_ command: FileSyncCommand) {
        // A disk that only receives sends nothing.
        switch command {
        case .undelete, .resolve, .restore, .confirmDeletions, .forgetHistory: guard !state.isReadOnly else { return }
        case .evict, .makeRoom, .download, .mark, .undoDeletions, .bringAgain, .describe: break
        }
        switch command {
        case .mark(let id, let keeps): mark(id, keeps: keeps)
        case .bringAgain(let ids): bringAgain(ids)
        case .describe(let id, let metadata):
            guard var record = state.base[id], !involved.contains(id) else { return }
            record.metadata = metadata.merging(record.metadata.filter { $0.key == .modified }) { $1 }
            setBase(id, record)
        case .evict(let id):
            guard let entry = state.entries[id], entry.kind != .directory, entry.kind != .symbolicLink else { return }
            state.evicted.insert(id)
            state.leftForRoom.remove(id)
            ready.insert(id)
        case .makeRoom(let ids): makeRoom(ids)
        case .download(let id):
            state.evicted.remove(id)
            state.leftForRoom.remove(id)
            ready.insert(id)
        case .undelete(let id): change(id) { $0.undelete(by: $1) }
        case .resolve(let id, let dot): change(id) { $0.resolve(dot, by: $1) }
        case .restore(let id, let dot): restore(id, dot)
        case .forgetHistory(let ids): for id in ids { change(id) { entry, _ in entry.forgetHistory() } }
        case .confirmDeletions:
            // An entry that came back meanwhile is not deleted: the disk is looked at once more.
            confirmed = state.held
            scanEverything()
        case .undoDeletions:
            let held = state.held.sorted()
            state.held = []
            confirmed = []
            for id in held { setBase(id, nil) }
        }
    }

    private mutating func change(_ id: EntryID, _ body: (inout Entry, ActorID) -> Void) {
        guard var entry = state.entries[id] else { return }
        body(&entry, state.actor)
        guard entry != state.entries[id] else { return }
        update(entry)
    }

    private mutating func restore(_ id: EntryID, _ dot: Dot) {
        guard var entry = state.entries[id], var version = entry.history[dot] ?? entry.heads[dot] else { return }
        version.stamp = stamp(after: entry)
        var sighting = Sighting(of: entry)
        entry.edit(version, over: &sighting, by: state.actor, keepsHistory: true)
        update(entry)
    }
}
