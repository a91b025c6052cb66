import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// A reminder with what this device alone knows of it.
struct KeptReminder: Hashable, Sendable {
    var record: ReminderRecord
    /// The notice shown here; see ``ReminderInput/restored(id:shown:isOpen:)``.
    var shown: UInt64 = 0
    var isOpen = false
    /// The folder's identity and the name of its file there; nil where there is none.
    var folder: String?
    var file: String?
    /// The digest of what the file held when it was last read or written here.
    var seen: UInt64 = 0
    /// The cloud's version; 0 for none.
    var version: UInt64 = 0
    /// The cloud does not have it as it is.
    var isPending = true

    init(record: ReminderRecord) { self.record = record }
}

/// Reminders in the daemon's database. Every method blocks.
struct ReminderStorage: Sendable {
    static let migrations = [
        DaemonDatabase.Migration("reminders-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE reminder (
                        id TEXT PRIMARY KEY,
                        -- A message ReminderItem.
                        item BLOB NOT NULL,
                        shown INTEGER NOT NULL,
                        is_open INTEGER NOT NULL,
                        folder TEXT,
                        file TEXT,
                        seen INTEGER NOT NULL,
                        version INTEGER NOT NULL,
                        is_pending INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    -- For which account `version` holds; one row.
                    CREATE TABLE reminder_account (account TEXT NOT NULL) STRICT;
                    """)
        }
    ]

    let database: DaemonDatabase

    func load() throws -> [KeptReminder] {
        try database.readBlocking { db in
            try Row.fetchAll(db, sql: "SELECT * FROM reminder").compactMap { row in
                let (id, item): (String, Data) = (row["id"], row["item"])
                guard let record = ReminderWire.record(id, item) else { return nil }
                var kept = KeptReminder(record: record)
                kept.shown = UInt64(bitPattern: row["shown"])
                kept.isOpen = row["is_open"]
                kept.folder = row["folder"]
                kept.file = row["file"]
                kept.seen = UInt64(bitPattern: row["seen"])
                kept.version = UInt64(bitPattern: row["version"])
                kept.isPending = row["is_pending"]
                return kept
            }
        }
    }

    /// All of them, or none.
    func save(_ reminders: [KeptReminder], removing ids: [String] = []) throws {
        guard !reminders.isEmpty || !ids.isEmpty else { return }
        try database.writeBlocking { db in
            for kept in reminders {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO reminder
                            (id, item, shown, is_open, folder, file, seen, version, is_pending)
                            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        kept.record.id, try ReminderWire.content(of: kept.record), Int64(bitPattern: kept.shown),
                        kept.isOpen, kept.folder, kept.file, Int64(bitPattern: kept.seen),
                        Int64(bitPattern: kept.version), kept.isPending,
                    ])
            }
            for id in ids { try db.execute(sql: "DELETE FROM reminder WHERE id = ?", arguments: [id]) }
        }
    }

    func account() throws -> String? {
        try database.readBlocking { try String.fetchOne($0, sql: "SELECT account FROM reminder_account") }
    }

    func set(account: String) throws {
        try database.writeBlocking { db in
            try db.execute(sql: "DELETE FROM reminder_account")
            try db.execute(sql: "INSERT INTO reminder_account (account) VALUES (?)", arguments: [account])
        }
    }
}
