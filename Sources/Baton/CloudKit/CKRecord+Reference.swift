public import Foundation

extension CKRecord {
    /// The action on a record when its target is deleted. CloudKit's.
    public enum ReferenceAction: UInt, Sendable {
        /// Nothing.
        case none = 0
        /// It is deleted too.
        case deleteSelf = 1
    }

    /// A record's pointer to another one of its zone. CloudKit's.
    public typealias Reference = CKReference
}

/// A record's pointer to another one of its zone. CloudKit's. It does not change, and is safe to use from any thread.
///
/// A class of the first level, since Linux archives no others.
//
// @unchecked: all properties are constants.
open class CKReference: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The action when the target is deleted.
    public typealias Action = CKRecord.ReferenceAction

    /// The target.
    public let recordID: CKRecord.ID
    /// The action on the record that has the reference when the target is deleted.
    public let action: CKRecord.ReferenceAction

    /// A reference by name. The target need not be there.
    public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
        self.recordID = recordID
        self.action = action
        super.init()
    }

    /// A reference to a record.
    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes target and action.
    open func encode(with coder: NSCoder) {
        recordID.encode(with: coder)
        coder.encode(Int64(action.rawValue), forKey: "ReferenceAction")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        let number = coder.decodeInt64(forKey: "ReferenceAction")
        guard let recordID = CKRecord.ID(coder: coder),
            let action = CKRecord.ReferenceAction(rawValue: UInt(truncatingIfNeeded: number))
        else { return nil }
        self.recordID = recordID
        self.action = action
        super.init()
    }

    /// References do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// References are equal if target and action are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKReference).map { $0.recordID == recordID && $0.action == action } ?? false
    }
    /// Equal references have it in common.
    open override var hash: Int { recordID.hash ^ action.hashValue }
    /// For logs.
    open override var description: String { "<CKRecord.Reference to \(recordID.recordName)>" }
}
