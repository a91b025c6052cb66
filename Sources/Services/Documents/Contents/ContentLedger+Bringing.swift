import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// An account that gets a cloud: contents that devices kept for each other come there from a device that has them.
extension ContentLedger {
    enum KeptContent {
        case file(FileVersion, LocalHandle)
        /// An earlier version, or of a document that was deleted.
        case shelf(ContentHash)
    }

    func bringKept(_ engine: isolated ContainerEngine) {
        guard engine.direct.hasCloud else { return }
        bringing += 1
        let turn = bringing
        engine.ports.start { [weak engine] in await engine?.writer.bringAll(turn) }
    }

    func findKept(_ hash: ContentHash, _ engine: isolated ContainerEngine) -> KeptContent? {
        if let id = engine.planner.state.base.ids(holding: hash).first, let record = engine.planner.state.base[id],
            let entry = engine.planner.state.entries[id]
        {
            let versions = Array(entry.heads.values) + Array(entry.history.values)
            if let version = versions.first(where: { $0.hash == hash }) { return .file(version, record.handle) }
        }
        return isOnShelf(hash, engine) ? .shelf(hash) : nil
    }

    /// It waits in packs for the cloud from now on, and what names it goes there after them.
    func isBrought(_ hash: ContentHash, _ engine: isolated ContainerEngine) throws {
        guard engine.planner.waitingForCloud.contains(hash), uploads[hash] == nil else { return }
        let packs = Set(try engine.ports.store.packs.unsent(in: engine.row.id, limit: .max).map(\.name))
        uploads[hash] = (packs, packs.count)
        finishUploads(engine)
        engine.round()
    }

    func isOnShelf(_ hash: ContentHash, _ engine: isolated ContainerEngine) -> Bool {
        engine.planner.state.entries.isNamed(hash) && engine.shelf.has(hash)
    }

    /// Those of many contents that this device has.
    func isHere(_ hashes: [ContentHash], _ engine: isolated ContainerEngine) -> [ContentHash] {
        let inTree = engine.planner.state.base.hashes
        return hashes.filter { inTree.contains($0) || isOnShelf($0, engine) }
    }

    func version(of hash: ContentHash, _ engine: isolated ContainerEngine) -> FileVersion? {
        for entry in engine.planner.state.entries.naming(hash).compactMap({ engine.planner.state.entries[$0] }) {
            if let version = entry.heads.values.first(where: { $0.hash == hash }) { return version }
            if let version = entry.history.values.first(where: { $0.hash == hash }) { return version }
        }
        return nil
    }
}
