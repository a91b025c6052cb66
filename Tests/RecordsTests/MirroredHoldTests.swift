import BatonTestSupport
import BatonWire
import SwiftProtobuf
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
}
