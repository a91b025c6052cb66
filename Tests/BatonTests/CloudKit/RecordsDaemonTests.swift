import AppLink
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// CloudKit's names and the messages of the daemon (D-1).
@Suite(.timeLimit(.minutes(1))) struct RecordsDaemonTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")
    private let daemon = RecordsDaemonInMemory()
    private let server: RecordsDaemon

    init() {
        let daemon = daemon
        server = RecordsDaemon(
            link: DaemonLink {
                DaemonLink.Environment(
                    socketPath: "/run/baton.sock", problem: nil, bundleIdentifier: "com.example.App",
                    makeClient: { _ in daemon })
            })
    }

    private var database: CKDatabase {
        CKContainer(name: "", server: server, callback: { $0() }).privateCloudDatabase
    }

    private static func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone) }

    private func file(_ bytes: Data, in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent(UUID().uuidString)
        try bytes.write(to: url)
        return url
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
        server.assets.remove()
    }

    @Test("a value of each kind goes to the daemon and comes back, large ones and files by parts (D-1)")
    func values() async throws {
        try await withFolder { folder in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
            let record = CKRecord(recordType: "Note", recordID: Self.id("a"))
            let long = String(repeating: "ä", count: 40_000)
            record["long"] = long
            record["data"] = Data([1])
            record["date"] = Date(timeIntervalSinceReferenceDate: 0.25)
            record["integer"] = Int64.max
            record["real"] = -0.5
            record["place"] = CLLocation(latitude: 1, longitude: 2)
            record["reference"] = CKRecord.Reference(recordID: Self.id("b"), action: .deleteSelf)
            record["list"] = ["a", "b"]
            record["asset"] = CKAsset(fileURL: try file(bytes, in: folder))
            record.encryptedValues["list"] = [1, 2]
            record.setParent(Self.id("b"))
            let saved = try await database.save(record)
            #expect(saved.recordChangeTag == "1" && saved.changedKeys() == [] && saved.parent?.recordID == Self.id("b"))
            #expect(saved.creationDate == Date(timeIntervalSince1970: 1))
            #expect(saved.creatorUserRecordID?.recordName == "_user")
            // The bytes are here: they are not read again.
            #expect(!daemon.requests.contains("ReadAsset"))
            #expect((saved["asset"] as? CKAsset)?.fileURL == (record["asset"] as? CKAsset)?.fileURL)

            let fetched = try await database.record(for: Self.id("a"))
            #expect(fetched["long"] as? String == long)
            #expect(fetched["data"] as? Data == Data([1]))
            #expect(fetched["date"] as? Date == Date(timeIntervalSinceReferenceDate: 0.25))
            #expect(fetched["integer"] as? Int64 == .max && fetched["real"] as? Double == -0.5)
            #expect((fetched["place"] as? CLLocation)?.coordinate.latitude == 1)
            #expect((fetched["reference"] as? CKRecord.Reference)?.action == .deleteSelf)
            #expect(fetched["list"] as? [String] == ["a", "b"])
            #expect(fetched.encryptedValues["list"] as? [Int] == [1, 2])
            let url = try #require((fetched["asset"] as? CKAsset)?.fileURL)
            #expect(try Data(contentsOf: url) == bytes)
            // One content lies there once, and an asset that is kept is not sent again.
            let writes = daemon.requests.filter { $0 == "WriteAsset" }.count
            let again = try await database.record(for: Self.id("a"))
            #expect((again["asset"] as? CKAsset)?.fileURL == url)
            _ = try await database.modifyRecords(saving: [again], deleting: [], savePolicy: .allKeys)
            // The long text alone.
            #expect(daemon.requests.filter { $0 == "WriteAsset" }.count == writes + 1)
        }
    }

    @Test("a query reads no file of an asset but of the records that it finds (D-1)")
    func queries() async throws {
        try await withFolder { folder in
            for name in ["a", "b"] {
                let record = CKRecord(recordType: "Note", recordID: Self.id(name))
                record["title"] = name
                record["asset"] = CKAsset(fileURL: try file(Data(name.utf8), in: folder))
                try await database.save(record)
            }
            daemon.loseAssets()
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title == 'b'"))
            let found = try await database.records(matching: query, inZoneWith: Self.zone).matchResults
            #expect(found.map(\.0) == [Self.id("b")])
            #expect(daemon.requests.count { $0 == "ReadAsset" } <= 1)
        }
    }

    @Test("only fields that were set are sent; one that was removed is named without a value (D-1)")
    func changes() async throws {
        let record = CKRecord(recordType: "Note", recordID: Self.id("a"))
        record["a"] = 1
        record["b"] = 2
        let saved = try await database.save(record)
        saved["a"] = nil
        saved["c"] = 3
        _ = try await database.save(saved)
        #expect(daemon.record("a")?.fields.map(\.name).sorted() == ["b", "c"])
        #expect(daemon.record("a")?.id.zone.ownerName == "")
    }

    @Test("a record that moved comes with ancestor, server's and client's record (D-1)")
    func conflict() async throws {
        let record = CKRecord(recordType: "Note", recordID: Self.id("a"))
        record["text"] = "ancestor"
        let saved = try await database.save(record)
        var server = try #require(daemon.record("a"))
        server.fields[0].value.text = "server"
        server.changeTag = "9"
        daemon.put(server)
        daemon.refuse(
            .with {
                $0.reason = "server_record_changed"
                $0.message = "The record has moved."
            })
        saved["text"] = "client"
        do {
            _ = try await database.save(saved)
            Issue.record("saved")
        } catch let error as CKError where error.code == .serverRecordChanged {
            let records = [error.ancestorRecord, error.serverRecord, error.clientRecord]
            #expect(records.map { $0?["text"] as? String } == ["ancestor", "server", "client"])
            #expect(error.serverRecord?.recordChangeTag == "9" && error.localizedDescription == "The record has moved.")
        }
    }

    @Test(
        "the daemon's refusals have CloudKit's codes (D-1)",
        arguments: [
            ("missing_entitlement", BatonError.Code.permissionDenied, CKError.Code.missingEntitlement),
            ("bad_container", .permissionDenied, .badContainer),
            ("not_authenticated", .failedPrecondition, .notAuthenticated),
            ("quota_exceeded", .resourceExhausted, .quotaExceeded), ("zone_not_found", .notFound, .zoneNotFound),
            ("daemon_not_running", .unavailable, .networkUnavailable), ("unknown_upload", .notFound, .networkFailure),
            ("x", .deadlineExceeded, .networkFailure),
            ("x", .unimplemented, .incompatibleVersion), ("x", .internal, .internalError),
        ])
    func refusals(reason: String, code: BatonError.Code, expected: CKError.Code) async throws {
        daemon.fail(BatonError(code, reason: reason, "No."))
        do {
            _ = try await database.record(for: Self.id("a"))
            Issue.record("no error")
        } catch let error as CKError {
            #expect(error.code == expected)
        }
    }

    @Test("a token that is none is one that has expired; an asset that is nowhere is told for its record (D-1)")
    func unavailable() async throws {
        do {
            _ = try await database.recordZoneChanges(
                inZoneWith: Self.zone, since: CKServerChangeToken(data: Data([7])))
            Issue.record("no error")
        } catch CKError.changeTokenExpired {}
        try await withFolder { folder in
            let record = CKRecord(recordType: "Note", recordID: Self.id("a"))
            record["asset"] = CKAsset(fileURL: try file(Data([1]), in: folder))
            _ = try await database.save(record)
            daemon.loseAssets()
            let page = try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil)
            do {
                _ = try page.modificationResultsByID[Self.id("a")]?.get()
                Issue.record("no error")
            } catch CKError.assetNotAvailable {}
            let missing = CKRecord(recordType: "Note", recordID: Self.id("b"))
            missing["asset"] = CKAsset(fileURL: folder.appendingPathComponent("none"))
            let other = CKRecord(recordType: "Note", recordID: Self.id("c"))
            let results = try await database.modifyRecords(saving: [missing, other], deleting: []).saveResults
            let codes = results.mapValues { result -> CKError.Code? in
                if case .failure(let error) = result { (error as? CKError)?.code } else { nil }
            }
            #expect(codes == [Self.id("b"): .assetFileNotFound, Self.id("c"): .batchRequestFailed])
        }
    }

    @Test("where nothing is shared, the shared database is there and empty, and makes no zones (D-1)")
    func nothingShared() async throws {
        let shared = CKContainer(name: "", server: server, callback: { $0() }).sharedCloudDatabase
        #expect(try await shared.allRecordZones().isEmpty)
        let changes = try await shared.databaseChanges(since: nil)
        #expect(changes.modifications.isEmpty && changes.deletions.isEmpty && !changes.moreComing)
        do {
            _ = try await shared.save(CKRecord(recordType: "Note", recordID: Self.id("a")))
            Issue.record("no error")
        } catch CKError.zoneNotFound {}
        do {
            _ = try await shared.save(CKRecordZone(zoneID: Self.zone))
            Issue.record("no error")
        } catch CKError.badDatabase {}
    }

    @Test("hostile answers are errors, and stop nothing (D-1)")
    func hostile() async throws {
        var record = Baton_App_V1_Record()
        record.id.recordName = "a"
        record.fields = [
            .with { $0.name = "nothing" },
            .with {
                $0.name = "asset"
                $0.value.asset.sha256 = Data("../../x".utf8)
            },
            .with {
                $0.name = "list"
                $0.value.list.values = [.with { $0.list.values = [.with { $0.integer = 1 }] }, .init()]
            },
            .with { $0.value.date = .nan },
        ]
        daemon.put(record)
        do {
            _ = try await database.record(for: Self.id("a"))
            Issue.record("no error")
        } catch CKError.assetNotAvailable {}
        record.fields.remove(at: 1)
        daemon.put(record)
        let fetched = try await database.record(for: Self.id("a"))
        #expect(fetched.allKeys().contains("list") && fetched.recordID.zoneID.zoneName == "")
    }
}
