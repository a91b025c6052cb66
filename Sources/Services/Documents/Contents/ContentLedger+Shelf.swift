import BatonConcurrency
import BatonCore
import Crypto
import FileSync
import Foundation

/// Contents that are here whole, and reading them for another device, or for another file of this one.
extension ContentLedger {
    /// Soon, once for all contents that come until then.
    func tidyShelfLater(_ engine: isolated ContainerEngine) {
        guard !isTidyDue else { return }
        isTidyDue = true
        engine.later(after: ContainerEngine.retryDelay) { $0.ledger.tidyShelf($0) }
    }

    /// Removes contents from the shelf that are in the tree, or that nothing names any more.
    func tidyShelf(_ engine: isolated ContainerEngine) {
        isTidyDue = false
        guard !engine.isStopped else { return }
        let hashes = engine.shelf.hashes
        guard !hashes.isEmpty else { return }
        let inTree = engine.planner.state.base.hashes
        for hash in hashes {
            guard !engine.flights.contains(hash), staging[hash] == nil else { continue }
            // A content that is kept for another device may be named a little later.
            let isNeeded = engine.planner.state.entries.isNamed(hash) || !engine.shelf.isOld(hash)
            if inTree.contains(hash) || !isNeeded { engine.shelf.remove(hash) }
        }
    }

    /// A file that left the tree here stays as a content, where no cloud has it.
    /// - Returns: whether it is kept.
    func keepDisplaced(_ handle: LocalHandle, _ hash: ContentHash, _ engine: isolated ContainerEngine) -> Bool {
        guard !engine.direct.hasCloud || notInCloud.contains(hash) || awaited[hash] != nil,
            engine.planner.state.entries.isNamed(hash), !engine.shelf.has(hash),
            engine.planner.state.base.ids(holding: hash).isEmpty,
            let name = engine.disk.staged[handle]
        else { return false }
        do {
            guard engine.disk.isPlain(handle) else {
                try copy(handle, hash, engine)
                return false
            }
            try engine.shelf.keep(name, as: hash)
            engine.disk.forgetStaged(handle)
            return true
        } catch {
            // It may be the only copy: it waits in staging, and the next start tries again.
            return true
        }
    }

    /// A crash may have come after it was durable that a file was compared, and before it was kept.
    /// - Returns: whether the file stays, since it is a content that no cloud has, or cannot be looked at now.
    func keepLeftover(_ handle: LocalHandle, _ engine: isolated ContainerEngine) -> Bool {
        guard !engine.direct.hasCloud || !notInCloud.isEmpty, let (directory, name, node) = engine.disk.find(handle)
        else {
            return false
        }
        if node.kind == .directory || node.kind == .package { engine.disk.packages.insert(handle) }
        if node.mode & 0o400 == 0 { engine.disk.makeReadable(directory, name) }
        do {
            let file = try engine.disk.resting(directory, name, handle)
            var whole = SHA256()
            while true {
                let piece = try file.read()
                if piece.isEmpty { break }
                whole.update(data: piece)
            }
            return keepDisplaced(handle, ContentHash(whole.finalize()), engine)
        } catch StableFile.UnstableFileError.changed {
            return false
        } catch {
            // It is in use, or cannot be read now: it may be the only copy.
            return true
        }
    }

    /// A package or a database is kept as the one file that its content is.
    func copy(_ handle: LocalHandle, _ hash: ContentHash, _ engine: isolated ContainerEngine) throws {
        guard let (directory, name, _) = engine.disk.find(handle) else { return }
        let file = try engine.disk.resting(directory, name, handle, content: hash)
        let part = try engine.shelf.part(hash)
        var offset: UInt64 = 0
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            try part.write(piece, at: offset)
            offset += UInt64(piece.count)
        }
        try file.check()
        _ = try engine.shelf.finish(part, hash, size: offset)
    }
}
