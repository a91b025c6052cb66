import BatonCore

/// An entry as one buffer of bytes, without those of small contents. The values needed most are read without the rest.
struct PackedEntry: PackedValue {
    private static let several: UInt8 = 0x04
    private static let present: UInt8 = 0x08
    private static let merged: UInt8 = 0x10
    private static let deleted: UInt8 = 0x20
    private static let floored: UInt8 = 0x40
    private static let chunked: UInt8 = 0x80
    private static let parentOffset = 1
    private static let mergedOffset = 17

    private let bytes: [UInt8]

    init(packed bytes: [UInt8]) { self.bytes = bytes }

    var packed: [UInt8] { bytes }

    // MARK: Without the rest

    var kind: EntryKind { EntryKind(rawValue: (bytes[0] & 0x03) + 1) ?? .file }
    var isPresent: Bool { bytes[0] & Self.present != 0 }
    var hasSeveralHeads: Bool { bytes[0] & Self.several != 0 }
    var hasDeletion: Bool { bytes[0] & Self.deleted != 0 }
    /// Whether a content of it, or of its history, is in chunks.
    var hasChunks: Bool { bytes[0] & Self.chunked != 0 }
    /// In which directory its newest place is.
    var parent: EntryID { PackedReader.id(bytes, at: Self.parentOffset) }
    var mergedInto: EntryID? {
        bytes[0] & Self.merged == 0 ? nil : PackedReader.id(bytes, at: Self.mergedOffset)
    }

    var named: PackedReader {
        PackedReader(bytes, at: bytes[0] & Self.merged == 0 ? Self.mergedOffset : Self.mergedOffset + 16)
    }

    var name: EntryName {
        var reader = named
        return EntryName(unchecked: reader.text())
    }

    func isNamed(_ name: EntryName) -> Bool {
        var reader = named
        return reader.isText(name.bytes)
    }

    /// Size and hash of the content; nil where there are several, or none.
    var onlyContent: (size: UInt64, hash: ContentHash)? {
        guard !hasSeveralHeads else { return nil }
        var reader = named
        reader.skipText()
        let first = reader.firstStamp()
        reader.skipPlaces(first)
        for _ in 0..<reader.count() {
            reader.skipKey()
            _ = reader.stamp(first)
            reader.skipText()
        }
        // The context, and what keeps the entry alive.
        for _ in 0..<2 { for _ in 0..<reader.count() { _ = reader.dot(first.actor) } }
        guard reader.count() == 1 else { return nil }
        _ = reader.dot(first.actor)
        let content = reader.beginningOfVersion(first)
        return (content.size, content.hash)
    }

    // MARK: Writing

    init(_ entry: Entry) {
        var writer = PackedWriter()
        let place = entry.place
        var flags = entry.kind.rawValue - 1
        if entry.heads.count > 1 { flags |= Self.several }
        if entry.isPresent { flags |= Self.present }
        if entry.mergedInto != nil { flags |= Self.merged }
        if entry.deletion != nil { flags |= Self.deleted }
        if entry.historyFloor != .zero { flags |= Self.floored }
        if !entry.chunkedContents.isEmpty { flags |= Self.chunked }
        writer.byte(flags)
        writer.id(place.parent)
        if let merged = entry.mergedInto { writer.id(merged) }
        writer.text(entry.name.value.bytes)
        // Most stamps of an entry are those of its creation.
        let first = place.stamp
        writer.word(first.time.rawValue)
        writer.word(first.actor.rawValue)
        writer.number(UInt64(first.settlements))
        writer.stamp(entry.name.stamp, first)
        writer.count(entry.places.count)
        for place in entry.places.dropFirst() {
            writer.stamp(place.stamp, first)
            writer.id(place.parent)
        }
        writer.count(entry.metadata.count)
        for (key, register) in entry.metadata {
            writer.key(key)
            writer.stamp(register.stamp, first)
            writer.text(register.value.bytes)
        }
        writer.count(entry.context.counters.count)
        for (actor, counter) in entry.context.counters { writer.dot(Dot(actor: actor, counter: counter), first.actor) }
        writer.count(entry.presence.count)
        for dot in entry.presence { writer.dot(dot, first.actor) }
        for versions in [entry.heads, entry.history] {
            writer.count(versions.count)
            for (dot, version) in versions {
                writer.dot(dot, first.actor)
                writer.version(version, first)
            }
        }
        if entry.historyFloor != .zero { writer.stamp(entry.historyFloor, first) }
        if let deletion = entry.deletion { writer.stamp(deletion, first) }
        bytes = writer.exact
    }

    // MARK: Reading

    /// - Parameter fresh: small contents that are not kept with the entry yet.
    func entry(_ id: EntryID, fresh: [ContentHash: ContentBody] = [:]) -> Entry {
        var reader = named
        let name = EntryName(unchecked: reader.text())
        let first = reader.firstStamp()
        let nameStamp = reader.stamp(first)
        var places: [Place] = []
        let placeCount = reader.count()
        places.reserveCapacity(placeCount)
        if placeCount > 0 { places.append(Place(stamp: first, parent: parent)) }
        for _ in places.count..<placeCount {
            let stamp = reader.stamp(first)
            places.append(Place(stamp: stamp, parent: reader.id()))
        }
        var metadata: [MetadataKey: Register<ByteString>] = [:]
        for _ in 0..<reader.count() {
            let key = reader.key()
            let stamp = reader.stamp(first)
            metadata[key] = Register(stamp: stamp, value: ByteString(reader.text()))
        }
        var counters: [ActorID: UInt64] = [:]
        for _ in 0..<reader.count() {
            let dot = reader.dot(first.actor)
            counters[dot.actor] = dot.counter
        }
        var presence: Set<Dot> = []
        for _ in 0..<reader.count() { presence.insert(reader.dot(first.actor)) }
        let heads = reader.versions(first, id, fresh)
        let history = reader.versions(first, id, fresh)
        let floor = bytes[0] & Self.floored == 0 ? .zero : reader.stamp(first)
        let deletion = bytes[0] & Self.deleted == 0 ? nil : reader.stamp(first)
        return Entry(
            unpacked: id, kind: kind, places: places, name: Register(stamp: nameStamp, value: name), metadata: metadata,
            context: DotContext(counters), presence: presence, heads: heads, history: history, historyFloor: floor,
            deletion: deletion, mergedInto: mergedInto)
    }
}

extension PackedWriter {
    mutating func stamp(_ stamp: Stamp, _ first: Stamp) {
        if stamp == first { return byte(0) }
        if stamp.actor == first.actor, stamp.settlements == 0 {
            byte(1)
            return word(stamp.time.rawValue)
        }
        byte(2)
        word(stamp.time.rawValue)
        word(stamp.actor.rawValue)
        number(UInt64(stamp.settlements))
    }

    /// - Parameter first: the actor that most are of.
    mutating func dot(_ dot: Dot, _ first: ActorID?) {
        if dot.actor == first {
            byte(0)
        } else {
            byte(1)
            word(dot.actor.rawValue)
        }
        number(dot.counter)
    }

    mutating func key(_ key: MetadataKey) {
        switch key {
        case .mode: byte(0)
        case .modified: byte(1)
        case .attribute(let name):
            byte(2)
            text(name.bytes)
        }
    }

    fileprivate mutating func version(_ version: FileVersion, _ first: Stamp) {
        stamp(version.stamp, first)
        text(version.device.utf8)
        number(version.size)
        word(UInt64(bitPattern: version.modified))
        hash(version.hash)
        switch version.body {
        case .inline, .kept: byte(0)
        case .chunks(let list):
            byte(list.sizes.rawValue << 1 | (list.isIndirect ? 1 : 0))
            number(list.size)
            count(list.references.count)
            for reference in list.references {
                hash(reference.hash)
                number(UInt64(reference.length))
            }
        }
    }
}

extension PackedReader {
    mutating func firstStamp() -> Stamp {
        let (time, actor) = (word(), word())
        return Stamp(
            time: HybridTimestamp(rawValue: time), actor: ActorID(rawValue: actor),
            settlements: UInt16(truncatingIfNeeded: number()))
    }

    mutating func stamp(_ first: Stamp) -> Stamp {
        switch byte() {
        case 0: return first
        case 1: return Stamp(time: HybridTimestamp(rawValue: word()), actor: first.actor)
        default:
            let (time, actor) = (word(), word())
            return Stamp(
                time: HybridTimestamp(rawValue: time), actor: ActorID(rawValue: actor),
                settlements: UInt16(truncatingIfNeeded: number()))
        }
    }

    mutating func dot(_ first: ActorID?) -> Dot {
        let actor: ActorID
        if byte() == 0, let first { actor = first } else { actor = ActorID(rawValue: word()) }
        return Dot(actor: actor, counter: number())
    }

    mutating func key() -> MetadataKey {
        switch byte() {
        case 0: .mode
        case 1: .modified
        default: .attribute(ByteString(text()))
        }
    }

    fileprivate mutating func skipKey() { if byte() > 1 { skipText() } }

    /// Passes over the stamp of the name, and the places before the newest.
    mutating func skipPlaces(_ first: Stamp) {
        _ = stamp(first)
        let places = count()
        for _ in 0..<max(places - 1, 0) {
            _ = stamp(first)
            _ = id()
        }
    }

    /// Reads the beginning of a version.
    mutating func beginningOfVersion(
        _ first: Stamp
    ) -> (stamp: Stamp, size: UInt64, modified: Int64, hash: ContentHash) {
        let stamp = stamp(first)
        skipText()
        let size = number()
        let modified = Int64(bitPattern: word())
        return (stamp, size, modified, hash())
    }

    fileprivate mutating func versions(
        _ first: Stamp, _ entry: EntryID, _ fresh: [ContentHash: ContentBody]
    ) -> [Dot: FileVersion] {
        var result: [Dot: FileVersion] = [:]
        for _ in 0..<count() {
            let dot = dot(first.actor)
            result[dot] = version(first, entry, fresh)
        }
        return result
    }

    private mutating func version(
        _ first: Stamp, _ entry: EntryID, _ fresh: [ContentHash: ContentBody]
    ) -> FileVersion {
        let stamp = stamp(first)
        let device = String(decoding: text(), as: UTF8.self)
        let (size, modified) = (number(), Int64(bitPattern: word()))
        let hash = hash()
        return FileVersion(
            stamp: stamp, device: device, size: size, modified: modified, hash: hash,
            body: chunks() ?? fresh[hash] ?? .kept(with: entry))
    }

    /// Nil for a small content.
    private mutating func chunks() -> ContentBody? {
        let tag = byte()
        guard let sizes = ChunkSizes(rawValue: tag >> 1) else { return nil }
        let size = number()
        var references: [ChunkReference] = []
        let count = count()
        references.reserveCapacity(count)
        for _ in 0..<count {
            let hash = hash()
            references.append(ChunkReference(hash: hash, length: UInt32(truncatingIfNeeded: number())))
        }
        return .chunks(ChunkList(unchecked: sizes, isIndirect: tag & 1 == 1, references: references, size: size))
    }
}
