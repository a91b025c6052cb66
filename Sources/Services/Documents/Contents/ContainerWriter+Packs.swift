import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// Packs of the zone that go.
extension ContainerWriter {
    /// Packs of the zone from which no content is named, as they are buried. Empty where that cannot be determined.
    func unnamedPacks() async -> [EntryID: String] {
        do {
            let named = try await perform { $0.ledger.namedChunks($0) }
            try await fetchRuns(of: named)
            let (store, id) = (ports.store, row.id)
            return try await io.run {
                let needed = try named.chunks { try ContentLedger.run($0, store, id) }.values.reduce(into: Set()) {
                    $0.formUnion($1)
                }
                var unnamed: [EntryID: String] = [:]
                for pack in try store.packs.written(in: id) where needed.isDisjoint(with: pack.chunks.map(\.hash)) {
                    if let id = ContentLedger.id(ofPack: pack.name) { unnamed[id] = pack.name }
                }
                return unnamed
            }
        } catch {
            return [:]
        }
    }

    /// Runs that are in the cloud only.
    func fetchRuns(of named: ContentLedger.NamedChunks) async throws {
        let (store, id) = (ports.store, row.id)
        var source = ChunkSource(container: engine, isSparing: true)
        for list in named.lists.values where list.isIndirect {
            for reference in list.references {
                if try await io.run({ try store.run(reference.hash, in: id) }) != nil { continue }
                let bytes = try await source.read(reference)
                try await io.run { try store.addRuns([reference.hash: bytes], to: id) }
            }
        }
    }
}
