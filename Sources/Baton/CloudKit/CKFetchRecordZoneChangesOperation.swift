public import Foundation

/// Fetches the changes of zones. CloudKit's.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// From where, and which fields. CloudKit's.
    //
    // @unchecked: set before it is given away, as on Apple's systems.
    open class ZoneConfiguration: NSObject, @unchecked Sendable {
        /// The token of an earlier fetch of the zone; nil for all records.
        open var previousServerChangeToken: CKServerChangeToken?
        /// The most changes of one page; 0 for as many as the server likes.
        open var resultsLimit: Int?
        /// Which fields; nil for all.
        open var desiredKeys: [CKRecord.FieldKey]?

        /// All records and fields.
        public override init() { super.init() }
        /// From where, and which fields.
        public convenience init(
            previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
            desiredKeys: [CKRecord.FieldKey]? = nil
        ) {
            self.init()
            self.previousServerChangeToken = previousServerChangeToken
            self.resultsLimit = resultsLimit
            self.desiredKeys = desiredKeys
        }
    }

    /// Which zones.
    open var recordZoneIDs: [CKRecordZone.ID]?
    /// From where, for each zone.
    open var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
    /// Whether it goes on until nothing more comes; at first true.
    open var fetchAllChanges = true
    /// Called for each record that was saved.
    @preconcurrency
    open var recordWasChangedBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called for each record that was saved: the older form.
    @preconcurrency
    open var recordChangedBlock: (@Sendable (CKRecord) -> Void)?
    /// Called for each record that is gone.
    @preconcurrency
    open var recordWithIDWasDeletedBlock: (@Sendable (CKRecord.ID, CKRecord.RecordType) -> Void)?
    /// Called with a token after each page but the last.
    @preconcurrency
    open var recordZoneChangeTokensUpdatedBlock: (@Sendable (CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
    /// Called when a zone is done.
    @preconcurrency
    open var recordZoneFetchResultBlock:
        (
            @Sendable (
                CKRecordZone.ID,
                Result<
                    (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error
                >
            ) -> Void
        )?
    /// Called when a zone is done: the older form.
    @preconcurrency
    open var recordZoneFetchCompletionBlock:
        (@Sendable (CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where a zone failed.
    @preconcurrency
    open var fetchRecordZoneChangesResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var fetchRecordZoneChangesCompletionBlock: (@Sendable ((any Error)?) -> Void)?

    /// Which zones, and from where.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID], configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? = nil
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.configurationsByRecordZoneID = configurationsByRecordZoneID
    }

    /// The older name of ``ZoneConfiguration``.
    public typealias ZoneOptions = ZoneConfiguration

    /// The older name of ``configurationsByRecordZoneID``.
    open var optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]? {
        get { configurationsByRecordZoneID }
        set { configurationsByRecordZoneID = newValue }
    }

    /// Which zones, and from where: the older form.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID], optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]?
    ) {
        self.init(recordZoneIDs: recordZoneIDs, configurationsByRecordZoneID: optionsByRecordZoneID)
    }

    override func perform() async {
        var errors: [AnyHashable: any Error] = [:]
        for zone in recordZoneIDs ?? configurationsByRecordZoneID.map({ Array($0.keys) }) ?? [] {
            do throws(CKError) {
                try await fetch(zone, configurationsByRecordZoneID?[zone])
            } catch {
                if isCancelled { return fail(Self.cancelled) }
                errors[zone] = error
                recordZoneFetchResultBlock?(zone, .failure(error))
                recordZoneFetchCompletionBlock?(zone, nil, nil, false, error)
            }
        }
        let error = errors.isEmpty ? nil : CKError.partial(errors)
        fetchRecordZoneChangesResultBlock?(error.map { .failure($0) } ?? .success(()))
        fetchRecordZoneChangesCompletionBlock?(error)
    }

    private func fetch(_ zone: CKRecordZone.ID, _ configuration: ZoneConfiguration?) async throws(CKError) {
        let database = target
        try database.check()
        var token = configuration?.previousServerChangeToken?.data
        while true {
            try checkCancellation()
            let page = try await database.server.zoneChanges(
                database.name, zone, since: token, keys: configuration?.desiredKeys,
                limit: configuration?.resultsLimit)
            try checkCancellation()
            for record in page.records {
                if page.incomplete.contains(record.recordID) {
                    recordWasChangedBlock?(record.recordID, .failure(CKDatabase.withoutAsset(record.recordID)))
                } else {
                    recordWasChangedBlock?(record.recordID, .success(record))
                    recordChangedBlock?(record)
                }
            }
            for (id, type) in page.deleted { recordWithIDWasDeletedBlock?(id, type) }
            // A page without progress would be requested for ever.
            let hasMore = page.hasMore && page.token != token
            token = page.token
            let changeToken = CKServerChangeToken(data: page.token)
            guard hasMore, fetchAllChanges else {
                recordZoneFetchResultBlock?(zone, .success((changeToken, nil, hasMore)))
                recordZoneFetchCompletionBlock?(zone, changeToken, nil, hasMore, nil)
                return
            }
            recordZoneChangeTokensUpdatedBlock?(zone, changeToken, nil)
        }
    }

    override func fail(_ error: CKError) {
        fetchRecordZoneChangesResultBlock?(.failure(error))
        fetchRecordZoneChangesCompletionBlock?(error)
    }
}

/// Fetches which zones have changed. CloudKit's.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The token of an earlier fetch; nil for all zones.
    open var previousServerChangeToken: CKServerChangeToken?
    /// The most changes of one page; 0 for as many as the server likes.
    open var resultsLimit = 0
    /// Whether it goes on until nothing more comes; at first true.
    open var fetchAllChanges = true
    /// Called for each zone with changes.
    @preconcurrency
    open var recordZoneWithIDChangedBlock: (@Sendable (CKRecordZone.ID) -> Void)?
    /// Called for each zone that an app has deleted.
    @preconcurrency
    open var recordZoneWithIDWasDeletedBlock: (@Sendable (CKRecordZone.ID) -> Void)?
    /// Called for each zone that the person has deleted.
    @preconcurrency
    open var recordZoneWithIDWasPurgedBlock: (@Sendable (CKRecordZone.ID) -> Void)?
    /// Called with a token after each page.
    @preconcurrency
    open var changeTokenUpdatedBlock: (@Sendable (CKServerChangeToken) -> Void)?
    /// Called at the end.
    @preconcurrency
    open var fetchDatabaseChangesResultBlock:
        (@Sendable (Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var fetchDatabaseChangesCompletionBlock: (@Sendable (CKServerChangeToken?, Bool, (any Error)?) -> Void)?

    /// From where.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform() async {
        do throws(CKError) {
            let database = target
            try database.check()
            var token = previousServerChangeToken?.data
            while true {
                try checkCancellation()
                let page = try await database.server.databaseChanges(
                    database.name, since: token, limit: resultsLimit)
                try checkCancellation()
                for zone in page.changed { recordZoneWithIDChangedBlock?(zone) }
                for (zone, isPurged) in page.deleted {
                    if isPurged, let purged = recordZoneWithIDWasPurgedBlock {
                        purged(zone)
                    } else {
                        recordZoneWithIDWasDeletedBlock?(zone)
                    }
                }
                let changeToken = CKServerChangeToken(data: page.token)
                changeTokenUpdatedBlock?(changeToken)
                // A page without progress would be requested for ever.
                let hasMore = page.hasMore && page.token != token
                token = page.token
                guard !hasMore || !fetchAllChanges else { continue }
                fetchDatabaseChangesResultBlock?(.success((changeToken, hasMore)))
                fetchDatabaseChangesCompletionBlock?(changeToken, hasMore, nil)
                return
            }
        } catch {
            fail(isCancelled ? Self.cancelled : error)
        }
    }

    override func fail(_ error: CKError) {
        fetchDatabaseChangesResultBlock?(.failure(error))
        fetchDatabaseChangesCompletionBlock?(nil, false, error)
    }
}
