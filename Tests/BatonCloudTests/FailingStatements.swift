import BatonCloud
import BatonCore
import BatonWire
import Foundation
import Synchronization

/// A store that takes no statements while a test says so, as with a full disk.
final class FailingStatements: ItemStore {
    private let store: any ItemStore
    let fails = Mutex(false)

    init(_ store: any ItemStore) { self.store = store }

    func addStatements(_ statements: [Baton_Link_V1_SignedStatement], to account: AccountID) async throws {
        if fails.withLock({ $0 }) { throw BatonError(.resourceExhausted, reason: "disk_full", "The disk is full.") }
        try await store.addStatements(statements, to: account)
    }

    func secret() async throws -> Data { try await store.secret() }
    func use(_ name: OneUse) async throws { try await store.use(name) }
    func account(_ id: AccountID) async throws -> AccountRecord? { try await store.account(id) }
    func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?,
        mustBeFirst: Bool
    ) async throws -> AccountRecord {
        try await store.addAccount(
            id, rootKey: rootKey, statements: statements, invitation: invitation, mustBeFirst: mustBeFirst)
    }
    func hasAccounts() async throws -> Bool { try await store.hasAccounts() }
    func removeAccount(_ id: AccountID) async throws { try await store.removeAccount(id) }
    func usage(of account: AccountID) async throws -> Usage { try await store.usage(of: account) }
    func setQuota(_ quota: UInt64?, of account: AccountID) async throws {
        try await store.setQuota(quota, of: account)
    }
    func zones(of account: AccountID) async throws -> [ZoneHead] { try await store.zones(of: account) }
    func write(_ batch: WriteBatch, to zone: ZoneID, of account: AccountID) async throws -> WriteOutcome {
        try await store.write(batch, to: zone, of: account)
    }
    func items(_ ids: [ItemID], in zone: ZoneID, of account: AccountID) async throws -> [StoredItem] {
        try await store.items(ids, in: zone, of: account)
    }
    func changes(
        after cursor: ZoneCursor?, in zone: ZoneID, of account: AccountID, limit: PageLimit
    ) async throws -> ChangePage {
        try await store.changes(after: cursor, in: zone, of: account, limit: limit)
    }
    func removeZone(_ zone: ZoneID, of account: AccountID) async throws {
        try await store.removeZone(zone, of: account)
    }
    func blobs(_ hashes: [BlobHash], of account: AccountID) async throws -> [BlobHash: BlobRecord] {
        try await store.blobs(hashes, of: account)
    }
    func beginBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> BlobStanding {
        try await store.beginBlob(hash, size: size, of: account)
    }
    func finishBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws {
        try await store.finishBlob(hash, size: size, of: account)
    }
    func cancelBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> Bool {
        try await store.cancelBlob(hash, size: size, of: account)
    }
    func releaseBlobs(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64 {
        try await store.releaseBlobs(hashes, of: account)
    }
    func giveUpBlobs(limit: Int) async throws -> [BlobAddress] { try await store.giveUpBlobs(limit: limit) }
    func forgetBlobs(_ addresses: [BlobAddress]) async throws { try await store.forgetBlobs(addresses) }
    func sweep() async throws -> Bool { try await store.sweep() }
}
