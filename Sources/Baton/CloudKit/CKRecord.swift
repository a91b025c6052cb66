public import Foundation
import Synchronization

/// A row of an app's data: a type, a name, and fields. CloudKit's.
///
/// Set fields by subscript, save the record with ``CKDatabase`` or ``CKSyncEngine``, and go on with what the save returns: that has the
/// new ``recordChangeTag``; the object that was saved stays as it was. A record of which other processes or devices have changed another
/// version since is not saved (`CKError.serverRecordChanged`).
///
/// A record has at most 1,000 fields and 1 MiB, without its assets. Everything is encrypted before it leaves the device, whether it
/// is in ``encryptedValues`` or not. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/cloudkit/ckrecord>
//
// @unchecked: what changes lies behind a lock. A subclass that stores more must keep that up.
open class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, @unchecked Sendable {
    /// The kind of a record, as the app names it.
    public typealias RecordType = String
    /// The name of a field. Extend it with names of your own.
    public typealias FieldKey = String

    /// Types that the system uses.
    public enum SystemType {
        /// The record of a user.
        public static let userRecord: CKRecord.RecordType = "Users"
        /// A share.
        public static let share: CKRecord.RecordType = "cloudkit.share"
    }

    /// Fields that every record has.
    public enum SystemFieldKey {
        /// The record that this one is a part of.
        public static let parent: CKRecord.FieldKey = "parent"
        /// The share that the record is in.
        public static let share: CKRecord.FieldKey = "share"
    }

    private let state: Mutex<RecordState>

    init(state: RecordState) {
        self.state = Mutex(state)
        super.init()
    }

    /// A record that was never saved.
    public convenience init(recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()) {
        if let problem = RecordNames.problem(of: recordType) {
            BatonExceptions.raiseInvalidArgument("CKRecord cannot have this record type: \(problem)")
        }
        self.init(state: RecordState(recordType: recordType, recordID: recordID))
    }

    /// A record with a random name in a zone.
    public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: CKRecord.ID(zoneID: zoneID))
    }

    func withState<Result: Sendable>(_ body: (inout RecordState) -> Result) -> Result { state.withLock { body(&$0) } }

    // MARK: The server's values

    /// The kind of record.
    open var recordType: CKRecord.RecordType { withState(\.system.recordType) }
    /// Name and zone.
    open var recordID: CKRecord.ID { withState(\.system.recordID) }
    /// Another one after each change; nil before the first save.
    open var recordChangeTag: String? { withState(\.system.changeTag) }
    /// The user who saved it first; nil before.
    open var creatorUserRecordID: CKRecord.ID? { withState(\.system.creator) }
    /// When it was saved first; nil before.
    open var creationDate: Date? { withState(\.system.created) }
    /// The user who saved it last; nil before the first save.
    open var lastModifiedUserRecordID: CKRecord.ID? { withState(\.system.modifier) }
    /// When it was saved last; nil before the first save.
    open var modificationDate: Date? { withState(\.system.modified) }
    /// The name of the device that saved it last, where that is known.
    open var modifiedByDevice: String? { withState(\.system.device) }
    /// The share that the record is in: nil, as records are not shared yet.
    open var share: CKRecord.Reference? { nil }

    // MARK: The parent

    /// The record that this one is a part of, in the same zone. It must be there when this one is saved.
    open var parent: CKRecord.Reference? {
        get { withState(\.content.parent) }
        set {
            if let newValue, newValue.recordID.zoneID != recordID.zoneID {
                return BatonExceptions.raiseInvalidArgument(
                    "A record's parent is in the record's zone: “\(newValue.recordID.recordName)” is in another one.")
            }
            if let newValue, newValue.action != .none {
                return BatonExceptions.raiseInvalidArgument("The reference to a record's parent has the action “none”.")
            }
            withState { state in
                state.content.parent = newValue
                state.isParentChanged = true
            }
        }
    }

    /// Makes another record the parent, or none.
    open func setParent(_ parentRecord: CKRecord?) { setParent(parentRecord?.recordID) }

    /// Makes another record the parent, or none.
    open func setParent(_ parentRecordID: CKRecord.ID?) {
        parent = parentRecordID.map { CKRecord.Reference(recordID: $0, action: .none) }
    }

    // MARK: Fields

    // swift-format-ignore: NoLeadingUnderscores
    /// The fields, for the subscripts.
    public var _fields: CKRecordFields { CKRecordFields(record: self, isEncrypted: false) }

    /// Fields that Apple's server cannot read. Here the cloud can read none; still a field is read where it was written. References
    /// and assets are not among them.
    open var encryptedValues: any CKRecordKeyValueSetting { EncryptedValues(record: self) }

    private final class EncryptedValues: CKRecordKeyValueSetting {
        private let record: CKRecord
        init(record: CKRecord) { self.record = record }
        var _fields: CKRecordFields { CKRecordFields(record: record, isEncrypted: true) }
    }

    /// The words of the texts, for search by tokens.
    open func allTokens() -> [String] {
        let texts = withState { state in
            state.content[false].values.sorted { $0.key < $1.key }.flatMap(\.value.leaves)
        }
        return texts.flatMap { value -> [String] in
            guard case .string(let text) = value else { return [] }
            return text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
    }

    // MARK: Copies and archives

    /// Another record with everything that this one has.
    open func copy(with zone: NSZone? = nil) -> Any { CKRecord(state: withState { $0 }) }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes everything. An asset is written as the place of its file.
    open func encode(with coder: NSCoder) { RecordArchive(withState { $0 }).encode(with: coder, withValues: true) }

    /// Writes name, type, dates, change tag and parent, without the fields: what an app keeps beside its own data, to save the record
    /// anew later.
    open func encodeSystemFields(with coder: NSCoder) {
        RecordArchive(withState { $0 }).encode(with: coder, withValues: false)
    }

    /// Reads what ``encode(with:)`` or ``encodeSystemFields(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let state = RecordArchive.decode(coder) else { return nil }
        self.state = Mutex(state)
        super.init()
    }

    /// For logs: no values.
    open override var description: String {
        "<CKRecord \(recordType) \(recordID.recordName) \(recordChangeTag ?? "not saved")>"
    }
}

extension CKRecord: Sequence {
    /// The keys and values of all fields, in the order of the keys.
    public func makeIterator() -> AnyIterator<(CKRecord.FieldKey, any CKRecordValueProtocol)> {
        let fields = withState { $0.content[false].values }.sorted { $0.key < $1.key }
        var iterator = fields.makeIterator()
        return AnyIterator {
            while let (key, value) = iterator.next() {
                if let object = value.object as? any CKRecordValueProtocol { return (key, object) }
            }
            return nil
        }
    }
}
