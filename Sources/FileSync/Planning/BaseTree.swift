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
    private var byPlace: [EntryID: [NameKey: EntryID]] = [:]
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
                let key = traits.key(of: old.localName)
                if byPlace[old.parent]?[key] == id { byPlace[old.parent]?[key] = nil }
                if byPlace[old.parent]?.isEmpty == true { byPlace[old.parent] = nil }
                if old.kind != .directory { fileCount -= 1 }
            }
            records[id] = newValue
            touched.insert(id)
            if let newValue {
                byHandle[newValue.handle] = id
                byPlace[newValue.parent, default: [:]][traits.key(of: newValue.localName)] = id
                if newValue.kind != .directory { fileCount += 1 }
            }
        }
    }

    package mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    package func id(of handle: LocalHandle) -> EntryID? { byHandle[handle] }

    package func occupant(of directory: EntryID, _ name: EntryName) -> EntryID? {
        byPlace[directory]?[traits.key(of: name)]
    }

    package func children(of directory: EntryID) -> [EntryID] { byPlace[directory].map { Array($0.values) } ?? [] }

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
