import Baton
import Foundation
import Synchronization

// Uses CKDatabase in ways that tests ask for, and prints one line for each; see CloudKitDatabaseTests.

func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

let zone = CKRecordZone(zoneName: "Probe")
let arguments = Array(CommandLine.arguments.dropFirst())
let database = CKContainer.default().privateCloudDatabase

func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone.zoneID) }

func name(_ error: any Error) -> String {
    guard let error = error as? CKError else { return "\(error)" }
    return "\(error.code)"
}

/// One value of each kind.
func everything(_ record: CKRecord) throws {
    record["text"] = "Ünïcode 🐒"
    record["long"] = String(repeating: "long ", count: 20_000)
    record["data"] = Data([0, 255, 1])
    record["date"] = Date(timeIntervalSinceReferenceDate: 123_456.5)
    record["integer"] = Int64.min
    record["real"] = 0.1
    record["flag"] = true
    record["place"] = CLLocation(latitude: 48.2, longitude: 16.4)
    record["reference"] = CKRecord.Reference(recordID: id("other"), action: .none)
    record["texts"] = ["a", "b"]
    record["numbers"] = [1, 2, 3]
    record.encryptedValues["text"] = "secret"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: file)
    record["asset"] = CKAsset(fileURL: file)
}

func differences(_ record: CKRecord) throws -> [String] {
    var wrong: [String] = []
    func check(_ name: String, _ isRight: Bool) { if !isRight { wrong.append(name) } }
    check("text", record["text"] as? String == "Ünïcode 🐒")
    check("long", record["long"] as? String == String(repeating: "long ", count: 20_000))
    check("data", record["data"] as? Data == Data([0, 255, 1]))
    check("date", record["date"] as? Date == Date(timeIntervalSinceReferenceDate: 123_456.5))
    check("integer", record["integer"] as? Int64 == .min)
    check("real", record["real"] as? Double == 0.1)
    check("flag", record["flag"] as? Bool == true)
    check("place", (record["place"] as? CLLocation)?.coordinate.longitude == 16.4)
    check("reference", (record["reference"] as? CKRecord.Reference)?.recordID == id("other"))
    check("texts", record["texts"] as? [String] == ["a", "b"])
    check("numbers", record["numbers"] as? [Int] == [1, 2, 3])
    check("encrypted", record.encryptedValues["text"] as? String == "secret")
    let bytes = (record["asset"] as? CKAsset)?.fileURL.flatMap { try? Data(contentsOf: $0) }
    check("asset", bytes == Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
    check("tag", record.recordChangeTag != nil)
    check("dates", record.creationDate != nil && record.modificationDate != nil)
    return wrong
}

do {
    switch arguments.first {
    case "status":
        write("\(try await CKContainer.default().accountStatus())")
        write((try? await CKContainer.default().userRecordID().recordName) ?? "nobody")
    case "save":
        try await database.save(zone)
        let record = CKRecord(recordType: "Probe", recordID: id(arguments[1]))
        try everything(record)
        write(try differences(try await database.save(record)).joined(separator: " ") + "saved")
    case "fetch":
        let wrong = try differences(try await database.record(for: id(arguments[1])))
        write(wrong.isEmpty ? "same" : "different: \(wrong)")
    case "set":
        // One text of a record.
        let record: CKRecord
        do {
            record = try await database.record(for: id(arguments[1]))
        } catch CKError.unknownItem {
            record = CKRecord(recordType: "Probe", recordID: id(arguments[1]))
        } catch CKError.zoneNotFound {
            try await database.save(zone)
            record = CKRecord(recordType: "Probe", recordID: id(arguments[1]))
        }
        record[arguments[2]] = arguments[3]
        try await database.save(record)
        write("saved")
    case "get":
        let record = try await database.record(for: id(arguments[1]))
        write(record.map { "\($0.0)=\($0.1 as? String ?? "?")" }.joined(separator: ","))
    case "delete":
        try await database.deleteRecord(withID: id(arguments[1]))
        write("deleted")
    case "conflict":
        // The record moves between a fetch and a save.
        try await database.save(zone)
        let first = CKRecord(recordType: "Probe", recordID: id("conflict"))
        first["text"] = "ancestor"
        let mine = try await database.save(first)
        let theirs = try await database.record(for: id("conflict"))
        theirs["text"] = "server"
        try await database.save(theirs)
        mine["text"] = "client"
        do {
            try await database.save(mine)
            write("saved")
        } catch let error as CKError {
            let texts = [error.ancestorRecord, error.serverRecord, error.clientRecord].map {
                $0?["text"] as? String ?? "nil"
            }
            write("\(error.code) \(texts.joined(separator: " "))")
        }
    case "atomic":
        try await database.save(zone)
        let old = try await database.save(CKRecord(recordType: "Probe", recordID: id("atomic")))
        let new = try await database.record(for: id("atomic"))
        new["text"] = "moved"
        try await database.save(new)
        old["text"] = "old"
        let other = CKRecord(recordType: "Probe", recordID: id("other"))
        let results = try await database.modifyRecords(saving: [old, other], deleting: []).saveResults
        for record in [old, other] {
            switch results[record.recordID] {
            case .failure(let error): write(name(error))
            case .success: write("saved")
            case nil: write("no answer")
            }
        }
        do {
            _ = try await database.record(for: id("other"))
            write("there")
        } catch {
            write(name(error))
        }
    case "operation":
        let operation = CKModifyRecordsOperation(
            recordsToSave: (0..<100).map { CKRecord(recordType: "Probe", recordID: id("operation-\($0)")) },
            recordIDsToDelete: nil)
        let count = Mutex(0)
        operation.perRecordSaveBlock = { _, result in
            if case .success = result { count.withLock { $0 += 1 } }
        }
        try await database.save(zone)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            operation.modifyRecordsResultBlock = { continuation.resume(with: $0) }
            database.add(operation)
        }
        let changes = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
        write("\(count.withLock { $0 }) \(changes.modificationResultsByID.count)")
    case "public":
        _ = try await CKContainer.default().publicCloudDatabase.record(for: id("x"))
    default: write("unknown")
    }
} catch {
    write(name(error))
}
