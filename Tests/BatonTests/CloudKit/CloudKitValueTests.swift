import Foundation
import Synchronization
import Testing

@testable import Baton

extension CKRecord.FieldKey {
    static let title = "title"
}

/// Records, references and errors without a server (D-1).
@Suite(.timeLimit(.minutes(1))) struct CloudKitValueTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private static func record(_ name: String = "note") -> CKRecord {
        CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    }

    @Test("several fields are set at once, and NSNull removes one (D-1)")
    func keyedValues() {
        let record = Self.record()
        record["old"] = 1
        record.setValuesForKeys(["title": "Title", "count": 2, "old": NSNull()])
        #expect(record.allKeys() == ["count", "title"] && record["count"] as? Int == 2)
    }

    @Test("what is set by subscript is read as the type that is asked for, and nil removes it (D-1)")
    func subscripts() throws {
        let record = Self.record()
        record["title"] = "Über"
        record[.title] = "Title"
        record["count"] = 5
        record["ratio"] = 0.25
        record["small"] = Float(1.5)
        record["flag"] = true
        record["data"] = Data([1, 2])
        record["date"] = Date(timeIntervalSinceReferenceDate: 10.5)
        record["tags"] = ["a", "b"]
        record["numbers"] = [1, 2, 3]
        record["number"] = NSNumber(value: 2.5)
        record["text"] = "NSString" as NSString
        record["bytes"] = UInt8(200)
        let target = CKRecord.ID(recordName: "other", zoneID: Self.zone)
        record["list"] = CKRecord.Reference(recordID: target, action: .deleteSelf)
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        #expect(record["title"] as? String == "Title")
        let title: String? = record["title"]
        #expect(title == "Title")
        #expect(record["count"] as? Int == 5)
        #expect(record["count"] as? Int64 == 5)
        #expect(record["count"] as Double? == 5)
        #expect((record["count"] as? NSNumber)?.intValue == 5)
        #expect(record["ratio"] as? Double == 0.25)
        #expect(record["small"] as Float? == 1.5)
        #expect(record["flag"] as? Bool == true)
        #expect(record["flag"] as Bool? == true)
        #expect(record["data"] as? Data == Data([1, 2]))
        #expect(record["date"] as? Date == Date(timeIntervalSinceReferenceDate: 10.5))
        #expect(record["tags"] as? [String] == ["a", "b"])
        let numbers: [Int]? = record["numbers"]
        #expect(numbers == [1, 2, 3])
        let words: [String]? = record["numbers"]
        #expect(words == nil)
        #expect(record["number"] as? Double == 2.5)
        #expect(record["text"] as? String == "NSString")
        let tooSmall: Int8? = record["bytes"]
        #expect(tooSmall == nil)
        #expect((record["list"] as? CKRecord.Reference)?.recordID == target)
        #expect((record["place"] as? CLLocation)?.coordinate.longitude == 2)
        record["count"] = nil
        #expect(record["count"] == nil)
        #expect(!record.allKeys().contains("count") && record.changedKeys().contains("count"))
        record.setObject("x" as NSString, forKey: "object")
        #expect(record.object(forKey: "object") as? String == "x")
        record.setValue(7, forKey: "value")
        #expect(record.value(forKey: "value") as? Int == 7)
        record.setValuesForKeys(["value": NSNull(), "body": "b"])
        #expect(record["value"] == nil && record["body"] as? String == "b")
        #expect(Array(record).map(\.0) == record.allKeys())
        #expect(record.allTokens().contains("title"))
    }

    @Test("encrypted values are fields of their own, without assets (D-1)")
    func encrypted() {
        let record = Self.record()
        record.encryptedValues["secret"] = "yes"
        record["secret"] = "no"
        #expect(record.encryptedValues["secret"] as? String == "yes")
        let secret: String? = record.encryptedValues["secret"]
        #expect(secret == "yes")
        #expect(record["secret"] as? String == "no")
        #expect(record.allKeys() == ["secret"] && record.encryptedValues.changedKeys() == ["secret"])
    }

    @Test("an archive of the system fields has identity, tag and parent and no values; a whole one has all (D-1)")
    func archives() throws {
        var system = RecordState.System(
            recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: Self.zone))
        system.changeTag = "7"
        system.created = Date(timeIntervalSinceReferenceDate: 1)
        system.modifier = CKRecord.ID(fetched: "_user", zoneID: .default)
        var content = RecordState.Content()
        content[false].values["title"] = .string("Title")
        let record = CKRecord(state: RecordState(fetched: system, content: content))
        record.setParent(CKRecord.ID(recordName: "p", zoneID: Self.zone))
        record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/x"))
        record["list"] = [1, 2]
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        record["ref"] = CKRecord.Reference(record: Self.record("r"), action: .deleteSelf)
        record.encryptedValues["data"] = Data([9])
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: coder)
        coder.finishEncoding()
        let decoder = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
        decoder.requiresSecureCoding = true
        let small = try #require(CKRecord(coder: decoder))
        #expect(small.recordID == record.recordID && small.recordType == "Note" && small.recordChangeTag == "7")
        #expect(small.creationDate == record.creationDate && small.parent == record.parent)
        #expect(small.lastModifiedUserRecordID?.recordName == "_user")
        #expect(small.allKeys() == [] && small.changedKeys() == [])

        let data = try NSKeyedArchiver.archivedData(withRootObject: record, requiringSecureCoding: true)
        let whole = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
        #expect(whole.allKeys() == ["asset", "list", "place", "ref", "title"])
        #expect(whole.changedKeys() == ["asset", "list", "place", "ref"])
        #expect(whole["list"] as? [Int] == [1, 2])
        #expect((whole["asset"] as? CKAsset)?.fileURL?.path == "/tmp/x")
        #expect((whole["ref"] as? CKRecord.Reference)?.action == .deleteSelf)
        #expect(whole.encryptedValues["data"] as? Data == Data([9]))
        let copy = try #require(record.copy() as? CKRecord)
        copy["title"] = "Other"
        #expect(record["title"] as? String == "Title")
    }

    @Test("tokens, zones and identifiers come back from archives; what is none does not (D-1)")
    func smallArchives() throws {
        func roundTrip<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
        }
        #expect(try roundTrip(CKServerChangeToken(data: Data([1, 2])))?.data == Data([1, 2]))
        #expect(try roundTrip(CKRecordZone(zoneName: "Notes"))?.zoneID == Self.zone)
        #expect(try roundTrip(Self.zone) == Self.zone)
        let id = CKRecord.ID(recordName: "n", zoneID: Self.zone)
        #expect(try roundTrip(id) == id)
        let reference = CKRecord.Reference(recordID: id, action: .deleteSelf)
        #expect(try roundTrip(reference) == reference)
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        coder.encode("x" as NSString, forKey: "CKRecord")
        coder.finishEncoding()
        #expect(CKRecord(coder: try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)) == nil)
    }

    @Test("identifiers are equal by their names, and are keys of dictionaries")
    func identifiers() {
        #expect(CKRecord.ID(recordName: "a") == CKRecord.ID(recordName: "a"))
        #expect(CKRecord.ID(recordName: "a", zoneID: Self.zone) != CKRecord.ID(recordName: "a"))
        #expect([CKRecord.ID(recordName: "a"): 1][CKRecord.ID(recordName: "a")] == 1)
        #expect(CKRecordZone.ID.default.zoneName == "_defaultZone")
        #expect(CKRecordZone.ID.default.ownerName == CKCurrentUserDefaultName)
        #expect(CKRecordZone.default().zoneID == .default)
        #expect(CKRecord.ID().recordName != CKRecord.ID().recordName)
    }

    @Test("errors have Apple's numbers and keys, and are matched by their code")
    func errors() throws {
        let server = Self.record()
        let error: any Error = CKError(
            .serverRecordChanged, userInfo: [CKRecordChangedErrorServerRecordKey: server])
        #expect((error as? CKError)?.serverRecord === server)
        do { throw error } catch CKError.serverRecordChanged {} catch { Issue.record("not matched") }
        do { throw error } catch let error as CKError where error.code == .serverRecordChanged {}
        #expect((error as NSError).code == 14 && (error as NSError).domain == CKErrorDomain)
        #expect(CKError.Code(rawValue: 26) == .zoneNotFound && CKError.zoneNotFound.rawValue == 26)
        let partial = CKError.partial([server.recordID: CKError(.unknownItem)])
        #expect(partial.partialErrorsByItemID?[server.recordID] as? CKError == CKError(.unknownItem))
        #expect(CKError(.requestRateLimited, userInfo: [CKErrorRetryAfterKey: 3.0]).retryAfterSeconds == 3)
    }

    @Test("a value that no field can hold changes nothing")
    func mistakes() {
        for any in [URL(fileURLWithPath: "/x"), [["a"]], UInt64.max, ["a": 1]] as [Any] {
            if case .value(let value) = RecordValue.convert(any) { Issue.record("\(value)") }
        }
        guard case .value(.real(1)) = RecordValue.convert(NSNumber(value: 1.0)) else {
            Issue.record("a real became an integer")
            return
        }
    }
}
