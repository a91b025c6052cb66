import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// Counters of mirrored tables, without an app (D-1).
@Suite("Counters of mirrored zones", .timeLimit(.minutes(1)))
struct MirroredCounterTests {
    static let tables: [Baton_App_V1_RecordTable] = [
        .with {
            $0.name = "pages"
            $0.columns = [MirroredZoneTests.column("id", notNull: true), MirroredZoneTests.column("slug")]
            $0.columns.append(
                .with {
                    $0.name = "views"
                    $0.counter = true
                })
            $0.primaryKey = ["id"]
            $0.uniqueKeys = [
                .with {
                    $0.columns = ["slug"]
                    $0.collision = .merge
                }
            ]
        }
    ]

    private static func page(_ key: String, views: Int64) -> Baton_App_V1_RowChange {
        var change = MirroredZoneTests.put("pages", key, ["slug": "s"])
        change.values.append(
            .with {
                $0.column = "views"
                $0.value.integer = views
            })
        return change
    }

    static func count(_ key: String, _ difference: Int64) -> Baton_App_V1_RowChange {
        var change = MirroredZoneTests.put("pages", key, [:])
        change.differences = [
            .with {
                $0.column = "views"
                $0.value = difference
            }
        ]
        return change
    }

    /// By key; -1 where it is not shown.
    static func views(_ device: RecordsDevice) async throws -> [String: Int64] {
        let rows = try await MirroredZoneTests.fetch(device).groups.flatMap(\.put)
        return Dictionary(
            rows.map { row in
                (row.key.first?.text ?? "", row.values.first { $0.column == "views" }?.value.integer ?? -1)
            }
        ) { $1 }
    }

    @Test("Lines that another process has sent are not taken a second time within a longer group, whole or in parts")
    func twoProcesses() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        _ = try await MirroredZoneTests.send(2, [Self.page("p", views: 0)], first: 1, from: device)
        _ = try await MirroredZoneTests.send(3, [Self.count("p", 1)], first: 3, from: device)
        for continues in [true, false] {
            let error = await #expect(throws: BatonError.self) {
                try await MirroredZoneTests.send(
                    4, [Self.count("p", 2)], continues: continues, first: 3, from: device)
            }
            #expect(error?.reason == "rows_taken")
            #expect(error?.code == .aborted)
        }
        #expect(try await MirroredZoneTests.start(device, tables: Self.tables).taken == 3)
        _ = try await MirroredZoneTests.send(4, [Self.count("p", 1)], first: 4, from: device)
        #expect(try await Self.views(device) == ["p": 2])
        // An app of an earlier version does not say where a group begins.
        _ = try await MirroredZoneTests.send(5, [Self.count("p", 1)], from: device)
        #expect(try await Self.views(device) == ["p": 3])
    }

    @Test("Parts of a group that is sent again count once: with rows that have changed, or in smaller groups")
    func sentAgain() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        func send(
            _ number: UInt64, _ changes: [Baton_App_V1_RowChange], continues: Bool = false, first: UInt64
        ) async throws {
            _ = try await MirroredZoneTests.send(number, changes, continues: continues, first: first, from: device)
        }
        func counted(_ key: String, _ slug: String) -> Baton_App_V1_RowChange {
            var change = Self.count(key, 1)
            change.values = MirroredZoneTests.put("pages", key, ["slug": slug]).values
            return change
        }
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        for (number, key) in [(UInt64(1), "p"), (2, "q"), (3, "r")] {
            var page = Self.page(key, views: 0)
            page.values.removeAll { $0.column == "slug" }
            try await send(number, [page], first: number)
        }
        try await send(9, [counted("p", "old"), Self.count("q", 1)], continues: true, first: 4)
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        try await send(9, [counted("p", "new")], continues: true, first: 4)
        try await send(9, [Self.count("q", 1)], first: 4)
        #expect(try await Self.views(device) == ["p": 1, "q": 1, "r": 0])
        let slugs = try await MirroredZoneTests.fetch(device).groups.flatMap(\.put).flatMap(\.values)
            .filter { $0.column == "slug" }.map(\.value.text)
        #expect(slugs.contains("new") && !slugs.contains("old"))

        try await send(20, [Self.count("p", 1), Self.count("q", 1)], continues: true, first: 10)
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        try await send(15, [Self.count("p", 1), Self.count("q", 1)], first: 10)
        try await send(20, [Self.count("r", 1)], first: 16)
        #expect(try await Self.views(device) == ["p": 2, "q": 2, "r": 1])
    }

    @Test("A row that is one of two records shows the number that it was given when it is replaced")
    func replaced() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        for (device, key) in [(one, "p"), (two, "q")] {
            _ = try await MirroredZoneTests.start(device, tables: Self.tables)
            _ = try await MirroredZoneTests.send(1, [Self.page(key, views: 0)], from: device)
            _ = try await MirroredZoneTests.send(2, [Self.count(key, 3)], from: device)
        }
        try await one.give(to: two)
        try await two.give(to: one)
        #expect(try await Self.views(one) == ["p": 6])
        _ = try await MirroredZoneTests.send(3, [Self.page("p", views: 10)], from: one)
        #expect(try await Self.views(one) == ["p": 10])
        try await one.give(to: two)
        #expect(try await Self.views(two) == ["p": 10])
    }

    @Test("A number that nobody has said is not shown, and one of before is not added to what is known")
    func unknownNumber() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        _ = try await MirroredZoneTests.start(device, tables: Self.tables)
        _ = try await MirroredZoneTests.send(1, [MirroredZoneTests.put("pages", "p", ["slug": "s"])], from: device)
        #expect(try await Self.views(device) == ["p": -1])
        func adopt(_ number: UInt64, views: Int64) async throws {
            let request = Baton_App_V1_SendRowsRequest.with {
                $0.zone.zoneName = "Database"
                $0.actor = MirroredZoneTests.actor
                $0.groups = [
                    .with {
                        $0.sequence = number
                        $0.initial = true
                        $0.changes = [Self.page("p", views: views)]
                    }
                ]
            }
            _ = try await device.replica.perform { try $0.send(request) }
        }
        try await adopt(2, views: 50)
        _ = try await MirroredZoneTests.send(3, [Self.count("p", 1)], from: device)
        try await adopt(4, views: 51)
        #expect(try await Self.views(device) == ["p": 51])
    }

    @Test(
        "A row in which others have counted stays deleted after a time out of the account, unless they counted what the table had not shown (D-1, case 36)"
    )
    func countedElsewhere() async throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try await RecordsDevice(directory, "a"), try await RecordsDevice(directory, "b"))
        for device in [one, two] { _ = try await MirroredZoneTests.start(device, tables: Self.tables) }
        let pages = ["p", "q"].map { MirroredZoneTests.put("pages", $0, ["slug": $0]) }
        _ = try await MirroredZoneTests.send(1, pages, from: one)
        try await one.give(to: two)
        func count(_ number: UInt64, _ keys: [String]) async throws {
            let cursor = try await MirroredZoneTests.fetch(two).cursor
            _ = try await MirroredZoneTests.send(number, keys.map { Self.count($0, 1) }, cursor: cursor, from: two)
        }
        try await count(1, ["p", "q"])
        try await two.give(to: one)
        let cursor = try await MirroredZoneTests.fetch(one).cursor
        try await count(2, ["q"])

        // The first device is out of the account, and has another replica afterwards.
        let again = try await RecordsDevice(directory, "c")
        _ = try await MirroredZoneTests.start(again, cursor: cursor, tables: Self.tables)
        let deletions = ["p", "q"].map { MirroredZoneTests.delete("pages", $0) }
        _ = try await MirroredZoneTests.send(9, deletions, cursor: cursor, from: again)
        try await two.give(to: again)
        try await again.give(to: two)
        for device in [again, two] { #expect(try await Self.views(device) == ["q": 2]) }
    }

    @Test("Which zones there are is never forgotten: graves are not taken there, and none are sent")
    func gravesOfZones() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        let zone = try #require(RecordsDevice.container).zone(.zones)
        let names = try await device.zones.stamps(in: zone).keys.filter { !RecordGraves.isName($0) }
        #expect(!names.isEmpty)
        for name in names {
            let id = RecordGraves.id(of: try RecordName(name))
            let shard = Graveyard.name(of: id)
            var graves = Graveyard()
            let now = UInt64(Date().timeIntervalSince1970 * 1000)
            graves.bury(id, at: HybridTimestamp(milliseconds: now, counter: 0).rawValue)
            let item = RecordGraves.itemName(ofShard: shard)
            let content = try #require(graves.content(ofName: shard))
            try await device.zones.exchanged([item: content], in: zone)
            try await device.zones.received([IncomingItem(name: item, version: 1, state: .content(content))], in: zone)
        }
        let left = try await device.replica.perform { transaction in
            let zone = try #require(try transaction.zone(.zones))
            return (
                try Int.fetchOne(transaction.db, sql: "SELECT COUNT(*) FROM grave") ?? 0,
                try transaction.pendingBurials(in: zone, group: 1).count
            )
        }
        #expect(left == (0, 0))
        let pending = try await device.zones.pending(in: zone, limit: 100)
        #expect(!pending.contains { RecordGraves.isName($0.name) })
        #expect(try await device.save([RecordsDevice.record("r", ["text": "x"])]).saved.allSatisfy { !$0.hasProblem })
    }
}
