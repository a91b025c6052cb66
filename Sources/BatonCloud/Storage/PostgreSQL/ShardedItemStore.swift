package import BatonCore
package import BatonWire
package import Foundation
import Synchronization

/// Keeps items in several PostgreSQL databases, each account whole in one of them.
///
/// The first is the directory: it knows which database holds an account, and keeps what belongs to no account. Databases
/// are known by an identity that is kept in them, so their addresses may change. A new account goes to the one that has
/// fewest.
package final class ShardedItemStore: ItemStore {
    private let directory: PostgreSQLItemStore
    private let stores: [Data: PostgreSQLItemStore]
    private let all: [PostgreSQLItemStore]
    /// Where accounts are that were asked for. Policy: at the bound all are forgotten, and asked for again.
    private let places = Mutex<[AccountID: Data]>([:])
    private static let maximumPlaces = 100_000

    /// Blocks.
    /// - Parameter stores: the directory first; at least one.
    /// - Throws: `invalid_argument` `same_database` when two are the same; `failed_precondition` `other_directory` when the
    ///   first is not the directory, or `database_not_named` when accounts are in another database.
    package init(_ stores: [PostgreSQLItemStore]) throws(BatonError) {
        guard let first = stores.first, Set(stores.map(\.identity)).count == stores.count else {
            throw BatonError(
                .invalidArgument, reason: "same_database",
                "Two of the databases that were named are the same, or none was named. Name each once.")
        }
        try PostgreSQLDirectory.settle(stores)
        directory = first
        all = stores
        self.stores = Dictionary(stores.map { ($0.identity, $0) }) { first, _ in first }
    }

    /// Blocks.
    package func close() { for store in all { store.close() } }

    // MARK: Placement

    private func store(of account: AccountID) async throws -> PostgreSQLItemStore {
        if let known = places.withLock({ $0[account] }), let store = stores[known] { return store }
        guard let place = try await directory.placement(of: account) else { throw StoreRules.unknownAccount }
        return try store(place, of: account)
    }

    private func store(_ place: Data, of account: AccountID) throws -> PostgreSQLItemStore {
        guard let store = stores[place] else {
            throw BatonError(
                .unavailable, reason: "database_not_named",
                "The account is in a database missing from this node's configuration. Give every node the same --postgres."
            )
        }
        places.withLock { places in
            if places.count >= Self.maximumPlaces { places = [:] }
            places[account] = place
        }
        return store
    }

    /// An account that was deleted and registered again may be elsewhere than it was.
    private func at<Value>(
        _ account: AccountID, _ body: (PostgreSQLItemStore) async throws -> Value
    ) async throws -> Value {
        let store = try await store(of: account)
        do {
            return try await body(store)
        } catch let error as BatonError where error.reason == StoreRules.unknownAccount.reason {
            places.withLock { $0[account] = nil }
            let other = try await self.store(of: account)
            guard other !== store else { throw error }
            return try await body(other)
        }
    }

    // MARK: Server

    /// Asks each database.
    /// - Returns: a sentence on those that do not answer, while accounts of others are served; nil when all do.
    /// - Throws: `unavailable` when the directory does not, without which no account is found.
    func checkAnswers() async throws -> BatonError? {
        let failed = await withTaskGroup(of: (Int, BatonError)?.self) { group -> [Int: BatonError] in
            for (index, store) in all.enumerated() {
                group.addTask {
                    do {
                        try await store.checkAnswers()
                        return nil
                    } catch {
                        return (index, SQLFailure.meaning(error))
                    }
                }
            }
            var errors: [Int: BatonError] = [:]
            for await failure in group {
                if let (index, error) = failure { errors[index] = error }
            }
            return errors
        }
        let places = failed.keys.sorted()
        guard let first = places.first, let error = failed[first] else { return nil }
        guard all.count > 1 else { throw error }
        let numbers = places.map { "\($0 + 1)" }.joined(separator: ", ")
        let names = (places.count == 1 ? "Database " : "Databases ") + numbers
        let isFull = error.reason == "disk_full"
        let what = places.count == 1 ? (isFull ? "is full" : "does not answer") : "do not answer, or are full"
        let finding = BatonError(
            .unavailable, reason: error.reason, "\(names) \(what). Try again later.", cause: error.cause)
        guard first > 0 else { throw finding }
        return finding
    }

    package func secret() async throws -> Data { try await directory.secret() }
    package func use(_ name: OneUse) async throws { try await directory.use(name) }

    // MARK: Accounts

    package func account(_ id: AccountID) async throws -> AccountRecord? {
        do {
            // Nil is no error, so that it is looked for once more where it is now.
            return try await at(id) { store in
                guard let record = try await store.account(id) else { throw StoreRules.unknownAccount }
                return record
            }
        } catch let error as BatonError where error.reason == StoreRules.unknownAccount.reason {
            return nil
        }
    }

    package func hasAccounts() async throws -> Bool { try await directory.hasPlacements() }

    package func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?,
        mustBeFirst: Bool
    ) async throws -> AccountRecord {
        let place = try await directory.place(id, among: all.map(\.identity), mustBeFirst: mustBeFirst)
        let store = try store(place, of: id)
        var invitation = invitation
        let record: AccountRecord
        do {
            if store !== directory, let used = invitation {
                guard try await store.account(id) == nil else { throw StoreRules.accountExists }
                try await directory.use(used)
                invitation = nil
            }
            record = try await store.addAccount(id, rootKey: rootKey, statements: statements, invitation: invitation)
        } catch let error as BatonError where error.reason == StoreRules.usedUp.reason {
            // Nothing stays of a registration that was refused for good.
            if try await store.account(id) == nil { try await displace(id, from: store) }
            throw error
        }
        // A concurrent deletion of the account may have removed the placement, taking it for the old account's.
        _ = try await directory.place(id, among: [place])
        return record
    }

    package func addStatements(_ statements: [Baton_Link_V1_SignedStatement], to account: AccountID) async throws {
        try await at(account) { try await $0.addStatements(statements, to: account) }
    }

    package func removeAccount(_ id: AccountID) async throws {
        let store = try await at(id) { store -> PostgreSQLItemStore in
            try await store.removeAccount(id)
            return store
        }
        try await displace(id, from: store)
        places.withLock { $0[id] = nil }
    }

    /// The placement of an account that is there again, registered at the same moment, stays.
    private func displace(_ id: AccountID, from store: PostgreSQLItemStore) async throws {
        try await directory.displace(id)
        guard try await store.account(id) != nil else { return }
        _ = try await directory.place(id, among: [store.identity])
    }

    package func usage(of account: AccountID) async throws -> Usage {
        try await at(account) { try await $0.usage(of: account) }
    }

    package func setQuota(_ quota: UInt64?, of account: AccountID) async throws {
        try await at(account) { try await $0.setQuota(quota, of: account) }
    }

    // MARK: Zones

    package func zones(of account: AccountID) async throws -> [ZoneHead] {
        try await at(account) { try await $0.zones(of: account) }
    }

    package func write(_ batch: WriteBatch, to zone: ZoneID, of account: AccountID) async throws -> WriteOutcome {
        try await at(account) { try await $0.write(batch, to: zone, of: account) }
    }

    package func items(_ ids: [ItemID], in zone: ZoneID, of account: AccountID) async throws -> [StoredItem] {
        try await at(account) { try await $0.items(ids, in: zone, of: account) }
    }

    package func changes(
        after cursor: ZoneCursor?, in zone: ZoneID, of account: AccountID, limit: PageLimit
    ) async throws -> ChangePage {
        try await at(account) { try await $0.changes(after: cursor, in: zone, of: account, limit: limit) }
    }

    package func removeZone(_ zone: ZoneID, of account: AccountID) async throws {
        try await at(account) { try await $0.removeZone(zone, of: account) }
    }

    // MARK: Blobs

    package func blobs(_ hashes: [BlobHash], of account: AccountID) async throws -> [BlobHash: BlobRecord] {
        try await at(account) { try await $0.blobs(hashes, of: account) }
    }

    package func beginBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> BlobStanding {
        try await at(account) { try await $0.beginBlob(hash, size: size, of: account) }
    }

    package func finishBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws {
        try await at(account) { try await $0.finishBlob(hash, size: size, of: account) }
    }

    package func cancelBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> Bool {
        try await at(account) { try await $0.cancelBlob(hash, size: size, of: account) }
    }

    package func giveUpBlobs(limit: Int) async throws -> [BlobAddress] {
        var given: [BlobAddress] = []
        for store in all where given.count < limit {
            given += try await store.giveUpBlobs(limit: limit - given.count)
        }
        return given
    }

    package func releaseBlobs(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64 {
        try await at(account) { try await $0.releaseBlobs(hashes, of: account) }
    }

    package func forgetBlobs(_ addresses: [BlobAddress]) async throws {
        // Spaces are drawn at random: no two databases have the same.
        for store in all { try await store.forgetBlobs(addresses) }
    }

    // MARK: Maintenance

    package func sweep() async throws -> Bool {
        var hasMore = false
        for store in all { hasMore = try await store.sweep() || hasMore }
        return hasMore
    }
}
