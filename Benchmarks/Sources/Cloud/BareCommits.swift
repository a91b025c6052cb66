import Foundation
import GRDB

/// The measure of durable writes: commits of bare SQLite as the cloud uses it (WAL, `synchronous=FULL`), rows of the
/// shape of its items, one thread.
///
/// Each line of input, `ROWS SECONDS`, is answered with how many rows were written for so long, so many a commit.
enum BareCommits {
    static func run(folder: String) async throws {
        let pool = try open(folder)
        var version: Int64 = 0
        for await words in Lines.fromStandardInput() {
            guard words.count == 2, let rows = Int(words[0]), let seconds = UInt64(words[1]) else { continue }
            let first = version
            let begin = monotonicNanoseconds()
            let end = begin + seconds * 1_000_000_000
            version = try commit(rows, until: end, from: version, pool)
            Lines.print([
                "event": "committed", "rows": rows, "count": Int(version - first),
                "ns": Int(monotonicNanoseconds() - begin),
            ])
        }
    }

    private static func open(_ folder: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: folder + "/bare.sqlite")
        try pool.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    CREATE TABLE items (
                        id INTEGER NOT NULL PRIMARY KEY, zone INTEGER NOT NULL, name BLOB NOT NULL,
                        version INTEGER NOT NULL, written INTEGER NOT NULL, deleted INTEGER NOT NULL, sealed BLOB,
                        blobs BLOB, checksum INTEGER);
                    CREATE UNIQUE INDEX items_by_name ON items (zone, name);
                    CREATE UNIQUE INDEX items_by_version ON items (zone, version);
                    """)
        }
        return pool
    }

    /// - Returns: the version of the last row.
    private static func commit(
        _ rows: Int, until end: UInt64, from first: Int64, _ pool: DatabasePool
    ) throws -> Int64 {
        let sealed = Data(repeating: 0x5A, count: 200)
        var version = first
        try pool.writeWithoutTransaction { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO items (zone, name, version, written, deleted, sealed, blobs, checksum)
                        VALUES (1, ?, ?, 1800000000000, 0, ?, NULL, ?)
                    """)
            while monotonicNanoseconds() < end {
                try database.inTransaction(.immediate) {
                    for _ in 0..<rows {
                        version += 1
                        try statement.execute(arguments: [
                            CloudDevice.randomBytes(32), version, sealed, Int64.random(in: .min ... .max),
                        ])
                    }
                    return .commit
                }
            }
        }
        return version
    }
}
