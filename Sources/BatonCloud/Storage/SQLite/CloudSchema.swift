import GRDB

/// The tables of a cloud's database. Steps are only ever added. Each runs once in its own transaction, so an
/// interrupted step has no effect; there is no downgrade.
///
/// Plain tables with integer keys, so that they are the same in any SQL database. Deleting an account or a zone removes
/// its name at once and its rows step by step.
enum CloudSchema {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("cloud-1") { try $0.execute(sql: first) }
        migrator.registerMigration("cloud-2") { try $0.execute(sql: second) }
        // Rows of answers are in the order of their age.
        migrator.registerMigration("cloud-3") { try $0.execute(sql: "DROP INDEX answers_by_age") }
        // Nothing of the rows that are there: what they should be is not known. Each has one once it is written again.
        migrator.registerMigration("cloud-4") { try $0.execute(sql: "ALTER TABLE items ADD COLUMN checksum INTEGER") }
        // Nothing is known about present zones until they are written again.
        migrator.registerMigration("cloud-5") { try $0.execute(sql: "ALTER TABLE zones ADD COLUMN history BLOB") }
        // NULL: what every account may keep.
        migrator.registerMigration("cloud-6") { try $0.execute(sql: "ALTER TABLE accounts ADD COLUMN quota INTEGER") }
    }

    /// Answers count towards the quota.
    private static let second = """
        ALTER TABLE accounts ADD COLUMN answers INTEGER NOT NULL DEFAULT 0;
        UPDATE accounts SET answers = (SELECT COUNT(*) FROM answers WHERE account = accounts.id);
        """

    private static let first = """
        CREATE TABLE server (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL);
        CREATE TABLE used (name BLOB NOT NULL PRIMARY KEY, expires INTEGER NOT NULL);
        CREATE INDEX used_by_expiry ON used (expires);

        CREATE TABLE accounts (
            id INTEGER NOT NULL PRIMARY KEY, name TEXT UNIQUE, root_key BLOB NOT NULL, space TEXT NOT NULL UNIQUE,
            items INTEGER NOT NULL DEFAULT 0, item_bytes INTEGER NOT NULL DEFAULT 0,
            blobs INTEGER NOT NULL DEFAULT 0, blob_bytes INTEGER NOT NULL DEFAULT 0,
            zones INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX removed_accounts ON accounts (id) WHERE name IS NULL;
        CREATE TABLE statements (
            id INTEGER NOT NULL PRIMARY KEY, account INTEGER NOT NULL, hash BLOB NOT NULL,
            statement BLOB NOT NULL, signature BLOB NOT NULL, UNIQUE (account, hash));

        CREATE TABLE zones (
            id INTEGER NOT NULL PRIMARY KEY, account INTEGER NOT NULL, name BLOB, epoch BLOB NOT NULL,
            head INTEGER NOT NULL, horizon INTEGER NOT NULL DEFAULT 0,
            items INTEGER NOT NULL DEFAULT 0, item_bytes INTEGER NOT NULL DEFAULT 0, UNIQUE (account, name));
        CREATE INDEX removed_zones ON zones (id) WHERE name IS NULL;
        CREATE TABLE items (
            id INTEGER NOT NULL PRIMARY KEY, zone INTEGER NOT NULL, name BLOB NOT NULL, version INTEGER NOT NULL,
            written INTEGER NOT NULL, deleted INTEGER NOT NULL, sealed BLOB, blobs BLOB);
        CREATE UNIQUE INDEX items_by_name ON items (zone, name);
        CREATE UNIQUE INDEX items_by_version ON items (zone, version);
        CREATE INDEX deletions ON items (written) WHERE deleted = 1;

        CREATE TABLE answers (
            account INTEGER NOT NULL, zone BLOB NOT NULL, batch BLOB NOT NULL, digest BLOB NOT NULL,
            first INTEGER NOT NULL, written INTEGER NOT NULL, PRIMARY KEY (account, zone, batch));
        CREATE INDEX answers_by_age ON answers (written);

        CREATE TABLE blobs (
            id INTEGER NOT NULL PRIMARY KEY, account INTEGER NOT NULL, hash BLOB NOT NULL, size INTEGER NOT NULL,
            standing INTEGER NOT NULL, uses INTEGER NOT NULL DEFAULT 0, touched INTEGER NOT NULL,
            UNIQUE (account, hash));
        CREATE INDEX unused_blobs ON blobs (touched) WHERE uses = 0 AND standing < 2;
        CREATE INDEX blobs_to_remove ON blobs (id) WHERE standing = 2;
        """
}

extension Database {
    /// A statement that is compiled once.
    func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }
}
