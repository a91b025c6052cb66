import Baton
import Foundation

/// One contact, as this device has it.
struct Contact: Codable, Sendable {
    static let recordType: CKRecord.RecordType = "Contact"

    /// A text field of a contact, in the app and in its record.
    enum Field: String, CaseIterable, Codable, Sendable {
        case name, phone, email, note
    }

    /// The name of its record: eight letters and digits, which a person can type.
    let id: String
    var fields: [Field: String] = [:]
    /// Whether there is a photo, in the file that the store has for it.
    var hasPhoto = false
    /// Fields that were changed here and are not saved yet.
    var edited: Set<Field> = []
    /// Names the change of the photo that is not saved yet.
    var photoChange: UUID?
    /// The record without its fields, as the last save or fetch gave it; nil before.
    var systemFields: Data?

    init(id: String) { self.id = id }

    var isPhotoEdited: Bool { photoChange != nil }
    var isPending: Bool { systemFields == nil || !edited.isEmpty || isPhotoEdited }
    var name: String { fields[.name] ?? "" }

    // MARK: Records

    func recordID(in zone: CKRecordZone.ID) -> CKRecord.ID { CKRecord.ID(recordName: id, zoneID: zone) }

    /// The record to save: only fields that were changed here, so that others' changes stay.
    func record(in zone: CKRecordZone.ID, photo: URL) -> CKRecord {
        let record = known ?? CKRecord(recordType: Self.recordType, recordID: recordID(in: zone))
        for field in systemFields == nil ? Set(Field.allCases) : edited {
            record.encryptedValues[field.rawValue] = fields[field]
        }
        if isPhotoEdited { record["photo"] = hasPhoto ? CKAsset(fileURL: photo) : nil }
        return record
    }

    private var known: CKRecord? {
        guard let systemFields, let decoder = try? NSKeyedUnarchiver(forReadingFrom: systemFields) else { return nil }
        decoder.requiresSecureCoding = true
        defer { decoder.finishDecoding() }
        return CKRecord(coder: decoder)
    }

    /// Takes over what a record says, but for what was changed here and is not saved yet.
    /// - Returns: whether the photo is the record's now.
    mutating func take(_ record: CKRecord) -> Bool {
        for field in Field.allCases where !edited.contains(field) {
            fields[field] = record.encryptedValues[field.rawValue] as? String
        }
        remember(record)
        return !isPhotoEdited
    }

    /// The sent fields are saved; those that were changed while they were on their way are still to be saved.
    /// - Parameter photo: the change of the photo that was sent.
    mutating func saved(_ record: CKRecord, photo: UUID?) {
        for field in edited where record.encryptedValues[field.rawValue] as? String == fields[field] {
            edited.remove(field)
        }
        if photoChange == photo { photoChange = nil }
        _ = take(record)
    }

    private mutating func remember(_ record: CKRecord) {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: coder)
        coder.finishEncoding()
        systemFields = coder.encodedData
    }

    /// It is to be saved as a new one.
    mutating func forgetRecord() { systemFields = nil }
}
