import BatonCore
import FileSync
import Foundation

/// A file, directory or link of a container, as apps and people are told of it.
struct ContainerItem: Hashable, Sendable {
    enum Download: Hashable, Sendable { case notDownloaded, downloaded, current }

    struct Problem: Hashable, Sendable {
        var reason: String
        var message: String

        init(_ error: BatonError) { (reason, message) = (error.reason, error.message) }
    }

    var id: EntryID
    /// Below the container.
    var path: String
    var kind: EntryKind
    var size: UInt64 = 0
    /// Nanoseconds since 1970; 0 for directories.
    var modified: Int64 = 0
    var download = Download.current
    var isDownloading = false
    /// 0 to 1.
    var downloaded = 1.0
    var isUploaded = true
    var isUploading = false
    /// 0 to 1: how much of its content the cloud has, while it is brought there.
    var uploaded = 0.0
    var conflicts = 0
    /// Why it does not come or go.
    var problem: Problem?
    /// Milliseconds since 1970; 0 for one that is there.
    var deleted: UInt64 = 0
    /// Which device wrote its content.
    var device = ""
}

/// What apps and people are told. On the queue.
extension ContainerEngine {
    /// All items that are there, or all that were deleted and can come back; parents first.
    func items(deleted: Bool = false) -> [ContainerItem] {
        var paths: [EntryID: String] = [:]
        let entries = planner.state.entries
        var items: [ContainerItem] = []
        // The same file that two devices made is one: the other entry is deleted, and nobody has deleted anything.
        // By bytes, since names that look the same may be two.
        var living: [[UInt8]: ContentHash] = [:]
        if deleted {
            for entry in entries.all {
                guard case .shown = entries.placement(of: entry.id), let winner = entry.winner else { continue }
                if let path = path(of: entry.id, &paths) { living[Array(path.utf8)] = winner.version.hash }
            }
        }
        for id in deleted ? entries.deletedOnce : Array(entries.ids) {
            guard let entry = entries[id] else { continue }
            if deleted {
                guard !entries.isAlive(entry), entry.mergedInto == nil else { continue }
            } else {
                guard case .shown = entries.placement(of: id) else { continue }
            }
            if deleted, isGone(entry) { continue }
            guard let path = path(of: id, &paths), !path.isEmpty else { continue }
            if deleted, let winner = entry.winner, living[Array(path.utf8)] == winner.version.hash { continue }
            items.append(item(entry, path))
        }
        return items.sorted { ($0.path, $1.deleted, $0.id) < ($1.path, $0.deleted, $1.id) }
    }

    func item(_ id: EntryID) -> ContainerItem? {
        var paths: [EntryID: String] = [:]
        guard let entry = planner.state.entries[id], let path = path(of: id, &paths) else { return nil }
        return item(entry, path)
    }

    /// As the disk has it, or would have it.
    private func path(of id: EntryID, _ known: inout [EntryID: String], depth: Int = 0) -> String? {
        if id == .root { return "" }
        if let path = known[id] { return path }
        let state = planner.state
        guard depth < ContainerDisk.maximumDepth, let entry = state.entries[id] else { return nil }
        let (parent, name): (EntryID, EntryName)
        if let record = state.base[id], record.parent != EntryID(high: 0, low: 2) {
            (parent, name) = (record.parent, record.isPlaceholder ? record.sharedName : record.localName)
        } else {
            (parent, name) = (state.entries.parent(of: entry) ?? .root, entry.name.value)
        }
        guard let above = path(of: parent, &known, depth: depth + 1) else { return nil }
        let path = above.isEmpty ? name.description : "\(above)/\(name)"
        known[id] = path
        return path
    }

    private func item(_ entry: Entry, _ path: String) -> ContainerItem {
        let state = planner.state
        var item = ContainerItem(id: entry.id, path: path, kind: entry.kind)
        item.isUploaded = !state.unsent.contains(entry.id)
        item.problem = problems[entry.id].map(ContainerItem.Problem.init)
        if !state.entries.isAlive(entry), let deletion = entry.deletion { item.deleted = deletion.time.milliseconds }
        guard let winner = entry.winner?.version else { return item }
        item.size = winner.size
        item.modified = winner.modified
        item.device = winner.device
        item.conflicts = entry.isPresent ? entry.conflicts.count : 0
        item.isUploading = planner.isUploading(winner.hash)
        if let upload = uploads[winner.hash] {
            item.uploaded = 1 - Double(upload.waiting.count) / Double(max(upload.all, 1))
        }
        if state.unstored.contains(winner.hash) {
            item.problem = item.problem ?? (uploadProblems[winner.hash] ?? refusal).map(ContainerItem.Problem.init)
        }
        let record = state.base[entry.id]
        if let record, reads[record.handle] != nil { item.isUploaded = false }
        if record == nil || record?.isPlaceholder == true {
            item.download = .notDownloaded
        } else if record?.hash != winner.hash {
            item.download = .downloaded
        }
        item.isDownloading =
            item.download != .current && !state.evicted.contains(entry.id) && item.deleted == 0
            && (planner.isStaging(entry.id) || progress[entry.id] != nil)
        item.downloaded = item.download == .notDownloaded ? progress[entry.id] ?? 0 : 1
        return item
    }

    /// What was deleted at a path: the one that was deleted last, or the one of that identifier.
    func findDeleted(_ path: String, item: Data = Data()) throws(BatonError) -> EntryID {
        let items = items(deleted: true).filter {
            $0.path == path && (item.isEmpty || EntryCodec.bytes(of: $0.id) == item)
        }
        if let newest = items.max(by: { ($0.deleted, $0.id) < ($1.deleted, $1.id) }) { return newest.id }
        throw (try? find(path)) == nil ? Self.unknown(path) : Self.notDeleted(path)
    }

    /// What stands at a path below the container, or its placeholder.
    func find(_ path: String) throws(BatonError) -> EntryID {
        var current = EntryID.root
        for part in path.split(separator: "/") {
            guard let name = try? EntryName(Array(part.utf8)), let next = child(current, name) else {
                throw Self.unknown(path)
            }
            current = next
        }
        guard current != .root else { throw Self.whole }
        return current
    }

    private func child(_ parent: EntryID, _ name: EntryName) -> EntryID? {
        let base = planner.state.base
        if let id = base.occupant(of: parent, name) { return id }
        if let id = base.occupant(of: parent, PlaceholderName.placeholder(for: name)), base[id]?.isPlaceholder == true {
            return id
        }
        return planner.state.entries.children(of: parent).first { planner.state.entries[$0]?.name.value == name }
    }

    private static func notDeleted(_ path: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "not_deleted",
            "“\(path.shortened(toBytes: 200))” was not deleted: it is there. “baton versions” lists its earlier contents."
        )
    }

    private static let whole = BatonError(
        .invalidArgument, reason: "whole_container",
        "That is the whole folder: name something in it. “baton folder keep” and “baton folder on-demand” take a whole folder of yours, "
            + "to have all of it here or not.")

    private static func unknown(_ path: String) -> BatonError {
        BatonError(
            .notFound, reason: "unknown_document",
            "There is no “\(path.shortened(toBytes: 200))” in the container. “baton documents” lists what is there.")
    }
}
