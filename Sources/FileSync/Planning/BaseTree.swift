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
///
/// A copy that is changed copies little: see ``ShardedTable``.
package struct BaseTree: Sendable {
    private var packed = PackedTable<PackedRecord>()
    /// By the hashes of the handles. An entry is in it while no other one got its handle later.
    private var byHandle = ShardedIdentifiers()
    /// Entries whose file has several names, by the file's own handle.
    private var byFile: [LocalHandle: Set<EntryID>] = [:]
    /// By the directory, and the hash of the name's key. Where several have one place the last one counts, until a look at the disk
    /// shows where the others are.
    private var byPlace = ShardedTable<EntryID, IdentifierTable>()
    package let traits: FileSystemTraits
    package private(set) var fileCount = 0
    /// Entries whose record changed or left since they were last taken.
    private var touched: Set<EntryID> = []

    package init(traits: FileSystemTraits) { self.traits = traits }

    package subscript(id: EntryID) -> BaseRecord? {
        get { packed[id]?.record }
        set {
            set(newValue, of: id)
            touched.insert(id)
        }
    }

    /// As it was kept.
    mutating func restore(_ record: BaseRecord, of id: EntryID) { set(record, of: id) }

    private mutating func set(_ record: BaseRecord?, of id: EntryID) {
        if let old = packed[id] {
            let handle = old.handle
            leave(id, handle)
            let file = handle.file
            if file != handle {
                byFile[file]?.remove(id)
                if byFile[file]?.isEmpty == true { byFile[file] = nil }
            }
            leave(id, old.parent, traits.key(of: old.localName))
            if old.kind != .directory { fileCount -= 1 }
        }
        packed[id] = record.map(PackedRecord.init)
        guard let record else { return }
        enter(id, record.handle)
        let file = record.handle.file
        if file != record.handle { byFile[file, default: []].insert(id) }
        enter(id, record.parent, traits.key(of: record.localName))
        if record.kind != .directory { fileCount += 1 }
    }

    package var count: Int { packed.count }
    package var ids: some Sequence<EntryID> { packed.keys }
    /// Each is unpacked when it is its turn.
    package var all: some Sequence<(key: EntryID, value: BaseRecord)> {
        packed.all.lazy.map { (key: $0.key, value: $0.value.record) }
    }
    /// The same, of which only what is asked for is unpacked.
    package var outlines: some Sequence<(key: EntryID, value: BaseOutline)> {
        packed.all.lazy.map { (key: $0.key, value: BaseOutline(packed: $0.value)) }
    }

    package func outline(of id: EntryID) -> BaseOutline? { packed[id].map(BaseOutline.init) }

    package func contains(_ id: EntryID) -> Bool { packed[id] != nil }

    /// A record of which nothing is unpacked.
    func summary(of id: EntryID) -> PackedRecord? { packed[id] }

    /// The directory of an entry.
    func parent(of id: EntryID) -> EntryID? { packed[id]?.parent }

    package func handle(of id: EntryID) -> LocalHandle? { packed[id]?.handle }

    /// The handle of a directory.
    func handle(ofDirectory id: EntryID) -> LocalHandle? {
        packed[id].flatMap { $0.kind == .directory ? $0.handle : nil }
    }

    func isNamed(_ id: EntryID, _ name: EntryName) -> Bool { packed[id]?.hasLocalName(name) ?? false }

    /// All, of which little is unpacked.
    var summaries: some Sequence<(key: EntryID, value: PackedRecord)> { packed.all }

    /// Whether the disk shows exactly what an entry's record says.
    func isAs(_ id: EntryID, _ node: LocalNode, in directory: EntryID) -> Bool {
        packed[id]?.isAs(node, in: directory) ?? false
    }

    /// The entries of which the disk has this content.
    package func ids(holding hash: ContentHash) -> [EntryID] {
        packed.all.filter { !$0.value.isPlaceholder && $0.value.hash == hash }.map(\.key)
    }

    /// All contents that the disk has.
    package var hashes: Set<ContentHash> { Set(packed.all.compactMap { $0.value.isPlaceholder ? nil : $0.value.hash }) }

    // MARK: Places

    private mutating func enter(_ id: EntryID, _ parent: EntryID, _ key: NameKey) {
        let hash = IdentifierTable.hash(of: key)
        var others = byPlace[parent] ?? IdentifierTable()
        byPlace[parent] = nil
        if occupant(among: others[hash], key) != id { others.add(id, hash) }
        byPlace[parent] = others
    }

    private mutating func leave(_ id: EntryID, _ parent: EntryID, _ key: NameKey) {
        guard var others = byPlace[parent] else { return }
        byPlace[parent] = nil
        others.remove(IdentifierTable.hash(of: key)) { $0 == id }
        byPlace[parent] = others.isEmpty ? nil : others
    }

    private func occupant(among ids: [EntryID], _ key: NameKey) -> EntryID? {
        ids.last { packed[$0].map { traits.key(of: $0.localName) == key } ?? false }
    }

    package func occupant(of directory: EntryID, _ name: EntryName) -> EntryID? {
        let key = traits.key(of: name)
        guard let ids = byPlace[directory]?[IdentifierTable.hash(of: key)] else { return nil }
        return ids.last { id in
            packed[id].map { $0.hasLocalName(name) || traits.key(of: $0.localName) == key } ?? false
        }
    }

    package func children(of directory: EntryID) -> [EntryID] { byPlace[directory]?.ids ?? [] }

    // MARK: Handles

    private mutating func enter(_ id: EntryID, _ handle: LocalHandle) {
        let hash = IdentifierTable.hash(of: handle)
        let packed = packed
        byHandle.remove(hash) {
            $0 == id || packed.reader(of: $0, at: 0) == nil || Self.hasHandle($0, handle, in: packed)
        }
        byHandle.add(id, hash)
    }

    private mutating func leave(_ id: EntryID, _ handle: LocalHandle) {
        byHandle.remove(IdentifierTable.hash(of: handle)) { $0 == id }
    }

    package func id(of handle: LocalHandle) -> EntryID? {
        byHandle.last(IdentifierTable.hash(of: handle)) { Self.hasHandle($0, handle, in: packed) }
    }

    private static func hasHandle(
        _ id: EntryID, _ handle: LocalHandle, in packed: PackedTable<PackedRecord>
    ) -> Bool {
        var reader = packed.reader(of: id, at: PackedRecord.handleOffset)
        return reader?.isText(handle.bytes.bytes) ?? false
    }

    /// The entries of a file, whatever the number of its names was when they were looked at.
    func ids(ofFile handle: LocalHandle) -> [EntryID] {
        let file = handle.file
        return (byFile[file] ?? []).sorted() + (id(of: file).map { [$0] } ?? [])
    }

    /// Gives back the memory that it does not use.
    mutating func compact() { packed.compact() }

    // MARK: Changing

    package mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    /// One entry takes the place of another from now on.
    mutating func hand(_ id: EntryID, to other: EntryID, sighting: Sighting) {
        guard var record = self[id] else { return }
        let children = children(of: id)
        self[id] = nil
        record.members[id] = record.sighting
        record.sighting = sighting
        self[other] = record
        for child in children {
            guard var record = self[child] else { continue }
            record.parent = other
            self[child] = record
        }
    }
}

/// A record of the base, of which only what is asked for is unpacked.
package struct BaseOutline: Sendable {
    fileprivate let packed: PackedRecord

    package var kind: EntryKind { packed.kind }
    package var isPlaceholder: Bool { packed.isPlaceholder }
    package var parent: EntryID { packed.parent }
    package var handle: LocalHandle { packed.handle }
    package var localName: EntryName { packed.localName }
    package var sharedName: EntryName { packed.sharedName }
    package var fingerprint: Fingerprint { packed.fingerprint }
    package var hash: ContentHash? { packed.hash }
    /// As a person sees it: a placeholder has the name of what it stands for.
    package var shownName: EntryName { isPlaceholder ? sharedName : localName }
}
