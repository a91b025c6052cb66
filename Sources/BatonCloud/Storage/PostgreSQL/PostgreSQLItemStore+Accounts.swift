package import BatonCore
package import BatonWire
import Crypto
package import Foundation

extension PostgreSQLItemStore {
    package func account(_ id: AccountID) async throws -> AccountRecord? {
        try await pool.read { connection -> AccountRecord? in
            let rows = try connection.run([
                SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                SQLStatement("SELECT root_key, space FROM accounts WHERE name = $1", .text(id.rawValue)),
                SQLStatement(
                    """
                    SELECT s.statement, s.signature, s.place FROM accounts a JOIN statements s ON s.account = a.id
                    WHERE a.name = $1 ORDER BY s.place
                    """, .text(id.rawValue)),
                SQLStatement("COMMIT"),
            ])
            guard let row = rows[1].first else { return nil }
            return AccountRecord(
                id: id, rootKey: try row.blob(0), statements: try rows[2].map(Self.statement),
                space: try .stored(row.text(1)), revision: try rows[2].map { try $0.unsigned(2) }.max() ?? 0)
        }
    }

    private static func statement(_ row: SQLRows.Row) throws -> Baton_Link_V1_SignedStatement {
        var message = Baton_Link_V1_SignedStatement()
        message.statement = try row.blob(0)
        message.signature = try row.blob(1)
        return message
    }

    package func hasAccounts() async throws -> Bool { try await pool.read(Self.hasAccounts) }

    @Sendable private static func hasAccounts(_ connection: PostgreSQLConnection) throws -> Bool {
        try connection.run("SELECT 1::bigint FROM accounts WHERE name IS NOT NULL LIMIT 1").count > 0
    }

    /// One registration at a time, of those that must be the first, whichever node asks.
    static func lockServer(_ connection: PostgreSQLConnection) throws {
        _ = try connection.run("SELECT 1::bigint FROM server WHERE name = 'identity' FOR UPDATE")
    }

    package func addAccount(
        _ id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], invitation: OneUse?,
        mustBeFirst: Bool
    ) async throws -> AccountRecord {
        let record = AccountRecord(
            id: id, rootKey: rootKey, statements: statements, space: try BlobSpace.random(rules))
        let row = WriteBatchPlanner.row(rules)
        return try await pool.write(isRepeatable: false) { connection in
            let known = try connection.run("SELECT 1::bigint FROM accounts WHERE name = $1", .text(id.rawValue))
            guard known.count == 0 else { throw StoreRules.accountExists }
            if mustBeFirst {
                try Self.lockServer(connection)
                guard try !Self.hasAccounts(connection) else { throw StoreRules.notFirst }
            }
            if let invitation { try Self.use(invitation, connection) }
            _ = try connection.run(
                "INSERT INTO accounts (id, name, root_key, space) VALUES ($1, $2, $3, $4)", .integer(row),
                .text(id.rawValue), .bytes(rootKey), .text(record.space.name))
            try Self.add(statements, to: row, connection)
            return record
        }
    }

    package func addStatements(_ statements: [Baton_Link_V1_SignedStatement], to account: AccountID) async throws {
        try await pool.write { [channel] connection in
            try Self.add(statements, to: Self.lock(account, connection).id, connection)
            _ = try connection.run([Self.notification([.membership(account)], channel)])
        }
    }

    /// The account is locked, or not to be seen by others yet.
    private static func add(
        _ statements: [Baton_Link_V1_SignedStatement], to account: Int64, _ connection: PostgreSQLConnection
    ) throws {
        guard !statements.isEmpty else { return }
        let last = try connection.run(
            "SELECT COALESCE(MAX(place), 0) FROM statements WHERE account = $1", .integer(account))
        let first = (try last.first?.integer(0) ?? 0) + 1
        let places = statements.indices.map { first + Int64($0) }
        _ = try connection.run(
            """
            INSERT INTO statements (account, place, hash, statement, signature)
            SELECT $1, * FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::bytea[])
            ON CONFLICT (account, hash) DO NOTHING
            """, .integer(account), .integers(places),
            .byteStrings(statements.map { Data(SHA256.hash(data: $0.statement + $0.signature)) }),
            .byteStrings(statements.map(\.statement)), .byteStrings(statements.map(\.signature)))
    }

    package func removeAccount(_ id: AccountID) async throws {
        let messages = try await pool.write(isRepeatable: false) { [channel] connection in
            let account = try Self.lock(id, connection)
            let zones = try connection.run(
                "SELECT name FROM zones WHERE account = $1 AND name IS NOT NULL", .integer(account.id)
            ).map { ZoneID(unchecked: try $0.blob(0)) }
            _ = try connection.run([
                SQLStatement("UPDATE accounts SET name = NULL WHERE id = $1", .integer(account.id)),
                Self.notification([.accountGone(id)], channel),
            ])
            return zones.map { NodeMessage.zone(id, row: account.id, number: account.changes + 1, .gone($0)) }
        }
        publish(messages)
    }

    package func usage(of account: AccountID) async throws -> Usage {
        try await pool.read { connection in
            let account = try Self.account(account, connection)
            var usage = account.usage
            usage.otherBytes = account.leaving
            return usage
        }
    }

    package func setQuota(_ quota: UInt64?, of account: AccountID) async throws {
        try await pool.write { connection in
            let account = try Self.lock(account, connection)
            _ = try connection.run(
                "UPDATE accounts SET quota = NULLIF($2::bigint, -1) WHERE id = $1", .integer(account.id),
                .integer(quota.map { Int64(clamping: $0) } ?? -1))
        }
    }
}
