package import BatonCore
package import BatonWire
package import Foundation
import Synchronization

/// Keeps items in memory, by the same rules as the drivers that keep them for good: for simulations.
package final class MemoryItemStore: ItemStore {
    private struct State {
        var accounts: [AccountID: MemoryAccount] = [:]
        var used: [Data: UInt64] = [:]
        /// Bytes of accounts that were deleted.
        var abandoned: Set<BlobAddress> = []
    }

    private let rules: StoreRules
    private let serverSecret: Data
    private let observer: ZoneObserver
    private let state: Mutex<State>

    package convenience init(rules: StoreRules, observer: @escaping ZoneObserver = { _, _ in }) {
        self.init(rules: rules, observer: observer, secret: rules.random(StoreRules.secretLength), State())
    }

    private init(rules: StoreRules, observer: @escaping ZoneObserver, secret: Data, _ state: State) {
        self.rules = rules.withNewIncarnation()
        self.observer = observer
        serverSecret = secret
        self.state = Mutex(state)
    }

    /// Another store that has what this one has now: as one whose files were copied, and that a server was started on.
    package func copy() -> MemoryItemStore {
        MemoryItemStore(rules: rules, observer: observer, secret: serverSecret, state.withLock { $0 })
    }

    package func secret() async throws -> Data { serverSecret }

    package func use(_ name: OneUse) async throws {
        try state.withLock { try Self.use(name, &$0) }
    }

    private static func use(_ name: OneUse, _ state: inout State) throws(BatonError) {
        guard state.used[name.name] == nil else { throw StoreRules.usedUp }
        state.used[name.name] = name.expires
    }

    // MARK: Accounts

    package func account(_ id: AccountID) async throws -> AccountRecord? {
        state.withLock { $0.accounts[id]?.record }
    }

    package func hasAccounts() async throws -> Bool { state.withLock { !$0.accounts.isEmpty } }

    package func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?,
        mustBeFirst: Bool
    ) async throws -> AccountRecord {
        let record = AccountRecord(
            id: id, rootKey: rootKey, statements: statements, space: try BlobSpace.random(rules))
        try state.withLock { state in
            guard state.accounts[id] == nil else { throw StoreRules.accountExists }
            guard !mustBeFirst || state.accounts.isEmpty else { throw StoreRules.notFirst }
            if let invitation { try Self.use(invitation, &state) }
            state.accounts[id] = MemoryAccount(record: record)
        }
        return record
    }

    package func addStatements(
        _ statements: [Baton_Link_V1_SignedStatement], to account: AccountID
    ) async throws {
        try change(account) { account throws(BatonError) in
            for statement in statements where !account.record.statements.contains(statement) {
                account.record.statements.append(statement)
            }
        }
    }

    package func removeAccount(_ id: AccountID) async throws {
        let zones = try state.withLock { state in
            guard let account = state.accounts.removeValue(forKey: id) else { throw StoreRules.unknownAccount }
            state.abandoned.formUnion(
                account.blobs.keys.map { BlobAddress(space: account.record.space, hash: $0) })
            return Array(account.zones.keys)
        }
        for zone in zones { observer(id, .gone(zone)) }
    }

    package func usage(of account: AccountID) async throws -> Usage { try read(account) { $0.wholeUsage } }

    package func setQuota(_ quota: UInt64?, of account: AccountID) async throws {
        try state.withLock { state in
            guard state.accounts[account] != nil else { throw StoreRules.unknownAccount }
            state.accounts[account]?.setQuota(quota)
        }
    }

    // MARK: Zones

    package func zones(of account: AccountID) async throws -> [ZoneHead] {
        try read(account) { account in
            account.zones.map { ZoneHead(zone: $0, epoch: $1.epoch, head: $1.head) }.sorted { $0.zone < $1.zone }
        }
    }

    package func write(
        _ batch: WriteBatch, to zone: ZoneID, of account: AccountID
    ) async throws -> WriteOutcome {
        // Reported under the lock, so that events keep the zone's order.
        try state.withLock { state in
            guard var changed = state.accounts[account] else { throw StoreRules.unknownAccount }
            let before = changed.zones[zone]?.head
            let outcome = try changed.write(batch, to: zone, rules)
            state.accounts[account] = changed
            if let after = changed.zones[zone], after.head != before {
                observer(account, .moved(ZoneHead(zone: zone, epoch: after.epoch, head: after.head)))
            }
            return outcome
        }
    }

    package func items(
        _ ids: [ItemID], in zone: ZoneID, of account: AccountID
    ) async throws -> [StoredItem] {
        try read(account) { account throws(BatonError) in
            let zone = try account.zone(zone)
            return Set(ids).compactMap { zone.items[$0] }
        }
    }

    package func changes(
        after cursor: ZoneCursor?, in zone: ZoneID, of account: AccountID, limit: PageLimit
    ) async throws -> ChangePage {
        try read(account) { account throws(BatonError) in
            guard let zone = account.zones[zone] else {
                throw cursor == nil ? StoreRules.unknownZone : ZoneCursor.ofAnotherTime
            }
            return try zone.changes(after: cursor, limit: limit)
        }
    }

    package func removeZone(_ zone: ZoneID, of account: AccountID) async throws {
        try state.withLock { state in
            guard state.accounts[account] != nil else { throw StoreRules.unknownAccount }
            guard state.accounts[account]?.removeZone(zone, rules.clock.milliseconds) == true else { return }
            observer(account, .gone(zone))
        }
    }

    // MARK: Blobs

    package func blobs(
        _ hashes: [BlobHash], of account: AccountID
    ) async throws -> [BlobHash: BlobRecord] {
        try read(account) { account in
            hashes.reduce(into: [:]) { found, hash in
                found[hash] = account.blobs[hash].map { BlobRecord(size: $0.size, standing: $0.standing) }
            }
        }
    }

    package func beginBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> BlobStanding {
        try change(account) { [rules] account throws(BatonError) in try account.beginBlob(hash, size: size, rules) }
    }

    package func finishBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws {
        try change(account) { [rules] account throws(BatonError) in try account.finishBlob(hash, size: size, rules) }
    }

    package func cancelBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> Bool {
        try change(account) { account in account.cancelBlob(hash, size: size) }
    }

    package func giveUpBlobs(limit: Int) async throws -> [BlobAddress] {
        state.withLock { state in
            var given = Array(state.abandoned)
            for id in state.accounts.keys {
                state.accounts[id]?.giveUpBlobs(rules)
                guard let account = state.accounts[id] else { continue }
                given += account.blobs.filter { $0.value.standing == .removing }
                    .map { BlobAddress(space: account.record.space, hash: $0.key) }
            }
            return Array(given.prefix(limit))
        }
    }

    package func releaseBlobs(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64 {
        try change(account) { account in account.releaseBlobs(hashes) }
    }

    package func forgetBlobs(_ addresses: [BlobAddress]) async throws {
        state.withLock { state in
            state.abandoned.subtract(addresses)
            for id in state.accounts.keys {
                let space = state.accounts[id]?.record.space
                for address in addresses where address.space == space { state.accounts[id]?.forgetBlob(address.hash) }
            }
        }
    }

    // MARK: Maintenance

    package func sweep() async throws -> Bool {
        state.withLock { state in
            let now = rules.clock.milliseconds
            state.used = state.used.filter { $0.value >= now }
            for id in state.accounts.keys { state.accounts[id]?.sweep(rules) }
            return false
        }
    }

    // MARK: Access

    private func read<Value: Sendable>(
        _ id: AccountID, _ body: (MemoryAccount) throws(BatonError) -> Value
    ) throws(BatonError) -> Value {
        try state.withLock { state throws(BatonError) in
            guard let account = state.accounts[id] else { throw StoreRules.unknownAccount }
            return try body(account)
        }
    }

    private func change<Value: Sendable>(
        _ id: AccountID, _ body: (inout MemoryAccount) throws(BatonError) -> Value
    ) throws(BatonError) -> Value {
        try state.withLock { state throws(BatonError) in
            guard var account = state.accounts[id] else { throw StoreRules.unknownAccount }
            let value = try body(&account)
            state.accounts[id] = account
            return value
        }
    }
}
