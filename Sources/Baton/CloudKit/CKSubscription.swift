public import Foundation
import Synchronization

/// A wish to hear of changes. CloudKit's.
///
/// Nothing is needed for that here: changes come by themselves, and ``CKSyncEngine`` hears of them. A subscription is kept for the life of
/// the process, so that code that saves one goes on; no notification is sent for it.
//
// @unchecked: what changes lies behind a lock.
open class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The name of a subscription.
    public typealias ID = String

    /// To what it belongs. CloudKit's.
    public enum SubscriptionType: Int, Sendable {
        /// To a query.
        case query = 1
        /// To a zone.
        case recordZone = 2
        /// To a database.
        case database = 4
    }

    /// The content of a notification. Accepted, and not used.
    //
    // @unchecked: set before it is given away, as on Apple's systems.
    open class NotificationInfo: NSObject, @unchecked Sendable {
        /// Not used.
        open var alertBody: String?
        /// Not used.
        open var title: String?
        /// Not used.
        open var subtitle: String?
        /// Not used.
        open var soundName: String?
        /// Not used.
        open var desiredKeys: [CKRecord.FieldKey]?
        /// Not used.
        open var shouldBadge = false
        /// Not used.
        open var shouldSendContentAvailable = false
        /// Not used.
        open var shouldSendMutableContent = false
        /// Not used.
        open var category: String?
        /// Not used.
        open var alertLocalizationKey: String?
        /// Not used.
        open var alertLocalizationArgs: [CKRecord.FieldKey]?
        /// Not used.
        open var titleLocalizationKey: String?
        /// Not used.
        open var titleLocalizationArgs: [CKRecord.FieldKey]?
        /// Not used.
        open var subtitleLocalizationKey: String?
        /// Not used.
        open var subtitleLocalizationArgs: [CKRecord.FieldKey]?
        /// Not used.
        open var alertActionLocalizationKey: String?
        /// Not used.
        open var alertLaunchImage: String?
        /// Not used.
        open var collapseIDKey: String?
        /// Nothing is set.
        public override init() { super.init() }

        /// With what is given.
        public convenience init(
            alertBody: String? = nil, alertLocalizationKey: String? = nil,
            alertLocalizationArgs: [CKRecord.FieldKey] = [], title: String? = nil, titleLocalizationKey: String? = nil,
            titleLocalizationArgs: [CKRecord.FieldKey] = [], subtitle: String? = nil,
            subtitleLocalizationKey: String? = nil, subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
            alertActionLocalizationKey: String? = nil, alertLaunchImage: String? = nil, soundName: String? = nil,
            desiredKeys: [CKRecord.FieldKey] = [], shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false,
            shouldSendMutableContent: Bool = false, category: String? = nil, collapseIDKey: String? = nil
        ) {
            self.init()
            self.alertBody = alertBody
            self.alertLocalizationKey = alertLocalizationKey
            self.alertLocalizationArgs = alertLocalizationArgs
            self.title = title
            self.titleLocalizationKey = titleLocalizationKey
            self.titleLocalizationArgs = titleLocalizationArgs
            self.subtitle = subtitle
            self.subtitleLocalizationKey = subtitleLocalizationKey
            self.subtitleLocalizationArgs = subtitleLocalizationArgs
            self.alertActionLocalizationKey = alertActionLocalizationKey
            self.alertLaunchImage = alertLaunchImage
            self.soundName = soundName
            self.desiredKeys = desiredKeys
            self.shouldBadge = shouldBadge
            self.shouldSendContentAvailable = shouldSendContentAvailable
            self.shouldSendMutableContent = shouldSendMutableContent
            self.category = category
            self.collapseIDKey = collapseIDKey
        }
    }

    /// Its name.
    public let subscriptionID: CKSubscription.ID
    /// To what it belongs.
    open var subscriptionType: SubscriptionType { .database }
    private let information = Mutex<NotificationInfo?>(nil)

    init(id: CKSubscription.ID) {
        subscriptionID = id
        super.init()
    }

    /// The content of a notification. Accepted, and not used.
    open var notificationInfo: NotificationInfo? {
        get { information.withLock { $0 } }
        set { information.withLock { $0 = newValue } }
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes the name.
    open func encode(with coder: NSCoder) { coder.encode(subscriptionID as NSString, forKey: "SubscriptionID") }
    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let name = RecordNames.decode("SubscriptionID", coder) else { return nil }
        subscriptionID = name
        super.init()
    }
    /// The same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A wish to hear of changes of a whole database. CloudKit's; see ``CKSubscription``.
open class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    /// The type of record that it is about; nil for all.
    open var recordType: CKRecord.RecordType?
    /// With a random name.
    public convenience init() { self.init(subscriptionID: UUID().uuidString) }
    /// With a name.
    public init(subscriptionID: CKSubscription.ID) { super.init(id: subscriptionID) }
    /// Reads what `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// A wish to hear of changes of a zone. CloudKit's; see ``CKSubscription``.
open class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    /// The zone.
    public let zoneID: CKRecordZone.ID
    /// The type of record that it is about; nil for all.
    open var recordType: CKRecord.RecordType?
    /// A zone.
    open override var subscriptionType: SubscriptionType { .recordZone }
    /// With a random name.
    public convenience init(zoneID: CKRecordZone.ID) { self.init(zoneID: zoneID, subscriptionID: UUID().uuidString) }
    /// With a name.
    public init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
        self.zoneID = zoneID
        super.init(id: subscriptionID)
    }
    /// Writes name and zone.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        zoneID.encode(with: coder)
    }
    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let zoneID = CKRecordZone.ID(coder: coder) else { return nil }
        self.zoneID = zoneID
        super.init(coder: coder)
    }
}

/// A wish to hear of a query's changes. CloudKit's; see ``CKSubscription``. Its predicate is one of a ``CKQuery``.
open class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    /// The changes that notify.
    public struct Options: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// A set of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// When one is made.
        public static let firesOnRecordCreation = Self(rawValue: 1)
        /// When one is changed.
        public static let firesOnRecordUpdate = Self(rawValue: 2)
        /// When one is deleted.
        public static let firesOnRecordDeletion = Self(rawValue: 4)
        /// Once.
        public static let firesOnce = Self(rawValue: 8)
    }

    /// The type of record that it is about.
    public let recordType: CKRecord.RecordType
    /// Which of them.
    public let predicate: NSPredicate
    /// The changes that notify.
    public let querySubscriptionOptions: Options
    /// The zone; nil for all.
    open var zoneID: CKRecordZone.ID?
    /// A query.
    open override var subscriptionType: SubscriptionType { .query }
    /// A query's changes.
    public init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID = UUID().uuidString,
        options querySubscriptionOptions: Options = []
    ) {
        self.recordType = recordType
        self.predicate = predicate
        self.querySubscriptionOptions = querySubscriptionOptions
        super.init(id: subscriptionID)
    }
    /// Nil: predicates are not read from archives.
    public required init?(coder: NSCoder) { nil }
}
