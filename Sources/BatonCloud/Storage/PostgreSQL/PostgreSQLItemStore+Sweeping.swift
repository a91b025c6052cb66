import BatonCore
import Foundation

/// Each step locks one account, takes some of its rows, and lets others write in between. Nodes that sweep at once do not
/// get into each other's way: what one has locked the other passes over.
extension PostgreSQLItemStore {
    /// Rows of one step, so that no write waits long for it.
    private static let step = 500

    package func sweep() async throws -> Bool {
        var hasMore = false
        for part in [forgetDeletions, sweepZones, sweepAccounts, forgetAnswers, forgetRest] {
            if try await pool.write(part) { hasMore = true }
        }
        return hasMore
    }

    /// Locks the account that the statement finds, unless another node has it.
    private static func lockOne(
        _ sql: String, _ values: [SQLValue], _ connection: PostgreSQLConnection
    ) throws -> (account: Int64, row: SQLRows.Row)? {
        var statement = SQLStatement(sql)
        statement.values = values
        for row in try connection.run([statement])[0].map({ $0 }) {
            let account = try row.integer(0)
            let locked = try connection.run(
                "SELECT id FROM accounts WHERE id = $1 FOR UPDATE SKIP LOCKED", .integer(account))
            if locked.count == 1 { return (account, row) }
        }
        return nil
    }

    private var forgetDeletions: @Sendable (PostgreSQLConnection) throws -> Bool {
        { [rules] connection in
            let cutoff = rules.cutoff(rules.retention)
            // The zones of the oldest.
            let found = try Self.lockOne(
                """
                SELECT DISTINCT z.account, z.id FROM (
                    SELECT zone FROM items WHERE deleted = 1 AND written < $1 ORDER BY written LIMIT $2) AS i
                JOIN zones z ON z.id = i.zone
                """, [.integer(cutoff), .integer(Self.step)], connection)
            guard let (account, row) = found else { return false }
            let zone = try row.integer(1)
            let forgotten = try connection.run(
                """
                DELETE FROM items WHERE zone = $1 AND version IN (
                    SELECT version FROM items WHERE zone = $1 AND deleted = 1 AND written < $2
                    ORDER BY version LIMIT $3)
                RETURNING version, COALESCE(octet_length(sealed), 0)
                """, .integer(zone), .integer(cutoff), .integer(Self.step)
            ).map { (version: try $0.integer(0), cost: StoredItem.overhead + (try $0.int(1))) }
            let bytes = forgotten.reduce(0) { $0 + $1.cost }
            _ = try connection.run([
                SQLStatement(
                    """
                    UPDATE zones SET horizon = GREATEST(horizon, $2), items = items - $3, item_bytes = item_bytes - $4
                    WHERE id = $1
                    """, .integer(zone), .integer(forgotten.map(\.version).max() ?? 0),
                    .integer(forgotten.count), .integer(bytes)),
                // A zone that was deleted is not counted any more.
                SQLStatement(
                    """
                    UPDATE accounts SET items = items - $3, item_bytes = item_bytes - $4
                    WHERE id = $1 AND EXISTS (SELECT 1 FROM zones WHERE id = $2 AND name IS NOT NULL)
                    """, .integer(account), .integer(zone), .integer(forgotten.count),
                    .integer(bytes)),
            ])
            return true
        }
    }

    private var sweepZones: @Sendable (PostgreSQLConnection) throws -> Bool {
        { [rules] connection in
            let found = try Self.lockOne(
                "SELECT account, id FROM zones WHERE name IS NULL ORDER BY id LIMIT 16", [], connection)
            guard let (account, row) = found else { return false }
            let zone = try row.integer(1)
            let items = try connection.run(
                """
                DELETE FROM items WHERE zone = $1 AND version IN (
                    SELECT version FROM items WHERE zone = $1 ORDER BY version LIMIT $2)
                RETURNING blobs
                """, .integer(zone), .integer(Self.step))
            var uses: [BlobHash: Int64] = [:]
            for blob in items.map({ Self.blobs($0.data(0)) }).joined() { uses[blob, default: 0] += 1 }
            let counted = uses.map { ($0, $1) }
            _ = try connection.run(
                """
                UPDATE blobs SET uses = blobs.uses - w.uses, touched = GREATEST(touched, $4)
                FROM unnest($2::bytea[], $3::bigint[]) AS w(hash, uses)
                WHERE blobs.account = $1 AND blobs.hash = w.hash
                """, .integer(account), .byteStrings(counted.map(\.0.bytes)), .integers(counted.map(\.1)),
                .integer(rules.clock.milliseconds))
            if items.count < Self.step {
                _ = try connection.run("DELETE FROM zones WHERE id = $1", .integer(zone))
            }
            return true
        }
    }

    /// Removes zones and blobs of deleted accounts, and an account itself when nothing of it is left.
    private var sweepAccounts: @Sendable (PostgreSQLConnection) throws -> Bool {
        { connection in
            let ids = try connection.run(
                "SELECT id FROM accounts WHERE name IS NULL ORDER BY id LIMIT 16 FOR UPDATE SKIP LOCKED"
            ).map { try $0.integer(0) }
            var hasMore = false
            for account in ids {
                let zones = try connection.run(
                    "UPDATE zones SET name = NULL WHERE account = $1 AND name IS NOT NULL", .integer(account))
                let blobs = try connection.run(
                    """
                    UPDATE blobs SET standing = 2 WHERE account = $1 AND standing < 2 AND hash IN (
                        SELECT hash FROM blobs WHERE account = $1 AND standing < 2 LIMIT $2)
                    """, .integer(account), .integer(Self.step))
                if zones.changed + blobs.changed > 0 { hasMore = true }
                let left = try connection.run(
                    """
                    SELECT 1::bigint FROM accounts WHERE id = $1 AND (
                        EXISTS (SELECT 1 FROM zones WHERE account = $1) OR
                        EXISTS (SELECT 1 FROM blobs WHERE account = $1))
                    """, .integer(account))
                guard left.count == 0 else { continue }
                hasMore = true
                let answers = try connection.run(
                    """
                    DELETE FROM answers WHERE account = $1 AND (zone, batch) IN (
                        SELECT zone, batch FROM answers WHERE account = $1 LIMIT $2)
                    """, .integer(account), .integer(Self.step))
                guard answers.changed < Self.step else { continue }
                _ = try connection.run([
                    SQLStatement("DELETE FROM statements WHERE account = $1", .integer(account)),
                    SQLStatement("DELETE FROM accounts WHERE id = $1", .integer(account)),
                ])
            }
            return hasMore
        }
    }

    /// Forgets answers of many accounts at once, counted for each. Rows are locked in the order in which writers lock
    /// them.
    private var forgetAnswers: @Sendable (PostgreSQLConnection) throws -> Bool {
        { [rules] connection in
            let cutoff = rules.cutoff(rules.repetition)
            let old = try connection.run(
                "SELECT account, zone, batch FROM answers WHERE written < $1 ORDER BY written LIMIT $2",
                .integer(cutoff), .integer(Self.step)
            ).map { (try $0.integer(0), try $0.blob(1), try $0.blob(2)) }
            guard !old.isEmpty else { return false }
            _ = try connection.run(
                "SELECT id FROM accounts WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE",
                .integers(Array(Set(old.map(\.0)))))
            // Another node may have forgotten one meanwhile, and its key may have come again.
            let gone = try connection.run(
                """
                DELETE FROM answers USING unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS w(account, zone, batch)
                WHERE answers.account = w.account AND answers.zone = w.zone AND answers.batch = w.batch
                    AND written < $4
                RETURNING answers.account
                """, .integers(old.map(\.0)), .byteStrings(old.map(\.1)), .byteStrings(old.map(\.2)),
                .integer(cutoff)
            ).map { try $0.integer(0) }
            let counts = Dictionary(grouping: gone) { $0 }.mapValues { Int64($0.count) }.map { ($0, $1) }
            _ = try connection.run(
                """
                UPDATE accounts SET forgotten = accounts.forgotten + w.count
                FROM unnest($1::bigint[], $2::bigint[]) AS w(id, count) WHERE accounts.id = w.id
                """, .integers(counts.map(\.0)), .integers(counts.map(\.1)))
            return old.count == Self.step
        }
    }

    private var forgetRest: @Sendable (PostgreSQLConnection) throws -> Bool {
        { [rules] connection in
            let changed = try connection.run([
                SQLStatement(
                    """
                    DELETE FROM used WHERE name IN (SELECT name FROM used
                        WHERE expires < $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)
                    """, .integer(rules.clock.milliseconds), .integer(Self.step)),
                SQLStatement(
                    """
                    DELETE FROM placements WHERE account IN (SELECT account FROM placements
                        WHERE removed < $1 ORDER BY removed LIMIT $2 FOR UPDATE SKIP LOCKED)
                    """, .integer(rules.cutoff(86_400_000)), .integer(Self.step)),
            ]).map(\.changed)
            return changed.contains(Self.step)
        }
    }
}
