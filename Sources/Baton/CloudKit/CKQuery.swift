public import Foundation

/// A search for records by their fields. CloudKit's. Baton's cloud cannot read records: each query ends with
/// `CKError.serviceUnavailable`.
//
// @unchecked: set before it is given away, as on Apple's systems.
open class CKQuery: NSObject, @unchecked Sendable {
    /// The type of record.
    public let recordType: CKRecord.RecordType
    /// Which of them.
    public let predicate: NSPredicate
    /// In which order.
    open var sortDescriptors: [NSSortDescriptor]?

    /// A query, which Baton does not answer.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        self.recordType = recordType
        self.predicate = predicate
        super.init()
    }
}

/// A query as an operation. CloudKit's. It ends with `CKError.serviceUnavailable`.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Where a query is to go on: there are none.
    public final class Cursor: NSObject, Sendable {}

    /// As many as the server likes.
    public static let maximumResults = 0

    /// The query.
    open var query: CKQuery?
    /// Where to go on.
    open var cursor: CKQueryOperation.Cursor?
    /// In which zone.
    open var zoneID: CKRecordZone.ID?
    /// The most results.
    open var resultsLimit = CKQueryOperation.maximumResults
    /// Which fields.
    open var desiredKeys: [CKRecord.FieldKey]?
    /// Not called.
    @preconcurrency
    open var recordMatchedBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    /// Called with the error.
    @preconcurrency
    open var queryResultBlock: (@Sendable (Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

    /// Not called.
    @preconcurrency
    open var recordFetchedBlock: (@Sendable (CKRecord) -> Void)?
    /// Called with the error: the older form of ``queryResultBlock``.
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

    override func perform() async { fail(CKError.queriesUnavailable()) }
    override func fail(_ error: CKError) {
        queryResultBlock?(.failure(error))
        queryCompletionBlock?(nil, error)
    }
}

extension CKDatabase {
    /// The results of a query.
    public typealias QueryResults = (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    )

    /// - Throws: `CKError.serviceUnavailable`: there are no queries.
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> QueryResults {
        throw CKError.queriesUnavailable()
    }

    /// - Throws: `CKError.serviceUnavailable`: there are no queries.
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> QueryResults {
        throw CKError.queriesUnavailable()
    }

    /// Calls back with `CKError.serviceUnavailable`: there are no queries.
    @preconcurrency
    public func fetch(
        withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler: @escaping @Sendable (Result<QueryResults, any Error>) -> Void
    ) {
        callback { completionHandler(.failure(CKError.queriesUnavailable())) }
    }

    /// Calls back with `CKError.serviceUnavailable`: there are no queries.
    @preconcurrency
    public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler: @escaping @Sendable (Result<QueryResults, any Error>) -> Void
    ) {
        callback { completionHandler(.failure(CKError.queriesUnavailable())) }
    }
}
