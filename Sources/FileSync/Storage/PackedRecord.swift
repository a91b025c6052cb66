/// A record of the base as one buffer of bytes. The values needed most are read without the rest.
struct PackedRecord: PackedValue {
    private static let placeholder: UInt8 = 0x08
    private static let hashed: UInt8 = 0x10
    /// The shared name is the local one.
    private static let sameName: UInt8 = 0x20
    private static let parentOffset = 1
    static let handleOffset = 17

    private let bytes: [UInt8]

    init(packed bytes: [UInt8]) { self.bytes = bytes }

    var packed: [UInt8] { bytes }

    // MARK: Without the rest

    var kind: EntryKind { EntryKind(rawValue: bytes[0] & 0x07) ?? .file }
    var isPlaceholder: Bool { bytes[0] & Self.placeholder != 0 }
    var parent: EntryID { PackedReader.id(bytes, at: Self.parentOffset) }

    var isNamedAsShared: Bool { bytes[0] & Self.sameName != 0 }
    /// Reads on from the local name.
    var afterHandle: PackedReader {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        reader.skipText()
        return reader
    }

    var handle: LocalHandle {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        return LocalHandle(reader.text())
    }

    var localName: EntryName {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        reader.skipText()
        return EntryName(unchecked: reader.text())
    }

    /// Where the file stands for its content: as others know it.
    var sharedName: EntryName {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        reader.skipText()
        if bytes[0] & Self.sameName == 0 { reader.skipText() }
        return EntryName(unchecked: reader.text())
    }

    var fingerprint: Fingerprint {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        reader.skipText()
        reader.skipText()
        if bytes[0] & Self.sameName == 0 { reader.skipText() }
        return reader.fingerprint()
    }

    var hash: ContentHash? {
        guard bytes[0] & Self.hashed != 0 else { return nil }
        var reader = PackedReader(bytes, at: bytes.count - 32)
        return reader.hash()
    }

    func hasLocalName(_ name: EntryName) -> Bool {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        reader.skipText()
        return reader.isText(name.bytes)
    }

    /// Whether a look at the disk shows exactly this.
    func isAs(_ node: LocalNode, in directory: EntryID) -> Bool {
        guard kind == node.kind, !isPlaceholder, parent == directory else { return false }
        var reader = PackedReader(bytes, at: Self.handleOffset)
        guard reader.isText(node.handle.bytes.bytes), reader.isText(node.name.bytes) else { return false }
        if bytes[0] & Self.sameName == 0 { reader.skipText() }
        guard kind == .directory || reader.fingerprint() == node.fingerprint else { return false }
        if kind == .directory { _ = reader.fingerprint() }
        var known = 0
        for _ in 0..<reader.count() {
            let key = reader.key()
            if key == .modified {
                reader.skipText()
                continue
            }
            guard let value = node.metadata[key], reader.isText(value.bytes) else { return false }
            known += 1
        }
        return known == node.metadata.count
    }

    // MARK: Writing

    init(_ record: BaseRecord) {
        var writer = PackedWriter()
        var flags = record.kind.rawValue
        if record.isPlaceholder { flags |= Self.placeholder }
        if record.hash != nil { flags |= Self.hashed }
        if record.sharedName == record.localName { flags |= Self.sameName }
        writer.byte(flags)
        writer.id(record.parent)
        writer.text(record.handle.bytes.bytes)
        writer.text(record.localName.bytes)
        if record.sharedName != record.localName { writer.text(record.sharedName.bytes) }
        writer.number(record.fingerprint.size)
        writer.word(UInt64(bitPattern: record.fingerprint.modified))
        writer.word(UInt64(bitPattern: record.fingerprint.changed))
        writer.count(record.metadata.count)
        for (key, value) in record.metadata {
            writer.key(key)
            writer.text(value.bytes)
        }
        writer.sighting(record.sighting)
        writer.count(record.members.count)
        for (id, sighting) in record.members {
            writer.id(id)
            writer.sighting(sighting)
        }
        if let hash = record.hash { writer.hash(hash) }
        bytes = writer.exact
    }

    // MARK: Reading

    var record: BaseRecord {
        var reader = PackedReader(bytes, at: Self.handleOffset)
        let handle = LocalHandle(reader.text())
        let localName = EntryName(unchecked: reader.text())
        let sharedName = bytes[0] & Self.sameName == 0 ? EntryName(unchecked: reader.text()) : localName
        let fingerprint = reader.fingerprint()
        var metadata: [MetadataKey: ByteString] = [:]
        for _ in 0..<reader.count() {
            let key = reader.key()
            metadata[key] = ByteString(reader.text())
        }
        let sighting = reader.sighting()
        var members: [EntryID: Sighting] = [:]
        for _ in 0..<reader.count() {
            let id = reader.id()
            members[id] = reader.sighting()
        }
        return BaseRecord(
            handle: handle, kind: kind, parent: parent, localName: localName, sharedName: sharedName,
            fingerprint: fingerprint, hash: hash, isPlaceholder: isPlaceholder, metadata: metadata, sighting: sighting,
            members: members)
    }
}

extension PackedWriter {
    fileprivate mutating func sighting(_ sighting: Sighting) {
        let isSame = sighting.shown == sighting.dots
        let first = sighting.dots.first?.actor
        byte((isSame ? 1 : 0) | (first == nil ? 0 : 2))
        if let first { word(first.rawValue) }
        for dots in isSame ? [sighting.dots] : [sighting.dots, sighting.shown] {
            count(dots.count)
            for dot in dots { self.dot(dot, first) }
        }
    }
}

extension PackedReader {
    mutating func fingerprint() -> Fingerprint {
        let size = number()
        return Fingerprint(size: size, modified: Int64(bitPattern: word()), changed: Int64(bitPattern: word()))
    }

    fileprivate mutating func sighting() -> Sighting {
        let flags = byte()
        let first = flags & 2 == 0 ? nil : ActorID(rawValue: word())
        let dots = dots(first)
        return Sighting(shown: flags & 1 == 1 ? dots : self.dots(first), dots: dots)
    }

    /// Whether a sighting is of one content that nothing else came with.
    mutating func isSighting(of own: Dot) -> Bool {
        guard byte() == 3 else { return false }
        let first = ActorID(rawValue: word())
        return count() == 1 && dot(first) == own
    }

    private mutating func dots(_ first: ActorID?) -> Set<Dot> {
        var result: Set<Dot> = []
        for _ in 0..<count() { result.insert(dot(first)) }
        return result
    }
}
