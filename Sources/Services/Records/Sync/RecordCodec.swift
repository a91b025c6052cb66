package import BatonCore
import BatonWire
import Crypto
package import FileSync
package import Foundation
package import RecordMerge
import SwiftProtobuf

/// Records as the account's devices exchange them, in a message `RecordItem`. The same bytes are kept on the disk.
package enum RecordCodec {
    /// Bytes of an item at most: a record, and what orders its fields.
    static let maximumBytes = RecordLimits.recordBytes + (1 << 20)

    /// The name of an item is that of its record; nil for an invalid name.
    static func name(_ text: String) -> RecordName? { try? RecordName(text) }

    /// Names a content: equal on each device where the record is equal.
    static func digest(_ content: Data) -> Data { Data(SHA256.hash(data: content).prefix(16)) }

    // MARK: Writing

    package static func encode(_ record: Record) throws -> Data {
        var actors: Set<ActorID> = Set(record.context.counters.keys).union(record.presence.map(\.actor))
        var stamps: Set<Stamp> = []
        for register in record.fields.values { stamps.insert(register.stamp) }
        for counter in record.counters.values { actors.formUnion(counter.sums.keys) }
        actors.formUnion(stamps.map(\.actor))
        if let deletion = record.deletion { actors.insert(deletion.actor) }
        let (actorList, stampList) = (actors.sorted(), stamps.sorted())
        let places = Dictionary(uniqueKeysWithValues: zip(actorList, UInt32(0)...))
        let moments = Dictionary(uniqueKeysWithValues: zip(stampList, UInt32(0)...))
        func stamp(_ stamp: Stamp) -> Baton_Sync_V1_RecordItemStamp {
            .with {
                $0.time = stamp.time.rawValue
                $0.actor = places[stamp.actor] ?? 0
            }
        }
        return try Baton_Sync_V1_RecordItem.with { item in
            item.recordType = record.type
            item.actors = actorList.map(\.rawValue)
            item.stamps = stampList.map(stamp)
            item.fields = record.fields.sorted { $0.key < $1.key }.map { field, register in
                .with {
                    ($0.kind, $0.name) = Self.key(field)
                    $0.stamp = moments[register.stamp] ?? 0
                    $0.value = Self.message(register.value)
                }
            }
            item.counters = record.counters.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
                name, counter in
                .with {
                    $0.name = name
                    $0.sums = counter.sums.sorted { $0.key < $1.key }.map { actor, sum in
                        .with {
                            $0.actor = places[actor] ?? 0
                            $0.changes = sum.changes
                            $0.value = sum.value
                            $0.time = sum.time.rawValue
                        }
                    }
                }
            }
            item.context = actorList.map { record.context[$0] }
            item.presence = record.presence.sorted().map { dot in
                .with {
                    $0.actor = places[dot.actor] ?? 0
                    $0.counter = dot.counter
                }
            }
            item.mergedInto = record.mergedInto?.text ?? ""
            if let deletion = record.deletion { item.deletion = stamp(deletion) }
            item.folded = record.folded.sorted().map(\.rawValue)
        }.serializedData()
    }

    private static func key(_ field: RecordField) -> (Baton_Sync_V1_RecordItemField.Kind, String) {
        switch field {
        case .value(let name): (.unspecified, name)
        case .encrypted(let name): (.encrypted, name)
        case .parent: (.parent, "")
        case .created: (.created, "")
        case .creator: (.creator, "")
        case .modified: (.modified, "")
        case .modifier: (.modifier, "")
        }
    }

    static func message(_ value: RecordValue) -> Baton_Sync_V1_RecordItemValue {
        switch value {
        case .nothing: .init()
        case .integer(let number): .with { $0.integer = number }
        case .real(let number): .with { $0.real = number }
        case .text(let text): .with { $0.text = text }
        case .bytes(let data): .with { $0.data = data }
        case .date(let seconds): .with { $0.date = seconds }
        case .location(let data): .with { $0.location = data }
        case .list(let values): .with { $0.list.values = values.map(message) }
        case .reference(let reference):
            .with {
                $0.reference = .with {
                    $0.recordName = reference.name.text
                    $0.zoneName = reference.zone ?? ""
                    $0.deletesSelf = reference.action == .deleteSelf
                }
            }
        case .asset(let asset): .with { $0.asset = message(asset) }
        // As it came. It was read from such a message, so it is one.
        case .unknown(let data): (try? Baton_Sync_V1_RecordItemValue(serializedBytes: data)) ?? .init()
        }
    }

    static func message(_ asset: RecordAsset) -> Baton_Sync_V1_RecordItemAsset {
        .with {
            $0.content = UInt32(asset.kind.rawValue)
            $0.size = asset.size
            $0.sha256 = asset.digest
            $0.parts = asset.parts.map { part in
                .with {
                    $0.blob = part.blob
                    $0.key = part.key
                    $0.size = part.size
                }
            }
        }
    }

    // MARK: Reading

    /// - Throws: `invalid_argument` (`bad_record`) for what no device that keeps to the rules writes: it is refused whole.
    package static func decode(
        _ name: RecordName, _ content: Data, from origin: EntryOrigin = .otherDevice
    ) throws(BatonError) -> Record {
        guard content.count <= maximumBytes || origin == .thisDevice,
            let item = try? Baton_Sync_V1_RecordItem(serializedBytes: content)
        else { throw refusal("no record") }
        guard item.context.count == item.actors.count else { throw refusal("counts") }
        // A record that is kept here must be readable, however large it became.
        guard origin == .thisDevice || item.actors.count <= RecordLimits.actors,
            origin == .thisDevice || item.fields.count <= RecordLimits.fields + 10
        else { throw refusal("counts") }
        let actors = item.actors.map(ActorID.init(rawValue:))
        func actor(_ place: UInt32) throws(BatonError) -> ActorID {
            guard Int(place) < actors.count else { throw refusal("an actor") }
            return actors[Int(place)]
        }
        func stamp(_ stamp: Baton_Sync_V1_RecordItemStamp) throws(BatonError) -> Stamp {
            Stamp(time: HybridTimestamp(rawValue: stamp.time), actor: try actor(stamp.actor))
        }
        var stamps: [Stamp] = []
        for one in item.stamps { stamps.append(try stamp(one)) }
        var fields: [RecordField: Register<RecordValue>] = [:]
        for field in item.fields {
            guard let key = key(field.kind, field.name), Int(field.stamp) < stamps.count,
                fields.updateValue(
                    Register(stamp: stamps[Int(field.stamp)], value: try value(field.value)), forKey: key) == nil
            else { throw refusal("a field") }
        }
        var counters: [String: RecordCounter] = [:]
        for counter in item.counters {
            var sums: [ActorID: RecordCounter.Sum] = [:]
            for sum in counter.sums {
                sums[try actor(sum.actor)] = .init(
                    changes: sum.changes, value: sum.value, time: HybridTimestamp(rawValue: sum.time))
            }
            counters[counter.name] = RecordCounter(sums: sums)
        }
        var context: [ActorID: UInt64] = [:]
        for (actor, counter) in zip(actors, item.context) where counter > 0 { context[actor] = counter }
        var presence: Set<Dot> = []
        for dot in item.presence { presence.insert(Dot(actor: try actor(dot.actor), counter: dot.counter)) }
        var merged: RecordName?
        if !item.mergedInto.isEmpty { merged = try RecordName(item.mergedInto) }
        let record = try Record(
            validating: name, type: item.recordType, fields: fields, counters: counters,
            context: DotContext(context), presence: presence, mergedInto: merged,
            deletion: item.hasDeletion ? try stamp(item.deletion) : nil,
            folded: Set(item.folded.map(ActorID.init(rawValue:))), from: origin)
        return record
    }

    private static func key(_ kind: Baton_Sync_V1_RecordItemField.Kind, _ name: String) -> RecordField? {
        guard kind == .unspecified || kind == .encrypted || name.isEmpty else { return nil }
        return switch kind {
        case .unspecified: .value(name)
        case .encrypted: .encrypted(name)
        case .parent: .parent
        case .created: .created
        case .creator: .creator
        case .modified: .modified
        case .modifier: .modifier
        case .UNRECOGNIZED: nil
        }
    }

    /// - Parameter isNested: within a list, which holds no lists.
    static func value(
        _ message: Baton_Sync_V1_RecordItemValue, isNested: Bool = false
    ) throws(BatonError) -> RecordValue {
        switch message.kind {
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let text): return .text(text)
        case .data(let data): return .bytes(data)
        case .date(let seconds): return .date(seconds)
        case .location(let data): return .location(data)
        case .reference(let reference):
            let zone = reference.zoneName
            guard zone.isEmpty || RecordZoneName(zone) != nil else { throw refusal("a zone") }
            return .reference(
                RecordReference(
                    name: try RecordName(reference.recordName), zone: zone.isEmpty ? nil : zone,
                    action: reference.deletesSelf ? .deleteSelf : .none))
        case .asset(let asset): return .asset(try self.asset(asset))
        case .list(let list):
            guard !isNested else { throw refusal("a list of lists") }
            var values: [RecordValue] = []
            for value in list.values { values.append(try self.value(value, isNested: true)) }
            return .list(values)
        case nil:
            let bytes = message.unknownFields.data
            return bytes.isEmpty ? .nothing : .unknown(bytes)
        }
    }

    static func asset(_ message: Baton_Sync_V1_RecordItemAsset) throws(BatonError) -> RecordAsset {
        guard let kind = UInt8(exactly: message.content).flatMap(RecordAsset.Kind.init(rawValue:)),
            message.sha256.count == 32, message.parts.allSatisfy({ $0.blob.count == 32 && $0.key.count == 32 })
        else { throw refusal("an asset") }
        return RecordAsset(
            kind: kind, size: message.size, digest: message.sha256,
            parts: message.parts.map { .init(blob: $0.blob, key: $0.key, size: $0.size) })
    }

    static func refusal(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "bad_record",
            "A record is malformed (\(what)) and was refused. Update Baton on the device that wrote it.")
    }
}
