import Baton
import BatonRecords
import GRDB
import Testing

/// An app's view of the mirror where there is no daemon (D-1).
@Suite struct RecordSyncTests {
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "records-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test("a schema that cannot sync is refused with a code, the table, its columns and a sentence")
    func schemaErrors() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (id TEXT PRIMARY KEY, a UNIQUE)")
        }
        let error = #expect(throws: RecordSync.SchemaError.self) {
            _ = try RecordSync(queue, container: .default(), tables: [SyncedTable("t")])
        }
        #expect(error?.code == .integerPrimaryKey && error?.table == "t" && error?.columns == ["id"])
        #expect(error?.localizedDescription.contains("TEXT PRIMARY KEY") == true)
        let unique = #expect(throws: RecordSync.SchemaError.self) {
            _ = try RecordSync(queue, container: .default(), tables: [SyncedTable("u")])
        }
        #expect(unique?.code == .undeclaredUnique)
        #expect(unique?.description.contains("SyncedTable(\"u\", unique: [[\"a\"]: .merge])") == true)
        _ = try RecordSync(queue, container: .default(), tables: [SyncedTable("u", unique: [["a"]: .merge])])
    }

    @Test(
        "changes are noted after a start and after a stop, the triggers can be removed for a migration, and nobody waits after a stop"
    )
    func life() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pool = try DatabasePool(path: folder.appending(path: "app.sqlite").path)
        try await pool.write { db in
            try RecordSync.prepare(db)
            try db.execute(sql: "CREATE TABLE u (id TEXT PRIMARY KEY, a, b)")
        }
        let sync = try RecordSync(pool, container: .default(), tables: [SyncedTable("u", local: ["b"])])
        #expect(!sync.status.isRunning)
        try await sync.start()
        #expect(sync.status.isRunning)
        await sync.stop()
        await #expect(throws: CancellationError.self) { try await sync.sendChanges() }
        try await pool.write { try $0.execute(sql: "INSERT INTO u VALUES ('1', 2, 3); UPDATE u SET b = 4") }
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM baton_journal") } == 1)
        try await pool.write { db in
            try RecordSync.removeTriggers(db)
            try db.execute(sql: "ALTER TABLE u DROP COLUMN a; UPDATE u SET b = 5")
        }
        try await sync.start()
        await sync.stop()
    }

    @Test("who hears that it does not go on finds in the status how many lines wait", .timeLimit(.minutes(1)))
    func waiting() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pool = try DatabasePool(path: folder.appending(path: "app.sqlite").path)
        try await pool.write { try $0.execute(sql: "CREATE TABLE u (id TEXT PRIMARY KEY, a)") }
        let first = try RecordSync(pool, container: .default(), tables: [SyncedTable("u")])
        try await first.start()
        await first.stop()
        try await pool.write { try $0.execute(sql: "INSERT INTO u VALUES ('1', 2), ('2', 3)") }
        let sync = try RecordSync(pool, container: .default(), tables: [SyncedTable("u")])
        let events = sync.events
        try await sync.start()
        let failure = await events.first { if case .failed = $0 { true } else { false } }
        #expect(failure != nil)
        #expect(sync.status.waiting == 2)
        await sync.stop()
    }

    @Test(
        "a migration that SQLite refuses on account of the triggers is told what to do, and loses nothing when it does")
    func migration() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pool = try DatabasePool(path: folder.appending(path: "app.sqlite").path)
        try await pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE tags (id TEXT PRIMARY KEY, name TEXT);
                    CREATE TABLE items (id TEXT PRIMARY KEY, tag TEXT REFERENCES tags (id) ON DELETE SET NULL);
                    """)
        }
        let sync = try RecordSync(
            pool, container: .default(), tables: [SyncedTable("tags"), SyncedTable("items")])
        try await sync.start()
        await sync.stop()
        try await pool.write { db in
            try db.execute(sql: "INSERT INTO tags VALUES ('t', 'Tag'); INSERT INTO items VALUES ('i', 't')")
        }
        let rebuilding = """
            CREATE TABLE fresh (id TEXT PRIMARY KEY, name TEXT, color TEXT); INSERT INTO fresh SELECT id, name, NULL FROM tags;
            DROP TABLE tags; ALTER TABLE fresh RENAME TO tags;
            """
        var refused = DatabaseMigrator()
        refused.registerMigration("2") { try $0.execute(sql: rebuilding) }
        let error = #expect(throws: DatabaseError.self) { try refused.migrate(pool) }
        #expect(error?.message?.contains("RecordSync.removeTriggers(db)") == true)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("2") { db in
            try RecordSync.removeTriggers(db)
            try db.execute(sql: rebuilding)
        }
        try migrator.migrate(pool)
        try await sync.start()
        await sync.stop()
        let rows = try await pool.read { db in
            (
                try String.fetchOne(db, sql: "SELECT tag FROM items"),
                // No deletion.
                try Int.fetchOne(db, sql: "SELECT count(*) FROM baton_journal WHERE op = 3")
            )
        }
        #expect(rows == ("t", 0))
    }
}
