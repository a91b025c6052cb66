import BatonCore
import FileSync
import Foundation
import Glibc

/// What apps and people ask for. On the queue.
extension ContainerEngine {
    private func command(_ command: FileSyncCommand) {
        inbox.append(.command(command))
    }

    /// Fetches the content of a file, or of all files in a directory. It goes on by itself.
    func download(_ id: EntryID) {
        for id in files(in: id) {
            direct.evicting.remove(id)
            if problems[id]?.reason == "not_stored_elsewhere" { problems[id] = nil }
            command(.download(id))
        }
        round()
    }

    /// Removes the content here, as soon as it is in the cloud.
    func evict(_ id: EntryID) {
        let files = files(in: id).filter(mayLeave)
        guard !isCloudAway else { return evictWhenKept(files) }
        for id in files { command(.evict(id)) }
        round()
    }

    /// The rules of a folder are read on each device.
    func mayLeave(_ id: EntryID) -> Bool {
        let record = planner.state.base[id]
        return disk.ignoring == nil || record?.parent != .root || record?.sharedName != IgnoreFile.name
    }

    func files(in id: EntryID) -> [EntryID] {
        guard id == .root || planner.state.entries[id]?.kind == .directory else { return [id] }
        return planner.state.entries.children(of: id).flatMap { files(in: $0) }
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
            // What is beside a database goes with it.
            let beside = Set(names.filter { DatabaseFiles.isBeside(directory, $0) })
            for name in beside { disk.remove(name, in: directory.number, depth: 0) }
            for name in names where !beside.contains(name) {
                // What is not synced could not be brought back: it stays, and its folder with it.
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

    /// What was deleted at a path; or a folder that is there again, in which there is something that was deleted.
    func findToRestore(_ path: String, item: Data) throws(BatonError) -> EntryID {
        do throws(BatonError) {
            return try findDeleted(path, item: item)
        } catch {
            guard item.isEmpty, let id = try? find(path), planner.state.entries[id]?.kind == .directory,
                !deletedItems(in: id).isEmpty
            else { throw error }
            return id
        }
    }

    /// The one that was deleted last of several of one name, and none whose name something else has.
    private func deletedItems(in id: EntryID) -> [EntryID] {
        let entries = planner.state.entries
        var open = [id]
        var found: [Place: Entry] = [:]
        struct Place: Hashable { var parent: EntryID, name: EntryName }
        var visited: Set<EntryID> = []
        while let id = open.popLast() {
            for member in entries.members(of: id) where visited.insert(member).inserted {
                for child in entries.contents(of: member).compactMap({ entries[$0] }) where child.mergedInto == nil {
                    if child.kind == .directory { open.append(child.id) }
                    let place = Place(parent: entries.resolved(member), name: child.name.value)
                    guard !entries.isAlive(child), !present(place.parent, place.name) else { continue }
                    if let other = found[place], (other.deletion ?? .zero) > (child.deletion ?? .zero) { continue }
                    found[place] = child
                }
            }
        }
        return found.values.map(\.id).sorted()
    }

    private func present(_ parent: EntryID, _ name: EntryName) -> Bool {
        let entries = planner.state.entries
        return entries.children(of: parent).contains { entries[$0]?.name.value == name }
    }

    /// With what was deleted in it.
    func undelete(_ id: EntryID) {
        let inside = planner.state.entries[id]?.kind == .directory ? deletedItems(in: id) : []
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

    struct Version: Sendable {
        var dot: Dot
        var version: FileVersion
        var isCurrent = false
        var isConflict = false
        var isHere = false
    }

    /// The current one first, then conflicts, then older ones.
    func versions(of id: EntryID) -> [Version] {
        guard let entry = planner.state.entries[id], let winner = entry.winner else { return [] }
        let record = planner.state.base[id]
        func isHere(_ version: FileVersion) -> Bool {
            switch version.body {
            case .inline, .kept: true
            case .chunks: record?.hash == version.hash
            }
        }
        var versions = [
            Version(
                dot: winner.dot, version: winner.version, isCurrent: true, isHere: isHere(winner.version))
        ]
        versions += entry.conflicts.map {
            Version(dot: $0.dot, version: $0.version, isConflict: true, isHere: isHere($0.version))
        }
        let older = entry.history.filter { dot, _ in !versions.contains { $0.dot == dot } }
        versions += older.sorted { ($0.value.stamp, $0.key) > ($1.value.stamp, $1.key) }.map {
            Version(dot: $0.key, version: $0.value, isHere: isHere($0.value))
        }
        return versions
    }

    static func versionID(_ dot: Dot) -> String {
        "\(String(dot.actor.rawValue, radix: 16)).\(dot.counter)"
    }

    func version(_ text: String, of id: EntryID) throws(BatonError) -> Version {
        if let version = versions(of: id).first(where: { Self.versionID($0.dot) == text }) { return version }
        throw BatonError(
            .notFound, reason: "unknown_version",
            "The file has no version “\(text.shortened(toBytes: 80))” (any more). “baton versions” lists those that it has."
        )
    }

    /// - Parameter texts: empty for all conflicts.
    func resolve(_ texts: [String], of id: EntryID) throws(BatonError) {
        var chosen: [Version] = []
        for text in texts { chosen.append(try version(text, of: id)) }
        if texts.isEmpty { chosen = versions(of: id).filter(\.isConflict) }
        for version in chosen where version.isConflict { command(.resolve(id, version.dot)) }
        round()
    }

    func restore(_ text: String, of id: EntryID) throws(BatonError) {
        let version = try version(text, of: id)
        command(.restore(id, version.dot))
        round()
    }

    /// A current version whose content the cloud does not have yet is read from the disk.
    func localFile(_ id: EntryID, _ version: FileVersion) -> (any RestingContent)? {
        guard planner.state.unstored.contains(version.hash), let record = planner.state.base[id],
            record.hash == version.hash, let (directory, name, _) = disk.find(record.handle)
        else { return nil }
        return try? disk.resting(directory, name, record.handle, content: version.hash)
    }
}
