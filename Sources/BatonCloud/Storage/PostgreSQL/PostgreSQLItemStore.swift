package import BatonCore
package import Foundation
import Synchronization

/// Stores items in a PostgreSQL database, which several nodes may share.
///
/// Every change of an account or of its contents locks the account's row first. So each zone has one order, whichever
/// node writes, and there are no deadlocks.
package final class PostgreSQLItemStore: ItemStore {
    let rules: StoreRules
    let pool: PostgreSQLPool
    let channel: String
    /// Names this database among others.
    let identity: Data
    /// Names this node, for as long as it runs.
    let node: Data
    private let observer: ZoneObserver
    private let order = Mutex(ChangeOrder())
    private let writer: PostgreSQLWriter
    private let listener: PostgreSQLListener

    /// Connects, and brings the schema up to date. Blocks.
    /// - Parameters:
    ///   - location: a URL or string as libpq knows it.
    ///   - place: the database's place in the list, from 1 on; nil when there is only one.
    ///   - observer: receives the changes of every node.
    ///   - news: receives the other events of other nodes. It must not block.
    /// - Throws: `unavailable` `database_unavailable`, `failed_precondition` `database_newer` or `database_unsafe`.
    package init(
        location: String, place: Int? = nil, rules: StoreRules, readers: Int = 8, writers: Int = 2,
        observer: @escaping ZoneObserver = { _, _ in }, news: @escaping @Sendable (StoreNews) -> Void = { _ in }
    ) throws(BatonError) {
        let rules = rules.withNewIncarnation()
        self.rules = rules
        self.observer = observer
        node = rules.random(16)
        pool = PostgreSQLPool(location, place: place, threads: readers)
        do {
            (identity, channel) = try pool.perform { connection in
                try Self.check(connection)
                return try PostgreSQLSchema.migrate(connection, random: rules.random)
            }
        } catch {
            pool.close()
            throw error
        }
        let told = Told()
        writer = PostgreSQLWriter(pool: pool, rules: rules, channel: channel, lanes: writers) { told.hear($0) }
        do {
            listener = try PostgreSQLListener(
                location: location, channel: channel, lock: PostgreSQLNodes.lock(identity)
            ) { event in
                switch event {
                case .message(.membership(let account)): news(.membership(account))
                case .message(.accountGone(let account)): news(.accountGone(account))
                case .message(let message): told.hear([message])
                case .interrupted: news(.interrupted)
                case .resumed: news(.resumed)
                }
            }
        } catch {
            pool.close()
            throw error
        }
        told.store.withLock { $0 = Weak(self) }
    }

    /// Messages that arrive before the store exists are dropped: they are not needed yet.
    private final class Told: Sendable {
        let store = Mutex(Weak(nil))
        func hear(_ messages: [NodeMessage]) { store.withLock { $0.store }?.publish(messages) }
    }

    private struct Weak: Sendable {
        weak let store: PostgreSQLItemStore?
        init(_ store: PostgreSQLItemStore?) { self.store = store }
    }

    /// Ends all access, after the calls in progress. Blocks.
    package func close() {
        writer.close()
        listener.close()
        pool.close()
    }

    /// A server that does not wait for its disk would lose what it acknowledged.
    private static func check(_ connection: PostgreSQLConnection) throws {
        let row = try connection.run("SELECT COALESCE(current_setting('fsync', true), 'on')").first
        guard try row?.text(0) != "off" else {
            throw BatonError(
                .failedPrecondition, reason: "database_unsafe",
                "The PostgreSQL server runs with fsync = off, and could lose committed data. Set it to on.")
        }
    }

    // MARK: Notifying other nodes

    /// Under the lock, so that events keep their order.
    func publish(_ messages: [NodeMessage]) {
        order.withLock { order in
            for case .zone(let account, let row, let number, let change) in messages
            where order.admits(ChangeOrder.Zone(account: row, zone: change.zone), change: number) {
                observer(account, change)
            }
        }
    }

    /// To be sent within a transaction: other nodes receive it when that is committed.
    static func notification(_ messages: [NodeMessage], _ channel: String) -> SQLStatement {
        SQLStatement(
            "SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message", .text(channel),
            .texts(NodeMessage.texts(messages)))
    }

    package func write(_ batch: WriteBatch, to zone: ZoneID, of account: AccountID) async throws -> WriteOutcome {
        try await writer.write(batch, to: WriteBatchPlanner.Key(account: account, zone: zone))
    }

    // MARK: Server

    /// - Throws: when the database does not answer, or has no room for what it was last asked to write.
    func checkAnswers() async throws {
        _ = try await pool.read { try $0.run("SELECT value FROM server WHERE name = 'identity'").count }
        try await pool.shortage.check { try await findRoom() }
    }

    /// Writes something and rolls it back. It needs room all the same.
    private func findRoom() async throws {
        let (name, bytes) = ("room-" + node.hexadecimal, rules.random(64 << 10))
        try await pool.read { connection in
            _ = try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            _ = try connection.run("INSERT INTO server (name, value) VALUES ($1, $2)", .text(name), .bytes(bytes))
            _ = try connection.run("ROLLBACK")
        }
    }

    package func secret() async throws -> Data {
        // Nodes that start later only read it.
        let known = try await pool.read { connection in
            try connection.run("SELECT value FROM server WHERE name = 'secret'").first?.blob(0)
        }
        if let known, known.count == StoreRules.secretLength { return known }
        return try await pool.write { [rules] connection in
            let rows = try connection.run([
                // One that is damaged is as good as lost.
                SQLStatement(
                    "DELETE FROM server WHERE name = 'secret' AND octet_length(value) <> $1",
                    .integer(Int64(StoreRules.secretLength))),
                SQLStatement(
                    "INSERT INTO server (name, value) VALUES ('secret', $1) ON CONFLICT (name) DO NOTHING",
                    .bytes(rules.random(StoreRules.secretLength))),
                SQLStatement("SELECT value FROM server WHERE name = 'secret'"),
            ])
            guard let secret = try rows.last?.first?.blob(0) else {
                throw SQLFailure(state: "XX001", message: "The secret is gone.")
            }
            return secret
        }
    }

    package func use(_ name: OneUse) async throws {
        try await pool.write(isRepeatable: false) { try Self.use(name, $0) }
    }

    static func use(_ name: OneUse, _ connection: PostgreSQLConnection) throws {
        let rows = try connection.run(
            "INSERT INTO used (name, expires) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", .bytes(name.name),
            .integer(name.expires))
        guard rows.changed == 1 else { throw StoreRules.usedUp }
    }

    // MARK: Rows

    /// The columns of an account that writing needs.
    struct Account {
        var id: Int64
        var usage: Usage
        var changes: UInt64
        /// Bytes of zones that were deleted and are not gone yet, and of remembered answers.
        var leaving: Int
        /// Bytes that count towards its quota: also those that are still on the disk, or who writes and deletes by turns
        /// would fill it.
        var used: Int { usage.itemBytes + usage.blobBytes + leaving }
    }

    private static let accountColumns = "id, items, item_bytes, blobs, blob_bytes, zones, changes, \(leaving), quota"
    /// A column of `accounts`: see ``Account/leaving``.
    static let leaving = """
        \(StoreRules.answerCost) * (accounts.changes - accounts.forgotten) + (
            SELECT COALESCE(SUM(gone.item_bytes), 0)::bigint FROM zones AS gone
            WHERE gone.account = accounts.id AND gone.name IS NULL)
        """

    /// - Throws: `unauthenticated` when there is no such account.
    static func account(_ name: AccountID, _ connection: PostgreSQLConnection) throws -> Account {
        let rows = try connection.run(
            "SELECT \(accountColumns) FROM accounts WHERE name = $1", .text(name.rawValue))
        return try account(rows)
    }

    /// No other call changes anything of the account until the transaction ends.
    static func lock(_ name: AccountID, _ connection: PostgreSQLConnection) throws -> Account {
        let rows = try connection.run(
            "SELECT \(accountColumns) FROM accounts WHERE name = $1 FOR UPDATE", .text(name.rawValue))
        return try account(rows)
    }

    private static func account(_ rows: SQLRows) throws -> Account {
        guard let row = rows.first else { throw StoreRules.unknownAccount }
        var usage = try usage(row, from: 1)
        usage.ownQuota = try row.optionalInteger(8).map { UInt64(clamping: $0) }
        return Account(
            id: try row.integer(0), usage: usage, changes: try row.unsigned(6),
            leaving: try row.int(7))
    }

    /// Reads the columns items, item_bytes, blobs, blob_bytes, zones.
    static func usage(_ row: SQLRows.Row, from column: Int) throws -> Usage {
        var usage = Usage()
        usage.items = try row.int(column)
        usage.itemBytes = try row.int(column + 1)
        usage.blobs = try row.int(column + 2)
        usage.blobBytes = try row.int(column + 3)
        usage.zones = try row.int(column + 4)
        return usage
    }

    /// Reads the columns name, version, written, deleted, sealed, blobs.
    static func item(_ row: SQLRows.Row, from column: Int = 0) throws -> StoredItem {
        let sealed = row.data(column + 4)
        let isDeleted = try row.integer(column + 3) != 0
        return StoredItem(
            id: ItemID(unchecked: try row.blob(column)), version: try row.unsigned(column + 1),
            content: isDeleted ? nil : ItemContent(sealed: sealed ?? Data(), blobs: blobs(row.data(column + 5))),
            tombstone: isDeleted ? sealed : nil, written: try row.unsigned(column + 2))
    }

    /// The names in an item's row, one after the other.
    static func blobs(_ column: Data?) -> [BlobHash] {
        guard let bytes = column.map(Array.init) else { return [] }
        return stride(from: 0, to: bytes.count - 31, by: 32).map { BlobHash(unchecked: Data(bytes[$0..<$0 + 32])) }
    }
}
