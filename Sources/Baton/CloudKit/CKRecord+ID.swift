public import Foundation

extension CKRecord {
    /// A record's name and the zone that it is in. CloudKit's.
    public typealias ID = CKRecordID
}

/// A record's name and the zone that it is in. CloudKit's. It does not change, and is safe to use from any thread.
///
/// A class of the first level, since Linux archives no others.
//
// @unchecked: all properties are constants.
open class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Unique within the zone.
    public let recordName: String
    /// The zone.
    public let zoneID: CKRecordZone.ID

    /// An identifier: at most 255 ASCII characters. A name that is empty or breaks this is a mistake of the program: it
    /// goes to ``BatonExceptions/handler``, and is refused when it is saved, as is one that begins with an underscore.
    public init(recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = .default) {
        if let problem = RecordNames.problem(of: recordName) {
            BatonExceptions.raiseInvalidArgument("CKRecord.ID cannot have this record name: \(problem)")
        }
        self.recordName = recordName
        self.zoneID = zoneID
        super.init()
    }

    /// Names that came from elsewhere: they are not judged here.
    init(fetched recordName: String, zoneID: CKRecordZone.ID) {
        self.recordName = recordName
        self.zoneID = zoneID
        super.init()
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the name and the zone's names.
    open func encode(with coder: NSCoder) {
        coder.encode(recordName as NSString, forKey: "RecordName")
        coder.encode(zoneID.zoneName as NSString, forKey: "ZoneName")
        coder.encode(zoneID.ownerName as NSString, forKey: "OwnerName")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let name = RecordNames.decode("RecordName", coder), let zoneID = CKRecordZone.ID(coder: coder)
        else { return nil }
        recordName = name
        self.zoneID = zoneID
        super.init()
    }

    /// Identifiers do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Identifiers are equal if names and zones are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKRecordID).map { $0.recordName == recordName && $0.zoneID == zoneID } ?? false
    }
    /// Equal identifiers have it in common.
    open override var hash: Int { recordName.hashValue ^ zoneID.hash }
    /// For logs.
    open override var description: String { "<CKRecord.ID \(recordName) in \(zoneID.zoneName):\(zoneID.ownerName)>" }
}
