import BatonCore
import GRDB
package import Logging
import Synchronization

/// Reports failures of databases and blob stores to the log: the kind of failure, never the data concerned.
///
/// One line for each reason and database in a while, with how many there were: a disk that is full fails every call.
package final class StorageHealth: Sendable {
    /// Reasons by which storage fails, not those who call it.
    package static let reasons: Set<String> = [
        "blob_damaged", "blob_storage_failed", "database_damaged", "database_failed", "database_unavailable",
        "disk_full", "outcome_unknown", "overloaded", "storage_slow",
    ]
    private static let interval = Duration.seconds(10)

    private struct Told {
        var last: ContinuousClock.Instant
        var since = 0
    }

    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let told = Mutex<[String: Told]>([:])

    package init(logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// - Returns: whether it was the storage that failed.
    @discardableResult
    package func hear(_ error: any Error) -> Bool {
        guard let error = error as? BatonError, Self.reasons.contains(error.reason) else { return false }
        let now = now()
        let database = Self.database(of: error)
        // Another database that fails is another failure.
        let name = database.map { "\(error.reason) \($0)" } ?? error.reason
        let count = told.withLock { told -> Int? in
            if var before = told[name], before.last.duration(to: now) < Self.interval {
                before.since += 1
                told[name] = before
                return nil
            }
            let count = (told[name]?.since ?? 0) + 1
            told[name] = Told(last: now)
            return count
        }
        if let count {
            var metadata: Logger.Metadata = [
                "reason": "\(error.reason)", "detail": "\(Self.detail(of: error.cause))", "count": "\(count)",
            ]
            if let database { metadata["database"] = "\(database)" }
            logger.error("The storage failed", metadata: metadata)
        }
        return true
    }

    /// Which of several databases failed, by its place in the list; nil when there is only one.
    static func database(of error: BatonError) -> Int? { (error.cause as? SQLFailure)?.database }

    /// Describes the failure without stored data: messages of databases name rows.
    static func detail(of cause: (any Error)?) -> String {
        switch cause {
        case let failure as SQLFailure: failure.state.map { "SQLSTATE \($0)" } ?? "no connection"
        case let failure as DatabaseError: "SQLite \(failure.extendedResultCode.rawValue)"
        case let failure as S3Client.Failure: "S3 \(failure.status) \(failure.code)"
        case let error as BatonError: error.reason
        case nil: "none"
        case let other?: "\(type(of: other))"
        }
    }
}
