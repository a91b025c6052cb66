import Foundation
import Synchronization

/// The server of records, as CloudKit's names see it: the daemon. Calls are independent of each other.
///
/// A failure as a whole is thrown, always as a `CKError`.
protocol RecordServer: Sendable {
    typealias RecordResult = Result<CKRecord, CKError>

    func account(_ database: DatabaseName) async throws(CKError) -> RecordAccount
    func modify(_ database: DatabaseName, _ changes: RecordChanges) async throws(CKError) -> RecordOutcomes
    func fetch(
        _ database: DatabaseName, _ ids: [CKRecord.ID], keys: [String]?
    ) async throws(CKError) -> [CKRecord.ID: RecordResult]
    /// - Parameter ids: nil for all zones.
    func zones(
        _ database: DatabaseName, _ ids: [CKRecordZone.ID]?
    ) async throws(CKError) -> [(id: CKRecordZone.ID, error: CKError?)]
    func modifyZones(
        _ database: DatabaseName, saving: [CKRecordZone.ID], deleting: [CKRecordZone.ID]
    ) async throws(CKError) -> (saved: [CKRecordZone.ID: CKError?], deleted: [CKRecordZone.ID: CKError?])
    func databaseChanges(
        _ database: DatabaseName, since token: Data?, limit: Int?
    ) async throws(CKError) -> ZoneListChanges
    func zoneChanges(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?, limit: Int?
    ) async throws(CKError) -> ZoneChanges
    /// A page of a zone's records for a query: as ``zoneChanges(_:_:since:keys:limit:)``, without the files of assets.
    func search(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?
    ) async throws(CKError) -> ZoneChanges
    /// Follows a database until its task is cancelled, also over restarts of the daemon. Only the newest waits: elements are drawn
    /// together.
    func news(_ database: DatabaseName) -> AsyncStream<RecordNews>
    /// The subscriptions that apps have saved, for the life of this object: containers of one name share them.
    var subscriptions: KeptSubscriptions { get }
}

/// The subscriptions of a process, by their databases.
final class KeptSubscriptions: Sendable {
    private let kept = Mutex<[DatabaseName: [CKSubscription.ID: CKSubscription]]>([:])

    func withAll<Result: Sendable>(
        _ database: DatabaseName, _ body: (inout [CKSubscription.ID: CKSubscription]) -> Result
    ) -> Result {
        kept.withLock { body(&$0[database, default: [:]]) }
    }
}

/// Which database.
struct DatabaseName: Sendable, Hashable {
    /// Empty for the app's first container.
    var container: String
    var scope: CKDatabase.Scope

    /// Whether it may be the same database: the app's first container has a name that is known to the daemon.
    func isSame(as other: DatabaseName) -> Bool {
        guard scope == other.scope else { return false }
        return container == other.container || container.isEmpty || other.container.isEmpty
    }
}

struct RecordAccount: Sendable, Hashable {
    var status: CKAccountStatus
    /// Nil without an account.
    var userRecordName: String?
    /// The container's whole name.
    var container: String = ""
}

struct RecordChanges: Sendable {
    var saving: [CKRecord]
    var deleting: [CKRecord.ID]
    var policy: CKModifyRecordsOperation.RecordSavePolicy
    var isAtomic: Bool
}

struct RecordOutcomes: Sendable {
    var saved: [CKRecord.ID: Result<CKRecord, CKError>] = [:]
    var deleted: [CKRecord.ID: CKError?] = [:]
}

struct ZoneListChanges: Sendable {
    var changed: [CKRecordZone.ID]
    /// True: the person deleted it.
    var deleted: [(id: CKRecordZone.ID, isPurged: Bool)]
    var token: Data
    var hasMore: Bool
}

struct ZoneChanges: Sendable {
    /// With an error of an asset that is not here.
    var records: [CKRecord]
    var deleted: [(id: CKRecord.ID, type: String)]
    var token: Data
    var hasMore: Bool
    /// Records of which an asset could not be had now: theirs has no file.
    var incomplete: Set<CKRecord.ID> = []
}

enum RecordNews: Sendable, Hashable {
    /// The zones that may have changed; nil for any, as after a restart of the daemon.
    case changed(zones: Set<CKRecordZone.ID>?)
    case account(RecordAccount)
}
