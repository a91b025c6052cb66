import Foundation
import GRDB
import RecordMirror
import Synchronization

/// The tables of the record cases, in a file of their own.
struct MirrorFixture {
    static let schema = """
        CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL UNIQUE, color TEXT);
        CREATE TABLE tags (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE);
        CREATE TABLE items (
            id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
            list TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE, tag TEXT REFERENCES tags (id) ON DELETE SET NULL,
            isExpanded INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE itemTags (item TEXT NOT NULL, tag TEXT NOT NULL, weight REAL, PRIMARY KEY (item, tag));
        CREATE TABLE covers (list TEXT PRIMARY KEY NOT NULL REFERENCES lists (id) ON DELETE CASCADE, image BLOB);
        """
    static let tables = [
        MirrorTable("lists", unique: [.init(columns: ["title"], collision: .merge)]),
        MirrorTable("items", local: ["isExpanded"]),
        MirrorTable("tags", unique: [.init(columns: ["name"], collision: .merge)]),
        MirrorTable("itemTags"), MirrorTable("covers"),
    ]

    let folder: URL
    var path: String { folder.appending(path: "app.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func open(_ schema: String = Self.schema) throws -> DatabaseQueue {
        let isNew = !FileManager.default.fileExists(atPath: path)
        let queue = try DatabaseQueue(path: path)
        if isNew { try queue.write { try $0.execute(sql: schema) } }
        return queue
    }

    static func with<Output>(_ body: (MirrorFixture) async throws -> Output) async throws -> Output {
        let fixture = try MirrorFixture()
        defer { fixture.remove() }
        return try await body(fixture)
    }

    /// A database with triggers and an empty journal.
    static func captured(_ body: (DatabaseQueue, [TableShape]) throws -> Void) throws {
        let fixture = try MirrorFixture()
        defer { fixture.remove() }
        let queue = try fixture.open()
        let shapes = try queue.write { db in
            let shapes = try SchemaReader.read(tables, in: db)
            try MirrorTables.create(in: db)
            try CaptureTriggers.install(for: shapes, in: db)
            return shapes
        }
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA recursive_triggers = ON") }
        try body(queue, shapes)
    }
}

extension ChangeGroup {
    /// Readable: `items 'a' text=1`, `-items 'a'`.
    var lines: Set<String> {
        Set(
            changes.map { change in
                let values = change.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return
                    ([(change.isDeleted ? "-" : "") + change.table, change.key.journalText] + values
                    + change.differences.sorted { $0.key < $1.key }.map { "\($0.key)+=\($0.value)" }
                    + change.emptied.sorted().map { $0 + "-" })
                    .joined(separator: " ")
            })
    }
}

extension DatabaseQueue {
    /// Reads the journal and empties it.
    func take(_ shapes: [TableShape]) throws -> [ChangeGroup] {
        try write { db in
            let groups = try JournalReader(shapes).read(in: db)?.groups ?? []
            try db.execute(sql: "DELETE FROM baton_journal")
            return groups
        }
    }

    func run(_ sql: String) throws { try write { try $0.execute(sql: sql) } }

    func text(_ sql: String) throws -> String {
        try read { db in
            try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map(\.description).joined(separator: "|") }
                .joined(separator: "\n")
        }
    }
}
