import BatonCore
import FileSync
import Foundation

/// Items: all, and one.
extension ContainerReader {
    /// All items that are there, or all that were deleted and can come back; parents first.
    func items(deleted: Bool = false) -> [ContainerItem] {
        var paths: [EntryID: String] = [:]
        let entries = planner.state.entries
        var items: [ContainerItem] = []
        // The same file that two devices made is one: the other entry is deleted, though no person has deleted anything.
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
        return items.sorted(by: ContainerItem.isBefore)
    }

    /// One of the items that are there, with the directory that it is in; nil for others.
    func shownItem(_ id: EntryID, _ paths: inout [EntryID: String]) -> KnownItems.Known? {
        guard let entry = planner.state.entries[id],
            case .shown(let parent, _) = planner.state.entries.placement(of: id), let path = path(of: id, &paths),
            !path.isEmpty
        else { return nil }
        return KnownItems.Known(item: item(entry, path), parent: parent)
    }

    func item(_ id: EntryID) -> ContainerItem? {
        var paths: [EntryID: String] = [:]
        guard let entry = planner.state.entries[id], let path = path(of: id, &paths) else { return nil }
        return item(entry, path)
    }

    /// As the disk has it, or would have it.
    func path(of id: EntryID, _ known: inout [EntryID: String], depth: Int = 0) -> String? {
        if id == .root { return "" }
        if let path = known[id] { return path }
        let state = planner.state
        guard depth < ContainerDisk.maximumDepth, state.entries.contains(id) else { return nil }
        let (parent, name): (EntryID, EntryName)
        if let outline = state.base.outline(of: id), outline.parent != EntryID(high: 0, low: 2) {
            (parent, name) = (outline.parent, outline.shownName)
        } else {
            guard let entry = state.entries[id] else { return nil }
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
        item.problem = notes.problems[entry.id].map(ContainerItem.Problem.init)
        if !state.entries.isAlive(entry), let deletion = entry.deletion { item.deleted = deletion.time.milliseconds }
        guard let winner = entry.winner?.version else { return item }
        item.size = winner.size
        item.modified = winner.modified
        item.device = winner.device
        item.conflicts = entry.isPresent ? entry.conflicts.count : 0
        item.isUploading = planner.isUploading(winner.hash)
        if let upload = ledger.uploads[winner.hash] {
            item.uploaded = 1 - Double(upload.waiting.count) / Double(max(upload.all, 1))
        }
        if state.unstored.contains(winner.hash) {
            item.problem =
                item.problem ?? (notes.uploadProblems[winner.hash] ?? notes.refusal).map(ContainerItem.Problem.init)
        }
        let record = state.base[entry.id]
        if let record, reads.wanted[record.handle] != nil { item.isUploaded = false }
        if record == nil || record?.isPlaceholder == true {
            item.download = .notDownloaded
        } else if record?.hash != winner.hash {
            item.download = .downloaded
        }
        item.isDownloading =
            item.download != .current && !state.evicted.contains(entry.id) && item.deleted == 0
            && (planner.isStaging(entry.id) || notes.progress[entry.id] != nil)
        item.downloaded = item.download == .notDownloaded ? notes.progress[entry.id] ?? 0 : 1
        return item
    }

    /// The entry that was deleted at a path: the latest, or the one of that identifier.
    func findDeleted(_ path: DocumentPath, item: Data = Data()) throws(BatonError) -> EntryID {
        let (shown, name) = (path.description, path.isText ? nil : path.names.last)
        let deleted = items(deleted: true)
        let items = deleted.filter {
            $0.path == shown && (item.isEmpty || EntryCodec.bytes(of: $0.id) == item)
                && (name == nil || planner.state.entries[$0.id]?.name.value.bytes == name)
        }
        if let newest = items.max(by: { ($0.deleted, $0.id) < ($1.deleted, $1.id) }) { return newest.id }
        guard (try? find(path)) == nil else { throw Self.notDeleted(path) }
        func last(_ path: String) -> Substring? { path.split(separator: "/").last }
        throw neverDeleted(path, same: deleted.map(\.path).filter { last($0) == last(shown) })
    }

    /// - Parameter same: what was deleted elsewhere under that name. The folder that a person remembers may have another name now.
    private func neverDeleted(_ path: DocumentPath, same: [String]) -> BatonError {
        let places = Array(Set(same)).sorted().prefix(3).map { "“\($0.shortened(toBytes: 200))”" }
        return BatonError(
            .notFound, reason: "unknown_document",
            "Nothing called “\(path.description.shortened(toBytes: 200))” was deleted there. "
                + (places.isEmpty
                    ? "“baton documents \(name.identifier) --deleted” lists what can come back."
                    : "\(places.joined(separator: ", ")) can come back: name it by that path."))
    }

    /// The node at a path below the container, or its placeholder.
    func find(_ path: String) throws(BatonError) -> EntryID { try find(DocumentPath(path)) }

    func find(_ path: DocumentPath) throws(BatonError) -> EntryID {
        var current = EntryID.root
        for part in path.names {
            guard let name = try? EntryName(part), let next = child(current, name) else {
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

    private static func notDeleted(_ path: DocumentPath) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "not_deleted",
            "“\(path.description.shortened(toBytes: 200))” was not deleted: it is there. “baton versions” lists its earlier contents."
        )
    }

    private static let whole = BatonError(
        .invalidArgument, reason: "whole_container",
        "That is the whole folder: name something in it. “baton folder keep” and “baton folder on-demand” take a whole folder of yours, "
            + "to have all of it here or not.")

    private static func unknown(_ path: DocumentPath) -> BatonError {
        BatonError(
            .notFound, reason: "unknown_document",
            "There is no “\(path.description.shortened(toBytes: 200))” there. Look at its name.")
    }

    /// The file, or all files in the directory.
    func files(in id: EntryID) -> [EntryID] {
        guard id == .root || planner.state.entries[id]?.kind == .directory else { return [id] }
        return planner.state.entries.children(of: id).flatMap { files(in: $0) }
    }

    /// The rules of a folder are read on each device.
    func mayLeave(_ id: EntryID) -> Bool {
        let record = planner.state.base[id]
        return disk.ignoring == nil || record?.parent != .root || record?.sharedName != IgnoreFile.name
    }

    /// The entry that was deleted at a path; or a folder that is there again, in which there is a deleted entry.
    func findToRestore(_ path: DocumentPath, item: Data) throws(BatonError) -> EntryID {
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
    func deletedItems(in id: EntryID) -> [EntryID] {
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
}
