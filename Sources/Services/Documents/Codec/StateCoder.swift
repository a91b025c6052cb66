import BatonCore
import FileSync
import Foundation

/// Encodes a planner's state other than entries as rows of this device's database.
enum StateCoder {
    private static let format: UInt8 = 1

    static func encode(_ record: BaseRecord) -> Data {
        var writer = ByteWriter()
        writer.byte(format)
        writer.record(record)
        return writer.bytes
    }

    static func baseRecord(_ bytes: Data) throws(BatonError) -> BaseRecord {
        var reader = try opened(bytes)
        return try reader.record()
    }

    static func encode(_ intent: Intent) -> Data {
        var writer = ByteWriter()
        writer.byte(format)
        writer.step(intent.step)
        writer.list(intent.outcome.sorted { $0.key < $1.key }) { writer, item in
            writer.id(item.key)
            writer.optional(item.value) { $0.record($1) }
        }
        writer.list(intent.displaced.sorted { $0.key < $1.key }) { writer, item in
            writer.text(item.key.bytes.bytes)
            writer.displaced(item.value)
        }
        return writer.bytes
    }

    static func intent(_ bytes: Data) throws(BatonError) -> Intent {
        var reader = try opened(bytes)
        let step = try reader.step()
        let outcome = try reader.list { reader throws(BatonError) in
            (try reader.id(), try reader.optional { reader throws(BatonError) in try reader.record() })
        }
        let displaced = try reader.list { reader throws(BatonError) in
            (LocalHandle(try reader.text()), try reader.displaced())
        }
        var intent = Intent(kept: step, outcome: [:], displaced: [:])
        for (id, record) in outcome { intent.outcome.updateValue(record, forKey: id) }
        for (handle, file) in displaced { intent.displaced[handle] = file }
        return intent
    }

    static func encode(_ file: DisplacedFile) -> Data {
        var writer = ByteWriter()
        writer.byte(format)
        writer.displaced(file)
        return writer.bytes
    }

    static func displacedFile(_ bytes: Data) throws(BatonError) -> DisplacedFile {
        var reader = try opened(bytes)
        return try reader.displaced()
    }

    private static func opened(_ bytes: Data) throws(BatonError) -> ByteReader {
        var reader = ByteReader(bytes)
        guard try reader.byte() == format else { throw ByteReader.damaged }
        return reader
    }
}

extension ByteWriter {
    mutating func id(_ id: EntryID) {
        number(id.high)
        number(id.low)
    }

    mutating func dot(_ dot: Dot) {
        number(dot.actor.rawValue)
        number(dot.counter)
    }

    mutating func sighting(_ sighting: Sighting) {
        list(sighting.shown.sorted()) { $0.dot($1) }
        list(sighting.dots.sorted()) { $0.dot($1) }
    }

    mutating func fingerprint(_ fingerprint: Fingerprint) {
        number(fingerprint.size)
        number(fingerprint.modified)
        number(fingerprint.changed)
    }

    mutating func metadata(_ metadata: [MetadataKey: ByteString]) {
        list(metadata.sorted { $0.key < $1.key }) { writer, item in
            switch item.key {
            case .mode: writer.byte(0)
            case .modified: writer.byte(1)
            case .attribute(let name):
                writer.byte(2)
                writer.text(name.bytes)
            }
            writer.text(item.value.bytes)
        }
    }

    mutating func record(_ record: BaseRecord) {
        text(record.handle.bytes.bytes)
        byte(record.kind.rawValue)
        id(record.parent)
        text(record.localName.bytes)
        text(record.sharedName.bytes)
        fingerprint(record.fingerprint)
        optional(record.hash) { $0.hash($1) }
        flag(record.isPlaceholder)
        metadata(record.metadata)
        sighting(record.sighting)
        list(record.members.sorted { $0.key < $1.key }) { writer, item in
            writer.id(item.key)
            writer.sighting(item.value)
        }
    }

    mutating func displaced(_ file: DisplacedFile) {
        id(file.entry)
        sighting(file.sighting)
        optional(file.hash) { $0.hash($1) }
    }

    private mutating func place(_ place: LocalPlace) {
        text(place.directory.bytes.bytes)
        text(place.name.bytes)
    }

    private mutating func node(_ node: ExpectedNode) {
        text(node.handle.bytes.bytes)
        place(node.place)
        fingerprint(node.fingerprint)
    }

    mutating func step(_ step: DiskStep) {
        switch step {
        case .place(let staged, let target):
            byte(1)
            text(staged.bytes.bytes)
            place(target)
        case .replace(let staged, let old):
            byte(2)
            text(staged.bytes.bytes)
            node(old)
        case .substitute(let staged, let target, let old):
            byte(3)
            text(staged.bytes.bytes)
            place(target)
            node(old)
        case .move(let old, let target):
            byte(4)
            node(old)
            place(target)
        case .exchange(let first, let second):
            byte(5)
            node(first)
            node(second)
        case .remove(let old):
            byte(6)
            node(old)
        case .setMetadata(let old, let values):
            byte(7)
            node(old)
            metadata(values)
        }
    }
}

extension ByteReader {
    mutating func id() throws(BatonError) -> EntryID { EntryID(high: try number(), low: try number()) }
    mutating func dot() throws(BatonError) -> Dot {
        Dot(actor: ActorID(rawValue: try number()), counter: try number())
    }

    mutating func sighting() throws(BatonError) -> Sighting {
        let shown = try list { reader throws(BatonError) in try reader.dot() }
        return Sighting(shown: Set(shown), dots: Set(try list { reader throws(BatonError) in try reader.dot() }))
    }

    mutating func fingerprint() throws(BatonError) -> Fingerprint {
        Fingerprint(size: try number(), modified: try integer(), changed: try integer())
    }

    mutating func metadata() throws(BatonError) -> [MetadataKey: ByteString] {
        let items = try list { reader throws(BatonError) -> (MetadataKey, ByteString) in
            let key: MetadataKey
            switch try reader.byte() {
            case 0: key = .mode
            case 1: key = .modified
            case 2: key = .attribute(ByteString(try reader.text()))
            default: throw Self.damaged
            }
            return (key, ByteString(try reader.text()))
        }
        return Dictionary(items) { _, last in last }
    }

    mutating func record() throws(BatonError) -> BaseRecord {
        let handle = LocalHandle(try text())
        guard let kind = EntryKind(rawValue: try byte()) else { throw Self.damaged }
        let parent = try id()
        let (localName, sharedName) = (try EntryName(try text()), try EntryName(try text()))
        let fingerprint = try fingerprint()
        let hash = try optional { reader throws(BatonError) in try reader.hash() }
        let isPlaceholder = try flag()
        let (metadata, sighting) = (try metadata(), try sighting())
        let members = try list { reader throws(BatonError) in (try reader.id(), try reader.sighting()) }
        return BaseRecord(
            keptFor: handle, kind: kind, parent: parent, localName: localName, sharedName: sharedName,
            fingerprint: fingerprint, hash: hash, isPlaceholder: isPlaceholder, metadata: metadata, sighting: sighting,
            members: Dictionary(members) { _, last in last })
    }

    mutating func displaced() throws(BatonError) -> DisplacedFile {
        DisplacedFile(
            keptOf: try id(), sighting: try sighting(),
            hash: try optional { reader throws(BatonError) in try reader.hash() })
    }

    private mutating func place() throws(BatonError) -> LocalPlace {
        LocalPlace(directory: LocalHandle(try text()), name: try EntryName(try text()))
    }

    private mutating func node() throws(BatonError) -> ExpectedNode {
        ExpectedNode(handle: LocalHandle(try text()), place: try place(), fingerprint: try fingerprint())
    }

    mutating func step() throws(BatonError) -> DiskStep {
        switch try byte() {
        case 1: .place(LocalHandle(try text()), at: try place())
        case 2: .replace(LocalHandle(try text()), over: try node())
        case 3: .substitute(LocalHandle(try text()), at: try place(), for: try node())
        case 4: .move(try node(), to: try place())
        case 5: .exchange(try node(), try node())
        case 6: .remove(try node())
        case 7: .setMetadata(try node(), try metadata())
        default: throw Self.damaged
        }
    }
}
