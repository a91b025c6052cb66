package import BatonCore
package import BatonWire
import Crypto
package import Foundation
import GRDB
import Synchronization

/// Keeps items in an SQLite database: one machine's cloud.
///
/// One writer, whose transactions many requests share; readers beside it. Never on the caller's thread.
package final class SQLiteItemStore: ItemStore {
    let rules: StoreRules
    let observer: ZoneObserver
    private let pool: DatabasePool
    private let writer: GroupCommit
    private let registered: RegisteredMark?
    private let isClosed = Mutex(false)

    /// Opens the database, made if need be (0600), and brings its schema up to date. Blocks.
    /// - Parameters:
    ///   - reserve: disk space reserved for deletions while the disk is full; nil for none.
    ///   - registered: says beside the database that it has had an account; nil for nothing.
    /// - Throws: `data_loss` `database_damaged`, `failed_precondition` `database_newer`.
    package init(
        path: String, rules: StoreRules, readers: Int = 4, reserve: DiskReserve? = nil,
        registered: RegisteredMark? = nil,
        observer: @escaping ZoneObserver = { _, _ in }
    ) throws(BatonError) {
        self.rules = rules.withNewIncarnation()
        self.observer = observer
        self.registered = registered
        // Opening needs some room, too.
        reserve?.release()
        do {
            defer { reserve?.take() }
            pool = try CloudDatabase.open(path, readers: readers)
        }
        try CloudDatabase.boundLog(of: pool, reserve: reserve.flatMap { $0.wanted > 0 ? $0.wanted : nil })
        writer = GroupCommit(pool: pool, reserve: reserve)
        guard let registered else { return }
        do {
            if try pool.read(Self.hasAccounts) { try registered.set() }
        } catch {
            throw CloudDatabase.meaning(error)
        }
    }

    /// Ends all access, after the calls in progress. Blocks. Without it, the next start recovers the committed data.
    package func close() throws {
        // The checkpoint of a database that is closed already would crash.
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        writer.close()
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.read(body)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CloudDatabase.meaning(error)
        }
    }

    /// - Parameter mayUseReserve: whether it makes room, or must not wait until there is some.
    func write<Value: Sendable>(
        mayUseReserve: Bool = false, _ body: @escaping @Sendable (Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws -> Value {
        try await writer.write(mayUseReserve: mayUseReserve, body, committed: committed)
    }

    // MARK: Server

    /// Writes nothing, but waits for its turn among the writers.
    func checkAnswers() async throws {
        try await write { database in _ = try database.row("SELECT 1 FROM server LIMIT 1") }
    }

    package func secret() async throws -> Data {
        try await write { [rules] database in
            // One that is damaged is as good as lost.
            if let secret = try CloudDatabase.wholeSecret(database) { return secret }
            let made = rules.random(StoreRules.secretLength)
            try database.run(
                """
                INSERT INTO server (name, value) VALUES ('secret', ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """, [made])
            return made
        }
    }

    package func use(_ name: OneUse) async throws {
        try await write { try Self.use(name, $0) }
    }

    private static func use(_ name: OneUse, _ database: Database) throws {
        guard try database.row("SELECT 1 FROM used WHERE name = ?", [name.name]) == nil else { throw StoreRules.usedUp }
        try database.run(
            "INSERT INTO used (name, expires) VALUES (?, ?)", [name.name, Int64(clamping: name.expires)])
    }

    // MARK: Accounts

    package func account(_ id: AccountID) async throws -> AccountRecord? {
        try await read { database in
            guard
                let row = try database.row("SELECT id, root_key, space FROM accounts WHERE name = ?", [id.rawValue])
            else { return nil }
            let statements = try database.rows(
                "SELECT statement, signature FROM statements WHERE account = ? ORDER BY id", [row[0] as Int64])
            return AccountRecord(
                id: id, rootKey: row[1],
                statements: statements.map { Self.statement($0[0], $0[1]) },
                space: try .stored(row[2]))
        }
    }

    private static func statement(_ statement: Data, _ signature: Data) -> Baton_Link_V1_SignedStatement {
        var message = Baton_Link_V1_SignedStatement()
        message.statement = statement
        message.signature = signature
        return message
    }

    package func hasAccounts() async throws -> Bool { try await read(Self.hasAccounts) }

    @Sendable private static func hasAccounts(_ database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM accounts WHERE name IS NOT NULL LIMIT 1") != nil
    }

    package func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?,
        mustBeFirst: Bool
    ) async throws -> AccountRecord {
        let record = AccountRecord(
            id: id, rootKey: rootKey, statements: statements, space: try BlobSpace.random(rules))
        let added = try await write { database in
            guard try Self.accountRow(id, database) == nil else { throw StoreRules.accountExists }
            if mustBeFirst, try Self.hasAccounts(database) { throw StoreRules.notFirst }
            if let invitation { try Self.use(invitation, database) }
            try database.run(
                "INSERT INTO accounts (name, root_key, space) VALUES (?, ?, ?)",
                [id.rawValue, rootKey, record.space.name])
            try Self.add(statements, to: database.lastInsertedRowID, database)
            return record
        }
        // Before it is answered: neither a lost log nor a lost database makes the cloud look unused.
        await writer.checkpoint()
        try registered?.set()
        return added
    }

    package func addStatements(
        _ statements: [Baton_Link_V1_SignedStatement], to account: AccountID
    ) async throws {
        // A revocation must survive a restart, even when the disk is full.
        try await write(mayUseReserve: true) { try Self.add(statements, to: Self.account(account, $0).id, $0) }
    }

    private static func add(
        _ statements: [Baton_Link_V1_SignedStatement], to account: Int64, _ database: Database
    ) throws {
        for statement in statements {
            try database.run(
                """
                INSERT INTO statements (account, hash, statement, signature) VALUES (?, ?, ?, ?)
                ON CONFLICT (account, hash) DO NOTHING
                """,
                [
                    account, statementHash(statement.statement, statement.signature), statement.statement,
                    statement.signature,
                ])
        }
    }

    /// By which a kept statement is known.
    static func statementHash(_ statement: Data, _ signature: Data) -> Data {
        Data(SHA256.hash(data: statement + signature))
    }

    package func removeAccount(_ id: AccountID) async throws {
        _ = try await write(mayUseReserve: true) { database in
            let account = try Self.account(id, database)
            let zones = try database.rows(
                "SELECT name FROM zones WHERE account = ? AND name IS NOT NULL", [account.id]
            ).map { ZoneID(unchecked: $0[0]) }
            try database.run("UPDATE accounts SET name = NULL WHERE id = ?", [account.id])
            // Without it a database without accounts is taken for one that has lost them.
            try database.run(
                "INSERT INTO server (name, value) VALUES ('account_removed', x'') ON CONFLICT (name) DO NOTHING")
            return zones
        } committed: { [observer] zones in
            for zone in zones { observer(id, .gone(zone)) }
        }
    }

    package func usage(of account: AccountID) async throws -> Usage {
        try await read { database in
            let account = try Self.account(account, database)
            var usage = account.usage
            usage.otherBytes = account.leaving
            return usage
        }
    }

    package func setQuota(_ quota: UInt64?, of account: AccountID) async throws {
        try await write(mayUseReserve: true) { database in
            let account = try Self.account(account, database)
            try database.run(
                "UPDATE accounts SET quota = ? WHERE id = ?", [quota.map { Int64(clamping: $0) }, account.id])
        }
    }

    // MARK: Rows

    /// The columns of an account that writing needs.
    struct Account {
        var id: Int64
        var usage: Usage
        /// Bytes of zones that were deleted and are not gone yet, and of remembered answers.
        var leaving: Int
        /// Bytes that count towards its quota: also those that are still on the disk, or who writes and deletes by turns
        /// would fill it.
        var used: Int { usage.itemBytes + usage.blobBytes + leaving }
    }

    /// A column of `accounts`: see ``Account/leaving``.
    static let leaving = """
        \(StoreRules.answerCost) * accounts.answers + (SELECT IFNULL(SUM(gone.item_bytes), 0) FROM zones AS gone
            WHERE gone.account = accounts.id AND gone.name IS NULL)
        """

    /// - Throws: `unauthenticated` when there is no such account.
    static func account(_ name: AccountID, _ database: Database) throws -> Account {
        guard let account = try accountRow(name, database) else { throw StoreRules.unknownAccount }
        return account
    }

    private static func accountRow(_ name: AccountID, _ database: Database) throws -> Account? {
        try database.row(
            "SELECT id, items, item_bytes, blobs, blob_bytes, zones, \(leaving), quota FROM accounts WHERE name = ?",
            [name.rawValue]
        ).map { Self.account($0) }
    }

    /// Reads the columns id, items, item_bytes, blobs, blob_bytes, zones, ``leaving``, quota.
    static func account(_ row: Row) -> Account {
        var usage = Usage()
        usage.items = row[1]
        usage.itemBytes = row[2]
        usage.blobs = row[3]
        usage.blobBytes = row[4]
        usage.zones = row[5]
        usage.ownQuota = (row[7] as Int64?).map { UInt64(clamping: $0) }
        return Account(id: row[0], usage: usage, leaving: row[6])
    }
}
