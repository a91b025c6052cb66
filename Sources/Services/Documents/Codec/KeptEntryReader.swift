import BatonCore
import FileSync
import Foundation

extension EntryCodec {
    /// A row of this device's database, without the bytes of small contents: ten thousand are read when a folder is opened, in a
    /// quarter of the time.
    static func decodeKept(_ bytes: Data) throws(BatonError) -> Entry {
        if let entry = bytes.withUnsafeBytes(KeptEntryReader.entry) { return entry }
        return try decode(bytes, from: .thisDevice).withoutBytes
    }
}

/// Reads entries as ``EntryCodec`` writes them. Nil for all that is otherwise, and for what is seldom: the whole codec reads that.
private enum KeptEntryReader {
    static func entry(_ bytes: UnsafeRawBufferPointer) -> Entry? {
        var reader = WireReader(bytes)
        guard reader.varint() == 0x0A, let id = id(reader.part()) else { return nil }
        var kind: EntryKind?
        var (places, name): ([Place], Register<EntryName>?) = ([], nil)
        var metadata: [MetadataKey: Register<ByteString>] = [:]
        var counters: [ActorID: UInt64] = [:]
        var presence: Set<Dot> = []
        var (heads, history): ([Dot: FileVersion], [Dot: FileVersion]) = ([:], [:])
        var (floor, deletion): (Stamp?, Stamp?) = (nil, nil)
        var merged: EntryID?
        while !reader.isAtEnd {
            guard let field = reader.varint() else { return nil }
            if field == 0x10 {
                guard kind == nil, let number = reader.varint().flatMap(UInt8.init(exactly:)) else { return nil }
                kind = EntryKind(rawValue: number)
                continue
            }
            guard let part = reader.part() else { return nil }
            switch field {
            case 0x1A:
                guard let place = place(part) else { return nil }
                places.append(place)
            case 0x22:
                guard name == nil, let (stamp, value) = register(part), let text = try? EntryName(value) else {
                    return nil
                }
                name = Register(stamp: stamp, value: text)
            case 0x2A:
                guard let (key, value) = attribute(part), metadata.updateValue(value, forKey: key) == nil else {
                    return nil
                }
            case 0x32:
                guard let counter = dot(part),
                    counters.updateValue(counter.counter, forKey: counter.actor) == nil
                else { return nil }
            case 0x3A:
                guard let dot = dot(part) else { return nil }
                presence.insert(dot)
            case 0x42:
                guard let (dot, version) = version(part, of: id), heads.updateValue(version, forKey: dot) == nil else {
                    return nil
                }
            case 0x4A:
                guard let (dot, version) = version(part, of: id), history.updateValue(version, forKey: dot) == nil
                else { return nil }
            case 0x52:
                guard floor == nil, let stamp = stamp(part) else { return nil }
                floor = stamp
            case 0x5A:
                guard deletion == nil, let stamp = stamp(part) else { return nil }
                deletion = stamp
            case 0x62:
                guard merged == nil, let id = Self.id(part) else { return nil }
                merged = id
            case 0x6A: break
            default: return nil
            }
        }
        // The target of a link has rules of its own.
        guard let kind, kind != .symbolicLink, let name else { return nil }
        return try? Entry(
            validating: id, kind: kind, places: places, name: name, metadata: metadata, context: DotContext(counters),
            presence: presence, heads: heads, history: history, historyFloor: floor ?? .zero, deletion: deletion,
            mergedInto: merged, from: .thisDevice)
    }

    private static func id(_ part: UnsafeRawBufferPointer?) -> EntryID? {
        guard let part, part.count == 16 else { return nil }
        return EntryID(
            high: UInt64(bigEndian: part.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: part.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    private static func stamp(_ part: UnsafeRawBufferPointer) -> Stamp? {
        var reader = WireReader(part)
        var (time, actor, settlements): (UInt64, UInt64, UInt16) = (0, 0, 0)
        while !reader.isAtEnd {
            switch reader.varint() {
            case 0x09:
                guard let number = reader.fixed64() else { return nil }
                time = number
            case 0x11:
                guard let number = reader.fixed64() else { return nil }
                actor = number
            case 0x18:
                guard let number = reader.varint().flatMap(UInt16.init(exactly:)) else { return nil }
                settlements = number
            default: return nil
            }
        }
        return Stamp(
            time: HybridTimestamp(rawValue: time), actor: ActorID(rawValue: actor), settlements: settlements)
    }

    private static func place(_ part: UnsafeRawBufferPointer) -> Place? {
        guard let (stamp, parent) = register(part), let id = id(parent) else { return nil }
        return Place(stamp: stamp, parent: id)
    }

    /// A stamp and a value.
    private static func register(_ part: UnsafeRawBufferPointer) -> (Stamp, UnsafeRawBufferPointer)? {
        var reader = WireReader(part)
        guard reader.varint() == 0x0A, let first = reader.part(), let stamp = stamp(first) else { return nil }
        // A value that is empty is not written.
        guard !reader.isAtEnd else { return (stamp, UnsafeRawBufferPointer(start: nil, count: 0)) }
        guard reader.varint() == 0x12, let value = reader.part(), reader.isAtEnd else { return nil }
        return (stamp, value)
    }

    private static func attribute(_ part: UnsafeRawBufferPointer) -> (MetadataKey, Register<ByteString>)? {
        var reader = WireReader(part)
        guard reader.varint() == 0x0A, let name = reader.part(), reader.varint() == 0x12, let second = reader.part(),
            reader.isAtEnd, let (stamp, value) = register(second)
        else { return nil }
        let key: MetadataKey =
            if name.elementsEqual("mode".utf8) {
                .mode
            } else if name.elementsEqual("modified".utf8) {
                .modified
            } else {
                .attribute(ByteString(name))
            }
        return (key, Register(stamp: stamp, value: ByteString(value)))
    }

    private static func dot(_ part: UnsafeRawBufferPointer) -> Dot? {
        var reader = WireReader(part)
        var (actor, counter): (UInt64, UInt64) = (0, 0)
        while !reader.isAtEnd {
            switch reader.varint() {
            case 0x09:
                guard let number = reader.fixed64() else { return nil }
                actor = number
            case 0x10:
                guard let number = reader.varint() else { return nil }
                counter = number
            default: return nil
            }
        }
        return Dot(actor: ActorID(rawValue: actor), counter: counter)
    }

    private static func version(_ part: UnsafeRawBufferPointer, of entry: EntryID) -> (Dot, FileVersion)? {
        var reader = WireReader(part)
        guard reader.varint() == 0x0A, let first = reader.part(), let dot = dot(first), reader.varint() == 0x12,
            let second = reader.part(), let stamp = stamp(second)
        else { return nil }
        var (device, size, modified): (String, UInt64, Int64) = ("", 0, 0)
        var (hash, body, inline): (ContentHash?, ContentBody?, Int?) = (nil, nil, nil)
        while !reader.isAtEnd {
            switch reader.varint() {
            case 0x1A:
                guard let text = reader.part().flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
                device = text
            case 0x20:
                guard let number = reader.varint() else { return nil }
                size = number
            case 0x28:
                guard let number = reader.signed() else { return nil }
                modified = number
            case 0x32: hash = reader.part().flatMap { ContentHash($0) }
            case 0x3A:
                guard body == nil, let bytes = reader.part() else { return nil }
                (body, inline) = (.kept(with: entry), bytes.count)
            case 0x42:
                guard body == nil, let list = reader.part().flatMap(list) else { return nil }
                body = .chunks(list)
            default: return nil
            }
        }
        guard let hash, let body else { return nil }
        if let inline { guard UInt64(inline) == size, inline <= EntryLimits.inlineBytes else { return nil } }
        return (
            dot,
            FileVersion(stamp: stamp, device: device, size: size, modified: modified, hash: hash, body: body)
        )
    }

    private static func list(_ part: UnsafeRawBufferPointer) -> ChunkList? {
        var reader = WireReader(part)
        var (least, mean, most, size): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var (isIndirect, references) = (false, Data())
        while !reader.isAtEnd {
            guard let field = reader.varint() else { return nil }
            if field == 0x2A {
                guard let bytes = reader.part() else { return nil }
                references = Data(bytes)
                continue
            }
            guard let number = reader.varint() else { return nil }
            switch field {
            case 0x08: least = number
            case 0x10: mean = number
            case 0x18: most = number
            case 0x20: isIndirect = number != 0
            case 0x30: size = number
            default: return nil
            }
        }
        let sizes = ChunkSizes.allCases.first {
            UInt64($0.minimum) == least && UInt64($0.mean) == mean && UInt64($0.maximum) == most
        }
        guard let sizes, references.count % ChunkReference.encodedSize == 0,
            let references = try? EntryCodec.references(references)
        else { return nil }
        return try? ChunkList(sizes: sizes, isIndirect: isIndirect, references: references, size: size)
    }
}
