public import Foundation

/// Saves and deletes records: at most 400, and 2 MiB. CloudKit's.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The way to save a record that was changed since it was fetched. CloudKit's, with Apple's numbers.
    public enum RecordSavePolicy: Int, Sendable {
        /// It is not saved: `CKError.serverRecordChanged`.
        case ifServerRecordUnchanged = 0
        /// The fields that were set are written.
        case changedKeys = 1
        /// All fields are written, and others removed.
        case allKeys = 2
    }

    /// The items to save.
    open var recordsToSave: [CKRecord]?
    /// The items to delete. One that is not there is no error.
    open var recordIDsToDelete: [CKRecord.ID]?
    /// The way to save a record that was changed since.
    open var savePolicy = RecordSavePolicy.ifServerRecordUnchanged
    /// All of a zone or none; at first true.
    open var isAtomic = true
    /// Not used.
    open var clientChangeTokenData: Data?
    /// Called with the part that was sent, which is the whole.
    @preconcurrency
    open var perRecordProgressBlock: (@Sendable (CKRecord, Double) -> Void)?
    /// Called for each record to be saved.
    @preconcurrency
    open var perRecordSaveBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called for each record to be deleted.
    @preconcurrency
    open var perRecordDeleteBlock: (@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)?
    /// Called for each record to be saved: the older form.
    @preconcurrency
    open var perRecordCompletionBlock: (@Sendable (CKRecord, (any Error)?) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where a record failed.
    @preconcurrency
    open var modifyRecordsResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var modifyRecordsCompletionBlock: (@Sendable ([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

    /// The items to save and to delete.
    public convenience init(recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil) {
        self.init()
        self.recordsToSave = recordsToSave
        self.recordIDsToDelete = recordIDsToDelete
    }

    override func perform() async {
        let saving = recordsToSave ?? []
        do throws(CKError) {
            let outcomes = try await target.modified(
                RecordChanges(
                    saving: saving, deleting: recordIDsToDelete ?? [], policy: savePolicy, isAtomic: isAtomic))
            try checkCancellation()
            tell(outcomes, saving)
        } catch {
            fail(isCancelled ? Self.cancelled : error)
        }
    }

    private func tell(_ outcomes: RecordOutcomes, _ saving: [CKRecord]) {
        var errors: [AnyHashable: any Error] = [:]
        var saved: [CKRecord] = []
        for record in saving {
            let result = outcomes.saved[record.recordID] ?? .failure(CKDatabase.missing(record.recordID))
            switch result {
            case .success(let new):
                saved.append(new)
                perRecordProgressBlock?(new, 1)
                perRecordSaveBlock?(record.recordID, .success(new))
                perRecordCompletionBlock?(new, nil)
            case .failure(let error):
                errors[record.recordID] = error
                perRecordSaveBlock?(record.recordID, .failure(error))
                perRecordCompletionBlock?(record, error)
            }
        }
        var deleted: [CKRecord.ID] = []
        for id in recordIDsToDelete ?? [] {
            if let error = outcomes.deleted[id] ?? nil {
                errors[id] = error
                perRecordDeleteBlock?(id, .failure(error))
            } else {
                deleted.append(id)
                perRecordDeleteBlock?(id, .success(()))
            }
        }
        let error = errors.isEmpty ? nil : CKError.partial(errors)
        modifyRecordsResultBlock?(error.map { .failure($0) } ?? .success(()))
        modifyRecordsCompletionBlock?(saved, deleted, error)
    }

    override func fail(_ error: CKError) {
        modifyRecordsResultBlock?(.failure(error))
        modifyRecordsCompletionBlock?(nil, nil, error)
    }
}

/// Fetches records: at most 400. CloudKit's.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which.
    open var recordIDs: [CKRecord.ID]?
    /// Which fields; nil for all.
    open var desiredKeys: [CKRecord.FieldKey]?
    /// Called when a record is there, with 1.
    @preconcurrency
    open var perRecordProgressBlock: (@Sendable (CKRecord.ID, Double) -> Void)?
    /// Called for each record.
    @preconcurrency
    open var perRecordResultBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called for each record: the older form.
    @preconcurrency
    open var perRecordCompletionBlock: (@Sendable (CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where a record failed.
    @preconcurrency
    open var fetchRecordsResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var fetchRecordsCompletionBlock: (@Sendable ([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?

    /// Which records.
    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// Fetches the record of the person: its identifier with `CKContainer.userRecordID()`. Nothing is saved in it by Baton.
    open class func fetchCurrentUserRecordOperation() -> Self { Self.init() }

    /// Nothing to fetch yet.
    public override required init() { super.init() }

    override func perform() async {
        do throws(CKError) {
            let ids = recordIDs ?? []
            let results = try await target.fetched(ids, keys: desiredKeys)
            try checkCancellation()
            var errors: [AnyHashable: any Error] = [:]
            var records: [CKRecord.ID: CKRecord] = [:]
            for id in ids {
                switch results[id] ?? .failure(CKDatabase.missing(id)) {
                case .success(let record):
                    records[id] = record
                    perRecordProgressBlock?(id, 1)
                    perRecordResultBlock?(id, .success(record))
                    perRecordCompletionBlock?(record, id, nil)
                case .failure(let error):
                    errors[id] = error
                    perRecordResultBlock?(id, .failure(error))
                    perRecordCompletionBlock?(nil, id, error)
                }
            }
            let error = errors.isEmpty ? nil : CKError.partial(errors)
            fetchRecordsResultBlock?(error.map { .failure($0) } ?? .success(()))
            fetchRecordsCompletionBlock?(records, error)
        } catch {
            fail(isCancelled ? Self.cancelled : error)
        }
    }

    override func fail(_ error: CKError) {
        fetchRecordsResultBlock?(.failure(error))
        fetchRecordsCompletionBlock?(nil, error)
    }
}
