import BatonRecords
import Foundation
import GRDB

/// The app's database: lists, their items and covers, and tags. Version 2 gives items a priority and counts how often they
/// were looked at, and adds notes.
struct ReminderStore: Sendable {
    let database: DatabasePool
    let version: Int

    init(path: String, version: Int) throws {
        self.version = version
        var configuration = Configuration()
        // Another process, for instance sqlite3, may write at the same time.
        configuration.busyMode = .timeout(5)
        database = try DatabasePool(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL UNIQUE, color TEXT);
                    CREATE TABLE tags (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE);
                    CREATE TABLE items (
                        id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
                        list TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
                        tag TEXT REFERENCES tags (id) ON DELETE SET NULL,
                        lastOpened REAL, isExpanded INTEGER NOT NULL DEFAULT 0);
                    CREATE INDEX itemsOfLists ON items (list);
                    CREATE TABLE covers (
                        list TEXT PRIMARY KEY NOT NULL REFERENCES lists (id) ON DELETE CASCADE, image BLOB);
                    """)
        }
        if version > 1 {
            migrator.registerMigration("2") { db in
                try db.execute(
                    sql: """
                        ALTER TABLE items ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
                        ALTER TABLE items ADD COLUMN views INTEGER NOT NULL DEFAULT 0;
                        CREATE TABLE notes (
                            id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL,
                            item TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE);
                        """)
            }
        }
        try migrator.migrate(database)
    }

    var tables: [SyncedTable] {
        var tables = [
            SyncedTable("lists", unique: [["title"]: .merge]),
            SyncedTable(
                "items", quiet: version > 1 ? ["lastOpened", "views"] : ["lastOpened"], local: ["isExpanded"],
                counters: version > 1 ? ["views"] : []),
            SyncedTable("tags", unique: [["name"]: .merge]),
            SyncedTable("covers"),
        ]
        if version > 1 { tables.append(SyncedTable("notes")) }
        return tables
    }

    // MARK: The lists

    static func newID() -> String { UUID().uuidString.lowercased() }

    /// The list with a title, which is made if there is none.
    func list(_ title: String) async throws -> String {
        try await database.write { db in
            if let id = try String.fetchOne(db, sql: "SELECT id FROM lists WHERE title = ?", arguments: [title]) {
                return id
            }
            let id = Self.newID()
            try db.execute(sql: "INSERT INTO lists (id, title) VALUES (?, ?)", arguments: [id, title])
            return id
        }
    }

    func add(_ text: String, to list: String) async throws -> String {
        let list = try await self.list(list)
        let id = Self.newID()
        try await run("INSERT INTO items (id, text, list) VALUES (?, ?, ?)", [id, text, list])
        return id
    }

    func tag(_ item: String, _ name: String) async throws {
        try await database.write { db in
            let known = try String.fetchOne(db, sql: "SELECT id FROM tags WHERE name = ?", arguments: [name])
            let id = known ?? Self.newID()
            if known == nil { try db.execute(sql: "INSERT INTO tags VALUES (?, ?)", arguments: [id, name]) }
            try db.execute(sql: "UPDATE items SET tag = ? WHERE id = ?", arguments: [id, item])
        }
    }

    func cover(_ title: String, _ image: Data) async throws {
        let list = try await self.list(title)
        try await run(
            "INSERT INTO covers VALUES (?1, ?2) ON CONFLICT (list) DO UPDATE SET image = ?2", [list, image])
    }

    func run(_ sql: String, _ arguments: StatementArguments = []) async throws {
        try await database.write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Several statements, in one transaction.
    func script(_ sql: String) async throws {
        try await database.write { try $0.execute(sql: sql) }
    }

    /// The rows of a query: columns with `|` between them.
    func rows(_ sql: String) async throws -> [String] {
        try await database.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { String.fromDatabaseValue($0) ?? ($0.isNull ? "NULL" : "\($0)") }
                    .joined(separator: "|")
            }
        }
    }

    static let overview = """
        SELECT l.title, coalesce(i.text, ''), coalesce(i.done, ''), coalesce(t.name, '') FROM lists AS l
        LEFT JOIN items AS i ON i.list = l.id LEFT JOIN tags AS t ON t.id = i.tag ORDER BY 1, 2, i.id
        """
}
