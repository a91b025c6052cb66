package import BatonCore
package import BatonTrust
package import BatonWire
import Crypto
import Foundation
import Synchronization

/// Caches the members of the accounts that call: every call asks for them.
///
/// Merged statements count at once, before they are on the disk. If the disk refuses them, they are written again
/// together with the next statements.
package final class MembershipDirectory: Sendable {
    /// Accounts in memory. Policy: those that were not asked for longest go, but none with statements that are not saved.
    static let maximumAccounts = 4096

    package struct Entry: Sendable {
        package var membership: Membership
        package var space: BlobSpace
        /// The revision that was read, see ``AccountRecord/revision``.
        package var revision: UInt64
        fileprivate var unsaved: [Baton_Link_V1_SignedStatement] = []
        /// A new number with each change and each reload.
        fileprivate var version: UInt64 = 0
        fileprivate var lastUse: UInt64 = 0
        /// Another node has added to it.
        fileprivate var isStale = false
    }

    package struct Merged: Sendable {
        package var membership: Membership
        /// Devices that are members no more.
        package var out: Set<DeviceID>
        package var hasChanged: Bool
    }

    private struct State {
        var entries: [AccountID: Entry] = [:]
        /// Grows whenever what was read from the store before may be out of date.
        var generation: UInt64 = 0
        var uses: UInt64 = 0
        /// Whether other nodes can be heard. While they cannot, cached entries are not used.
        var isTrusted = true
    }

    private let store: any ItemStore
    private let state = Mutex(State())

    package init(store: any ItemStore) { self.store = store }

    /// - Throws: `unauthenticated` when there is no such account.
    package func entry(of account: AccountID) async throws -> Entry {
        while true {
            let (known, generation) = state.withLock { state in (Self.use(account, &state), state.generation) }
            if let known { return known }
            guard let record = try await store.account(account) else { throw StoreRules.unknownAccount }
            let entry = Entry(
                membership: try Self.membership(record), space: record.space, revision: record.revision)
            let kept = state.withLock { state -> Entry? in
                guard state.generation == generation else { return nil }
                if let known = Self.use(account, &state) { return known }
                return Self.keep(entry, account, &state)
            }
            if let kept { return kept }
        }
    }

    /// Takes in statements. When this returns they are on the disk.
    package func merge(_ statements: [Baton_Link_V1_SignedStatement], into account: AccountID) async throws -> Merged {
        while true {
            let old = try await entry(of: account)
            var new = old
            // Not under the lock: signatures take time.
            let outcome = new.membership.merge(statements)
            new.unsaved += new.membership.messages.suffix(outcome.added)
            let changed = new
            let isTaken = state.withLock { state in
                guard state.entries[account]?.version == old.version else { return false }
                state.uses += 1
                state.generation += 1
                state.entries[account] = changed
                state.entries[account]?.version = state.uses
                return true
            }
            guard isTaken else { continue }
            return Merged(
                membership: new.membership,
                out: Set(old.membership.members().keys).subtracting(new.membership.members().keys),
                hasChanged: outcome.added > 0)
        }
    }

    /// Writes down what was merged. When this returns, it is on the disk.
    package func save(_ account: AccountID) async throws {
        let unsaved = state.withLock { $0.entries[account]?.unsaved ?? [] }
        guard !unsaved.isEmpty else { return }
        try await store.addStatements(unsaved, to: account)
        state.withLock { $0.entries[account]?.unsaved.removeAll { unsaved.contains($0) } }
    }

    // MARK: Other nodes

    /// Reads the account again from the store before its next use.
    package func invalidate(_ account: AccountID) {
        state.withLock { state in
            state.entries[account]?.isStale = true
            state.generation += 1
        }
    }

    /// - Parameter isTrusted: whether what is read from now on may be kept.
    package func invalidateAll(isTrusted: Bool) {
        state.withLock { state in
            for account in state.entries.keys { state.entries[account]?.isStale = true }
            state.generation += 1
            state.isTrusted = isTrusted
        }
    }

    package func forget(_ account: AccountID) {
        state.withLock { state in
            state.entries[account] = nil
            state.generation += 1
        }
    }

    private static func membership(_ record: AccountRecord) throws(BatonError) -> Membership {
        guard let key = try? P256.Signing.PublicKey(x963Representation: record.rootKey) else {
            throw BatonError(.dataLoss, reason: "database_damaged", "An account's key is damaged in the database.")
        }
        return try Membership(rootKey: key, statements: record.statements)
    }

    /// The statements that were read, plus those of this node that are not on the disk yet.
    private static func keep(_ entry: Entry, _ account: AccountID, _ state: inout State) -> Entry {
        var entry = entry
        if let old = state.entries[account], !old.unsaved.isEmpty {
            entry.unsaved = old.unsaved
            _ = entry.membership.merge(old.unsaved)
        }
        makeRoom(&state)
        state.uses += 1
        entry.version = state.uses
        entry.lastUse = state.uses
        state.entries[account] = entry
        return entry
    }

    private static func use(_ account: AccountID, _ state: inout State) -> Entry? {
        guard state.isTrusted, state.entries[account]?.isStale == false else { return nil }
        state.uses += 1
        state.entries[account]?.lastUse = state.uses
        return state.entries[account]
    }

    private static func makeRoom(_ state: inout State) {
        guard state.entries.count >= maximumAccounts else { return }
        let oldest = state.entries.filter { $0.value.unsaved.isEmpty }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (account, _) in oldest.prefix(maximumAccounts / 4) { state.entries[account] = nil }
    }
}
