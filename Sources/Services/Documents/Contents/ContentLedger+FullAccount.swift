import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// An account without room. A content without a use must not keep later ones from the cloud. On the queue.
extension ContentLedger {
    private static let dropDelay = Duration.seconds(5)

    func accountIsFull(_ error: BatonError, _ engine: isolated ContainerEngine) {
        engine.notes.refusal = error
        engine.tellNews()
        var isAny = false
        // Deleted or replaced here before anybody else had it: it is dropped with what names it, as what was not read yet is.
        for (hash, _) in uploads where engine.planner.state.unstored.contains(hash) && !isWanted(hash, engine) {
            for entry in engine.planner.state.entries.naming(hash).compactMap({ engine.planner.state.entries[$0] }) {
                for version in Array(entry.heads.values) + Array(entry.history.values) where version.hash == hash {
                    if case .chunks(let list) = version.body { noteGivenUp(hash, list, engine) }
                }
            }
            (uploads[hash], sending[hash], toKeep[hash]) = (nil, nil, nil)
            engine.inbox.append(.uploadFailed(hash))
            isAny = true
        }
        if isAny { engine.round() }
        dropPacksSoon(engine)
    }

    /// Whether the disk has it, or a file that is there.
    func isWanted(_ hash: ContentHash, _ engine: isolated ContainerEngine) -> Bool {
        let state = engine.planner.state
        if !state.base.ids(holding: hash).isEmpty || state.displaced.values.contains(where: { $0.hash == hash }) {
            return true
        }
        return state.entries.naming(hash).contains { id in
            guard let entry = state.entries[id], state.entries.isAlive(entry) else { return false }
            return entry.heads.values.contains { $0.hash == hash }
        }
    }

    func noteGivenUp(_ hash: ContentHash, _ list: ChunkList, _ engine: isolated ContainerEngine) {
        var named = NamedChunks()
        named.lists[hash] = list
        let chunks = try? named.chunks { reference in
            guard let bytes = try engine.ports.store.run(reference.hash, in: engine.row.id) else {
                throw ContainerWriter.notHeld
            }
            return bytes
        }
        givenUp.formUnion(chunks?.values.reduce(into: Set()) { $0.formUnion($1) } ?? [])
    }

    /// When the disk was looked at.
    func dropPacksSoon(_ engine: isolated ContainerEngine) {
        guard !isDropping, !engine.isStopped else { return }
        isDropping = true
        engine.later(after: Self.dropDelay) { container in
            container.ports.start { [weak container] in await container?.writer.dropPacks() }
        }
    }

    /// Packs that the zone does not have, and of which nothing is named.
    func dropUnwanted(_ engine: isolated ContainerEngine) throws -> (Set<BlobID>, Set<ContentHash>) {
        try engine.checkRunning()
        defer { givenUp = [] }
        let packs = try unneeded(try engine.ports.store.packs.unsent(in: engine.row.id, limit: .max), engine)
        guard !packs.isEmpty else { return ([], givenUp) }
        let names = packs.map(\.name)
        _ = try engine.ports.store.packs.remove(names, from: engine.row.id)
        // Contents wait for all packs that there were.
        finishUploads(written: Set(names), engine)
        engine.round()
        engine.record(
            "packs_dropped", "Contents that were deleted before they had come to the cloud are not sent any more.",
            ["packs": String(names.count)])
        return (Set(packs.map(\.blob.id)), givenUp)
    }
}
