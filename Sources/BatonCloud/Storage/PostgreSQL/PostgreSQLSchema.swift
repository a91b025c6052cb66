import BatonCore
import Foundation

/// The tables of a cloud's PostgreSQL database. Steps are only ever added. Each runs once, in its own transaction, on
/// the node that comes first; there is no downgrade.
///
/// Plain tables with integer keys that nodes draw at random: no sequences, triggers or functions, so that compatible
/// distributed databases work too. Deleting an account or a zone removes its name at once and its rows step by step.
enum PostgreSQLSchema {
    /// Any number that other users of the database do not take.
    private static let lock: Int64 = 0x6261_746F_6E01

    /// - Returns: the identity of this database, and the channel on which its nodes speak.
    static func migrate(
        _ connection: PostgreSQLConnection, random: (Int) -> Data
    ) throws -> (identity: Data, channel: String) {
        _ = try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
        _ = try connection.run("SELECT pg_advisory_xact_lock($1)", .integer(lock))
        try connection.script([
            "SET LOCAL client_min_messages = warning",
            "CREATE TABLE IF NOT EXISTS baton_schema (version BIGINT NOT NULL PRIMARY KEY)", "COMMIT",
        ])
        for number in 1...steps.count { try migrate(to: number, connection) }
        // Made by the first node.
        _ = try connection.run(
            "INSERT INTO server (name, value) VALUES ('identity', $1) ON CONFLICT (name) DO NOTHING",
            .bytes(random(16)))
        guard let row = try connection.run("SELECT value FROM server WHERE name = 'identity'").first else {
            throw SQLFailure(state: "XX001", message: "The database has no identity.")
        }
        let identity = try row.blob(0)
        return (identity, "baton_" + identity.hexadecimal)
    }

    private static func migrate(to number: Int, _ connection: PostgreSQLConnection) throws {
        _ = try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
        _ = try connection.run("SELECT pg_advisory_xact_lock($1)", .integer(lock))
        let newest = try connection.run("SELECT COALESCE(MAX(version), 0) FROM baton_schema").first?.int(0) ?? 0
        guard newest <= steps.count else {
            throw BatonError(
                .failedPrecondition, reason: "database_newer",
                "The data was written by a newer baton-cloud. Install that version, or a later one.")
        }
        if newest < number {
            try connection.script(steps[number - 1])
            _ = try connection.run("INSERT INTO baton_schema (version) VALUES ($1)", .integer(number))
        }
        _ = try connection.run("COMMIT")
    }

    private static let steps = [
        [
            "CREATE TABLE server (name TEXT NOT NULL PRIMARY KEY, value BYTEA NOT NULL)",
            "CREATE TABLE used (name BYTEA NOT NULL PRIMARY KEY, expires BIGINT NOT NULL)",
            "CREATE INDEX used_by_expiry ON used (expires)",

            // Which database holds an account, in the first of several; those whose account was deleted stay a day.
            """
            CREATE TABLE placements (
                account TEXT NOT NULL PRIMARY KEY, database BYTEA NOT NULL, removed BIGINT)
            """,
            "CREATE INDEX removed_placements ON placements (removed) WHERE removed IS NOT NULL",
            "CREATE INDEX placements_by_database ON placements (database)",

            // `changes` counts what happened to the account's zones, so that nodes report it in one order.
            """
            CREATE TABLE accounts (
                id BIGINT NOT NULL PRIMARY KEY, name TEXT UNIQUE, root_key BYTEA NOT NULL, space TEXT NOT NULL UNIQUE,
                items BIGINT NOT NULL DEFAULT 0, item_bytes BIGINT NOT NULL DEFAULT 0,
                blobs BIGINT NOT NULL DEFAULT 0, blob_bytes BIGINT NOT NULL DEFAULT 0,
                zones BIGINT NOT NULL DEFAULT 0, changes BIGINT NOT NULL DEFAULT 0)
            """,
            "CREATE INDEX removed_accounts ON accounts (id) WHERE name IS NULL",
            """
            CREATE TABLE statements (
                account BIGINT NOT NULL, place BIGINT NOT NULL, hash BYTEA NOT NULL, statement BYTEA NOT NULL,
                signature BYTEA NOT NULL, PRIMARY KEY (account, hash), UNIQUE (account, place))
            """,

            """
            CREATE TABLE zones (
                id BIGINT NOT NULL PRIMARY KEY, account BIGINT NOT NULL, name BYTEA, epoch BYTEA NOT NULL,
                head BIGINT NOT NULL, horizon BIGINT NOT NULL DEFAULT 0,
                items BIGINT NOT NULL DEFAULT 0, item_bytes BIGINT NOT NULL DEFAULT 0, UNIQUE (account, name))
            """,
            "CREATE INDEX removed_zones ON zones (id) WHERE name IS NULL",
            """
            CREATE TABLE items (
                zone BIGINT NOT NULL, name BYTEA NOT NULL, version BIGINT NOT NULL, written BIGINT NOT NULL,
                deleted BIGINT NOT NULL, sealed BYTEA, blobs BYTEA, PRIMARY KEY (zone, name))
            """,
            "CREATE UNIQUE INDEX items_by_version ON items (zone, version)",
            "CREATE INDEX deletions ON items (written) WHERE deleted = 1",

            """
            CREATE TABLE answers (
                account BIGINT NOT NULL, zone BYTEA NOT NULL, batch BYTEA NOT NULL, digest BYTEA NOT NULL,
                first BIGINT NOT NULL, written BIGINT NOT NULL, PRIMARY KEY (account, zone, batch))
            """,
            "CREATE INDEX answers_by_age ON answers (written)",

            // `collector`: the node that removes the bytes, alone until an hour after `touched`.
            """
            CREATE TABLE blobs (
                account BIGINT NOT NULL, hash BYTEA NOT NULL, size BIGINT NOT NULL, standing BIGINT NOT NULL,
                uses BIGINT NOT NULL DEFAULT 0, touched BIGINT NOT NULL, collector BYTEA,
                PRIMARY KEY (account, hash))
            """,
            "CREATE INDEX unused_blobs ON blobs (touched) WHERE uses = 0 AND standing < 2",
            "CREATE INDEX blobs_to_remove ON blobs (account, hash) WHERE standing = 2",
        ],
        // Counts an account's changes that left no answer, or whose answer is forgotten; the rest are its answers,
        // which count towards the quota, so that writing need not count them. Filled in a separate step: databases that
        // change tables while others use them do not write to a column in the transaction that adds it.
        ["ALTER TABLE accounts ADD COLUMN forgotten BIGINT NOT NULL DEFAULT 0"],
        ["UPDATE accounts SET forgotten = changes - (SELECT COUNT(*) FROM answers WHERE account = accounts.id)"],
        // Nothing is known about present zones until they are written again.
        ["ALTER TABLE zones ADD COLUMN history BYTEA"],
        // NULL: what every account may keep.
        ["ALTER TABLE accounts ADD COLUMN quota BIGINT"],
    ]
}
