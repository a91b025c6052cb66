public import Foundation

/// The owner's name in the identifiers of one's own zones. CloudKit's.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// A named part of a database: its records are saved together, and have change tokens of their own. CloudKit's.
///
/// Every zone is atomic here and can be fetched by changes, the default one too, which on Apple's systems can do neither.
/// Safe to use from any thread.
//
// @unchecked: all properties are constants. A subclass that stores more must keep that up.
open class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The capabilities of a zone. CloudKit's.
    public struct Capabilities: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// A set of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Its changes can be fetched.
        public static let fetchChanges = Self(rawValue: 1)
        /// Records are saved together or not at all.
        public static let atomic = Self(rawValue: 2)
        /// Records can be shared.
        public static let sharing = Self(rawValue: 4)
        /// The zone can be shared as a whole.
        public static let zoneWideSharing = Self(rawValue: 8)
    }

    /// Which values the server cannot read. CloudKit's.
    public enum EncryptionScope: Int, Sendable {
        /// Those of `encryptedValues`.
        case perRecord = 0
        /// All of the zone.
        case perZone = 1
    }

    /// The zone's name and owner.
    public let zoneID: CKRecordZone.ID
    /// Its capabilities. Nothing before it was saved or fetched.
    public let capabilities: Capabilities

    /// A zone of one's own.
    public convenience init(zoneName: String) { self.init(zoneID: CKRecordZone.ID(zoneName: zoneName)) }

    /// A zone with an identifier.
    public convenience init(zoneID: CKRecordZone.ID) { self.init(zoneID: zoneID, capabilities: []) }

    init(zoneID: CKRecordZone.ID, capabilities: Capabilities) {
        self.zoneID = zoneID
        self.capabilities = capabilities
        super.init()
    }

    /// The zone that every database has.
    open class func `default`() -> CKRecordZone {
        CKRecordZone(zoneID: .default, capabilities: [.fetchChanges, .atomic])
    }

    /// The share of the whole zone: nil, as zones are not shared yet.
    open var share: CKRecord.Reference? { nil }

    /// The whole zone: the cloud reads nothing of it.
    open var encryptionScope: EncryptionScope { .perZone }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes identifier and capabilities.
    open func encode(with coder: NSCoder) {
        coder.encode(zoneID.zoneName as NSString, forKey: "ZoneName")
        coder.encode(zoneID.ownerName as NSString, forKey: "OwnerName")
        coder.encode(Int64(capabilities.rawValue), forKey: "Capabilities")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let zoneID = CKRecordZone.ID(coder: coder) else { return nil }
        self.zoneID = zoneID
        capabilities = Capabilities(rawValue: UInt(truncatingIfNeeded: coder.decodeInt64(forKey: "Capabilities")))
        super.init()
    }

    /// Zones do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Zones are equal if their identifiers are.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CKRecordZone)?.zoneID == zoneID }
    /// Equal zones have it in common.
    open override var hash: Int { zoneID.hash }
    /// For logs.
    open override var description: String { "<CKRecordZone \(zoneID.zoneName)>" }
}
