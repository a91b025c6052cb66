public import Foundation

extension CKRecordZone {
    /// A zone's name and whose it is. CloudKit's.
    public typealias ID = CKRecordZoneID
}

/// A zone's name and whose it is. CloudKit's. It does not change, and is safe to use from any thread.
///
/// A class of the first level, since Linux archives no others.
//
// @unchecked: all properties are constants.
open class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The name of the zone that every database has.
    public static let defaultZoneName = "_defaultZone"
    /// The zone that every database has.
    public static let `default` = CKRecordZoneID()

    /// The zone's name, unique for its owner.
    public let zoneName: String
    /// Whose it is; `CKCurrentUserDefaultName` for one's own.
    public let ownerName: String

    /// An identifier. A name that is empty, has more than 255 characters, or others than those of ASCII, is a mistake of
    /// the program: it goes to ``BatonExceptions/handler``, and is refused when it is used.
    public init(
        zoneName: String = CKRecordZone.ID.defaultZoneName, ownerName: String = CKCurrentUserDefaultName
    ) {
        if let problem = RecordNames.problem(of: zoneName) {
            BatonExceptions.raiseInvalidArgument("CKRecordZone.ID cannot have this zone name: \(problem)")
        }
        self.zoneName = zoneName
        self.ownerName = ownerName
        super.init()
    }

    /// Names that came from elsewhere: they are not judged here.
    init(fetched zoneName: String, ownerName: String) {
        self.zoneName = zoneName
        self.ownerName = ownerName
        super.init()
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes both names.
    open func encode(with coder: NSCoder) {
        coder.encode(zoneName as NSString, forKey: "ZoneName")
        coder.encode(ownerName as NSString, forKey: "OwnerName")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let zone = RecordNames.decode("ZoneName", coder), let owner = RecordNames.decode("OwnerName", coder)
        else { return nil }
        zoneName = zone
        ownerName = owner
        super.init()
    }

    /// Identifiers do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Identifiers are equal if both names are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKRecordZoneID).map { $0.zoneName == zoneName && $0.ownerName == ownerName } ?? false
    }
    /// Equal identifiers have it in common.
    open override var hash: Int { zoneName.hashValue ^ ownerName.hashValue }
    /// For logs.
    open override var description: String { "<CKRecordZone.ID \(zoneName):\(ownerName)>" }
}

/// The names of records and zones, as far as the library judges them: the daemon judges them all.
enum RecordNames {
    static let maximumLength = 255

    /// Nil if it can be used.
    static func problem(of name: String) -> String? {
        if name.isEmpty { return "it is empty." }
        if name.utf8.count > maximumLength { return "it has more than \(maximumLength) characters." }
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { return "it has characters that are not ASCII." }
        return nil
    }

    static func decode(_ key: String, _ coder: NSCoder) -> String? {
        guard let text = coder.decodeObject(of: NSString.self, forKey: key).map({ String(describing: $0) }),
            problem(of: text) == nil
        else { return nil }
        return text
    }
}
