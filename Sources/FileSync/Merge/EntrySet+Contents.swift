/// Small contents, whose bytes are in memory only until they are kept with their entries.
extension EntrySet {
    /// These were written to the disk as they are, with their small contents, whose bytes leave the memory.
    mutating func noteKept(_ ids: some Sequence<EntryID>) {
        guard !fresh.isEmpty else { return }
        for id in ids { fresh[id] = nil }
        fresh.giveBackRoom()
    }

    /// Bytes of small contents that are not kept with their entries yet.
    var freshContents: some Sequence<(ContentHash, ByteString)> {
        fresh.values.lazy.flatMap { contents in
            contents.compactMap { hash, body in
                if case .inline(let bytes) = body { (hash, bytes) } else { nil }
            }
        }
    }

    /// Contents of an entry that changed, besides those kept with it: the ones that came with it, and those of other entries,
    /// which may drop them before this one is kept.
    mutating func noteFresh(_ entry: Entry) {
        func note(_ version: FileVersion) {
            switch version.body {
            case .chunks: break
            case .inline: fresh[entry.id, default: [:]][version.hash] = version.body
            case .kept(let owner):
                guard owner != entry.id, fresh[entry.id]?[version.hash] == nil else { break }
                fresh[entry.id, default: [:]][version.hash] = fresh[owner]?[version.hash] ?? version.body
            }
        }
        for version in entry.heads.values { note(version) }
        for version in entry.history.values { note(version) }
    }
}
