/// Bytes of small contents, by their hashes.
package typealias SmallContents = [ContentHash: ByteString]

extension [Dot: FileVersion] {
    /// Small contents whose bytes are not in memory, by the entry that they are kept with.
    package var absentContents: [EntryID: Set<ContentHash>] {
        var result: [EntryID: Set<ContentHash>] = [:]
        for version in values {
            if case .kept(let entry) = version.body { result[entry, default: []].insert(version.hash) }
        }
        return result
    }

    /// - Parameter kept: what was found, by the entry that it is kept with.
    package func with(_ kept: [EntryID: SmallContents]) -> Self {
        mapValues { version in
            guard case .kept(let entry) = version.body, let bytes = kept[entry]?[version.hash] else { return version }
            var version = version
            version.body = .inline(bytes)
            return version
        }
    }

    /// As they are in memory once they were kept with an entry.
    func keptWith(_ entry: EntryID) -> Self {
        mapValues { version in
            if case .chunks = version.body { return version }
            var version = version
            version.body = .kept(with: entry)
            return version
        }
    }
}

extension Entry {
    /// Small contents whose bytes are not in memory, by the entry that they are kept with.
    package var absentContents: [EntryID: Set<ContentHash>] {
        heads.absentContents.merging(history.absentContents) { $0.union($1) }
    }

    /// - Parameter kept: what was found, by the entry that it is kept with.
    package func with(_ kept: [EntryID: SmallContents]) -> Entry {
        var result = self
        result.heads = heads.with(kept)
        result.history = history.with(kept)
        return result
    }

    /// Whether bytes of small contents are in it.
    var hasBytes: Bool {
        func hasBytes(_ version: FileVersion) -> Bool { if case .inline = version.body { true } else { false } }
        return heads.values.contains(where: hasBytes) || history.values.contains(where: hasBytes)
    }

    /// The entry as it is in memory once it was kept with its small contents.
    package var withoutBytes: Entry {
        var result = self
        result.heads = heads.keptWith(id)
        result.history = history.keptWith(id)
        return result
    }
}
