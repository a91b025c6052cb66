import Foundation

/// Saves and deletes zones. CloudKit's.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The items to save.
    open var recordZonesToSave: [CKRecordZone]?
    /// The items to delete, with all records.
    open var recordZoneIDsToDelete: [CKRecordZone.ID]?
    /// Called for each zone to be saved.
    @preconcurrency
    open var perRecordZoneSaveBlock: (@Sendable (CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    /// Called for each zone to be deleted.
    @preconcurrency
    open var perRecordZoneDeleteBlock: (@Sendable (CKRecordZone.ID, Result<Void, any Error>) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where a zone failed.
    @preconcurrency
    open var modifyRecordZonesResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var modifyRecordZonesCompletionBlock: (@Sendable ([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?

    /// The items to save and to delete.
    public convenience init(recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil) {
        self.init()
        self.recordZonesToSave = recordZonesToSave
        self.recordZoneIDsToDelete = recordZoneIDsToDelete
    }

    override func perform() async {
        do throws(CKError) {
            let saving = recordZonesToSave ?? []
            let deleting = recordZoneIDsToDelete ?? []
            let outcomes = try await target.modifiedZones(saving: saving.map(\.zoneID), deleting: deleting)
            try checkCancellation()
            var errors: [AnyHashable: any Error] = [:]
            var saved: [CKRecordZone] = []
            for id in saving.map(\.zoneID) {
                if let error = outcomes.saved[id] ?? nil {
                    errors[id] = error
                    perRecordZoneSaveBlock?(id, .failure(error))
                } else {
                    saved.append(CKDatabase.zone(id))
                    perRecordZoneSaveBlock?(id, .success(CKDatabase.zone(id)))
                }
            }
            var deleted: [CKRecordZone.ID] = []
            for id in deleting {
                if let error = outcomes.deleted[id] ?? nil {
                    errors[id] = error
                    perRecordZoneDeleteBlock?(id, .failure(error))
                } else {
                    deleted.append(id)
                    perRecordZoneDeleteBlock?(id, .success(()))
                }
            }
            let error = errors.isEmpty ? nil : CKError.partial(errors)
            modifyRecordZonesResultBlock?(error.map { .failure($0) } ?? .success(()))
            modifyRecordZonesCompletionBlock?(saved, deleted, error)
        } catch {
            fail(isCancelled ? Self.cancelled : error)
        }
    }

    override func fail(_ error: CKError) {
        modifyRecordZonesResultBlock?(.failure(error))
        modifyRecordZonesCompletionBlock?(nil, nil, error)
    }
}

/// Fetches zones. CloudKit's.
open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which; nil for all.
    open var recordZoneIDs: [CKRecordZone.ID]?
    /// Called for each zone.
    @preconcurrency
    open var perRecordZoneResultBlock: (@Sendable (CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where a zone failed.
    @preconcurrency
    open var fetchRecordZonesResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var fetchRecordZonesCompletionBlock: (@Sendable ([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?

    /// Some zones.
    public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
        self.init()
        recordZoneIDs = zoneIDs
    }

    /// All zones.
    public override required init() { super.init() }

    /// All zones.
    open class func fetchAllRecordZonesOperation() -> Self { Self.init() }

    override func perform() async {
        do throws(CKError) {
            let results = try await target.fetchedZones(recordZoneIDs)
            try checkCancellation()
            var errors: [AnyHashable: any Error] = [:]
            var zones: [CKRecordZone.ID: CKRecordZone] = [:]
            for (id, result) in results {
                switch result {
                case .success(let zone):
                    zones[id] = zone
                    perRecordZoneResultBlock?(id, .success(zone))
                case .failure(let error):
                    errors[id] = error
                    perRecordZoneResultBlock?(id, .failure(error))
                }
            }
            let error = errors.isEmpty ? nil : CKError.partial(errors)
            fetchRecordZonesResultBlock?(error.map { .failure($0) } ?? .success(()))
            fetchRecordZonesCompletionBlock?(zones, error)
        } catch {
            fail(isCancelled ? Self.cancelled : error)
        }
    }

    override func fail(_ error: CKError) {
        fetchRecordZonesResultBlock?(.failure(error))
        fetchRecordZonesCompletionBlock?(nil, error)
    }
}
