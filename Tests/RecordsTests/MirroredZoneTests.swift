import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// Rows of mirrored tables, without an app (D-1).
@Suite("Mirrored zones", .timeLimit(.minutes(1)))
struct MirroredZoneTests {
    static let actor = Data(repeating: 7, count: 16)

    static func column(_ name: String, notNull: Bool = false) -> Baton_App_V1_RecordColumn {
        .with {
            $0.name = name
            $0.notNull = notNull
        }
    }

    private static let tables: [Baton_App_V1_RecordTable] = [
        .with {
            $0.name = "lists"
            $0.columns = [column("id", notNull: true), column("title")]
            $0.primaryKey = ["id"]
        },
        .with {
            $0.name = "items"
            $0.columns = [column("id", notNull: true), column("text"), column("list", notNull: true)]
            $0.primaryKey = ["id"]
            $0.foreignKeys = [
                .with {
                    $0.columns = ["list"]
                    $0.table = "lists"
                    $0.targetColumns = ["id"]
                    $0.onDelete = .cascade
                }
            ]
        },
    ]

    static func start(
        _ device: RecordsDevice, cursor: Data = Data(), tables: [Baton_App_V1_RecordTable] = tables,
        actor: Data = actor, retry: Bool = false, on name: String = "DEVICE"
    ) async throws -> Baton_App_V1_SetSchemaResponse {
        let request = Baton_App_V1_SetSchemaRequest.with {
            $0.zone.zoneName = "Database"
            $0.tables = tables
            $0.actor = actor
            $0.cursor = cursor
            $0.retry = retry
        }
        return try await device.replica.perform { try $0.setSchema(request, device: name) }
    }

    static func put(_ table: String, _ key: String, _ values: [String: String]) -> Baton_App_V1_RowChange {
        .with {
            $0.table = table
            $0.key = [.with { $0.text = key }]
            $0.values = values.sorted { $0.key < $1.key }.map { column, text in
                .with {
                    $0.column = column
                    $0.value.text = text
                }
            }
        }
    }

    static func delete(_ table: String, _ key: String) -> Baton_App_V1_RowChange {
        .with {
            $0.table = table
            $0.key = [.with { $0.text = key }]
            $0.deleted = true
        }
    }

    static func send(
        _ number: UInt64, _ changes: [Baton_App_V1_RowChange], cursor: Data = Data(), continues: Bool = false,
        first: UInt64 = 0, actor: Data = actor, known: UInt64? = nil, from device: RecordsDevice
    ) async throws -> Baton_App_V1_SendRowsResponse {
        let request = Baton_App_V1_SendRowsRequest.with {
            $0.zone.zoneName = "Database"
            $0.actor = actor
            $0.cursor = cursor
            $0.known = known ?? number - 1
            $0.groups = [
                .with {
                    $0.first = first
                    $0.sequence = number
                    $0.time = UInt64(Date().timeIntervalSince1970 * 1000)
                    $0.changes = changes
                    $0.continues = continues
                }
            ]
        }
        return try await device.replica.perform { try $0.send(request) }
    }

    static func fetch(
        _ device: RecordsDevice, cursor: Data = Data()
    ) async throws -> Baton_App_V1_FetchRowsResponse {
        let request = Baton_App_V1_FetchRowsRequest.with {
            $0.zone.zoneName = "Database"
            $0.actor = actor
            $0.cursor = cursor
        }
        return try await device.replica.perform { try $0.rows(request) }
    }

    static func keys(_ rows: [Baton_App_V1_ShownRow]) -> [String] {
        rows.map { "\($0.table) \($0.key.first?.text ?? "")" }.sorted()
    }

    @Test("Rows that one app commits are shown to the other device's, whole and once (D-1)")
    func rows() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        #expect(try await Self.start(one).taken == 0)
        _ = try await Self.start(two)
        let taken = try await Self.send(
            3, [Self.put("items", "i", ["text": "milk", "list": "l"]), Self.put("lists", "l", ["title": "Home"])],
            from: one
        ).taken
        #expect(taken == 3)
        // A group that was taken is passed over.
        _ = try await Self.send(3, [Self.delete("lists", "l")], from: one)
        try await one.give(to: two)
        let shown = try await Self.fetch(two)
        #expect(Self.keys(shown.groups.flatMap(\.put)) == ["items i", "lists l"])
        #expect(!shown.more && !shown.continues)
        let item = try #require(shown.groups.flatMap(\.put).first { $0.table == "items" })
        #expect(item.values.map(\.column) == ["list", "text"])
        #expect(try await Self.fetch(two, cursor: shown.cursor).groups.isEmpty)
        #expect(try await Self.start(two, cursor: shown.cursor).cursorKnown)
        #expect(try await !Self.start(two, cursor: Data(count: 24)).cursorKnown)

        _ = try await Self.send(4, [Self.delete("items", "i")], cursor: try await Self.fetch(one).cursor, from: one)
        try await one.give(to: two)
        let after = try await Self.fetch(two, cursor: shown.cursor)
        #expect(Self.keys(after.groups.flatMap(\.remove)) == ["items i"])
    }

    @Test(
        "Rows that a table has deleted while its device was out of the account stay deleted, unless somebody had edited them; others' deletions stay too (D-1, case 36)"
    )
    func former() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        for device in [one, two] { _ = try await Self.start(device) }
        let items = (1...5).map { Self.put("items", "i\($0)", ["text": "old", "list": "l"]) }
        _ = try await Self.send(1, [Self.put("lists", "l", ["title": "Home"])] + items, from: one)
        try await one.give(to: two)
        let cursor = try await Self.fetch(two).cursor

        // The second device is out of the account, and has another replica afterwards.
        let edits = [Self.put("items", "i2", ["text": "new"]), Self.delete("items", "i3")]
        _ = try await Self.send(2, edits, cursor: try await Self.fetch(one).cursor, from: one)
        let again = try await RecordsDevice(directory, "c")
        #expect(try await !Self.start(again, cursor: cursor).cursorKnown)
        let deletions = [Self.delete("items", "i1"), Self.delete("items", "i2")]
        _ = try await Self.send(9, deletions, cursor: cursor, from: again)
        let rest = ["i3", "i4", "i5"].map { Self.put("items", $0, ["text": "old", "list": "l"]) }
        let initial = Baton_App_V1_SendRowsRequest.with {
            $0.zone.zoneName = "Database"
            $0.actor = Self.actor
            $0.cursor = cursor
            $0.groups = [
                .with {
                    $0.sequence = 10
                    $0.initial = true
                    $0.changes = [Self.put("lists", "l", ["title": "Home"])] + rest
                }
            ]
        }
        _ = try await again.replica.perform { try $0.send(initial) }
        try await one.give(to: again)
        let left = ["items i2", "items i4", "items i5", "lists l"]
        #expect(Self.keys(try await Self.fetch(again).groups.flatMap(\.put)) == left)
        // A record that is there already.
        _ = try await Self.send(11, [Self.delete("items", "i4")], cursor: cursor, from: again)
        for _ in 0..<2 {
            try await again.give(to: one)
            try await one.give(to: again)
        }
        for device in [one, again] {
            #expect(
                Self.keys(try await Self.fetch(device).groups.flatMap(\.put)) == ["items i2", "items i5", "lists l"])
        }
    }

    @Test("An item without its list is held, told to people, and shown once the list comes (D-1, case 13)")
    func held() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        for device in [one, two] { _ = try await Self.start(device) }
        _ = try await Self.send(1, [Self.put("lists", "l", ["title": "Home"])], from: one)
        _ = try await Self.send(2, [Self.put("items", "i", ["text": "milk", "list": "l"])], from: one)
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Database")))
        let names = try await one.zones.stamps(in: zone).keys
        let all = try await one.zones.contents(of: Array(names), in: zone)
        try await two.zones.exchanged(all.filter { $0.key.hasPrefix("items") }, in: zone)
        // Its app hears of it, and why.
        let held = try await Self.fetch(two)
        #expect(held.groups.flatMap(\.put).isEmpty)
        #expect(held.groups.flatMap(\.remove).map(\.held) == ["it needs the row lists/l, which has not come"])
        let shown = try await two.replica.perform { try $0.shownZones }
        #expect(shown.first { $0.name == "Database" }?.held == 1)
        try await two.zones.exchanged(all, in: zone)
        let after = try await Self.fetch(two, cursor: held.cursor)
        #expect(
            Self.keys(after.groups.flatMap(\.put)) == ["items i", "lists l"] && after.groups.flatMap(\.remove).isEmpty)
    }

    @Test("A group in parts is shown when its last part is there (D-1)")
    func parts() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await Self.start(device)
        _ = try await Self.send(5, [Self.put("lists", "l", ["title": "x"])], continues: true, from: device)
        _ = try await Self.send(5, [Self.put("lists", "l", ["title": "x"])], continues: true, from: device)
        #expect(try await Self.fetch(device).groups.isEmpty)
        #expect(try await Self.send(5, [Self.put("lists", "m", ["title": "y"])], from: device).taken == 5)
        #expect(Self.keys(try await Self.fetch(device).groups.flatMap(\.put)) == ["lists l", "lists m"])
    }

    @Test("Another schema of a table with 5,000 rows writes no item and tells no row that stays as it was (D-1)")
    func schemaWritesNothing() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await Self.start(device)
        _ = try await Self.send(
            1,
            [Self.put("lists", "l", ["title": "Home"])]
                + (0..<5_000).map { Self.put("items", "i\($0)", ["text": "a", "list": "l"]) }, from: device)
        func state() async throws -> [Int64] {
            try await device.replica.perform { transaction in
                try ["SUM(sequence)", "SUM(pending)", "COUNT(*)"].map {
                    try Int64.fetchOne(transaction.db, sql: "SELECT \($0) FROM record") ?? 0
                }
            }
        }
        let before = try await state()
        var page = try await Self.fetch(device)
        while page.more { page = try await Self.fetch(device, cursor: page.cursor) }
        let cursor = page.cursor
        var tables = Self.tables
        tables[1].columns.append(Self.column("color"))
        #expect(try await Self.start(device, tables: tables).changed)
        #expect(try await state() == before)
        #expect(try await Self.fetch(device, cursor: cursor).groups.isEmpty)
    }

    @Test("A group that gives 3,000 rows a unique value is looked through once, within the time of a test (D-1)")
    func manyUniqueValues() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        var tables = Self.tables
        tables[0].uniqueKeys = [
            .with {
                $0.columns = ["title"]
                $0.collision = .merge
            }
        ]
        _ = try await Self.start(device, tables: tables)
        _ = try await Self.send(
            1, (0..<3_000).map { Self.put("lists", "l\($0)", ["title": "t\($0 % 2_999)"]) }, from: device)
        let shown = try await device.replica.perform { transaction in
            try Int.fetchOne(transaction.db, sql: "SELECT COUNT(*) FROM shown WHERE state = 2")
        }
        #expect(shown == 2_999)
    }

    @Test("A schema with fewer unique keys than before, or in another order, is taken (D-1)")
    func fewerUniqueKeys() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        func lists(_ unique: [[String]]) -> [Baton_App_V1_RecordTable] {
            var lists = Self.tables[0]
            lists.uniqueKeys = unique.map { columns in
                .with {
                    $0.columns = columns
                    $0.collision = .clear
                    $0.clearedColumn = columns[0]
                }
            }
            lists.columns.append(Self.column("color"))
            return [lists]
        }
        _ = try await Self.start(device, tables: lists([["title"], ["color"]]))
        _ = try await Self.send(1, [Self.put("lists", "l", ["title": "Home", "color": "red"])], from: device)
        _ = try await Self.send(2, [Self.put("lists", "m", ["title": "red", "color": "Home"])], from: device)
        for unique in [[["color"], ["title"]], [["title"]], []] {
            #expect(try await Self.start(device, tables: lists(unique)).changed)
            let shown = try await Self.fetch(device).groups.flatMap(\.put)
            #expect(shown.map { $0.values.map(\.value.text) } == [["red", "Home"], ["Home", "red"]])
        }
    }

    @Test("A row of which a content is away is held, and tried again when the app connects and now and then (D-1)")
    func contentAway() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await Self.start(device)
        _ = try await Self.send(1, [Self.put("lists", "l", ["title": "Home"])], from: device)
        func report(_ reason: String) async throws {
            let request = Baton_App_V1_ReportHeldRequest.with {
                $0.zone.zoneName = "Database"
                $0.rows = [
                    .with {
                        $0.table = "lists"
                        $0.key = [.with { $0.text = "l" }]
                        $0.reason = reason
                    }
                ]
            }
            try await device.replica.perform { try $0.hold(request) }
        }
        try await report("content_away")
        #expect(try await Self.fetch(device).groups.flatMap(\.put).isEmpty)
        _ = try await Self.start(device)
        #expect(Self.keys(try await Self.fetch(device).groups.flatMap(\.put)) == ["lists l"])
        try await report("UNIQUE constraint failed")
        _ = try await Self.start(device)
        #expect(try await Self.fetch(device).groups.flatMap(\.put).isEmpty)
    }

    @Test("A group in parts is bounded, and one that does not end is removed and sent anew (D-1)")
    func staging() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await Self.start(device)
        let text = String(repeating: "x", count: 1 << 20)
        for number in 0..<15 {
            _ = try await Self.send(1, [Self.put("lists", "\(number)", ["title": text])], continues: true, from: device)
        }
        let error = await #expect(throws: BatonError.self) {
            try await Self.send(1, [Self.put("lists", "x", ["title": text])], continues: true, from: device)
        }
        #expect(error?.reason == "limit_exceeded")

        try await device.replica.perform { transaction in
            try transaction.tidy()
            #expect(try Int.fetchOne(transaction.db, sql: "SELECT COUNT(*) FROM staged") == 15)
            try transaction.db.execute(sql: "UPDATE staged SET time = 1")
            try transaction.tidy()
            #expect(try Int.fetchOne(transaction.db, sql: "SELECT COUNT(*) FROM staged") == 0)
        }
        for continues in [true, false] {
            let error = await #expect(throws: BatonError.self) {
                try await Self.send(1, [Self.put("lists", "x", [:])], continues: continues, from: device)
            }
            #expect(error?.reason == "parts_removed")
        }
        _ = try await Self.start(device)
        #expect(try await Self.send(1, [Self.put("lists", "x", [:])], from: device).taken == 1)
    }

    @Test("A database too many takes the place of the one that was silent for longest (D-1)")
    func manyMirrors() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        @Sendable func actor(_ number: Int) -> Data { Data(repeating: 0, count: 15) + Data([UInt8(number)]) }
        for number in 0..<64 { _ = try await Self.start(device, actor: actor(number)) }
        try await device.replica.perform { transaction in
            for number in 0..<64 {
                try transaction.db.execute(
                    sql: "UPDATE mirror SET used = ? WHERE actor = ?", arguments: [number + 1, actor(number)])
            }
        }
        // It has begun a group.
        _ = try await Self.send(1, [Self.put("lists", "l", [:])], continues: true, actor: actor(0), from: device)
        try await device.replica.perform { try $0.db.execute(sql: "UPDATE mirror SET used = 1 WHERE used > 64") }
        _ = try await Self.start(device, actor: actor(64))
        let left = try await device.replica.perform { try Data.fetchAll($0.db, sql: "SELECT actor FROM mirror") }
        #expect(Set(left) == Set((0...64).filter { $0 != 1 }.map(actor)))
    }
}
