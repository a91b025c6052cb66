import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Testing

@testable import Documents

/// D-5: the entries that devices exchange.
@Suite("Codec of entries")
struct EntryCodecTests {
    static func stamp(_ time: UInt64) -> Stamp {
        Stamp(time: HybridTimestamp(milliseconds: time, counter: 1), actor: ActorID(rawValue: 7), settlements: 2)
    }

    static func version(_ text: String) -> FileVersion {
        let bytes = Array(text.utf8)
        return FileVersion(
            stamp: stamp(1000), device: "Desk", size: UInt64(bytes.count), modified: -5,
            hash: ContentHash(of: bytes), body: .inline(ByteString(bytes)))
    }

    static func entry(_ name: String = "a.txt", text: String = "Hello") throws -> Entry {
        var entry = Entry(
            id: EntryID(high: 1, low: 2), kind: .file, parent: EntryID(high: 3, low: 4), name: try EntryName(name),
            version: version(text),
            metadata: [
                .mode: ByteString([1, 0xA4]), .attribute(ByteString(Array("user.tag".utf8))): ByteString([1, 9]),
            ],
            stamp: stamp(1000), actor: ActorID(rawValue: 7))
        var sighting = Sighting(of: entry)
        entry.edit(version("Hello again"), over: &sighting, by: ActorID(rawValue: 8), keepsHistory: true)
        return entry
    }

    @Test("an entry is the same after it was written and read (D-5)")
    func roundTrip() throws {
        var entry = try Self.entry()
        #expect(try EntryCodec.decode(try EntryCodec.encode(entry)) == entry)
        entry.delete(at: Self.stamp(2000), over: Sighting(of: entry))
        #expect(try EntryCodec.decode(try EntryCodec.encode(entry)) == entry)
        let list = try ChunkList(
            sizes: .small, isIndirect: false,
            references: [ChunkReference(hash: ContentHash(of: [1]), length: 70_000)], size: 70_000)
        var chunked = Self.version("x")
        (chunked.size, chunked.body) = (70_000, .chunks(list))
        let large = Entry(
            id: EntryID(high: 9, low: 9), kind: .file, parent: .root, name: try EntryName("large"), version: chunked,
            stamp: Self.stamp(1), actor: ActorID(rawValue: 1))
        #expect(try EntryCodec.decode(try EntryCodec.encode(large)) == large)
    }

    @Test("an entry that is deleted takes no more room than before, so that a full account can delete (D-5)")
    func deletionFits() throws {
        for name in ["a", "a longer name.txt"] {
            var entry = try Self.entry(name)
            let size = try EntryCodec.encode(entry).count
            let last = Stamp(
                time: HybridTimestamp(rawValue: .max), actor: ActorID(rawValue: .max), settlements: .max)
            entry.delete(at: last, over: Sighting(of: entry))
            #expect(try EntryCodec.encode(entry).count <= size)
            // Undone, and deleted once more.
            entry.undelete(by: ActorID(rawValue: 9))
            let restored = try EntryCodec.encode(entry).count
            entry.delete(at: last, over: Sighting(of: entry))
            #expect(try EntryCodec.encode(entry).count <= restored)
        }
    }

    @Test("a row of the database is read as the whole codec reads it, and what is damaged is refused by both (D-5)")
    func keptRows() throws {
        var random = SeededGenerator(seed: 2)
        var rows: [Data] = []
        for name in ["a.txt", "é"] {
            var entry = try Self.entry(name)
            rows.append(try EntryCodec.encode(entry))
            entry.delete(at: Self.stamp(2000), over: Sighting(of: entry))
            rows.append(try EntryCodec.encode(entry))
        }
        let list = try ChunkList(
            sizes: .small, isIndirect: false,
            references: [ChunkReference(hash: ContentHash(of: [1]), length: 70_000)], size: 70_000)
        var chunked = Self.version("x")
        (chunked.size, chunked.body) = (70_000, .chunks(list))
        for (kind, version) in [
            (EntryKind.file, chunked), (.file, Self.version("")), (.symbolicLink, Self.version("there")),
            (.package, chunked), (.directory, nil),
        ] {
            let entry = Entry(
                id: EntryID(high: 9, low: 9), kind: kind, parent: .root, name: try EntryName("n"), version: version,
                metadata: [.modified: .time(-1)], stamp: Self.stamp(0), actor: ActorID(rawValue: 1))
            rows.append(try EntryCodec.encode(entry))
        }
        func same(_ row: Data) {
            let whole = try? EntryCodec.decode(row, from: .thisDevice).withoutBytes
            let kept = try? EntryCodec.decodeKept(row)
            #expect(kept == whole)
            #expect(kept?.absentContents == whole?.absentContents)
        }
        for row in rows {
            same(row)
            for _ in 0..<300 {
                var bytes = row
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[bytes.startIndex + Int.random(in: 0..<bytes.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                if Bool.random(using: &random) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
                same(bytes)
            }
        }
    }

    @Test("names of items are those of entries, and nothing else is")
    func names() {
        let id = EntryID(high: 0xFF, low: 3)
        #expect(EntryCodec.id(ofName: EntryCodec.name(of: id)) == id)
        let others = ["g", "A", "+"].map { $0 + String(repeating: "0", count: 31) }
        for name in ["", "pack-00"] + others {
            #expect(EntryCodec.id(ofName: name) == nil)
        }
    }

    @Test("what no device writes is refused: bytes at random, and entries with one thing wrong")
    func hostile() throws {
        var random = SeededGenerator(seed: 1)
        let good = try EntryCodec.encode(try Self.entry())
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[bytes.startIndex + Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
            // It is refused, or an entry that keeps to the rules.
            if let entry = try? EntryCodec.decode(bytes) { _ = try EntryCodec.encode(entry) }
        }
        var message = try Baton_Sync_V1_DocumentEntry(serializedBytes: good)
        message.name.value = Data("../x".utf8)
        #expect(throws: BatonError.self) { try EntryCodec.entry(message) }
        message = try Baton_Sync_V1_DocumentEntry(serializedBytes: good)
        message.kind = 300
        #expect(throws: BatonError.self) { try EntryCodec.entry(message) }
        message = try Baton_Sync_V1_DocumentEntry(serializedBytes: good)
        message.heads[0].hash = Data([1])
        #expect(throws: BatonError.self) { try EntryCodec.entry(message) }
        message = try Baton_Sync_V1_DocumentEntry(serializedBytes: good)
        message.context.append(message.context[0])
        #expect(throws: BatonError.self) { try EntryCodec.entry(message) }
        // Small contents are found by their hashes.
        message = try Baton_Sync_V1_DocumentEntry(serializedBytes: good)
        message.heads[0].hash = Data(ContentHash(of: [1]).bytes)
        #expect(throws: BatonError.self) { try EntryCodec.entry(message) }
    }

    @Test("an entry is never written without the bytes of its small contents (D-5)")
    func wholeness() throws {
        let entry = try Self.entry()
        let bytes = try EntryCodec.encode(entry)
        let kept = try EntryCodec.smallContents(bytes)
        #expect(Set(kept.values.map { String(decoding: $0.bytes, as: UTF8.self) }) == ["Hello", "Hello again"])
        #expect(kept.allSatisfy { ContentHash(of: $0.value.bytes) == $0.key })
        let without = entry.withoutBytes
        #expect(without == entry && !without.absentContents.isEmpty)
        #expect(throws: BatonError.self) { try EntryCodec.encode(without) }
        #expect(throws: BatonError.self) { try EntryCodec.encode(replaced: without.heads) }
        #expect(try EntryCodec.encode(without.with([entry.id: kept])) == bytes)
    }

    @Test("records and steps are the same after they were kept; damaged ones are refused")
    func state() throws {
        let entry = try Self.entry()
        let node = ExpectedNode(
            handle: LocalHandle([1, 2]), place: LocalPlace(directory: LocalHandle([3]), name: try EntryName("n")),
            fingerprint: Fingerprint(size: 1, modified: -2, changed: 3))
        let record = BaseRecord(
            keptFor: node.handle, kind: .file, parent: .root, localName: try EntryName("n"),
            sharedName: try EntryName("m"), fingerprint: node.fingerprint, hash: ContentHash(of: [1]),
            isPlaceholder: false,
            metadata: [.mode: ByteString([1, 2]), .modified: ByteString([0, 0, 0, 0, 0, 0, 0, 1])],
            sighting: Sighting(of: entry), members: [EntryID(high: 5, low: 5): Sighting()])
        #expect(try StateCoder.baseRecord(StateCoder.encode(record)) == record)
        let steps: [DiskStep] = [
            .place(node.handle, at: node.place), .replace(node.handle, over: node),
            .substitute(node.handle, at: node.place, for: node), .move(node, to: node.place), .exchange(node, node),
            .remove(node), .setMetadata(node, [.mode: ByteString([1, 1])]),
        ]
        for step in steps {
            let intent = Intent(
                kept: step, outcome: [entry.id: record, EntryID(high: 8, low: 8): nil],
                displaced: [
                    node.handle: DisplacedFile(keptOf: entry.id, sighting: Sighting(of: entry), hash: nil)
                ])
            let bytes = StateCoder.encode(intent)
            #expect(try StateCoder.intent(bytes) == intent)
            for length in 0..<bytes.count {
                #expect(throws: BatonError.self) { try StateCoder.intent(bytes.prefix(length)) }
            }
        }
    }
}
