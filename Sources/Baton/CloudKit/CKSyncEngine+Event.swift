extension CKSyncEngine {
    /// An event for the delegate of an engine. CloudKit's.
    public enum Event: Sendable, CustomStringConvertible {
        /// The state has moved: store it.
        case stateUpdate(StateUpdate)
        /// The account was signed in to, switched or left.
        case accountChange(AccountChange)
        /// Zones were made, changed or deleted elsewhere.
        case fetchedDatabaseChanges(FetchedDatabaseChanges)
        /// Records of a zone were changed elsewhere.
        case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
        /// Changes of zones were sent.
        case sentDatabaseChanges(SentDatabaseChanges)
        /// Changes of records were sent.
        case sentRecordZoneChanges(SentRecordZoneChanges)
        /// Fetching begins.
        case willFetchChanges(WillFetchChanges)
        /// Fetching of one zone begins.
        case willFetchRecordZoneChanges(WillFetchRecordZoneChanges)
        /// Fetching of one zone has ended.
        case didFetchRecordZoneChanges(DidFetchRecordZoneChanges)
        /// Fetching has ended.
        case didFetchChanges(DidFetchChanges)
        /// Sending begins.
        case willSendChanges(WillSendChanges)
        /// Sending has ended.
        case didSendChanges(DidSendChanges)

        /// For logs.
        public var description: String {
            switch self {
            case .stateUpdate: "stateUpdate"
            case .accountChange(let change): "accountChange \(change.changeType)"
            case .fetchedDatabaseChanges(let event):
                "fetchedDatabaseChanges \(event.modifications.count) changed, \(event.deletions.count) deleted"
            case .fetchedRecordZoneChanges(let event):
                "fetchedRecordZoneChanges \(event.modifications.count) changed, \(event.deletions.count) deleted"
            case .sentDatabaseChanges(let event):
                "sentDatabaseChanges \(event.savedZones.count) saved, \(event.deletedZoneIDs.count) deleted"
            case .sentRecordZoneChanges(let event):
                "sentRecordZoneChanges \(event.savedRecords.count) saved, \(event.failedRecordSaves.count) failed, "
                    + "\(event.deletedRecordIDs.count) deleted"
            case .willFetchChanges: "willFetchChanges"
            case .willFetchRecordZoneChanges(let event): "willFetchRecordZoneChanges \(event.zoneID.zoneName)"
            case .didFetchRecordZoneChanges(let event): "didFetchRecordZoneChanges \(event.zoneID.zoneName)"
            case .didFetchChanges: "didFetchChanges"
            case .willSendChanges: "willSendChanges"
            case .didSendChanges: "didSendChanges"
            }
        }
    }
}

extension CKSyncEngine.Event {
    /// The state has moved.
    public struct StateUpdate: Sendable {
        /// The state to give to the next engine.
        public let stateSerialization: CKSyncEngine.State.Serialization
    }

    /// The account was signed in to, switched or left.
    public struct AccountChange: Sendable {
        /// The kind of change. With the last two, what the engine was to send and what it had fetched is forgotten.
        public enum ChangeType: Sendable, Equatable {
            /// An account is signed in, as when an engine is made without a state.
            case signIn(currentUser: CKRecord.ID)
            /// The account was left.
            case signOut(previousUser: CKRecord.ID)
            /// Another account is signed in.
            case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
        }

        /// The kind of change.
        public let changeType: ChangeType
    }

    /// Zones were made, changed or deleted elsewhere.
    public struct FetchedDatabaseChanges: Sendable {
        /// Zones that were saved, or have changed records.
        public let modifications: [CKDatabase.DatabaseChange.Modification]
        /// Zones that are gone.
        public let deletions: [CKDatabase.DatabaseChange.Deletion]
    }

    /// Records of a zone were changed elsewhere.
    public struct FetchedRecordZoneChanges: Sendable {
        /// Records that were saved.
        public let modifications: [CKDatabase.RecordZoneChange.Modification]
        /// Records that are gone.
        public let deletions: [CKDatabase.RecordZoneChange.Deletion]
    }

    /// Changes of zones were sent.
    public struct SentDatabaseChanges: Sendable {
        /// A zone that could not be saved.
        public struct FailedZoneSave: Sendable {
            /// The zone.
            public let zone: CKRecordZone
            /// Why.
            public let error: CKError
        }

        /// Saved.
        public let savedZones: [CKRecordZone]
        /// Not saved.
        public let failedZoneSaves: [FailedZoneSave]
        /// Deleted.
        public let deletedZoneIDs: [CKRecordZone.ID]
        /// Not deleted.
        public let failedZoneDeletes: [CKRecordZone.ID: CKError]
    }

    /// Changes of records were sent.
    public struct SentRecordZoneChanges: Sendable {
        /// A record that could not be saved.
        public struct FailedRecordSave: Sendable {
            /// The record.
            public let record: CKRecord
            /// Why.
            public let error: CKError
        }

        /// Saved, with their new tags.
        public let savedRecords: [CKRecord]
        /// Not saved.
        public let failedRecordSaves: [FailedRecordSave]
        /// Deleted.
        public let deletedRecordIDs: [CKRecord.ID]
        /// Not deleted.
        public let failedRecordDeletes: [CKRecord.ID: CKError]
    }

    /// Fetching begins.
    public struct WillFetchChanges: Sendable {
        /// The reason for the fetch, and its options.
        public let context: CKSyncEngine.FetchChangesContext
    }

    /// Fetching of one zone begins.
    public struct WillFetchRecordZoneChanges: Sendable {
        /// Which.
        public let zoneID: CKRecordZone.ID
    }

    /// Fetching of one zone has ended.
    public struct DidFetchRecordZoneChanges: Sendable {
        /// Which.
        public let zoneID: CKRecordZone.ID
        /// Why it ended early; nil if everything was fetched.
        public let error: CKError?
    }

    /// Fetching has ended.
    public struct DidFetchChanges: Sendable {
        /// The reason for the fetch, and its options.
        public let context: CKSyncEngine.FetchChangesContext
    }

    /// Sending begins.
    public struct WillSendChanges: Sendable {
        /// The reason for sending, and its options.
        public let context: CKSyncEngine.SendChangesContext
    }

    /// Sending has ended.
    public struct DidSendChanges: Sendable {
        /// The reason for sending, and its options.
        public let context: CKSyncEngine.SendChangesContext
    }
}
