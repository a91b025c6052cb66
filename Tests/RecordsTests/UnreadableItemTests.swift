import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import RecordMerge
import Sync
import Testing

@testable import Records

/// Items that this device cannot take: they cost themselves, and nothing else of their zone (D-1).
@Suite("Unreadable items", .timeLimit(.minutes(1)))
struct UnreadableItemTests {
    /// A record with many fields, or one that many devices wrote.
    private static func item(_ name: String, fields: Range<Int> = 0..<1, actors: Range<UInt64> = 1..<2) throws -> Data {
        let stamp = Stamp(time: HybridTimestamp(rawValue: 1), actor: ActorID(rawValue: actors.lowerBound))
        let values = fields.map {
            (RecordField.value("f\($0)"), Register(stamp: stamp, value: RecordValue.integer(Int64($0))))
        }
        return try RecordCodec.encode(
            Record(
                validating: RecordName(name), type: "Note", fields: Dictionary(uniqueKeysWithValues: values),
                counters: [:],
                context: DotContext(Dictionary(uniqueKeysWithValues: actors.map { (ActorID(rawValue: $0), 1) })),
                presence: [Dot(actor: ActorID(rawValue: actors.lowerBound), counter: 1)], mergedInto: nil, deletion: nil
            ))
    }

    private static func zone() throws -> ZoneName {
        try #require(RecordsDevice.container).zone(#require(RecordZoneName("Z")))
    }

    @Test("A record whose join would be over a limit stays as it is, and the zone goes on (D-1)")
    func excess() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let zone = try Self.zone()
        let items: [(String, Data, Data)] = [
            ("f", try Self.item("f", fields: 0..<600), try Self.item("f", fields: 600..<1200)),
            ("a", try Self.item("a", actors: 1..<1025), try Self.item("a", actors: 1025..<2049)),
        ]
        for (name, first, second) in items {
            try await device.zones.received([IncomingItem(name: name, version: 1, content: first)], in: zone)
            try await device.zones.received([IncomingItem(name: name, version: 2, content: second)], in: zone)
            try await device.zones.exchanged([name: second], in: zone)
            // An item that was not taken is not written over and over.
            #expect(try await device.zones.pending(in: zone, limit: 10).isEmpty)
        }
        try await device.zones.received(
            [IncomingItem(name: "n", version: 3, content: try Self.item("n"))], in: zone)
        #expect(try await device.changes().records.map(\.fields.count).sorted() == [1, 1, 600])
    }

    @Test("What is kept is readable, whatever its limits were (D-1)")
    func kept() throws {
        let name = try RecordName("f")
        let one = try RecordCodec.decode(name, try Self.item("f", fields: 0..<600, actors: 1..<1025))
        let two = try RecordCodec.decode(name, try Self.item("f", fields: 600..<1200, actors: 1025..<2049))
        let content = try RecordCodec.encode(one.joined(two))
        #expect(throws: BatonError.self) { try RecordCodec.decode(name, content) }
        #expect(try RecordCodec.decode(name, content, from: .thisDevice) == one.joined(two))
    }

    @Test("What waits replaces an item that cannot be read, so that the zone is written on (D-1)")
    func replaced() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let zone = try Self.zone()
        _ = try await device.save([RecordsDevice.record("n", ["text": "one"])])
        try await device.zones.received([IncomingItem(name: "n", version: 7, content: Data([0xFF, 1]))], in: zone)
        let items = try await device.zones.pending(in: zone, limit: 10)
        #expect(items.map(\.replaces) == [7])
        try await device.zones.written(items.map { ($0, 8) }, in: zone)
        try await device.zones.received([IncomingItem(name: "n", version: 9, content: Data([0xFF, 1]))], in: zone)
        #expect(try await device.zones.pending(in: zone, limit: 10).isEmpty)
        _ = try await device.save([RecordsDevice.record("n", ["text": "two"])], policy: .changedKeys)
        #expect(try await device.zones.pending(in: zone, limit: 10).map(\.replaces) == [9])
    }
}
