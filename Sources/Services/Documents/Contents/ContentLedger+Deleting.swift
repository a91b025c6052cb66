import FileSync
import Glibc

/// A person deletes documents by a command, and can undo that: contents that no cloud has stay here, on the shelf.
extension ContentLedger {
    /// Before the first one goes.
    /// - Returns: the contents that are to stay.
    func beginDeleting(_ ids: [EntryID], _ engine: isolated ContainerEngine) throws -> Set<ContentHash> {
        let state = engine.planner.state
        let contents = Set(ids.compactMap { state.base[$0]?.hash }).filter { hash in
            let isInCloud =
                engine.direct.hasCloud && !notInCloud.contains(hash) && awaited[hash] == nil && uploads[hash] == nil
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
            guard engine.shelf.has(hash) else { throw DiskFailure("keep a content", code: ESTALE) }
            engine.disk.discard(handle)
        }
    }

    func endDeleting(_ contents: Set<ContentHash>, _ engine: isolated ContainerEngine) {
        guard !contents.isEmpty else { return }
        engine.shelf.flush()
        noteStored(contents, engine)
        bringKept(engine)
    }

    /// After a start: a crash may have come in between.
    func resumeDeleting(_ engine: isolated ContainerEngine) {
        guard !engine.planner.state.unstored.isEmpty else { return }
        noteStored((try? engine.ports.store.nearby(in: engine.row.id)) ?? [], engine)
    }

    /// Those on the shelf count as stored with this device, which brings them to the cloud.
    private func noteStored(_ contents: some Sequence<ContentHash>, _ engine: isolated ContainerEngine) {
        for hash in contents where engine.planner.state.unstored.contains(hash) && engine.shelf.has(hash) {
            if engine.direct.hasCloud {
                notInCloud.insert(hash)
                engine.planner.waitingForCloud.insert(hash)
            }
            engine.inbox.append(.uploaded(hash))
        }
    }
}
