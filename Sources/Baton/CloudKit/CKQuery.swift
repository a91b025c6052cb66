public import Foundation

/// A search for records by their fields. CloudKit's. It is answered on this device, from what has come of the private database.
///
/// The predicate has what CloudKit's has: comparisons of a field with a value, `BEGINSWITH`, `IN`, `BETWEEN`, `CONTAINS` and `ANY` for lists,
/// `SELF CONTAINS` for words of any text, `AND`, `NOT` and `TRUEPREDICATE`. A record or its name stands for a reference. Else the query ends
/// with `CKError.invalidArguments`, and says what to use.
///
/// Apple: <https://developer.apple.com/documentation/cloudkit/ckquery>
//
// @unchecked: set before it is given away, as on Apple's systems.
open class CKQuery: NSObject, @unchecked Sendable {
    /// The type of record.
    public let recordType: CKRecord.RecordType
    /// Which of them.
    public let predicate: NSPredicate
    /// In which order: by names of fields, or by `creationDate` and `modificationDate`. Nil or empty: in no particular order.
    open var sortDescriptors: [NSSortDescriptor]?

    /// A query. Records of a type that there is not are not found, and no error.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        self.recordType = recordType
        self.predicate = predicate
        super.init()
    }
}
