import FileSync

/// Looks for files that a daemon has left that ended. On the queue.
extension ContainerEngine {
    /// Removes files that no step, comparison or record names: they were being made when the daemon ended.
    func removeLeftovers() {
        let state = planner.state
        var kept = Set(state.displaced.keys)
        disk.findStaged(kept)
        for intent in state.intents.values {
            if let handle = intent.stagedHandle { kept.insert(handle) }
            kept.formUnion(intent.displaced.keys)
            for case let record? in intent.outcome.values { kept.insert(record.handle) }
        }
        for id in state.base.children(of: EntryID(high: 0, low: 2)) {
            if let record = state.base[id] { kept.insert(record.handle) }
        }
        disk.findStaged(kept)
        for handle in disk.staged.keys where !kept.contains(handle) && !ledger.keepLeftover(handle, self) {
            disk.discard(handle)
        }
        disk.discardOrphans()
        // Before the planner looks for them: a content that is nowhere is one that never was.
        ledger.resumeDeleting(self)
        notePackages()
        // Where directories are is known before the first scan, for the steps of before a crash.
        for (_, outline) in state.base.outlines {
            guard let parent = handle(of: outline.parent) else { continue }
            disk.places[outline.handle] = LocalPlace(directory: parent, name: outline.localName)
        }
    }

    /// Which directories are packages, for the steps of before a crash.
    private func notePackages() {
        let state = planner.state
        for (_, outline) in state.base.outlines where outline.kind == .package && !outline.isPlaceholder {
            disk.packages.insert(outline.handle)
        }
        for case let record? in state.intents.values.flatMap(\.outcome.values) where record.kind == .package {
            disk.packages.insert(record.handle)
        }
        let displaced = state.displaced.all.merging(state.intents.values.flatMap(\.displaced)) { own, _ in own }
        for (handle, file) in displaced where state.entries[file.entry]?.kind == .package {
            disk.packages.insert(handle)
        }
    }
}
