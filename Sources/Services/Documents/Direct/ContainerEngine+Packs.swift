import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Sync

/// Packs of which no content needs anything any more.
extension ContainerEngine {
    /// Which contents the entries name, and of which chunks they are.
    struct NamedChunks: Sendable {
        var lists: [ContentHash: ChunkList] = [:]

        /// - Parameter run: a run's bytes.
        /// - Throws: where a run is not known: then nobody can say what is needed.
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
    private var namedChunks: NamedChunks {
        var named = NamedChunks()
        for entry in planner.state.entries.all where planner.state.entries.hasChunks(entry.id) {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                if case .chunks(let list) = version.body { named.lists[version.hash] = list }
            }
        }
        // The ones that edits replaced whose own contents are not stored yet may come back.
        for version in planner.state.replaced.values.flatMap(\.values) {
            if case .chunks(let list) = version.body { named.lists[version.hash] = list }
        }
        return named
    }

    /// Packs of the zone of which nothing is named, as they are buried. Nothing where that cannot be told.
    nonisolated func unnamedPacks() async -> [EntryID: String] {
        do {
            let named = try await perform { $0.namedChunks }
            try await fetchRuns(of: named)
            let (store, id) = (ports.store, row.id)
            return try await io.run {
                let needed = try named.chunks { try Self.run($0, store, id) }.values.reduce(into: Set()) {
                    $0.formUnion($1)
                }
                var unnamed: [EntryID: String] = [:]
                for pack in try store.writtenPacks(in: id) where needed.isDisjoint(with: pack.chunks.map(\.hash)) {
                    if let id = Self.id(ofPack: pack.name) { unnamed[id] = pack.name }
                }
                return unnamed
            }
        } catch {
            return [:]
        }
    }

    private static func run(_ reference: ChunkReference, _ store: DocumentsStore, _ id: Int64) throws -> [UInt8] {
        guard let bytes = try store.run(reference.hash, in: id) else { throw notHeld }
        return bytes
    }

    /// Runs that are in the cloud only.
    private nonisolated func fetchRuns(of named: NamedChunks) async throws {
        let (store, id) = (ports.store, row.id)
        var source = ChunkSource(container: self, isSparing: true)
        for list in named.lists.values where list.isIndirect {
            for reference in list.references {
                if try await io.run({ try store.run(reference.hash, in: id) }) != nil { continue }
                let bytes = try await source.read(reference)
                try await io.run { try store.addRuns([reference.hash: bytes], to: id) }
            }
        }
    }

    /// Those of these of which no content needs anything. On the queue.
    /// - Throws: where a run is not here.
    func unneeded(_ packs: [DocumentPack]) throws -> [DocumentPack] {
        guard !packs.isEmpty else { return [] }
        let needed = try namedChunks.chunks { try Self.run($0, ports.store, row.id) }.values
            .reduce(into: Set()) { $0.formUnion($1) }
        return packs.filter { needed.isDisjoint(with: $0.chunks.map(\.hash)) }
    }

    static func id(ofPack name: String) -> EntryID? {
        DocumentPack.isName(name) ? EntryCodec.id(ofName: String(name.dropFirst(DocumentPack.prefix.count))) : nil
    }

    /// From now on nothing new relies on a pack that is to go. What relies on it already keeps it. On the queue.
    func relinquish(_ packs: [String]) -> [String] {
        do {
            try ports.store.hideChunks(of: packs, in: row.id)
            let needed = try namedChunks.chunks { try Self.run($0, ports.store, row.id) }.values
                .reduce(into: Set()) { $0.formUnion($1) }
            return try packs.filter { name in
                guard let pack = try ports.store.pack(name, in: row.id),
                    needed.isDisjoint(with: pack.pack.chunks.map(\.hash))
                else {
                    try ports.store.showChunks(of: name, in: row.id)
                    return false
                }
                return true
            }
        } catch {
            return []
        }
    }

    /// Packs that were buried. What this device has relied on of them meanwhile is stored again, from its files. On the queue.
    func forgetPacks(_ names: [String]) throws {
        let gone = try ports.store.removePacks(names, from: row.id)
        guard !gone.isEmpty else { return }
        var lost: [ContentHash] = []
        for (hash, list) in namedChunks.lists {
            var one = NamedChunks()
            one.lists[hash] = list
            let chunks = (try? one.chunks { try Self.run($0, ports.store, row.id) })?[hash] ?? []
            if !chunks.isDisjoint(with: gone) { lost.append(hash) }
        }
        guard !lost.isEmpty else { return }
        try ports.store.addNearby(lost, to: row.id)
        bringKept()
    }
}
