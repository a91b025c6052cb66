import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// Rows that a table refuses, without an app (D-1).
@Suite("Held rows of mirrored zones", .timeLimit(.minutes(1)))
struct MirroredHoldTests {
    private static let tables: [Baton_App_V1_RecordTable] = [
        .with {
            $0.name = "lists"
            $0.columns = [MirroredZoneTests.column("id", notNull: true), MirroredZoneTests.column("title")]
            $0.primaryKey = ["id"]
            $0.uniqueKeys = [
                .with {
                    $0.columns = ["title"]
                    $0.collision = .merge
                }
            ]
        },
        .with {
            $0.name = "covers"
            $0.columns = [MirroredZoneTests.column("list", notNull: true), MirroredZoneTests.column("image")]
            $0.primaryKey = ["list"]
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

    @Test("A row that was refused is tried again when a record changes that has become it by its key")
    func followed() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        func images() async throws -> [String: String] {
            let rows = try await MirroredZoneTests.fetch(device).groups.flatMap(\.put).filter { $0.table == "covers" }
            return Dictionary(
                rows.map { row in
                    (row.key.first?.text ?? "", row.values.first { $0.column == "image" }?.value.text ?? "")
                }
            ) { $1 }
        }
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        _ = try await MirroredZoneTests.send(
            1, [MirroredZoneTests.put("lists", "a", ["title": "Home"])], from: device)
        _ = try await MirroredZoneTests.send(
            2,
            [
                MirroredZoneTests.put("lists", "b", ["title": "Home"]),
                MirroredZoneTests.put("covers", "b", ["image": "refused"]),
            ], from: device)
        #expect(try await images() == ["a": "refused"])
        let report = Baton_App_V1_ReportHeldRequest.with {
            $0.zone.zoneName = "Database"
            $0.rows = [
                .with {
                    $0.table = "covers"
                    $0.key = [.with { $0.text = "a" }]
                    $0.reason = "CHECK constraint failed"
                }
            ]
        }
        try await device.replica.perform { try $0.hold(report) }
        #expect(try await images().isEmpty)
        // Its author had not heard that the lists are one.
        _ = try await MirroredZoneTests.send(
            3, [MirroredZoneTests.put("covers", "b", ["image": "good"])], from: device)
        #expect(try await images() == ["a": "good"])
    }

    // MARK: Contents that are away

    /// What an app reports of a row that it has fetched up to a cursor.
    private static func hold(
        _ table: String, _ key: String, _ reason: String = "content_away", stays: Bool = false,
        cursor: Data = Data(), on device: RecordsDevice
    ) async throws {
        let report = Baton_App_V1_ReportHeldRequest.with {
            $0.zone.zoneName = "Database"
            $0.cursor = cursor
            $0.rows = [
                .with {
                    $0.table = table
                    $0.key = [.with { $0.text = key }]
                    $0.reason = reason
                    $0.stays = stays
                }
            ]
        }
        try await device.replica.perform { try $0.hold(report) }
    }

    private static func put(_ response: Baton_App_V1_FetchRowsResponse) -> [String] {
        MirroredZoneTests.keys(response.groups.flatMap(\.put))
    }

    private static func removed(_ response: Baton_App_V1_FetchRowsResponse) -> [String] {
        MirroredZoneTests.keys(response.groups.flatMap(\.remove))
    }

    /// A list with a cover, both sent.
    private static func deviceWithCover(_ directory: TemporaryDirectory) async throws -> RecordsDevice {
        let device = try await RecordsDevice(directory, "a")
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        _ = try await MirroredZoneTests.send(
            1,
            [
                MirroredZoneTests.put("lists", "a", ["title": "Home"]),
                MirroredZoneTests.put("covers", "a", ["image": "one"]),
            ], from: device)
        return device
    }

    private static func database(_ device: RecordsDevice) async throws -> ReplicaZone {
        let name = try #require(RecordZoneName("Database"))
        return try #require(try await device.replica.perform { try $0.zone(name) })
    }

    @Test(
        "A row that changed while the app looked for its content is not held on account of what it was before (D-1, case 32)"
    )
    func changedMeanwhile() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Self.deviceWithCover(directory)
        let cursor = try await MirroredZoneTests.fetch(device).cursor
        // Its author has the next one only by now.
        _ = try await MirroredZoneTests.send(
            2, [MirroredZoneTests.put("covers", "a", ["image": "two"])], from: device)
        for (reason, stays) in [("content_away", false), ("content_away", true), ("CHECK constraint failed", false)] {
            try await Self.hold("covers", "a", reason, stays: stays, cursor: cursor, on: device)
        }
        let news = try await MirroredZoneTests.fetch(device, cursor: cursor)
        let covers = news.groups.flatMap(\.put).filter { $0.table == "covers" }
        #expect(covers.flatMap(\.values).map(\.value.text) == ["two"])
        #expect(Self.removed(news).isEmpty)
        try await Self.hold("covers", "a", cursor: news.cursor, on: device)
        #expect(Self.removed(try await MirroredZoneTests.fetch(device, cursor: news.cursor)) == ["covers a"])
    }

    @Test(
        "A row whose new content is away stays in its table as it was, with the rows that need it, and comes again (D-1)"
    )
    func stays() async throws {
        let directory = try TemporaryDirectory()
        let device = try await Self.deviceWithCover(directory)
        _ = try await MirroredZoneTests.send(
            2, [MirroredZoneTests.put("lists", "a", ["title": "Work"])], from: device)
        let zone = try await Self.database(device)
        var cursor = try await MirroredZoneTests.fetch(device).cursor
        func again(_ retry: () async throws -> Void) async throws {
            try await Self.hold("lists", "a", stays: true, cursor: cursor, on: device)
            let news = try await MirroredZoneTests.fetch(device, cursor: cursor)
            #expect(Self.put(news).isEmpty && Self.removed(news).isEmpty)
            let held = try await device.replica.look { try $0.held(in: zone, limit: 5) }
            #expect(held.map(\.reason) == [ShownRows.earlierState])
            try await retry()
            let shown = try await MirroredZoneTests.fetch(device, cursor: news.cursor)
            #expect(Self.put(shown) == ["lists a"] && Self.removed(shown).isEmpty)
            #expect(try await device.replica.look { try $0.countHeld(in: zone) } == 0)
            cursor = shown.cursor
        }
        try await again { try await device.service.retryContents(of: device.replica) }
        try await again { _ = try await MirroredZoneTests.start(device, tables: Self.tables) }
        try await again {
            _ = try await MirroredZoneTests.send(
                3, [MirroredZoneTests.put("lists", "a", ["title": "Office"])], from: device)
        }
        // With another schema all rows are looked at, and those that are as they were last sent are not sent.
        try await again {
            var tables = Self.tables
            tables[1].columns.append(MirroredZoneTests.column("note"))
            let answer = try await MirroredZoneTests.start(device, tables: tables)
            #expect(answer.changed)
        }
    }

    @Test("A deletion of a row that stayed as it was keeps what another device has changed since (D-1)")
    func deletedBefore() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        for device in [one, two] { _ = try await MirroredZoneTests.start(device, tables: Self.tables) }
        for (number, title) in [(UInt64(1), "Home"), (2, "Work")] {
            _ = try await MirroredZoneTests.send(
                number, [MirroredZoneTests.put("lists", "a", ["title": title])], from: one)
            try await one.give(to: two)
        }
        let cursor = try await MirroredZoneTests.fetch(two).cursor
        try await Self.hold("lists", "a", stays: true, cursor: cursor, on: two)
        _ = try await MirroredZoneTests.send(1, [MirroredZoneTests.delete("lists", "a")], cursor: cursor, from: two)
        let shown = try await MirroredZoneTests.fetch(two, cursor: cursor)
        #expect(shown.groups.flatMap(\.put).flatMap(\.values).map(\.value.text) == ["Work"])
        // Now its table has that.
        _ = try await MirroredZoneTests.send(
            2, [MirroredZoneTests.delete("lists", "a")], cursor: shown.cursor, from: two)
        #expect(Self.removed(try await MirroredZoneTests.fetch(two, cursor: shown.cursor)) == ["lists a"])
    }

    @Test("Rows of which a content was away are tried again when the cloud has their record, and so the content (D-1)")
    func cloudHasIt() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        _ = try await MirroredZoneTests.send(
            1, [MirroredZoneTests.put("lists", "a", ["title": "Home"])], from: device)
        let zone = try #require(RecordsDevice.container).zone(#require(RecordZoneName("Database")))
        let item = try #require(try await device.zones.pending(in: zone, limit: 5).first)
        for stays in [false, true] {
            let ways: [() async throws -> Void] = [
                { try await device.zones.written([(item, 1)], in: zone) },
                { try await device.zones.received([.init(name: item.name, version: 2, state: item.state)], in: zone) },
            ]
            for way in ways {
                let cursor = try await MirroredZoneTests.fetch(device).cursor
                try await Self.hold("lists", "a", stays: stays, cursor: cursor, on: device)
                try await way()
                #expect(Self.put(try await MirroredZoneTests.fetch(device, cursor: cursor)) == ["lists a"])
            }
        }
    }

    @Test("Rows that a table has refused are tried again when the app says that its triggers are others (D-1)")
    func otherTriggers() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        _ = try await MirroredZoneTests.send(
            1, [MirroredZoneTests.put("lists", "a", ["title": "Home"])], from: device)
        try await Self.hold("lists", "a", "not today", on: device)
        for (retry, shown) in [(false, []), (true, ["lists a"])] as [(Bool, [String])] {
            _ = try await MirroredZoneTests.start(device, tables: Self.tables, retry: retry)
            #expect(Self.put(try await MirroredZoneTests.fetch(device)) == shown)
        }
    }
}
