import BatonCore
import BatonStore
import Foundation
import GRDB

/// The records of blobs that are here, in the daemon's database.
///
/// Bound: a row for each file.
struct BlobCatalog: Sendable {
    struct Entry: Hashable, Sendable {
        var size: UInt64
        /// No item that names it was written to the cloud: this may be the only copy.
        var isOwn: Bool
        /// When it was put, fetched or read, in milliseconds since 1970.
        var used: UInt64
    }

    let database: DaemonDatabase

    static let schema = """
        CREATE TABLE sync_blob (
            id BLOB NOT NULL PRIMARY KEY,
            size INTEGER NOT NULL,
            is_own INTEGER NOT NULL,
            used INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sync_blob_used ON sync_blob (is_own, used);
        """

    func add(_ blob: BlobID, _ entry: Entry) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO sync_blob (id, size, is_own, used) VALUES (?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET is_own = is_own OR excluded.is_own, used = excluded.used
                    """,
                arguments: [blob.bytes, Int64(clamping: entry.size), entry.isOwn, Int64(clamping: entry.used)])
        }
    }

    func entry(_ blob: BlobID) async throws -> Entry? {
        try await database.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM sync_blob WHERE id = ?", arguments: [blob.bytes]).map(Self.entry)
        }
    }

    var all: [BlobID: Entry] {
        get async throws {
            try await database.read { db in
                try Row.fetchAll(db, sql: "SELECT * FROM sync_blob").reduce(into: [:]) { entries, row in
                    if let id = BlobID(row["id"]) { entries[id] = Self.entry(row) }
                }
            }
        }
    }

    func touch(_ blob: BlobID, at time: UInt64) async throws {
        try await database.write { db in
            try db.execute(
                sql: "UPDATE sync_blob SET used = ? WHERE id = ?", arguments: [Int64(clamping: time), blob.bytes])
        }
    }

    /// An item that names them is in the cloud: it has them, and their files here may go.
    func share(_ blobs: Set<BlobID>) async throws {
        try await database.write { db in
            for blob in blobs {
                try db.execute(sql: "UPDATE sync_blob SET is_own = 0 WHERE id = ?", arguments: [blob.bytes])
            }
        }
    }

    /// An item that is to be written names them: until then what is here may be the only copy.
    func own(_ blobs: [BlobID]) async throws {
        try await database.write { db in
            for blob in blobs {
                try db.execute(sql: "UPDATE sync_blob SET is_own = 1 WHERE id = ?", arguments: [blob.bytes])
            }
        }
    }

    func remove(_ blobs: [BlobID]) async throws {
        try await database.write { db in
            for blob in blobs { try db.execute(sql: "DELETE FROM sync_blob WHERE id = ?", arguments: [blob.bytes]) }
        }
    }

    /// Blobs that the cloud has too, the ones that were not used for longest: without them the others have at most so many
    /// bytes.
    func excess(over bytes: UInt64) async throws -> [BlobID] {
        try await database.read { db in
            var sum: UInt64 = 0
            return try Row.fetchAll(
                db, sql: "SELECT id, size FROM sync_blob WHERE is_own = 0 ORDER BY used DESC, id"
            ).compactMap { row in
                sum += UInt64(clamping: row["size"] as Int64)
                return sum > bytes ? BlobID(row["id"]) : nil
            }
        }
    }

    private static func entry(_ row: Row) -> Entry {
        Entry(
            size: UInt64(clamping: row["size"] as Int64), isOwn: row["is_own"],
            used: UInt64(clamping: row["used"] as Int64))
    }
}
