import Foundation
import GRDB
import RecordMirror
import Testing

/// Tables that lack many rows, as those of a new device, are filled some rows at a time (D-1).
@Suite("Tables that are filled") struct FillingTests {
    /// Notes come first and refer to nodes, which refer to each other.
    private static let schema = """
        CREATE TABLE notes (
            id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, node TEXT NOT NULL REFERENCES nodes (id) ON DELETE CASCADE);
        CREATE TABLE nodes (
            id TEXT PRIMARY KEY NOT NULL, parent TEXT REFERENCES nodes (id) ON DELETE CASCADE, name TEXT NOT NULL UNIQUE);
        """
    private static let tables = [
        MirrorTable("notes"), MirrorTable("nodes", unique: [.init(columns: ["name"], collision: .merge)]),
    ]
    private static let few = ReplicaFilling.Bounds(rowsAtEnd: 10, rows: 8, bytes: 1 << 20)

    /// A tree of 40 nodes with a note each. A parent comes after its children in the order of the keys.
    private static let tree = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO nodes SELECT 'n' || (100 - i), CASE i WHEN 1 THEN NULL ELSE 'n' || (100 - i / 2) END, 'name ' || i FROM n;
        INSERT INTO notes SELECT 'o' || substr(id, 2), 'text', id FROM nodes;
        """

    private static func rows(_ table: String, _ count: Int, _ values: (Int) -> [String: DatabaseValue]) -> [ShownRow] {
        (1...count).map { number in
            let name = (table == "nodes" ? "n" : "o") + "\(100 - number)"
            return ShownRow(table: table, key: RowKey([name.databaseValue]), values: values(number))
        }
    }

    @Test("rows go in some at a time, after those that they refer to; what does not go in is left to the end (D-1)")
    func steps() async throws {
        try await MirrorFixture.with { fixture in
            let queue = try fixture.open(Self.schema)
            let shapes = try await queue.write { db in
                let shapes = try SchemaReader.read(Self.tables, in: db)
                try MirrorTables.create(in: db)
                try CaptureTriggers.install(for: shapes, in: db)
                return shapes
            }
            // Somebody has the name of the third node, which 14 others are below.
            try queue.run("INSERT INTO nodes VALUES ('other', NULL, 'name 3')")
            _ = try queue.take(shapes)
            let nodes = Self.rows("nodes", 40) { number in
                [
                    "name": "name \(number)".databaseValue,
                    "parent": number == 1 ? .null : "n\(100 - number / 2)".databaseValue,
                ]
            }
            let notes = Self.rows("notes", 40) { number in
                ["text": "text".databaseValue, "node": "n\(100 - number)".databaseValue]
            }
            let outcome = try await queue.write { db in
                try ReplicaComparison.begin(in: db)
                try ReplicaComparison.add(ShownGroup(put: notes + nodes), shapes, in: db)
                var comparison = ReplicaComparison(
                    db: db, before: KnownColumns(shapes), mode: .last, filling: Self.few)
                return try comparison.run(shapes)
            }
            #expect(outcome.isUnfilled && outcome.lines == 0)
            #expect(try queue.text("SELECT id FROM nodes") == "\"other\"")
            var filling = ReplicaFilling(shapes, bounds: Self.few)
            var count = 0
            while !filling.isDone {
                let step = try await queue.write { [filling] db in
                    try RowApplier.prepare(db)
                    return try filling.step(in: db)
                }
                filling.go(on: step)
                count += step.count
                #expect(step.count <= 8)
                #expect(try queue.text("PRAGMA foreign_key_check").isEmpty)
            }
            #expect(count == 50)
            #expect(try queue.text("SELECT count(*) FROM nodes") == "26")
            let last = try await queue.write { db in
                try RowApplier.prepare(db)
                var comparison = ReplicaComparison(
                    db: db, before: KnownColumns(shapes), mode: .last, filling: Self.few)
                return try comparison.conclude(shapes)
            }
            #expect(last.refused.isEmpty)
            #expect(try queue.text("SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM notes)") == "40|40")
            #expect(try queue.text("SELECT id FROM nodes WHERE name = 'name 3'") == "\"n97\"")
            #expect(try queue.text("PRAGMA foreign_key_check").isEmpty)
            #expect(try await !queue.read { try MirrorJournal.isWaiting(in: $0) })
        }
    }

    private static let all = "SELECT id, node, text FROM notes UNION ALL SELECT id, parent, name FROM nodes ORDER BY 1"

    @Test("what the person deletes or changes while tables are being filled stays so (D-1)")
    func meanwhile() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let (near, far) = (MergingDaemon(), MergingDaemon(clock: 1_000_000))
                let a = MirroredApp(try one.open(Self.schema), near, tables: Self.tables, filling: Self.few)
                let b = MirroredApp(try other.open(Self.schema), far, tables: Self.tables, filling: Self.few)
                for app in [a, b] { try await app.start() }
                try a.queue.run(Self.tree)
                try await a.exchange()
                try far.hear(near)
                // The person acts as soon as this note is there, one of the last: it is far below the root.
                try b.queue.run(
                    """
                    CREATE TRIGGER person AFTER INSERT ON notes WHEN NEW.id = 'o60' BEGIN
                        UPDATE baton_state SET applying = 0;
                        DELETE FROM notes WHERE id = 'o98';
                        UPDATE notes SET text = 'mine' WHERE id = 'o97';
                        UPDATE baton_state SET applying = 1;
                    END
                    """)
                let progress = try await b.exchange()
                #expect(progress.hasCompared && progress.sent == 2)
                #expect(try b.queue.text("SELECT id, text FROM notes WHERE id IN ('o97', 'o98')") == "\"o97\"|\"mine\"")
                try near.hear(far)
                for app in [a, b] { try await app.exchange() }
                #expect(try b.queue.text("SELECT count(*) FROM notes") == "39")
                #expect(try a.queue.text(Self.all) == b.queue.text(Self.all))
            }
        }
    }

    @Test("filling that ends in the middle, on a full disk, goes on after the next start, and sends nothing (D-1)")
    func cut() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let bounds = ReplicaFilling.Bounds(rowsAtEnd: 50, rows: 50, bytes: 1 << 20)
                let a = MirroredApp(try one.open(), replica)
                let b = MirroredApp(try other.open(), replica, filling: bounds)
                for app in [a, b] { try await app.start() }
                try a.queue.run(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                    INSERT INTO lists SELECT 'l' || i, 'title ' || i, hex(randomblob(100)) FROM n
                    """)
                try await a.exchange()
                replica.forget()
                let pages = try await b.queue.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
                try await b.queue.writeWithoutTransaction {
                    try $0.execute(sql: "PRAGMA max_page_count = \(pages + 15)")
                }
                let error = await #expect(throws: DatabaseError.self) { try await b.exchange() }
                #expect(error?.resultCode == .SQLITE_FULL)
                let count = try Int(b.queue.text("SELECT count(*) FROM lists")) ?? 0
                #expect((50..<500).contains(count))
                try await b.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
                let again = MirroredApp(b.queue, replica, filling: bounds)
                try await again.start()
                #expect(try await again.exchange().hasCompared)
                #expect(try again.all() == a.all())
                #expect(replica.received.isEmpty)
            }
        }
    }
}
