public import Foundation
import Synchronization

/// Whether the person has an account that the app can use. CloudKit's, with Apple's numbers.
public enum CKAccountStatus: Int, Sendable {
    /// The daemon could not be asked.
    case couldNotDetermine = 0
    /// There is one.
    case available = 1
    /// The app may not use it.
    case restricted = 2
    /// There is none.
    case noAccount = 3
    /// There is one, and it cannot be used now.
    case temporarilyUnavailable = 4
}

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted when the person has entered or left the account. No object. Posted on a serial queue of the library, from the first
    /// `CKContainer` on.
    public static let CKAccountChanged = Self("CKAccountChangedNotification")
}

/// An app's records in the person's account, by the name of a container. CloudKit's.
///
/// An installed app names its containers in its entitlements `com.apple.developer.icloud-container-identifiers`, and has `CloudKit` in
/// `com.apple.developer.icloud-services`; else calls end with `CKError.badContainer` or `CKError.missingEntitlement`. Safe to use
/// from any thread.
///
/// Apple: <https://developer.apple.com/documentation/cloudkit/ckcontainer>
//
// @unchecked: all properties are constants.
open class CKContainer: NSObject, @unchecked Sendable {
    /// The name, as it was asked for; for the default container nil until the daemon has answered with it.
    open var containerIdentifier: String? {
        name.isEmpty ? resolved.withLock { $0 } : name
    }

    let name: String
    let server: any RecordServer
    private let shelves: SubscriptionShelves
    private let resolved = Mutex<String?>(nil)
    /// Callbacks of completion handlers.
    let callback: @Sendable (@escaping @Sendable () -> Void) -> Void
    let operations: OperationQueue
    private let databases: [CKDatabase.Scope: CKDatabase]

    init(
        name: String, server: any RecordServer, shelves: SubscriptionShelves = SubscriptionShelves(),
        callback: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.name = name
        self.server = server
        self.shelves = shelves
        self.callback = callback
        let queue = OperationQueue()
        queue.name = "development.baton.records"
        // The others wait their turn.
        queue.maxConcurrentOperationCount = 8
        operations = queue
        let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
        databases = scopes.reduce(into: [:]) { databases, scope in
            let database = DatabaseName(container: name, scope: scope)
            databases[scope] = CKDatabase(
                name: database, server: server, shelf: shelves.shelf(of: database), callback: callback,
                operations: queue)
        }
        super.init()
    }

    /// The container with a name, such as `iCloud.com.example.App`.
    public convenience init(identifier containerIdentifier: String) {
        let runtime = AppRuntime.current
        self.init(
            name: containerIdentifier, server: runtime.records, shelves: runtime.subscriptionShelves,
            callback: { runtime.onCallbackQueue($0) })
        runtime.watchAccount(containerIdentifier)
    }

    /// The first container of the app's entitlements.
    open class func `default`() -> CKContainer { AppRuntime.current.defaultContainer }

    // MARK: Databases

    /// The person's own.
    open var privateCloudDatabase: CKDatabase { database(with: .private) }
    /// The records that others share with the person. Nothing is shared yet: it has no zones and no changes, and records of it end with
    /// `CKError.zoneNotFound`.
    open var sharedCloudDatabase: CKDatabase { database(with: .shared) }
    /// Not offered: calls end with `CKError.serviceUnavailable`, since Baton's cloud cannot read records.
    open var publicCloudDatabase: CKDatabase { database(with: .public) }

    /// The database of a scope.
    open func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
        if let database = databases[databaseScope] { return database }
        let database = DatabaseName(container: name, scope: databaseScope)
        return CKDatabase(
            name: database, server: server, shelf: shelves.shelf(of: database), callback: callback,
            operations: operations)
    }

    /// Starts an operation: one of a database without a database of its own goes to the private one.
    open func add(_ operation: CKOperation) {
        guard let operation = operation as? CKDatabaseOperation else { return operations.addOperation(operation) }
        let database = operation.database ?? privateCloudDatabase
        database.add(operation)
    }

    /// Calls back with none: what was saved is with the daemon, which sends it whether the app runs or not.
    @preconcurrency
    open func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        callback { completionHandler([], nil) }
    }

    /// Calls back with none, as ``fetchAllLongLivedOperationIDs(completionHandler:)``.
    @preconcurrency
    open func fetchLongLivedOperation(
        withID operationID: CKOperation.ID,
        completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        callback { completionHandler(nil, nil) }
    }

    // MARK: The account

    /// Whether the person has an account that the app can use. Does not throw: what is not known is `couldNotDetermine`.
    open func accountStatus() async throws -> CKAccountStatus {
        do {
            return try await account().status
        } catch {
            switch error.code {
            case .badContainer, .missingEntitlement: throw error
            default: return .couldNotDetermine
            }
        }
    }

    /// The record name of the person: the same on each of the account's devices, another one in each container.
    ///
    /// - Throws: `CKError.notAuthenticated` without an account.
    open func userRecordID() async throws -> CKRecord.ID {
        guard let name = try await account().userRecordName, !name.isEmpty else {
            throw CKError(
                .notAuthenticated, "This device has no account: run “baton setup”, or pair it with another device.")
        }
        return CKRecord.ID(fetched: name, zoneID: .default)
    }

    private func account() async throws(CKError) -> RecordAccount {
        let account = try await server.account(DatabaseName(container: name, scope: .private))
        if !account.container.isEmpty { resolved.withLock { $0 = account.container } }
        return account
    }

    /// As `accountStatus()`, called on a serial queue of the library. With `couldNotDetermine` comes the reason.
    @preconcurrency
    open func accountStatus(completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) {
        complete(
            callback, { try await self.account().status },
            result: { result in
                switch result {
                case .success(let status): completionHandler(status, nil)
                case .failure(let error): completionHandler(.couldNotDetermine, error)
                }
            })
    }

    /// As `userRecordID()`, called on a serial queue of the library.
    @preconcurrency
    open func fetchUserRecordID(completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) {
        complete(callback, { try await self.userRecordID() }, handler: completionHandler)
    }
}

/// Runs a call, and reports its end on the library's queue.
func complete<Output: Sendable>(
    _ callback: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ body: @escaping @Sendable () async throws -> Output,
    result: @escaping @Sendable (Result<Output, any Error>) -> Void
) {
    // Ends with the deadline of its call.
    Task {
        let outcome: Result<Output, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        callback { result(outcome) }
    }
}

/// As above, for handlers of Apple's older form.
func complete<Output: Sendable>(
    _ callback: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ body: @escaping @Sendable () async throws -> Output, handler: @escaping @Sendable (Output?, (any Error)?) -> Void
) {
    complete(callback, body) { result in
        switch result {
        case .success(let output): handler(output, nil)
        case .failure(let error): handler(nil, error)
        }
    }
}
