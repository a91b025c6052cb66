import FileSync

/// A person deletes documents by a command, and can undo that: contents that no cloud has stay here, on the shelf.
extension ContentLedger {
    /// Before the first one goes.
    /// - Returns: the contents that are to stay.
    func beginDeleting(_ ids: [EntryID], _ engine: isolated ContainerEngine) throws -> Set<ContentHash> {
        let state = engine.planner.state
        let contents = Set(ids.compactMap { state.base[$0]?.hash }).filter { hash in
            let isInCloud =
                engine.direct.hasCloud && !notInCloud.contains(hash) && awaited[hash] == nil
                && !state.unstored.contains(hash)
            return !isInCloud && state.entries.isNamed(hash) && !engine.shelf.has(hash)
        }
        // First of all: after a crash the account's cloud, if it gets one, is brought them.
        if !contents.isEmpty { try engine.ports.store.addNearby(contents, to: engine.row.id) }
        return contents
    }

    /// A file that left the tree for the staging folder.
    func keepDeleted(_ handle: LocalHandle, _ hash: ContentHash, _ engine: isolated ContainerEngine) throws {
        if engine.disk.isPlain(handle), let name = engine.disk.staged[handle] {
            try engine.shelf.keep(name, as: hash, isFlushed: false)
            engine.disk.forgetStaged(handle)
        } else {
            try copy(handle, hash, engine)
            engine.disk.discard(handle)
        }
    }

    /// They count as stored with this device, which brings them to the cloud.
    func endDeleting(_ contents: Set<ContentHash>, _ engine: isolated ContainerEngine) {
        guard !contents.isEmpty else { return }
        engine.shelf.flush()
        for hash in contents where engine.shelf.has(hash) && engine.planner.state.unstored.contains(hash) {
            if engine.direct.hasCloud {
                notInCloud.insert(hash)
                engine.planner.waitingForCloud.insert(hash)
            }
            engine.inbox.append(.uploaded(hash))
        }
        bringKept(engine)
    }
}
