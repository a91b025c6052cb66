import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Sync

/// An account without room. A content without a use must not keep later ones from the cloud. On the queue.
extension ContainerEngine {
    private static let dropDelay = Duration.seconds(5)

    func accountIsFull(_ error: BatonError) {
        notes.refusal = error
        tellNews()
        var isAny = false
        // Deleted or replaced here before anybody else had it: it is dropped with what names it, as what was not read yet is.
        for (hash, _) in uploads where planner.state.unstored.contains(hash) && !isWanted(hash) {
            for entry in planner.state.entries.naming(hash).compactMap({ planner.state.entries[$0] }) {
                for version in Array(entry.heads.values) + Array(entry.history.values) where version.hash == hash {
                    if case .chunks(let list) = version.body { noteGivenUp(hash, list) }
                }
            }
            (uploads[hash], direct.sending[hash], direct.toKeep[hash]) = (nil, nil, nil)
            inbox.append(.uploadFailed(hash))
            isAny = true
        }
        if isAny { round() }
        dropPacksSoon()
    }

    /// Whether the disk has it, or a file that is there.
    private func isWanted(_ hash: ContentHash) -> Bool {
        let state = planner.state
        if !state.base.ids(holding: hash).isEmpty || state.displaced.values.contains(where: { $0.hash == hash }) {
            return true
        }
        return state.entries.naming(hash).contains { id in
            guard let entry = state.entries[id], state.entries.isAlive(entry) else { return false }
            return entry.heads.values.contains { $0.hash == hash }
        }
    }

    private func noteGivenUp(_ hash: ContentHash, _ list: ChunkList) {
        var named = NamedChunks()
        named.lists[hash] = list
        let chunks = try? named.chunks { reference in
            guard let bytes = try ports.store.run(reference.hash, in: row.id) else { throw Self.notHeld }
            return bytes
        }
        direct.givenUp.formUnion(chunks?.values.reduce(into: Set()) { $0.formUnion($1) } ?? [])
    }

    /// When the disk was looked at.
    func dropPacksSoon() {
        guard !direct.isDropping, !isStopped else { return }
        direct.isDropping = true
        later(after: Self.dropDelay) { container in
            container.ports.start { [weak container] in await container?.dropPacks() }
        }
    }

    private nonisolated func dropPacks() async {
        defer { later { $0.direct.isDropping = false } }
        guard let (blobs, chunks) = try? await perform({ try $0.dropUnwanted() }) else { return }
        if !blobs.isEmpty { _ = try? await ports.blobs.release(blobs, areUnwritten: true) }
        // Some parts may have come there while there was room.
        if !chunks.isEmpty { _ = try? await purgePacks(of: chunks) }
        guard !blobs.isEmpty || !chunks.isEmpty else { return }
        ports.trigger()
        ports.hasten()
    }

    /// Packs that the zone does not have, and of which nothing is named.
    private func dropUnwanted() throws -> (Set<BlobID>, Set<ContentHash>) {
        try checkRunning()
        defer { direct.givenUp = [] }
        let packs = try unneeded(try ports.store.unsentPacks(in: row.id, limit: .max))
        guard !packs.isEmpty else { return ([], direct.givenUp) }
        let names = packs.map(\.name)
        _ = try ports.store.removePacks(names, from: row.id)
        // Contents wait for all packs that there were.
        finishUploads(written: Set(names))
        round()
        record(
            "packs_dropped", "Contents that were deleted before they had come to the cloud are not sent any more.",
            ["packs": String(names.count)])
        return (Set(packs.map(\.blob.id)), direct.givenUp)
    }
}
