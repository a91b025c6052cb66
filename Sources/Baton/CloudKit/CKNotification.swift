public import Foundation

/// The content of a push for a subscription. CloudKit's.
///
/// Baton sends no pushes, since changes come by themselves: no app has one, and code that asks whether a push is one of CloudKit's
/// gets nil.
//
// @unchecked: it has no state.
open class CKNotification: NSObject, @unchecked Sendable {
    /// The kind of its subscription. CloudKit's.
    public enum NotificationType: Int, Sendable {
        /// A query.
        case query = 1
        /// A zone.
        case recordZone = 2
        /// That others were read.
        case readNotification = 3
        /// A database.
        case database = 4
    }

    /// Nil: no push is CloudKit's.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) { return nil }

    /// The kind of its subscription.
    open var notificationType: NotificationType { .database }
    /// The subscription.
    open var subscriptionID: CKSubscription.ID? { nil }
    /// The container.
    open var containerIdentifier: String? { nil }
    /// Whether something was left out.
    open var isPruned: Bool { false }
}

/// A push of a database. CloudKit's; see ``CKNotification``.
open class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    /// Which database.
    open var databaseScope: CKDatabase.Scope { .private }
}

/// A push of a zone. CloudKit's; see ``CKNotification``.
open class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// A zone.
    open override var notificationType: NotificationType { .recordZone }
    /// Which zone.
    open var recordZoneID: CKRecordZone.ID? { nil }
    /// Which database.
    open var databaseScope: CKDatabase.Scope { .private }
}

/// A push of a query. CloudKit's; see ``CKNotification``.
open class CKQueryNotification: CKNotification, @unchecked Sendable {
    /// The kind of change of the record. CloudKit's.
    public enum Reason: Int, Sendable {
        /// It was made.
        case recordCreated = 1
        /// It was changed.
        case recordUpdated = 2
        /// It was deleted.
        case recordDeleted = 3
    }

    /// A query.
    open override var notificationType: NotificationType { .query }
    /// The kind of change of the record.
    open var queryNotificationReason: Reason { .recordUpdated }
    /// The fields that were asked for.
    open var recordFields: [String: Any]? { nil }
    /// Which record.
    open var recordID: CKRecord.ID? { nil }
    /// Which database.
    open var databaseScope: CKDatabase.Scope { .private }
}
