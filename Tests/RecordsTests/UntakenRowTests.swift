import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import RecordMerge
import SwiftProtobuf
import Testing

@testable import Records

/// Rows of which the replica cannot take a change: all else of their group is taken (D-1).
@Suite("Rows that are not taken", .timeLimit(.minutes(1)))
struct UntakenRowTests {
    private typealias Zone = MirroredZoneTests

    private static let tables: [Baton_App_V1_RecordTable] = [
        .with {
            $0.name = "notes"
            $0.columns =
                [Zone.column("id", notNull: true)] + (0..<40).map { Zone.column("c\($0)") }
                + [
                    .with {
                        $0.name = "views"
                        $0.counter = true
                    }
                ]
            $0.primaryKey = ["id"]
        }
    ]

    private static func shown(_ device: RecordsDevice) async throws -> [String] {
        Zone.keys(try await Zone.fetch(device).groups.flatMap(\.put))
    }

    private static func reasons(_ device: RecordsDevice, _ key: String) async throws -> [String] {
        try await device.replica.look { try $0.untakenRows(table: "notes", key: key).map(\.reason) }
    }

    private static func keys(_ response: Baton_App_V1_SendRowsResponse) -> [String] {
        response.refused.map { $0.key.first?.text ?? "" }
    }

    @Test("A row that is too large is named, the others of its group are taken, and it is taken when it is small (D-1)")
    func tooLarge() async throws {
        let device = try await RecordsDevice(try TemporaryDirectory(), "a")
        _ = try await Zone.start(device, tables: Self.tables)
        let text = String(repeating: "x", count: 30_000)
        let large = Dictionary(uniqueKeysWithValues: (0..<40).map { ("c\($0)", text) })
        let key = String(repeating: "k", count: 40_000)
        let answer = try await Zone.send(
            1,
            [
                Zone.put("notes", "big", large), Zone.put("notes", "a", ["c0": "x"]),
                Zone.put("notes", key, ["c0": "x"]), Zone.put("notes", "b", ["c0": text + text]),
            ], from: device)
        #expect(answer.taken == 1)
        #expect(Set(Self.keys(answer)) == ["big", key, "b"])
        #expect(try await Self.shown(device) == ["notes a"])
        #expect(try await Self.reasons(device, "big").first?.contains("size") == true)
        #expect(try await device.replica.look { try $0.shownZones.map(\.held).max() } == 3)
        let small = try await Zone.send(
            2, [Zone.put("notes", "big", ["c0": "x"]), Zone.delete("notes", "b"), Zone.delete("notes", key)],
            from: device)
        #expect(small.refused.isEmpty)
        #expect(try await Self.shown(device) == ["notes a", "notes big"])
        #expect(try await device.replica.look { try $0.shownZones.map(\.held).max() } == 0)
    }

    @Test("A row that many records have made too large for a message is held, and the others are shown (D-1)")
    func tooLargeToShow() async throws {
        let device = try await RecordsDevice(try TemporaryDirectory(), "a")
        _ = try await Zone.start(device, tables: Self.tables)
        let (actor, text) = (ActorID(rawValue: 1), String(repeating: "x", count: 1_000_000))
        let stamp = Stamp(time: HybridTimestamp(rawValue: 1), actor: actor)
        var items: [String: Data] = [:]
        for number in 0..<6 {
            let record = try Record(
                validating: RecordName("notes/a\(number)"), type: "notes",
                fields: [
                    "id": Register(stamp: stamp, value: .text("a\(number)")),
                    .value("c\(number)"): Register(stamp: stamp, value: .text(text)),
                ], counters: [:], context: DotContext([actor: 1]), presence: [Dot(actor: actor, counter: 1)],
                mergedInto: number == 0 ? nil : RecordName("notes/a0"), deletion: nil)
            items[record.name.text] = try RecordCodec.encode(record)
        }
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Database")))
        try await device.zones.exchanged(items, in: zone)
        _ = try await Zone.send(1, [Zone.put("notes", "good", ["c0": "x"])], from: device)
        let answer = try await Zone.fetch(device)
        #expect(try answer.serializedData().count < 4 << 20)
        #expect(Zone.keys(answer.groups.flatMap(\.put)) == ["notes good"])
        #expect(answer.groups.flatMap(\.remove).filter { !$0.held.isEmpty }.map { $0.key.first?.text } == ["a0"])
    }

    @Test("A member's record at a bound, or of another type, costs its own row alone, which can be deleted (D-1)")
    func hostile() async throws {
        let device = try await RecordsDevice(try TemporaryDirectory(), "a")
        _ = try await Zone.start(device, tables: Self.tables)
        let name = try #require(RecordZoneName("Database"))
        let zone = try await device.replica.look { try $0.presentZone(name) }
        let actor = ReplicaTransaction.actor(Zone.actor, in: zone)
        let bound: UInt64 = 1 << 53
        func record(
            _ key: String, type: String = "notes", _ context: [ActorID: UInt64],
            counters: [String: RecordCounter] = [:]
        ) throws -> (String, Data) {
            let stamp = Stamp(time: HybridTimestamp(rawValue: 1), actor: context.keys.min() ?? actor)
            let record = try Record(
                validating: RecordName("notes/\(key)"), type: type,
                fields: ["id": Register(stamp: stamp, value: .text(key))], counters: counters,
                context: DotContext(context),
                presence: [Dot(actor: stamp.actor, counter: context[stamp.actor] ?? 1)], mergedInto: nil, deletion: nil)
            return (record.name.text, try RecordCodec.encode(record))
        }
        let others = Dictionary(uniqueKeysWithValues: (1...1024).map { (ActorID(rawValue: $0), UInt64(1)) })
        let items = [
            try record("dots", [actor: bound]), try record("authors", others),
            try record("type", type: "Other", [actor: 1]),
            try record(
                "sums", [actor: 1], counters: ["views": RecordCounter(sums: [actor: .init(changes: bound, value: 1)])]),
        ]
        try await device.zones.exchanged(
            Dictionary(uniqueKeysWithValues: items), in: #require(RecordsDevice.container).zone(name))
        let count = Baton_App_V1_RowChange.with {
            $0.table = "notes"
            $0.key = [.with { $0.text = "sums" }]
            $0.differences = [
                .with {
                    $0.column = "views"
                    $0.value = 1
                }
            ]
        }
        let changes = ["dots", "authors", "type", "good"].map { Zone.put("notes", $0, ["c0": "x"]) } + [count]
        let answer = try await Zone.send(1, changes, from: device)
        #expect(answer.taken == 1)
        #expect(Set(Self.keys(answer)) == ["dots", "authors", "type", "sums"])
        #expect(try await Self.shown(device).contains("notes good"))
        #expect(try await Self.reasons(device, "type").count == 1)
        let deletions = ["dots", "authors", "sums"].map { Zone.delete("notes", $0) }
        let cursor = try await Zone.fetch(device).cursor
        #expect(try await Zone.send(2, deletions, cursor: cursor, from: device).refused.isEmpty)
        #expect(try await Self.shown(device) == ["notes good"])
    }

    @Test("Later changes of a refused row are refused until its app knows that, and each answer names it (D-1)")
    func unknown() async throws {
        let device = try await RecordsDevice(try TemporaryDirectory(), "a")
        _ = try await Zone.start(device, tables: Self.tables)
        let text = String(repeating: "x", count: 30_000)
        let large = Dictionary(uniqueKeysWithValues: (0..<40).map { ("c\($0)", text) })
        _ = try await Zone.send(2, [Zone.put("notes", "big", large)], first: 1, known: 0, from: device)
        let later = try await Zone.send(
            3, [Zone.put("notes", "big", ["c1": "x"]), Zone.put("notes", "a", ["c0": "x"])], first: 3, known: 0,
            from: device)
        #expect(Self.keys(later) == ["big"])
        #expect(later.refused.map(\.number) == [1])
        #expect(try await Self.shown(device) == ["notes a"])
        // The call comes again, and after another connection the app asks.
        let again = try await Zone.send(3, [], first: 3, known: 0, from: device)
        #expect(Self.keys(again) == ["big"])
        let start = try await Zone.start(device, tables: Self.tables)
        #expect(start.taken == 3)
        #expect(start.refused.map(\.number) == [1])
        let small = try await Zone.send(5, [Zone.put("notes", "big", ["c1": "x"])], first: 4, known: 3, from: device)
        #expect(small.refused.isEmpty)
        #expect(try await Self.shown(device) == ["notes a", "notes big"])
        #expect(try await Zone.start(device, tables: Self.tables).refused.isEmpty)
    }

    @Test("A row that is too large for a message is remembered; an app that takes no refusals loses no change (D-1)")
    func others() async throws {
        let device = try await RecordsDevice(try TemporaryDirectory(), "a")
        _ = try await Zone.start(device, tables: Self.tables)
        let text = String(repeating: "x", count: 30_000)
        let large = Dictionary(uniqueKeysWithValues: (0..<40).map { ("c\($0)", text) })
        var request = Baton_App_V1_SendRowsRequest.with {
            $0.zone.zoneName = "Database"
            $0.actor = Zone.actor
            $0.groups = [
                .with {
                    $0.sequence = 1
                    $0.changes = [Zone.put("notes", "a", ["c0": "x"]), Zone.put("notes", "big", large)]
                }
            ]
        }
        let old = request
        await #expect(throws: BatonError.self) {
            _ = try await device.replica.perform { try $0.send(old) }
        }
        #expect(try await Zone.start(device, tables: Self.tables).taken == 0)
        #expect(try await Self.shown(device).isEmpty)
        request.known = 0
        request.groups[0].changes.removeLast()
        request.groups[0].refused = [
            .with {
                $0.table = "notes"
                $0.key = [.with { $0.text = "big" }]
                $0.reason = "It is too large."
            }
        ]
        let new = request
        let answer = try await device.replica.perform { try $0.send(new) }
        #expect(Self.keys(answer) == ["big"])
        #expect(try await Self.shown(device) == ["notes a"])
        let start = try await Zone.start(device, tables: Self.tables)
        #expect(start.refused == answer.refused)
        #expect(try await Self.reasons(device, "big") == ["It is too large."])
    }
}
