extension CKSyncEngine {
    /// Why the engine does something. CloudKit's.
    public enum SyncReason: Hashable, Sendable {
        /// By itself.
        case scheduled
        /// The app has asked.
        case manual
    }

    /// The changes to fetch. CloudKit's.
    public struct FetchChangesOptions: Sendable {
        /// Which zones. CloudKit's.
        public enum Scope: Hashable, Sendable {
            /// All.
            case all
            /// All but some.
            case allExcluding([CKRecordZone.ID])
            /// Some.
            case zoneIDs([CKRecordZone.ID])

            /// Whether a zone is one of them.
            public func contains(_ zoneID: CKRecordZone.ID) -> Bool {
                switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(zoneID)
                case .zoneIDs(let zones): zones.contains(zoneID)
                }
            }
        }

        /// Which zones.
        public var scope: Scope
        /// Not used.
        public var operationGroup: CKOperationGroup
        /// Zones that are fetched before the others.
        public var prioritizedZoneIDs: [CKRecordZone.ID] = []

        /// All zones at first.
        public init(scope: Scope = .all, operationGroup: CKOperationGroup? = nil) {
            self.scope = scope
            self.operationGroup = operationGroup ?? CKOperationGroup()
        }
    }

    /// The changes to send. CloudKit's.
    public struct SendChangesOptions: Sendable {
        /// Which changes. CloudKit's.
        public enum Scope: Hashable, Sendable {
            /// All.
            case all
            /// All but those of some zones.
            case allExcluding([CKRecordZone.ID])
            /// Those of some zones.
            case zoneIDs([CKRecordZone.ID])
            /// Those of some records.
            case recordIDs([CKRecord.ID])

            /// Whether a record's change is one of them.
            public func contains(_ recordID: CKRecord.ID) -> Bool {
                if case .recordIDs(let records) = self { return records.contains(recordID) }
                return contains(zone: recordID.zoneID)
            }

            /// Whether a change is one of them.
            public func contains(_ pendingRecordZoneChange: PendingRecordZoneChange) -> Bool {
                contains(pendingRecordZoneChange.recordID)
            }

            /// Whether a zone's own change is one of them.
            public func contains(_ pendingDatabaseChange: PendingDatabaseChange) -> Bool {
                contains(zone: pendingDatabaseChange.zoneID)
            }

            private func contains(zone: CKRecordZone.ID) -> Bool {
                switch self {
                case .all: true
                case .allExcluding(let zones): !zones.contains(zone)
                case .zoneIDs(let zones): zones.contains(zone)
                // A record cannot be saved before its zone.
                case .recordIDs(let records): records.contains { $0.zoneID == zone }
                }
            }
        }

        /// Which changes.
        public var scope: Scope
        /// Not used.
        public var operationGroup: CKOperationGroup

        /// All changes at first.
        public init(scope: Scope = .all, operationGroup: CKOperationGroup? = nil) {
            self.scope = scope
            self.operationGroup = operationGroup ?? CKOperationGroup()
        }
    }

    /// For what a batch is wanted. CloudKit's.
    public struct SendChangesContext: Sendable, CustomStringConvertible {
        /// Whether the app asked, or the engine did it by itself.
        public let reason: SyncReason
        /// The changes to send.
        public let options: SendChangesOptions
        /// For logs.
        public var description: String { "<SendChangesContext \(reason)>" }
    }

    /// For what is fetched. CloudKit's.
    public struct FetchChangesContext: Sendable, CustomStringConvertible {
        /// Whether the app asked, or the engine did it by itself.
        public let reason: SyncReason
        /// The changes to fetch.
        public let options: FetchChangesOptions
        /// For logs.
        public var description: String { "<FetchChangesContext \(reason)>" }
    }

    /// Records to be sent together. CloudKit's.
    public struct RecordZoneChangeBatch: Sendable {
        /// Bytes of the records of a batch, without assets, at most.
        private static let maximumBytes = 1 << 20

        /// The items to save.
        public var recordsToSave: [CKRecord]
        /// The items to delete.
        public var recordIDsToDelete: [CKRecord.ID]
        /// All of a zone or none.
        public var atomicByZone: Bool

        /// A batch of anything. More than 400 changes are sent in several requests.
        public init(
            recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [], atomicByZone: Bool = false
        ) {
            self.recordsToSave = recordsToSave
            self.recordIDsToDelete = recordIDsToDelete
            self.atomicByZone = atomicByZone
        }

        /// The first changes of a list, as many as fit into one request.
        ///
        /// - Parameters:
        ///   - pendingChanges: usually those of the engine's state that are in the context's scope.
        ///   - recordProvider: gives a record by its name; with nil its change is left out.
        /// - Returns: nil if nothing is left to send.
        public init?(
            pendingChanges: [PendingRecordZoneChange], recordProvider: (CKRecord.ID) async -> CKRecord?
        ) async {
            self.init()
            var bytes = 0
            for change in pendingChanges {
                guard recordsToSave.count + recordIDsToDelete.count < CKDatabase.maximumItems else { break }
                switch change {
                case .saveRecord(let id):
                    guard let record = await recordProvider(id) else { continue }
                    bytes += record.withState { $0.content.byteCount }
                    guard recordsToSave.isEmpty || bytes <= Self.maximumBytes else {
                        bytes = .max / 2
                        break
                    }
                    recordsToSave.append(record)
                case .deleteRecord(let id): recordIDsToDelete.append(id)
                }
                if bytes > Self.maximumBytes { break }
            }
            if recordsToSave.isEmpty, recordIDsToDelete.isEmpty { return nil }
        }
    }
}
