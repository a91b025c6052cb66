import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

extension EntryCodec {
    static func entry(
        _ message: Baton_Sync_V1_DocumentEntry, from origin: EntryOrigin = .otherDevice
    ) throws(BatonError) -> Entry {
        guard let id = id(message.id), let kind = EntryKind(rawValue: UInt8(clamping: message.kind)),
            message.kind <= 255
        else { throw refusal("identifier or kind") }
        let places = try message.places.map { place throws(BatonError) in
            guard let parent = Self.id(place.parent) else { throw refusal("a place") }
            return Place(stamp: try stamp(place.stamp), parent: parent)
        }
        var metadata: [MetadataKey: Register<ByteString>] = [:]
        for attribute in message.metadata {
            let value = Register(
                stamp: try stamp(attribute.register.stamp), value: ByteString(attribute.register.value))
            guard metadata.updateValue(value, forKey: key(attribute.key)) == nil else {
                throw refusal("an attribute twice")
            }
        }
        var counters: [ActorID: UInt64] = [:]
        for counter in message.context {
            guard counters.updateValue(counter.counter, forKey: ActorID(rawValue: counter.actor)) == nil else {
                throw refusal("an actor twice")
            }
        }
        var merged: EntryID?
        if !message.mergedInto.isEmpty {
            guard let id = Self.id(message.mergedInto) else { throw refusal("merged into nothing") }
            merged = id
        }
        return try Entry(
            validating: id, kind: kind, places: places,
            name: Register(stamp: try stamp(message.name.stamp), value: try EntryName(message.name.value)),
            metadata: metadata, context: DotContext(counters), presence: Set(message.presence.map(dot)),
            heads: try versions(message.heads, from: origin), history: try versions(message.history, from: origin),
            historyFloor: message.hasHistoryFloor ? try stamp(message.historyFloor) : .zero,
            deletion: message.hasDeletion ? try stamp(message.deletion) : nil, mergedInto: merged, from: origin)
    }

    private static func stamp(_ message: Baton_Sync_V1_EntryStamp) throws(BatonError) -> Stamp {
        guard let settlements = UInt16(exactly: message.settlements) else { throw refusal("a stamp") }
        return Stamp(
            time: HybridTimestamp(rawValue: message.time), actor: ActorID(rawValue: message.actor),
            settlements: settlements)
    }

    private static func dot(_ message: Baton_Sync_V1_EntryDot) -> Dot {
        Dot(actor: ActorID(rawValue: message.actor), counter: message.counter)
    }

    private static func key(_ bytes: Data) -> MetadataKey {
        if bytes == Data("mode".utf8) { return .mode }
        if bytes == Data("modified".utf8) { return .modified }
        return .attribute(ByteString(bytes))
    }

    static func versions(
        _ messages: [Baton_Sync_V1_EntryVersion], from origin: EntryOrigin
    ) throws(BatonError) -> [Dot: FileVersion] {
        var result: [Dot: FileVersion] = [:]
        for message in messages {
            let version = try version(message)
            // Small contents are found by their hashes.
            if origin == .otherDevice, case .inline(let bytes) = version.body,
                ContentHash(of: bytes.bytes) != version.hash
            {
                throw refusal("a content")
            }
            guard result.updateValue(version, forKey: dot(message.dot)) == nil else {
                throw refusal("a version twice")
            }
        }
        return result
    }

    /// The bytes of small contents in what was kept of an entry, or of ``encode(replaced:)``.
    static func smallContents(_ bytes: Data) throws(BatonError) -> SmallContents {
        guard let message = try? Baton_Sync_V1_DocumentEntry(serializedBytes: bytes) else { throw ByteReader.damaged }
        var result: SmallContents = [:]
        for version in message.heads + message.history {
            guard case .inline(let bytes)? = version.body, let hash = ContentHash(version.hash) else { continue }
            result[hash] = ByteString(bytes)
        }
        return result
    }

    private static func version(_ message: Baton_Sync_V1_EntryVersion) throws(BatonError) -> FileVersion {
        guard let hash = ContentHash(message.hash) else { throw refusal("a hash") }
        let body: ContentBody
        switch message.body {
        case .inline(let bytes): body = .inline(ByteString(bytes))
        case .chunks(let chunks): body = .chunks(try list(chunks))
        case nil: throw refusal("no content")
        }
        return FileVersion(
            stamp: try stamp(message.stamp), device: message.device, size: message.size, modified: message.modified,
            hash: hash, body: body)
    }

    private static func list(_ message: Baton_Sync_V1_EntryChunks) throws(BatonError) -> ChunkList {
        let sizes = ChunkSizes.allCases.first {
            $0.minimum == Int(message.minimum) && $0.mean == Int(message.mean) && $0.maximum == Int(message.maximum)
        }
        guard let sizes, message.references.count % 36 == 0,
            message.references.count / 36 <= ChunkList.maximumReferences
        else { throw refusal("a list of chunks") }
        return try ChunkList(
            sizes: sizes, isIndirect: message.indirect, references: try references(message.references),
            size: message.size)
    }

    /// - Parameter bytes: 36 for each.
    static func references(_ bytes: Data) throws(BatonError) -> [ChunkReference] {
        let bytes = [UInt8](bytes)
        var references: [ChunkReference] = []
        for start in stride(from: 0, to: bytes.count, by: ChunkReference.encodedSize) {
            guard let reference = ChunkReference(decoding: bytes[start...].prefix(ChunkReference.encodedSize)) else {
                throw refusal("a list of chunks")
            }
            references.append(reference)
        }
        return references
    }

    // MARK: Contents that edits replaced

    /// In the message of an entry, which has a list of versions.
    static func encode(replaced versions: [Dot: FileVersion]) throws -> Data {
        guard versions.absentContents.isEmpty else { throw notKept }
        return try Baton_Sync_V1_DocumentEntry.with {
            $0.heads = versions.sorted { $0.key < $1.key }.map(version)
        }.serializedData()
    }

    static func replaced(_ bytes: Data) throws(BatonError) -> [Dot: FileVersion] {
        guard let message = try? Baton_Sync_V1_DocumentEntry(serializedBytes: bytes) else { throw ByteReader.damaged }
        return try versions(message.heads, from: .thisDevice)
    }
}
