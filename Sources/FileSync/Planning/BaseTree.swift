/// The state of an entry that this disk was made to hold.
package struct BaseRecord: Hashable, Sendable {
    package var handle: LocalHandle
    package var kind: EntryKind
    package var parent: EntryID
    /// As the disk has it.
    package var localName: EntryName
    /// As all devices have it.
    package var sharedName: EntryName
    package var fingerprint: Fingerprint
    /// Nil for directories and placeholders.
    package var hash: ContentHash?
    package var isPlaceholder = false
    package var metadata: [MetadataKey: ByteString] = [:]
    package var sighting: Sighting
    /// The sightings of directories that are one with this one.
    package var members: [EntryID: Sighting] = [:]
}

/// The merge base: the tree as this disk was made to hold it, with the ways to find something in it.
package struct BaseTree: Sendable {
    package private(set) var records: [EntryID: BaseRecord] = [:]
    private var byHandle: [LocalHandle: EntryID] = [:]
    /// Entries whose file has several names, by the file's own handle.
    private var byFile: [LocalHandle: Set<EntryID>] = [:]
    private var byPlace: [EntryID: [NameKey: EntryID]] = [:]
    /// Entries whose place another one has as well, until a look at the disk tells where that one is.
    private var shadowed: [EntryID: [NameKey: [EntryID]]] = [:]
    package let traits: FileSystemTraits
    package private(set) var fileCount = 0
    /// Entries whose record changed or left since somebody asked last.
    private var touched: Set<EntryID> = []

    package init(traits: FileSystemTraits) { self.traits = traits }

    package subscript(id: EntryID) -> BaseRecord? {
        get { records[id] }
        set {
            if let old = records[id] {
                if byHandle[old.handle] == id { byHandle[old.handle] = nil }
                let file = old.handle.file
                if file != old.handle {
                    byFile[file]?.remove(id)
                    if byFile[file]?.isEmpty == true { byFile[file] = nil }
                }
                leave(id, old.parent, traits.key(of: old.localName))
                if old.kind != .directory { fileCount -= 1 }
            }
            records[id] = newValue
            touched.insert(id)
            if let newValue {
                byHandle[newValue.handle] = id
                let file = newValue.handle.file
                if file != newValue.handle { byFile[file, default: []].insert(id) }
                enter(id, newValue.parent, traits.key(of: newValue.localName))
                if newValue.kind != .directory { fileCount += 1 }
            }
        }
    }

    private mutating func enter(_ id: EntryID, _ parent: EntryID, _ key: NameKey) {
        let other = byPlace[parent, default: [:]].updateValue(id, forKey: key)
        if let other, other != id { shadowed[parent, default: [:]][key, default: []].append(other) }
    }

    private mutating func leave(_ id: EntryID, _ parent: EntryID, _ key: NameKey) {
        var others = shadowed[parent]?[key] ?? []
        if byPlace[parent]?[key] == id {
            byPlace[parent]?[key] = others.popLast()
            if byPlace[parent]?.isEmpty == true { byPlace[parent] = nil }
        } else {
            others.removeAll { $0 == id }
        }
        guard shadowed[parent]?[key] != nil else { return }
        shadowed[parent]?[key] = others.isEmpty ? nil : others
        if shadowed[parent]?.isEmpty == true { shadowed[parent] = nil }
    }

    package mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    package func id(of handle: LocalHandle) -> EntryID? { byHandle[handle] }

    /// The entries of a file, whatever the number of its names was when they were looked at.
    func ids(ofFile handle: LocalHandle) -> [EntryID] {
        let file = handle.file
        return (byFile[file] ?? []).sorted() + (byHandle[file].map { [$0] } ?? [])
    }

    package func occupant(of directory: EntryID, _ name: EntryName) -> EntryID? {
        byPlace[directory]?[traits.key(of: name)]
    }

    package func children(of directory: EntryID) -> [EntryID] {
        let first = byPlace[directory].map { Array($0.values) } ?? []
        return first + (shadowed[directory]?.values.flatMap { $0 } ?? [])
    }

    /// One entry takes the place of another from now on.
    mutating func hand(_ id: EntryID, to other: EntryID, sighting: Sighting) {
        guard var record = records[id] else { return }
        let children = children(of: id)
        self[id] = nil
        record.members[id] = record.sighting
        record.sighting = sighting
        self[other] = record
        for child in children {
            guard var record = records[child] else { continue }
            record.parent = other
            self[child] = record
        }
    }
}
