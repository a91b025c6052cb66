/// Renames that the handles of files do not show.
extension FileSyncPlanner {
    /// A file whose number of names changed has another handle, and so has one of several names that was changed. Where the entry's
    /// place has nothing of the file any more, a new name of it is that entry's.
    mutating func findRenamed(_ scan: LocalScan, _ pass: inout ScanPass) {
        var fresh: [LocalHandle: [(node: LocalNode, place: LocalPlace)]] = [:]
        for listing in scan.listings {
            for node in listing.nodes where node.kind != .directory && pass.before.id(of: node.handle) == nil {
                fresh[node.handle.file, default: []].append(
                    (node, LocalPlace(directory: listing.directory, name: node.name)))
            }
        }
        for (file, nodes) in fresh.sorted(by: { $0.key < $1.key }) {
            var open = nodes
            var missing: [EntryID] = []
            for id in pass.before.ids(ofFile: file) {
                guard let record = pass.before[id], !record.isPlaceholder, !pass.seen.contains(record.handle) else {
                    continue
                }
                let place = handle(of: record.parent).map { LocalPlace(directory: $0, name: record.localName) }
                if let index = open.firstIndex(where: { $0.place == place }) {
                    // It is where it was.
                    open.remove(at: index)
                } else {
                    missing.append(id)
                }
            }
            for id in missing {
                guard let index = open.firstIndex(where: { $0.node.kind == pass.before[id]?.kind }) else { continue }
                let node = open.remove(at: index).node
                pass.renamed[node.handle] = id
                pass.renamedEntries.insert(id)
            }
        }
    }

    /// The entry of which an unknown file is the newest content: it was saved to the entry's place, and renamed from there before a look
    /// at the disk.
    func saved(_ node: LocalNode, in parent: EntryID, _ pass: ScanPass) -> EntryID? {
        guard !pass.moves.isEmpty, let directory = handle(of: parent),
            let places = pass.moves[LocalPlace(directory: directory, name: node.name)]
        else { return nil }
        for place in places.reversed() where !pass.places.contains(place) {
            guard let folder = id(of: place.directory), let id = pass.before.occupant(of: folder, place.name),
                let record = state.base[id], record.localName == place.name, record.kind == node.kind,
                !record.isPlaceholder, !pass.sees(id, record.handle), !pass.replaced.contains(id),
                !involved.contains(id)
            else { continue }
            return id
        }
        return nil
    }
}
