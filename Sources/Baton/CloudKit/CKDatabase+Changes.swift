extension CKDatabase {
    /// The kind of change of a zone. CloudKit's.
    public enum DatabaseChange {
        /// A zone that was saved, or has changed records.
        public struct Modification: Hashable, Sendable {
            /// Which.
            public let zoneID: CKRecordZone.ID
        }

        /// A zone that is gone.
        public struct Deletion: Hashable, Sendable {
            /// Why a zone is gone. CloudKit's.
            public enum Reason: Sendable {
                /// An app has deleted it.
                case deleted
                /// The person has deleted it: do not save its records anew without asking.
                case purged
                /// The person has lost the keys of the account: save the records anew.
                case encryptedDataReset
            }

            /// Which.
            public let zoneID: CKRecordZone.ID
            /// Why.
            public let reason: Reason
            /// Whether the person has deleted it.
            public var purged: Bool { reason == .purged }
        }
    }

    /// The kind of change of a record. CloudKit's.
    public enum RecordZoneChange {
        /// A record that was saved.
        public struct Modification: Sendable {
            /// As it is now.
            public let record: CKRecord
        }

        /// A record that is gone.
        public struct Deletion: Hashable, Sendable {
            /// Which.
            public let recordID: CKRecord.ID
            /// The type that it had.
            public let recordType: CKRecord.RecordType
        }
    }

    /// The zones that have changed.
    /// - Parameters:
    ///   - since: what an earlier fetch gave; nil for all zones.
    ///   - resultsLimit: the most changes.
    /// - Throws: `CKError.changeTokenExpired`: begin anew with nil.
    public func databaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        try check()
        let changes = try await server.databaseChanges(name, since: changeToken?.data, limit: resultsLimit)
        return (
            changes.changed.map { DatabaseChange.Modification(zoneID: $0) },
            changes.deleted.map { DatabaseChange.Deletion(zoneID: $0.id, reason: $0.isPurged ? .purged : .deleted) },
            CKServerChangeToken(data: changes.token), changes.hasMore
        )
    }

    /// The records of a zone that have changed.
    /// - Parameters:
    ///   - since: what an earlier fetch of the zone gave; nil for all records.
    ///   - desiredKeys: the fields to fetch; nil for all.
    ///   - resultsLimit: the most changes.
    /// - Throws: `CKError.changeTokenExpired`: begin anew with nil. `CKError.zoneNotFound`.
    public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
    ) async throws -> (
        modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
        deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        try check()
        let changes = try await server.zoneChanges(
            name, zoneID, since: changeToken?.data, keys: desiredKeys, limit: resultsLimit)
        var modifications: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>] = [:]
        for record in changes.records {
            modifications[record.recordID] =
                changes.incomplete.contains(record.recordID)
                ? .failure(Self.withoutAsset(record.recordID))
                : .success(RecordZoneChange.Modification(record: record))
        }
        return (
            modifications,
            changes.deleted.map { RecordZoneChange.Deletion(recordID: $0.id, recordType: $0.type) },
            CKServerChangeToken(data: changes.token), changes.hasMore
        )
    }

    static func withoutAsset(_ id: CKRecord.ID) -> CKError {
        CKError(
            .assetNotAvailable,
            "An asset of the record “\(id.recordName)” is not on this device, and the cloud cannot be reached: fetch it later."
        )
    }
}
