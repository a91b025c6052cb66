import BatonStore
import GRDB

/// The tables of a container's file.
enum ReplicaSchema {
    static let migrations = [
        DaemonDatabase.Migration("records-1") { db in
            try db.execute(
                sql: """
                    -- One row.
                    CREATE TABLE replica (
                        identity BLOB NOT NULL,
                        -- Who writes for apps that mirror nothing.
                        actor INTEGER NOT NULL,
                        -- The last hybrid timestamp.
                        clock INTEGER NOT NULL,
                        -- The number of the last change.
                        sequence INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE zone (
                        id INTEGER PRIMARY KEY,
                        name TEXT NOT NULL UNIQUE,
                        -- Of the zone as it was made here: change tokens of another one are not believed.
                        identity BLOB NOT NULL,
                        -- 0 there, 1 deleted, 2 deleted by the person.
                        state INTEGER NOT NULL,
                        -- The last change of it, or in it.
                        sequence INTEGER NOT NULL,
                        -- A message SetSchemaRequest with the tables, where an app mirrors its own.
                        tables BLOB,
                        -- All that the account has was read.
                        is_complete INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE record (
                        id INTEGER PRIMARY KEY,
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        type TEXT NOT NULL,
                        -- A message RecordItem.
                        item BLOB NOT NULL,
                        digest BLOB NOT NULL,
                        is_present INTEGER NOT NULL,
                        -- Milliseconds since 1970; 0 for a record that was never deleted.
                        deleted INTEGER NOT NULL,
                        -- The change by which it became as it is here.
                        sequence INTEGER NOT NULL,
                        -- For each dot of its presence 24 bytes: actor, counter, and the change by which it came here.
                        arrivals BLOB NOT NULL,
                        merged_into TEXT,
                        -- What the cloud has; 0 for nothing.
                        version INTEGER NOT NULL,
                        -- 0, or the change with which it is to be sent.
                        pending INTEGER NOT NULL,
                        UNIQUE (zone, name)
                    ) STRICT;
                    CREATE INDEX record_by_sequence ON record (zone, sequence, name);
                    CREATE INDEX record_by_pending ON record (zone, pending, name) WHERE pending > 0;
                    CREATE INDEX record_by_merged ON record (zone, merged_into) WHERE merged_into IS NOT NULL;
                    CREATE INDEX record_by_deletion ON record (zone, deleted) WHERE is_present = 0 AND deleted > 0;
                    -- Records that name others of their zone: 0 as their parent, 1 so that they go with it.
                    CREATE TABLE reference (
                        zone INTEGER NOT NULL,
                        target TEXT NOT NULL,
                        name TEXT NOT NULL,
                        kind INTEGER NOT NULL,
                        PRIMARY KEY (zone, target, name, kind)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX reference_by_name ON reference (zone, name);
                    -- The same of rows, by the number of the foreign key.
                    CREATE TABLE link (
                        zone INTEGER NOT NULL,
                        target TEXT NOT NULL,
                        tbl TEXT NOT NULL,
                        key INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        PRIMARY KEY (zone, target, tbl, key, name)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX link_by_name ON link (zone, name);
                    -- What a mirror was told of its rows.
                    CREATE TABLE shown (
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        tbl TEXT NOT NULL,
                        -- 0 hidden, 1 held, 2 shown.
                        state INTEGER NOT NULL,
                        -- A message ShownRow; without values unless it is shown.
                        content BLOB NOT NULL,
                        -- Why it is held.
                        hold TEXT NOT NULL,
                        -- The row with which it is one.
                        shown_as TEXT,
                        sequence INTEGER NOT NULL,
                        PRIMARY KEY (zone, name)
                    ) STRICT;
                    CREATE INDEX shown_by_sequence ON shown (zone, sequence, name);
                    CREATE INDEX shown_by_state ON shown (zone, state);
                    CREATE TABLE unique_value (
                        zone INTEGER NOT NULL,
                        tbl TEXT NOT NULL,
                        key INTEGER NOT NULL,
                        value TEXT NOT NULL,
                        name TEXT NOT NULL,
                        PRIMARY KEY (zone, tbl, key, value, name)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX unique_value_by_name ON unique_value (zone, name);
                    -- Rows that the app's table has refused.
                    CREATE TABLE obstacle (
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        reason TEXT NOT NULL,
                        PRIMARY KEY (zone, name)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE mirror (
                        zone INTEGER NOT NULL,
                        actor BLOB NOT NULL,
                        -- The last number of its journal that was taken.
                        taken INTEGER NOT NULL,
                        -- The hybrid timestamp of what was taken last.
                        clock INTEGER NOT NULL,
                        PRIMARY KEY (zone, actor)
                    ) STRICT, WITHOUT ROWID;
                    -- Parts of a mirror's group whose end has not come: messages RowGroup.
                    CREATE TABLE staged (
                        id INTEGER PRIMARY KEY,
                        zone INTEGER NOT NULL,
                        actor BLOB NOT NULL,
                        number INTEGER NOT NULL,
                        digest BLOB NOT NULL,
                        content BLOB NOT NULL,
                        UNIQUE (zone, actor, number, digest)
                    ) STRICT;
                    -- Assets that records name, or may name soon; a message RecordItemAsset.
                    CREATE TABLE asset (
                        id BLOB PRIMARY KEY,
                        content BLOB NOT NULL,
                        sha256 BLOB NOT NULL,
                        -- Milliseconds since 1970: when it was handed over, or was seen in a record.
                        seen INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX asset_by_content ON asset (sha256);
                    CREATE TABLE asset_use (
                        asset BLOB NOT NULL,
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        PRIMARY KEY (zone, name, asset)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX asset_use_by_asset ON asset_use (asset);
                    CREATE TABLE asset_blob (
                        blob BLOB NOT NULL,
                        asset BLOB NOT NULL,
                        PRIMARY KEY (blob, asset)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX asset_blob_by_asset ON asset_blob (asset);
                    """)
        },
        DaemonDatabase.Migration("records-2") { db in
            try db.execute(
                sql: """
                    -- When the part came, in milliseconds since 1970.
                    ALTER TABLE staged ADD COLUMN time INTEGER NOT NULL DEFAULT 0;
                    -- The group of which parts were removed since it did not end; 0 for none.
                    ALTER TABLE mirror ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
                    -- When it said its schema or sent something, in milliseconds since 1970.
                    ALTER TABLE mirror ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
                    """)
        },
        DaemonDatabase.Migration("records-3") { db in
            try db.execute(
                sql: """
                    -- It has a grave and is kept here only: told to nobody.
                    ALTER TABLE record ADD COLUMN is_buried INTEGER NOT NULL DEFAULT 0;
                    -- By the account's time, in milliseconds: since when it has been deleted as it is; 0 for one that is not.
                    ALTER TABLE record ADD COLUMN age_since INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE record ADD COLUMN age_stamp INTEGER NOT NULL DEFAULT 0;
                    -- Its time is over.
                    ALTER TABLE record ADD COLUMN is_due INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX record_by_due ON record (zone, name) WHERE is_due = 1;
                    -- By the account's time: when deletions were looked at last; 0 for never.
                    ALTER TABLE zone ADD COLUMN looked INTEGER NOT NULL DEFAULT 0;
                    -- The last change that was removed with what was buried: who was not told of it begins from nothing.
                    ALTER TABLE zone ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE grave (
                        zone INTEGER NOT NULL,
                        -- The first 16 bytes of a digest of the record's name.
                        id BLOB NOT NULL,
                        -- The hybrid timestamp of its newest change.
                        time INTEGER NOT NULL,
                        PRIMARY KEY (zone, id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX grave_by_time ON grave (zone, time);
                    CREATE TABLE grave_shard (
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        -- What the cloud has; 0 for nothing.
                        version INTEGER NOT NULL,
                        -- The cloud has it as it is here.
                        is_sent INTEGER NOT NULL,
                        PRIMARY KEY (zone, name)
                    ) STRICT, WITHOUT ROWID;
                    -- Old copies of what was buried, which somebody has written to the cloud.
                    CREATE TABLE stale (
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        PRIMARY KEY (zone, name)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        // The key in the order of the columns: SQLite 3.40 takes the table for damaged otherwise.
        DaemonDatabase.Migration("records-4") { db in
            try db.execute(
                sql: """
                    CREATE TABLE new_asset_use (
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        asset BLOB NOT NULL,
                        PRIMARY KEY (zone, name, asset)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO new_asset_use SELECT zone, name, asset FROM asset_use;
                    DROP TABLE asset_use;
                    ALTER TABLE new_asset_use RENAME TO asset_use;
                    CREATE INDEX asset_use_by_asset ON asset_use (asset);
                    """)
        },
        DaemonDatabase.Migration("records-5") { db in
            try db.execute(
                sql: """
                    -- Up to when the changes of each author are known, in zones that are mirrored; a hybrid timestamp.
                    CREATE TABLE author (
                        zone INTEGER NOT NULL,
                        actor INTEGER NOT NULL,
                        time INTEGER NOT NULL,
                        PRIMARY KEY (zone, actor)
                    ) STRICT, WITHOUT ROWID;
                    -- Rows that a table has deleted, of records that have not come to this replica.
                    CREATE TABLE absent (
                        zone INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        -- What the table had shown.
                        cursor BLOB NOT NULL,
                        -- Milliseconds since 1970: when it was told.
                        time INTEGER NOT NULL,
                        PRIMARY KEY (zone, name)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        DaemonDatabase.Migration("records-6") { db in
            try db.execute(
                sql: """
                    -- Its sums of revoked devices are to be folded.
                    ALTER TABLE record ADD COLUMN is_folding INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX record_by_folding ON record (zone, name) WHERE is_folding = 1;
                    -- In an account without a cloud: the last change that a near device is known to have.
                    ALTER TABLE zone ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
                    -- Devices that were revoked.
                    CREATE TABLE revoked (
                        device TEXT NOT NULL,
                        -- By the account's time, in milliseconds: since when that is known here.
                        since INTEGER NOT NULL,
                        -- Its time is over.
                        is_due INTEGER NOT NULL,
                        PRIMARY KEY (device)
                    ) STRICT, WITHOUT ROWID;
                    -- Zones whose records are looked through for sums of such devices.
                    CREATE TABLE fold_place (
                        zone INTEGER PRIMARY KEY,
                        -- The name of the last record that was looked at.
                        name TEXT NOT NULL
                    ) STRICT;
                    -- When each other device was seen to have the same as this one, by the account's time in milliseconds.
                    CREATE TABLE met (
                        zone INTEGER NOT NULL,
                        device TEXT NOT NULL,
                        time INTEGER NOT NULL,
                        PRIMARY KEY (zone, device)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        DaemonDatabase.Migration("records-7") { db in
            try db.execute(
                sql: """
                    -- Rows of which the changes of a mirror were not taken, and why.
                    CREATE TABLE untaken (
                        zone INTEGER NOT NULL,
                        actor BLOB NOT NULL,
                        name TEXT NOT NULL,
                        reason TEXT NOT NULL,
                        -- A message HeldRow without the reason: the row as its app names it.
                        content BLOB NOT NULL,
                        -- The first line of the mirror's journal that was not taken.
                        number INTEGER NOT NULL,
                        PRIMARY KEY (zone, actor, name)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        DaemonDatabase.Migration("records-8") { db in
            try db.execute(
                sql: """
                    -- The table has an earlier state of the row, which stays there.
                    ALTER TABLE obstacle ADD COLUMN stays INTEGER NOT NULL DEFAULT 0;
                    """)
        },
    ]
}
