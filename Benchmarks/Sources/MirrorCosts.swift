import BatonRecords
import Foundation
import GRDB

/// The cost of the mirror's triggers: the same changes of a database with and without them, in turns, in nanoseconds a change.
enum MirrorCosts {
    private static let rows = 20_000
    private static let transactions = 2_000

    static func run(blocks: Int, folder: String) async throws {
        for block in 0..<blocks {
            let before = try await measure("\(folder)/\(block)-before", isMirrored: false)
            let mirrored = try await measure("\(folder)/\(block)-mirrored", isMirrored: true)
            let after = try await measure("\(folder)/\(block)-after", isMirrored: false)
            for (name, time) in mirrored {
                Lines.print([
                    "event": "block", "what": name, "ns": time, "baseline_ns": [before[name] ?? 0, after[name] ?? 0],
                ])
            }
        }
        Lines.print(["event": "end"])
    }

    static func open(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS lists (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL);
                    CREATE TABLE IF NOT EXISTS items (
                        id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0, notes TEXT,
                        list TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE);
                    INSERT OR IGNORE INTO lists VALUES ('l', 'List');
                    """)
        }
        return pool
    }

    static func sync(_ pool: DatabasePool) throws -> RecordSync {
        try RecordSync(
            pool, container: .default(), tables: [SyncedTable("lists"), SyncedTable("items")])
    }

    private static func measure(_ path: String, isMirrored: Bool) async throws -> [String: Double] {
        let pool = try open(path)
        if isMirrored {
            // The triggers stay, and no exchange runs beside what is measured.
            let sync = try sync(pool)
            try await sync.start()
            await sync.stop()
        }
        let names = (0..<rows).map { "\($0 &* 2_654_435_761 % 1_000_003)-\($0)" }
        let notes = String(repeating: "note ", count: 25)
        func time(_ count: Int, _ body: (Database) throws -> Void) throws -> Double {
            let begin = monotonicNanoseconds()
            try pool.write(body)
            return Double(monotonicNanoseconds() - begin) / Double(count)
        }
        var times: [String: Double] = [:]
        times["insert"] = try time(rows) { db in
            let statement = try db.cachedStatement(
                sql: "INSERT INTO items (id, text, notes, list) VALUES (?, ?, ?, 'l')")
            for name in names { try statement.execute(arguments: [name, "one", notes]) }
        }
        times["update"] = try time(rows) { db in
            let statement = try db.cachedStatement(sql: "UPDATE items SET text = ? WHERE id = ?")
            for name in names { try statement.execute(arguments: ["two", name]) }
        }
        times["update all"] = try time(rows) { try $0.execute(sql: "UPDATE items SET done = done + 1") }
        let begin = monotonicNanoseconds()
        for name in names.prefix(transactions) {
            try await pool.write { db in
                try db.cachedStatement(sql: "UPDATE items SET text = ? WHERE id = ?").execute(
                    arguments: ["three", name])
            }
        }
        times["update alone"] = Double(monotonicNanoseconds() - begin) / Double(transactions)
        times["delete"] = try time(rows) { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM items WHERE id = ?")
            for name in names { try statement.execute(arguments: [name]) }
        }
        try pool.close()
        return times
    }
}
