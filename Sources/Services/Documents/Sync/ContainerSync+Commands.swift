import BatonCore
import FileSync
import Foundation
import Glibc

/// What apps and people ask for. On the queue.
extension ContainerSync {
    private func command(_ command: FileSyncCommand) {
        inbox.append(.command(command))
    }

    /// Fetches the content of a file, or of all files in a directory. It goes on by itself.
    func download(_ id: EntryID) {
        for id in files(in: id) { command(.download(id)) }
        round()
    }

    /// Removes the content here, as soon as it is in the cloud.
    func evict(_ id: EntryID) {
        for id in files(in: id) { command(.evict(id)) }
        round()
    }

    private func files(in id: EntryID) -> [EntryID] {
        guard planner.state.entries[id]?.kind == .directory else { return [id] }
        return planner.state.entries.children(of: id).flatMap { files(in: $0) }
    }

    /// For a person: it goes here, and so on all devices; it can be undone.
    func delete(_ id: EntryID) throws {
        guard let record = planner.state.base[id], let parent = handle(of: record.parent) else {
            throw BatonError(
                .failedPrecondition, reason: "not_here_yet",
                "It has not come to this device yet. Try again when “baton documents” shows it as downloaded or in iCloud."
            )
        }
        try remove(LocalPlace(directory: parent, name: record.localName), record.handle, depth: 0)
        scanEverything()
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
            for name in try disk.names(in: directory.number) {
                // What is not synced could not be brought back: it stays, and its folder with it.
                guard !IgnoreRules.ignores(name) else {
                    keepsSomething = true
                    continue
                }
                guard let child = try DiskNode.look(directory.number, name) else { continue }
                disk.places[child.handle] = LocalPlace(directory: handle, name: try EntryName(name))
                let isGone = try remove(
                    LocalPlace(directory: handle, name: try EntryName(name)), child.handle, depth: depth + 1)
                if !isGone { keepsSomething = true }
            }
        }
        guard !keepsSomething else { return false }
        try disk.unlink(place, handle, isDirectory: node.kind == .directory)
        return true
    }

    /// With what was deleted in it.
    func undelete(_ id: EntryID) {
        let entries = planner.state.entries
        var open = [id]
        var visited: Set<EntryID> = []
        while let id = open.popLast() {
            guard visited.insert(id).inserted else { continue }
            command(.undelete(id))
            guard entries[id]?.kind == .directory else { continue }
            open += entries.entries.values.filter { $0.place.parent == id && !entries.isAlive($0) }.map(\.id)
        }
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
            if case .inline = version.body { return true }
            return record?.hash == version.hash
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
        return try? disk.resting(directory, name, record.handle)
    }
}
