import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// Packs of which no content needs anything any more.
extension ContentLedger {
    /// Which contents the entries name, and of which chunks they are.
    struct NamedChunks: Sendable {
        var lists: [ContentHash: ChunkList] = [:]

        /// - Parameter run: a run's bytes.
        /// - Throws: where a run is not known: then the chunks needed cannot be determined.
        func chunks(run: (ChunkReference) throws -> [UInt8]) throws -> [ContentHash: Set<ContentHash>] {
            try lists.mapValues { list in
                var chunks = Set(list.references.map(\.hash))
                guard list.isIndirect else { return chunks }
                for reference in list.references {
                    let part = try ChunkRun(decoding: try run(reference), sizes: list.sizes)
                    chunks.formUnion(part.references.map(\.hash))
                }
                return chunks
            }
        }
    }

    /// On the queue.
    func namedChunks(_ engine: isolated ContainerEngine) -> NamedChunks {
        var named = NamedChunks()
        for entry in engine.planner.state.entries.chunked {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                if case .chunks(let list) = version.body { named.lists[version.hash] = list }
            }
        }
        // The ones that edits replaced whose own contents are not stored yet may come back.
        for version in engine.planner.state.replaced.values.flatMap(\.values) {
            if case .chunks(let list) = version.body { named.lists[version.hash] = list }
        }
        return named
    }

    static func run(_ reference: ChunkReference, _ store: DocumentsStore, _ id: Int64) throws -> [UInt8] {
        guard let bytes = try store.run(reference.hash, in: id) else { throw ContainerWriter.notHeld }
        return bytes
    }

    /// Those of these of which no content needs anything. On the queue.
    /// - Throws: where a run is not here.
    func unneeded(_ packs: [DocumentPack], _ engine: isolated ContainerEngine) throws -> [DocumentPack] {
        guard !packs.isEmpty else { return [] }
        let needed = try namedChunks(engine).chunks { try Self.run($0, engine.ports.store, engine.row.id) }.values
            .reduce(into: Set()) { $0.formUnion($1) }
        return packs.filter { needed.isDisjoint(with: $0.chunks.map(\.hash)) }
    }

    static func id(ofPack name: String) -> EntryID? {
        DocumentPack.isName(name) ? EntryCodec.id(ofName: String(name.dropFirst(DocumentPack.prefix.count))) : nil
    }

    /// From now on nothing new relies on a pack that is to go. Contents that rely on it already keep it. On the queue.
    func relinquish(_ packs: [String], _ engine: isolated ContainerEngine) -> [String] {
        do {
            try engine.ports.store.packs.hideChunks(of: packs, in: engine.row.id)
            let needed = try namedChunks(engine).chunks { try Self.run($0, engine.ports.store, engine.row.id) }.values
                .reduce(into: Set()) { $0.formUnion($1) }
            return try packs.filter { name in
                guard let pack = try engine.ports.store.packs.pack(name, in: engine.row.id),
                    needed.isDisjoint(with: pack.pack.chunks.map(\.hash))
                else {
                    try engine.ports.store.packs.showChunks(of: name, in: engine.row.id)
                    return false
                }
                return true
            }
        } catch {
            return []
        }
    }

    /// Packs that were buried. Chunks that this device has relied on meanwhile are stored again, from its files. On the queue.
    func forgetPacks(_ names: [String], _ engine: isolated ContainerEngine) throws {
        let gone = try engine.ports.store.packs.remove(names, from: engine.row.id)
        guard !gone.isEmpty else { return }
        var lost: [ContentHash] = []
        for (hash, list) in namedChunks(engine).lists {
            var one = NamedChunks()
            one.lists[hash] = list
            let chunks = (try? one.chunks { try Self.run($0, engine.ports.store, engine.row.id) })?[hash] ?? []
            if !chunks.isDisjoint(with: gone) { lost.append(hash) }
        }
        guard !lost.isEmpty else { return }
        try engine.ports.store.addNearby(lost, to: engine.row.id)
        bringKept(engine)
    }
}
