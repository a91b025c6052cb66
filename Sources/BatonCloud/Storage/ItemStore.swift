package import BatonCore
package import BatonWire
package import Foundation

/// Stores accounts, zones, items, and the state of blobs. docs/cloud.md defines each call; every driver passes the same
/// conformance suite.
///
/// Once a call has returned, its effect survives a loss of power. A call that throws has changed nothing. All throw
/// ``BatonError``: `unauthenticated` `unknown_account` for an account that does not exist.
package protocol ItemStore: Sendable {
    // MARK: Server

    /// 32 random bytes, made the first time and the same ever after.
    func secret() async throws -> Data
    /// - Throws: `permission_denied` `used_already` when the name was used before.
    func use(_ name: OneUse) async throws

    // MARK: Accounts

    /// Nil when there is none.
    func account(_ id: AccountID) async throws -> AccountRecord?
    /// Whether anybody is registered.
    func hasAccounts() async throws -> Bool
    /// - Parameters:
    ///   - invitation: is used up with it.
    ///   - mustBeFirst: refuse while there is another account. Exactly one of two concurrent calls is the first.
    /// - Throws: `already_exists`; `permission_denied` when the invitation was used before, or there is another account.
    func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?,
        mustBeFirst: Bool
    ) async throws -> AccountRecord
    /// Those that are kept already stay as they are.
    func addStatements(_ statements: [Baton_Link_V1_SignedStatement], to account: AccountID) async throws
    /// Removes the account at once; ``sweep()`` removes its data.
    func removeAccount(_ id: AccountID) async throws
    func usage(of account: AccountID) async throws -> Usage
    /// - Parameter quota: bytes that this account may keep, 0 for no bound; nil for what every account may.
    func setQuota(_ quota: UInt64?, of account: AccountID) async throws

    // MARK: Zones

    func zones(of account: AccountID) async throws -> [ZoneHead]
    /// - Throws: `invalid_argument`, `failed_precondition` or `resource_exhausted`, see ``StoreRules``.
    func write(_ batch: WriteBatch, to zone: ZoneID, of account: AccountID) async throws -> WriteOutcome
    /// Those that are there, in any order.
    func items(_ ids: [ItemID], in zone: ZoneID, of account: AccountID) async throws -> [StoredItem]
    /// - Parameter cursor: nil for the start.
    func changes(
        after cursor: ZoneCursor?, in zone: ZoneID, of account: AccountID, limit: PageLimit
    ) async throws -> ChangePage
    /// Nothing happens when there is no such zone.
    func removeZone(_ zone: ZoneID, of account: AccountID) async throws

    // MARK: Blobs

    /// Those of which something is known.
    func blobs(_ hashes: [BlobHash], of account: AccountID) async throws -> [BlobHash: BlobRecord]
    /// Reserves room before bytes come. The size stays what it was first, until the blob is forgotten.
    /// - Throws: `resource_exhausted` over the quota; `failed_precondition` `other_size` when it is known with another
    ///   size; `aborted` while the blob is being removed.
    func beginBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> BlobStanding
    /// All bytes are there.
    /// - Throws: `aborted` when the blob was given up meanwhile; `failed_precondition` `other_size` when it was begun anew.
    func finishBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws
    /// Forgets an upload of which no byte is kept; nothing happens to one of another size, which was begun anew, to a blob
    /// that is there or being removed, and to one that items name.
    /// - Returns: whether it was forgotten.
    func cancelBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> Bool
    /// Gives up blobs that nothing has named for the grace period: from now on they count as not there.
    /// - Returns: at most `limit` of those whose bytes are to be removed now, earlier ones included.
    func giveUpBlobs(limit: Int) async throws -> [BlobAddress]
    /// Gives up those of these that nothing names, whenever that was: their bytes are removed next.
    /// - Returns: how many bytes they have.
    func releaseBlobs(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64
    /// The bytes were removed.
    func forgetBlobs(_ addresses: [BlobAddress]) async throws

    // MARK: Maintenance

    /// Removes some of what is not needed any more: deletions and answers that are old enough, zones and accounts that
    /// were deleted.
    /// - Returns: whether there is more to remove.
    func sweep() async throws -> Bool
}

extension ItemStore {
    package func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?
    ) async throws -> AccountRecord {
        try await addAccount(
            id, rootKey: rootKey, statements: statements, invitation: invitation, mustBeFirst: false)
    }
}

/// Receives what happens to zones, in each zone's order, after it is durable and before it is answered. It must not block.
package typealias ZoneObserver = @Sendable (AccountID, ZoneChange) -> Void
