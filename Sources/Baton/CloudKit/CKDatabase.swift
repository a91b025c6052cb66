public import Foundation

/// The zones and records of a container that belong to one scope. CloudKit's.
///
/// The server is Baton's daemon on this device: calls are answered without a network, from a replica, and what was saved is on the disk
/// when a call returns. It goes to the person's other devices afterwards. Two devices that change a record while apart both succeed;
/// their fields are merged, the newer value of each staying, and both apps hear of it as of any change. `CKError.serverRecordChanged`
/// says that the record here has moved since it was fetched. Safe to use from any thread.
///
/// Errors are always of `CKError`.
///
/// Apple: <https://developer.apple.com/documentation/cloudkit/ckdatabase>
//
// @unchecked: what changes lies behind a lock.
open class CKDatabase: NSObject, @unchecked Sendable {
    /// Whose records. CloudKit's, with Apple's numbers.
    public enum Scope: Int, Sendable {
        /// Everybody's: not offered.
        case `public` = 1
        /// The person's own.
        case `private` = 2
        /// The records that others share with the person.
        case shared = 3
    }

    let name: DatabaseName
    let server: any RecordServer
    let callback: @Sendable (@escaping @Sendable () -> Void) -> Void
    let operations: OperationQueue

    init(
        name: DatabaseName, server: any RecordServer,
        callback: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, operations: OperationQueue
    ) {
        self.name = name
        self.server = server
        self.callback = callback
        self.operations = operations
        super.init()
    }

    /// Whose records it has.
    open var databaseScope: CKDatabase.Scope { name.scope }

    /// Starts an operation on this database.
    open func add(_ operation: CKDatabaseOperation) {
        if let own = operation.database, !own.name.isSame(as: name) {
            return BatonExceptions.raiseInvalidArgument(
                "An operation with a database of its own was added to another one.")
        }
        operation.database = self
        operations.addOperation(operation)
    }

    /// Yields when something may have changed that was not fetched: a change of another device or process, a new account. Baton's own, for
    /// apps without a ``CKSyncEngine``; elements are drawn together, the first one comes at once.
    public var remoteChanges: AsyncStream<Void> {
        let news = server.news(name)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Ends with the stream that it fills.
        let task = Task {
            for await _ in news { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        continuation.yield()
        return stream
    }

    /// Throws for the database that Baton does not offer.
    func check() throws(CKError) {
        if name.scope == .public { throw CKError.publicUnavailable() }
    }

    /// Runs calls with a configuration, which is accepted and not used.
    public func configuredWith<Output>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) async throws -> Output
    ) async rethrows -> Output {
        try await body(self)
    }
}

// MARK: - Records

extension CKDatabase {
    /// Most records of one request.
    static let maximumItems = 400

    /// One record.
    /// - Throws: `CKError.unknownItem` if it is not there, `CKError.zoneNotFound` if its zone is not.
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        guard let result = try await fetched([recordID], keys: nil)[recordID] else { throw Self.missing(recordID) }
        return try result.get()
    }

    /// Several records, at most 400, each with its own error.
    /// - Parameter desiredKeys: the fields to fetch; nil for all.
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await fetched(ids, keys: desiredKeys).mapValues { $0.mapError { $0 as any Error } }
    }

    /// Saves one record.
    /// - Returns: the record as it is saved, with its new tag and dates.
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        let outcomes = try await modified(
            RecordChanges(saving: [record], deleting: [], policy: .ifServerRecordUnchanged, isAtomic: true))
        guard let result = outcomes.saved[record.recordID] else { throw Self.missing(record.recordID) }
        return try result.get()
    }

    /// Deletes one record.
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        let outcomes = try await modified(
            RecordChanges(saving: [], deleting: [recordID], policy: .ifServerRecordUnchanged, isAtomic: true))
        if let error = outcomes.deleted[recordID] ?? nil { throw error }
        return recordID
    }

    /// Saves and deletes records, at most 400 and 2 MiB, each with its own error.
    /// - Parameters:
    ///   - savePolicy: what happens to a record that was changed since it was fetched.
    ///   - atomically: those of one zone all or none: others than the one that failed have `CKError.batchRequestFailed`.
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        let outcomes = try await modified(
            RecordChanges(
                saving: recordsToSave, deleting: recordIDsToDelete, policy: savePolicy, isAtomic: atomically))
        return (
            outcomes.saved.mapValues { $0.mapError { $0 as any Error } },
            outcomes.deleted.mapValues { error in error.map { .failure($0) } ?? .success(()) }
        )
    }

    func fetched(
        _ ids: [CKRecord.ID], keys: [String]?
    ) async throws(CKError) -> [CKRecord.ID: Result<CKRecord, CKError>] {
        try check()
        try Self.checkCount(ids.count)
        guard !ids.isEmpty else { return [:] }
        return try await server.fetch(name, ids, keys: keys)
    }

    func modified(_ changes: RecordChanges) async throws(CKError) -> RecordOutcomes {
        try check()
        try Self.checkCount(changes.saving.count + changes.deleting.count)
        guard !changes.saving.isEmpty || !changes.deleting.isEmpty else { return RecordOutcomes() }
        let names = changes.saving.map(\.recordID) + changes.deleting
        guard Set(names).count == names.count else {
            throw CKError(.invalidArguments, "A record is saved or deleted once in a request, not twice.")
        }
        return try await server.modify(name, changes)
    }

    static func checkCount(_ count: Int) throws(CKError) {
        guard count > maximumItems else { return }
        throw CKError(
            .limitExceeded, "A request has at most \(maximumItems) records, and this one has \(count): halve it.")
    }

    static func missing(_ id: CKRecord.ID) -> CKError {
        CKError(.unknownItem, "There is no record “\(id.recordName)” in the zone “\(id.zoneID.zoneName)”.")
    }
}
