public import Foundation

/// A query as an operation. CloudKit's.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The rest of a query's results. It is of use in this process, for the same database.
    public final class Cursor: NSObject, Sendable {
        let database: DatabaseName
        /// In the order of the query. Bounded by the records of the database.
        let rest: [CKRecord.ID]

        init(database: DatabaseName, rest: [CKRecord.ID]) {
            self.database = database
            self.rest = rest
            super.init()
        }
    }

    /// As many as come at once: at most 400.
    public static let maximumResults = 0

    /// The query.
    open var query: CKQuery?
    /// Where to go on.
    open var cursor: CKQueryOperation.Cursor?
    /// In which zone; nil for all.
    open var zoneID: CKRecordZone.ID?
    /// The most results; never more than 400.
    open var resultsLimit = CKQueryOperation.maximumResults
    /// Which fields; nil for all.
    open var desiredKeys: [CKRecord.FieldKey]?
    /// Called for each record.
    @preconcurrency
    open var recordMatchedBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called at the end, with a cursor where there are more.
    @preconcurrency
    open var queryResultBlock: (@Sendable (Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

    /// Called for each record that could be read: the older form of ``recordMatchedBlock``.
    @preconcurrency
    open var recordFetchedBlock: (@Sendable (CKRecord) -> Void)?
    /// Called at the end: the older form of ``queryResultBlock``.
    @preconcurrency
    open var queryCompletionBlock: (@Sendable (CKQueryOperation.Cursor?, (any Error)?) -> Void)?

    /// A query.
    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    /// More of a query.
    public convenience init(cursor: CKQueryOperation.Cursor) {
        self.init()
        self.cursor = cursor
    }

    override func perform() async {
        do throws(CKError) {
            let results = try await results()
            try checkCancellation()
            for (id, result) in results.matchResults {
                recordMatchedBlock?(id, result)
                if case .success(let record) = result { recordFetchedBlock?(record) }
            }
            queryResultBlock?(.success(results.queryCursor))
            queryCompletionBlock?(results.queryCursor, nil)
        } catch {
            fail(isCancelled ? Self.cancelled : error)
        }
    }

    private func results() async throws(CKError) -> CKDatabase.QueryResults {
        if let cursor { return try await target.rest(of: cursor, keys: desiredKeys, limit: resultsLimit) }
        guard let query else { throw CKError(.invalidArguments, "A query operation needs a query or a cursor.") }
        return try await target.results(of: query, in: zoneID, keys: desiredKeys, limit: resultsLimit)
    }

    override func fail(_ error: CKError) {
        queryResultBlock?(.failure(error))
        queryCompletionBlock?(nil, error)
    }
}
