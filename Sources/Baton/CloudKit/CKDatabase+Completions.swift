/// The forms with completion handlers. They are called once, on a serial queue of the library.
extension CKDatabase {
    /// Fetches one record.
    @preconcurrency
    public func fetch(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.record(for: recordID) }, handler: completionHandler)
    }

    /// Fetches several records.
    @preconcurrency
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        complete(
            callback, { try await self.records(for: recordIDs, desiredKeys: desiredKeys) }, result: completionHandler)
    }

    /// Saves one record.
    @preconcurrency
    public func save(_ record: CKRecord, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
        complete(callback, { try await self.save(record) }, handler: completionHandler)
    }

    /// Deletes one record.
    @preconcurrency
    public func delete(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.deleteRecord(withID: recordID) }, handler: completionHandler)
    }

    /// Saves and deletes records.
    @preconcurrency
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                        deleteResults: [CKRecord.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        complete(
            callback,
            {
                try await self.modifyRecords(
                    saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy, atomically: atomically)
            }, result: completionHandler)
    }

    /// Fetches one zone.
    @preconcurrency
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.recordZone(for: zoneID) }, handler: completionHandler)
    }

    /// Fetches several zones, each with its own error.
    @preconcurrency
    public func fetch(
        withRecordZoneIDs recordZoneIDs: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>) -> Void
    ) {
        complete(callback, { try await self.recordZones(for: recordZoneIDs) }, result: completionHandler)
    }

    /// Fetches all zones.
    @preconcurrency
    public func fetchAllRecordZones(completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void) {
        complete(callback, { try await self.allRecordZones() }, handler: completionHandler)
    }

    /// Saves a zone.
    @preconcurrency
    public func save(
        _ zone: CKRecordZone, completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.save(zone) }, handler: completionHandler)
    }

    /// Deletes a zone.
    @preconcurrency
    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.deleteRecordZone(withID: zoneID) }, handler: completionHandler)
    }

    /// Saves and deletes zones, each with its own error.
    @preconcurrency
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        complete(
            callback,
            { try await self.modifyRecordZones(saving: recordZonesToSave, deleting: recordZoneIDsToDelete) },
            result: completionHandler)
    }

    /// Fetches the zones that have changed.
    @preconcurrency
    public func fetchDatabaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
                        changeToken: CKServerChangeToken, moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        complete(
            callback, { try await self.databaseChanges(since: changeToken, resultsLimit: resultsLimit) },
            result: completionHandler)
    }

    /// Fetches the records of a zone that have changed.
    @preconcurrency
    public func fetchRecordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
                        deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        complete(
            callback,
            {
                try await self.recordZoneChanges(
                    inZoneWith: zoneID, since: changeToken, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
            }, result: completionHandler)
    }

    /// Fetches a subscription.
    @preconcurrency
    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.subscription(for: subscriptionID) }, handler: completionHandler)
    }

    /// Fetches several subscriptions, each with its own error.
    @preconcurrency
    public func fetch(
        withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>) -> Void
    ) {
        complete(callback, { try await self.subscriptions(for: subscriptionIDs) }, result: completionHandler)
    }

    /// Saves and deletes subscriptions, each with its own error.
    @preconcurrency
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        complete(
            callback,
            { try await self.modifySubscriptions(saving: subscriptionsToSave, deleting: subscriptionIDsToDelete) },
            result: completionHandler)
    }

    /// Fetches all subscriptions.
    @preconcurrency
    public func fetchAllSubscriptions(completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void)
    {
        complete(callback, { try await self.allSubscriptions() }, handler: completionHandler)
    }

    /// Saves a subscription.
    @preconcurrency
    public func save(
        _ subscription: CKSubscription, completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.save(subscription) }, handler: completionHandler)
    }

    /// Deletes a subscription.
    @preconcurrency
    public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription.ID?, (any Error)?) -> Void
    ) {
        complete(callback, { try await self.deleteSubscription(withID: subscriptionID) }, handler: completionHandler)
    }
}
