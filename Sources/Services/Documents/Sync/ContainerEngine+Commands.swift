import BatonCore
import FileSync
import Foundation
import Glibc

/// Commands of apps and people. On the queue.
extension ContainerEngine {
    private func command(_ command: FileSyncCommand) {
        inbox.append(.command(command))
    }

    /// Fetches the content of a file, or of all files in a directory. It goes on by itself.
    func download(_ id: EntryID) {
        for id in reader.files(in: id) {
            ledger.evicting.remove(id)
            ledger.evictingForRoom.remove(id)
            if notes.problems[id]?.reason == "not_stored_elsewhere" { notes.problems[id] = nil }
            command(.download(id))
        }
        round()
    }

    /// Removes the content here, as soon as it is in the cloud.
    func evict(_ id: EntryID) {
        let files = reader.files(in: id).filter(reader.mayLeave)
        ledger.evictingForRoom.subtract(files)
        guard !isCloudAway else { return ledger.evictWhenKept(files, self) }
        for id in files { command(.evict(id)) }
        round()
    }

    /// For a person: it goes here, and so on all devices; it can be undone.
    /// - Throws: `DiskFailure` with `ESTALE` where something was changed that is not read yet.
    func delete(_ id: EntryID) throws {
        try checkMayChange()
        // A file that was changed a moment ago is known then, or is being read.
        scanEverything(isAsked: true)
        round()
        guard let record = planner.state.base[id], let parent = handle(of: record.parent) else {
            throw BatonError(
                .failedPrecondition, reason: "not_here_yet",
                "It has not come to this device yet. Try again when “baton documents” shows it as downloaded or in iCloud."
            )
        }
        let contents = try ledger.beginDeleting(reader.files(in: id), self)
        defer {
            // First, since a content that is nowhere is one that never was.
            ledger.endDeleting(contents, self)
            scanEverything(isAsked: true)
            round()
        }
        try remove(LocalPlace(directory: parent, name: record.localName), record.handle, contents, depth: 0)
    }

    /// - Parameter contents: those that no cloud has, and that stay here as contents.
    /// - Returns: false for a folder with something in it that stays.
    @discardableResult
    private func remove(
        _ place: LocalPlace, _ handle: LocalHandle, _ contents: Set<ContentHash>, depth: Int
    ) throws -> Bool {
        guard depth < ContainerDisk.maximumDepth, let node = try disk.node(at: place), node.handle == handle else {
            throw DiskFailure("remove a file", code: ESTALE)
        }
        guard node.kind == .directory else {
            try removeFile(node, place, contents)
            return true
        }
        var keepsSomething = false
        let directory = try disk.directory(handle)
        let names = try disk.names(in: directory.number)
        // Files beside a database go with it.
        let beside = Set(names.filter { DatabaseFiles.isBeside(directory, $0) })
        for name in names where !beside.contains(name) {
            // A file that is not synced could not be brought back: it stays, and its folder with it.
            guard !IgnoreRules.ignores(name), let entryName = try? EntryName(name) else {
                keepsSomething = true
                continue
            }
            guard let child = try DiskNode.look(directory.number, name) else { continue }
            let inside = LocalPlace(directory: handle, name: entryName)
            let isLeftOut =
                planner.state.base.id(of: child.handle) == nil
                && (child.kind == nil || disk.isLeftOut(child, directory, name)
                    || disk.isCopiedPlaceholder(child, directory, name)
                    || disk.isIgnored(inside, isDirectory: child.kind == .directory))
            // Nor is another disk that is mounted there.
            guard !child.isMountPoint, !isLeftOut else {
                keepsSomething = true
                continue
            }
            disk.places[child.handle] = inside
            if try !remove(inside, child.handle, contents, depth: depth + 1) { keepsSomething = true }
        }
        guard !keepsSomething else { return false }
        for name in beside { disk.remove(name, in: directory.number, depth: 0) }
        try disk.unlink(place, handle, isDirectory: true)
        return true
    }

    private func removeFile(_ node: DiskNode, _ place: LocalPlace, _ contents: Set<ContentHash>) throws {
        // Without its content it could not be brought back.
        guard let id = planner.state.base.id(of: node.handle), !planner.isReading(node.handle) else {
            throw DiskFailure("remove a file", code: ESTALE)
        }
        let hash = planner.state.base[id]?.hash.flatMap { contents.contains($0) ? $0 : nil }
        if node.kind == .package || hash != nil {
            let expected = ExpectedNode(handle: node.handle, place: place, fingerprint: node.fingerprint)
            switch disk.perform(.remove(expected), keeps: { _ in hash != nil }) {
            case .done: break
            case .changed: throw DiskFailure("remove a file", code: ESTALE)
            case .failed: throw disk.failure ?? DiskFailure("remove a file", code: EBUSY)
            }
            guard let hash else { return }
            do {
                try ledger.keepDeleted(node.handle, hash, self)
            } catch {
                // It may be the only copy.
                try disk.putBack(expected)
                throw error
            }
            return
        }
        let directory = try disk.directory(place.directory)
        for suffix in DatabaseFiles.suffixes where DatabaseFiles.isBeside(directory, place.name.bytes + suffix) {
            disk.remove(place.name.bytes + suffix, in: directory.number, depth: 0)
        }
        try disk.unlink(place, node.handle, isDirectory: false)
    }

    /// With what was deleted in it.
    func undelete(_ id: EntryID) {
        let inside = planner.state.entries[id]?.kind == .directory ? reader.deletedItems(in: id) : []
        for id in [id] + inside { command(.undelete(id)) }
        outliveGraves([id] + inside)
        round()
    }

    /// - Returns: how many were held back.
    func decideDeletions(delete: Bool) -> Int {
        let count = planner.state.held.count
        command(delete ? .confirmDeletions : .undoDeletions)
        round()
        return count
    }

    // MARK: Versions

    /// - Parameter texts: empty for all conflicts.
    func resolve(_ texts: [String], of id: EntryID) throws(BatonError) {
        var chosen: [ContainerReader.Version] = []
        for text in texts { chosen.append(try reader.version(text, of: id)) }
        if texts.isEmpty { chosen = reader.versions(of: id).filter(\.isConflict) }
        for version in chosen where version.isConflict { command(.resolve(id, version.dot)) }
        round()
    }

    func restore(_ text: String, of id: EntryID) throws(BatonError) {
        let version = try reader.version(text, of: id)
        command(.restore(id, version.dot))
        round()
    }
}
