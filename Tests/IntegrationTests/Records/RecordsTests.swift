import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Databases of records of an account's devices: through a real cloud, and directly.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct RecordsTests {
        private static let app = "com.example.records"

        private static let database = Baton_App_V1_RecordsDatabase()

        private static func id(_ name: String) -> Baton_App_V1_RecordIdentifier {
            .with {
                $0.recordName = name
                $0.zone.zoneName = "Notes"
            }
        }

        private static func open(_ device: TestDevice) async throws {
            let answer = try await device.call(as: app, RecordsMethods.openDatabase, .with { $0.database = database })
            #expect(answer.container == "iCloud.\(app)")
            #expect(answer.account == .available)
        }

        private static func makeZone(_ device: TestDevice) async throws {
            _ = try await device.call(
                as: app, RecordsMethods.modifyZones,
                .with {
                    $0.database = database
                    $0.save = [.with { $0.zoneName = "Notes" }]
                })
        }

        private static func save(
            _ name: String, tag: String = "", _ fields: [String: String], on device: TestDevice
        ) async throws -> Baton_App_V1_RecordResult {
            let answer = try await device.call(
                as: app, RecordsMethods.modifyRecords,
                .with { request in
                    request.database = database
                    request.atomic = true
                    request.save = [
                        .with { save in
                            save.record.id = id(name)
                            save.record.recordType = "Note"
                            save.record.changeTag = tag
                            save.record.fields = fields.map { key, text in
                                .with {
                                    $0.name = key
                                    $0.value.text = text
                                }
                            }
                        }
                    ]
                })
            return try #require(answer.saved.first)
        }

        private static func fetch(_ name: String, on device: TestDevice) async throws -> Baton_App_V1_Record? {
            let answer = try await device.call(
                as: app, RecordsMethods.fetchRecords,
                .with {
                    $0.database = database
                    $0.records = [id(name)]
                })
            return answer.records.first.flatMap { $0.hasRecord ? $0.record : nil }
        }

        private static func until(_ device: TestDevice, _ name: String, has fields: [String: String]) async throws {
            try await device.until("\(device.name) to have \(fields)") {
                let record = try await fetch(name, on: device)
                return record.map { Dictionary(uniqueKeysWithValues: $0.fields.map { ($0.name, $0.value.text) }) }
                    == fields
            }
        }

        @Test(
            "Without a cloud near devices have the same records; both edits of two that were apart stay (D-1, case 1)")
        func directly() async throws {
            try await TestHousehold.with(2) { household in
                let (one, two) = (household[0], household[1])
                for device in [one, two] { try await Self.open(device) }
                try await Self.makeZone(one)
                let saved = try await Self.save("n", ["text": "one", "title": "t"], on: one)
                #expect(!saved.hasProblem)
                try await Self.until(two, "n", has: ["text": "one", "title": "t"])
                let tag = try #require(try await Self.fetch("n", on: two)).changeTag
                try await two.stop()
                _ = try await Self.save("n", tag: tag, ["text": "here"], on: one)
                try await one.stop()
                try await two.start()
                _ = try await Self.save("n", tag: tag, ["title": "there"], on: two)
                try await one.start()
                for device in [one, two] {
                    try await Self.until(device, "n", has: ["text": "here", "title": "there"])
                }
                let late = try await Self.save("n", tag: tag, ["text": "late"], on: one)
                #expect(late.problem.reason == "server_record_changed")
                #expect(try await one.baton("records").lines.contains { $0.contains("Notes") })
                let shown = try await one.baton("records", "show", Self.app, "Notes", "n")
                #expect(shown.lines.contains { $0.contains("here") })
            }
        }

        @Test("What one device saves the other fetches through the cloud, and a restart keeps it (D-1)")
        func throughTheCloud() async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (one, two) = (household[0], household[1])
                    try await one.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for device in [one, two] {
                        try await CloudAccessTests.isConnected(device)
                        try await device.stop()
                        try await device.start(["--interface", "lo"])
                        try await CloudAccessTests.isConnected(device)
                        try await Self.open(device)
                    }
                    try await Self.makeZone(one)
                    _ = try await Self.save("n", ["text": "sent"], on: one)
                    try await Self.until(two, "n", has: ["text": "sent"])
                    try await two.kill()
                    try await two.start(["--interface", "lo"])
                    #expect(try await Self.fetch("n", on: two)?.fields.first?.value.text == "sent")
                }
            }
        }

        @Test(
            "A program is refused the container of a team that is not its own, and has no database without an account (D-1)"
        )
        func refused() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let other = Baton_App_V1_RecordsDatabase.with {
                    $0.container = "ABCDE12345.com.example.other"
                }
                await #expect(throws: BatonError.self) {
                    try await device.call(as: Self.app, RecordsMethods.openDatabase, .with { $0.database = other })
                }
                let answer = try await device.call(
                    as: Self.app, RecordsMethods.openDatabase, .with { $0.database = Self.database })
                #expect(answer.account == .noAccount)
                await #expect(throws: BatonError.self) {
                    try await device.call(
                        as: Self.app, RecordsMethods.fetchZones, .with { $0.database = Self.database })
                }
            }
        }
    }
}
