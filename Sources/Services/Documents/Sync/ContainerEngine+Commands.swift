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
    func delete(_ id: EntryID) throws {
        try checkMayChange()
        guard let record = planner.state.base[id], let parent = handle(of: record.parent) else {
            throw BatonError(
                .failedPrecondition, reason: "not_here_yet",
                "It has not come to this device yet. Try again when “baton documents” shows it as downloaded or in iCloud."
            )
        }
        try remove(LocalPlace(directory: parent, name: record.localName), record.handle, depth: 0)
        scanEverything(isAsked: true)
        round()
    }

    /// - Returns: false for a folder with something in it that stays.
    @discardableResult
    private func remove(_ place: LocalPlace, _ handle: LocalHandle, depth: Int) throws -> Bool {
        guard depth < ContainerDisk.maximumDepth, let node = try disk.node(at: place), node.handle == handle else {
            throw DiskFailure("remove a file", code: ESTALE)
        }
        if node.kind == .package {
            let expected = ExpectedNode(handle: handle, place: place, fingerprint: node.fingerprint)
            guard case .done = disk.perform(.remove(expected), keeps: { _ in false }) else {
                throw DiskFailure("remove a package", code: EBUSY)
            }
            return true
        }
        var keepsSomething = false
        if node.kind == .directory {
            let directory = try disk.directory(handle)
            let names = try disk.names(in: directory.number)
            // Files beside a database go with it.
            let beside = Set(names.filter { DatabaseFiles.isBeside(directory, $0) })
            for name in beside { disk.remove(name, in: directory.number, depth: 0) }
            for name in names where !beside.contains(name) {
                // A file that is not synced could not be brought back: it stays, and its folder with it.
                guard !IgnoreRules.ignores(name) else {
                    keepsSomething = true
                    continue
                }
                guard let child = try DiskNode.look(directory.number, name) else { continue }
                let inside = LocalPlace(directory: handle, name: try EntryName(name))
                if planner.state.base.id(of: child.handle) == nil,
                    disk.isIgnored(inside, isDirectory: child.kind == .directory)
                {
                    keepsSomething = true
                    continue
                }
                disk.places[child.handle] = LocalPlace(directory: handle, name: try EntryName(name))
                let isGone = try remove(
                    LocalPlace(directory: handle, name: try EntryName(name)), child.handle, depth: depth + 1)
                if !isGone { keepsSomething = true }
            }
        }
        guard !keepsSomething else { return false }
        if node.kind == .file {
            let directory = try disk.directory(place.directory)
            for suffix in DatabaseFiles.suffixes where DatabaseFiles.isBeside(directory, place.name.bytes + suffix) {
                disk.remove(place.name.bytes + suffix, in: directory.number, depth: 0)
            }
        }
        try disk.unlink(place, handle, isDirectory: node.kind == .directory)
        return true
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
