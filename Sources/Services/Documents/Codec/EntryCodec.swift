package import BatonCore
import BatonWire
package import FileSync
package import Foundation
import SwiftProtobuf

/// Entries as the account's devices exchange them, in a message `DocumentEntry`. The same bytes are kept on the disk.
package enum EntryCodec {
    /// - Throws: `data_loss` (`content_not_kept`) where bytes of a small content are not with the entry.
    package static func encode(_ entry: Entry) throws -> Data {
        guard entry.absentContents.isEmpty else { throw notKept }
        return try message(entry).serializedData()
    }

    /// Never written without them, since no other device may have them.
    static let notKept = BatonError(
        .dataLoss, reason: "content_not_kept",
        "The contents of a small file are missing in this device's database. Restore the file on a device that has it.")

    /// - Throws: `invalid_argument` (`bad_entry`) for what no device that keeps to the rules writes.
    package static func decode(
        _ bytes: Data, from origin: EntryOrigin = .otherDevice
    ) throws(BatonError) -> Entry {
        guard let message = try? Baton_Sync_V1_DocumentEntry(serializedBytes: bytes) else { throw refusal("no entry") }
        return try entry(message, from: origin)
    }

    /// An item's name: 32 hexadecimal digits.
    package static func name(of id: EntryID) -> String { id.description }

    /// Nil for what is no name of an entry.
    package static func id(ofName name: String) -> EntryID? {
        guard name.utf8.count == 32, name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let high = UInt64(name.prefix(16), radix: 16), let low = UInt64(name.suffix(16), radix: 16)
        else { return nil }
        return EntryID(high: high, low: low)
    }

    package static func bytes(of id: EntryID) -> Data {
        var bytes = withUnsafeBytes(of: id.high.bigEndian) { Data($0) }
        withUnsafeBytes(of: id.low.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// - Returns: nil unless there are 16 bytes.
    package static func id(_ bytes: some Collection<UInt8>) -> EntryID? {
        guard bytes.count == 16 else { return nil }
        func number(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return EntryID(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)))
    }

    static func refusal(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "bad_entry",
            "An entry of the tree is malformed (\(what)) and was refused. Update Baton on the device that wrote it.")
    }

    // MARK: Writing

    /// Bytes of a stamp at most: two numbers of nine, and one of four.
    private static let deletionSize = 22

    private static func message(_ entry: Entry) -> Baton_Sync_V1_DocumentEntry {
        .with { message in
            message.id = bytes(of: entry.id)
            message.kind = UInt32(entry.kind.rawValue)
            message.places = entry.places.map { place in
                .with {
                    $0.stamp = stamp(place.stamp)
                    $0.parent = bytes(of: place.parent)
                }
            }
            message.name = register(entry.name.stamp, entry.name.value.bytes)
            message.metadata = entry.metadata.sorted { $0.key < $1.key }.map { key, value in
                .with {
                    $0.key = Data(keyBytes(key))
                    $0.register = register(value.stamp, value.value.bytes)
                }
            }
            message.context = entry.context.counters.sorted { $0.key < $1.key }.map { actor, counter in
                .with {
                    $0.actor = actor.rawValue
                    $0.counter = counter
                }
            }
            message.presence = entry.presence.sorted().map(dot)
            message.heads = entry.heads.sorted { $0.key < $1.key }.map(version)
            message.history = entry.history.sorted { $0.key < $1.key }.map(version)
            if entry.historyFloor != .zero { message.historyFloor = stamp(entry.historyFloor) }
            if let deletion = entry.deletion {
                message.deletion = stamp(deletion)
            } else {
                message.reserve = Data(count: deletionSize)
            }
            if let merged = entry.mergedInto { message.mergedInto = bytes(of: merged) }
        }
    }

    private static func stamp(_ stamp: Stamp) -> Baton_Sync_V1_EntryStamp {
        .with {
            $0.time = stamp.time.rawValue
            $0.actor = stamp.actor.rawValue
            $0.settlements = UInt32(stamp.settlements)
        }
    }

    private static func dot(_ dot: Dot) -> Baton_Sync_V1_EntryDot {
        .with {
            $0.actor = dot.actor.rawValue
            $0.counter = dot.counter
        }
    }

    private static func register(_ time: Stamp, _ value: [UInt8]) -> Baton_Sync_V1_EntryRegister {
        .with {
            $0.stamp = stamp(time)
            $0.value = Data(value)
        }
    }

    static func version(_ dot: Dot, _ version: FileVersion) -> Baton_Sync_V1_EntryVersion {
        .with { message in
            message.dot = Self.dot(dot)
            message.stamp = stamp(version.stamp)
            message.device = version.device
            message.size = version.size
            message.modified = version.modified
            message.hash = Data(version.hash.bytes)
            switch version.body {
            case .inline(let bytes): message.inline = Data(bytes.bytes)
            // The caller has refused it.
            case .kept: break
            case .chunks(let list):
                message.chunks = .with {
                    $0.minimum = UInt32(clamping: list.sizes.minimum)
                    $0.mean = UInt32(clamping: list.sizes.mean)
                    $0.maximum = UInt32(clamping: list.sizes.maximum)
                    $0.indirect = list.isIndirect
                    $0.references = Data(list.references.flatMap(\.encoded))
                    $0.size = list.size
                }
            }
        }
    }

    private static func keyBytes(_ key: MetadataKey) -> [UInt8] {
        switch key {
        case .mode: Array("mode".utf8)
        case .modified: Array("modified".utf8)
        case .attribute(let name): name.bytes
        }
    }
}
