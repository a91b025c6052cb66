import Foundation
import GRDB
import RecordMirror
import Testing

/// The changes that the triggers see (D-1).
@Suite struct CaptureTests {
    @Test("an insert tells all columns that sync, an update only those that are not what they were, local columns none")
    func columns() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run(
                "INSERT INTO lists VALUES ('l', 'Home', NULL); INSERT INTO items (id, text, list) VALUES ('i', 'x', 'l')"
            )
            let inserted = try queue.take(shapes)
            #expect(inserted.count == 1)
            #expect(
                inserted.first?.lines == [
                    "lists 'l' color=NULL title=\"Home\"", "items 'i' done=0 list=\"l\" tag=NULL text=\"x\"",
                ])
            try queue.run("UPDATE items SET text = 'x', done = 1, isExpanded = 1")
            #expect(try queue.take(shapes).map(\.lines) == [["items 'i' done=1"]])
            try queue.run(
                "UPDATE items SET isExpanded = 0; UPDATE items SET text = text; UPDATE lists SET title = 'Home'")
            #expect(try queue.take(shapes).isEmpty)
        }
    }

    @Test("bytes are compared: a title that differs in case only is another one, whatever the collation")
    func collation() throws {
        let fixture = try MirrorFixture()
        defer { fixture.remove() }
        let queue = try fixture.open("CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT COLLATE NOCASE)")
        let shapes = try queue.write { db in
            let shapes = try SchemaReader.read([MirrorTable("t")], in: db)
            try MirrorTables.create(in: db)
            try CaptureTriggers.install(for: shapes, in: db)
            return shapes
        }
        try queue.run("INSERT INTO t VALUES ('1', 'a')")
        _ = try queue.take(shapes)
        try queue.run("UPDATE t SET a = 'A'")
        #expect(try queue.take(shapes).map(\.lines) == [["t '1' a=\"A\""]])
    }

    @Test("cascades, upserts, replaced rows and changed keys are seen")
    func ways() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run(
                """
                INSERT INTO lists VALUES ('l', 'Home', NULL), ('m', 'Work', NULL);
                INSERT INTO tags VALUES ('t', 'red');
                INSERT INTO items (id, text, list, tag) VALUES ('i', 'x', 'l', 't'), ('j', 'y', 'm', 't');
                """)
            _ = try queue.take(shapes)
            try queue.run("DELETE FROM lists WHERE id = 'l'; DELETE FROM tags")
            #expect(
                try queue.take(shapes).map(\.lines) == [["-lists 'l'", "-items 'i'", "-tags 't'", "items 'j' tag-"]])
            // Written, while the tag is there.
            try queue.run("INSERT INTO tags VALUES ('u', 'blue'); UPDATE items SET tag = 'u', done = 1")
            _ = try queue.take(shapes)
            try queue.run("UPDATE items SET tag = NULL")
            #expect(try queue.take(shapes).map(\.lines) == [["items 'j' tag=NULL"]])
            try queue.run("UPDATE items SET tag = 'u'; DELETE FROM tags; UPDATE items SET text = 'z'")
            #expect(try queue.take(shapes).map(\.lines) == [["-tags 'u'", "items 'j' text=\"z\" tag-"]])
            try queue.run(
                "INSERT INTO lists VALUES ('m', 'Work', 'blue') ON CONFLICT (id) DO UPDATE SET color = excluded.color")
            #expect(try queue.take(shapes).map(\.lines) == [["lists 'm' color=\"blue\""]])
            // Case 20: it removes 'm', whose items go with it.
            try queue.run("INSERT OR REPLACE INTO lists VALUES ('n', 'Work', NULL)")
            #expect(
                try queue.take(shapes).map(\.lines) == [
                    ["-lists 'm'", "lists 'n' color=NULL title=\"Work\"", "-items 'j'"]
                ])
            // Case 22.
            try queue.run("UPDATE lists SET id = 'o'")
            #expect(try queue.take(shapes).map(\.lines) == [["-lists 'n'", "lists 'o' color=NULL title=\"Work\""]])
        }
    }

    @Test(
        "a row that is deleted and inserted again is put with all columns; one that comes and goes is gone (cases 6 and 7)"
    )
    func again() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red')")
            _ = try queue.take(shapes)
            try queue.run("DELETE FROM lists; INSERT INTO lists VALUES ('l', 'Home', NULL)")
            #expect(try queue.take(shapes).map(\.lines) == [["lists 'l' color=NULL title=\"Home\""]])
            try queue.run("DELETE FROM lists")
            try queue.run("INSERT INTO lists VALUES ('l', 'Away', NULL)")
            #expect(try queue.take(shapes).map(\.lines) == [["lists 'l' color=NULL title=\"Away\""]])
            try queue.run("INSERT INTO lists VALUES ('k', 'K', NULL); DELETE FROM lists WHERE id = 'k'")
            #expect(try queue.take(shapes).map(\.lines) == [["-lists 'k'"]])
        }
    }

    @Test("another connection, and the program sqlite3, are seen (case 30)")
    func connections() throws {
        let fixture = try MirrorFixture()
        defer { fixture.remove() }
        let queue = try fixture.open()
        let shapes = try queue.write { db in
            let shapes = try SchemaReader.read(MirrorFixture.tables, in: db)
            try MirrorTables.create(in: db)
            try CaptureTriggers.install(for: shapes, in: db)
            return shapes
        }
        try DatabaseQueue(path: fixture.path).run("INSERT INTO tags VALUES ('t', 'it; is')")
        #expect(try queue.take(shapes).map(\.lines) == [["tags 't' name=\"it; is\""]])
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = ["sqlite3", fixture.path, "UPDATE tags SET name = 'by hand'"]
        try program.run()
        program.waitUntilExit()
        #expect(try queue.take(shapes).map(\.lines) == [["tags 't' name=\"by hand\""]])
    }

    @Test("keys of several columns, of bytes and of quotation marks come back as they were")
    func keys() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run("INSERT INTO itemTags VALUES ('a'',b', 'ü', 1.5)")
            #expect(try queue.take(shapes).map(\.lines) == [["itemTags 'a'',b','ü' weight=1.5"]])
            // Two forms of one letter are two keys.
            try queue.run("INSERT INTO itemTags VALUES ('é', 'x', 1), ('e\u{301}', 'x', 2)")
            #expect(try queue.take(shapes).first?.changes.count == 2)
        }
        let key = RowKey([Data([0, 255]).databaseValue, (-7).databaseValue, 0.25.databaseValue, "x".databaseValue])
        #expect(RowKey(journal: key.journalText) == key)
        for bad in ["", "'", "'a", "X'0", "X'0G'", "a", "'a''", "'a','b", "'a'b", ","] {
            #expect(RowKey(journal: bad) == nil)
        }
    }

    @Test("a table of 130 columns tells exactly the one that has changed")
    func wide() throws {
        let fixture = try MirrorFixture()
        defer { fixture.remove() }
        let columns = (0..<130).map { "c\($0)" }
        let queue = try fixture.open("CREATE TABLE t (id TEXT PRIMARY KEY, \(columns.joined(separator: ", ")))")
        let shapes = try queue.write { db in
            let shapes = try SchemaReader.read([MirrorTable("t")], in: db)
            try MirrorTables.create(in: db)
            try CaptureTriggers.install(for: shapes, in: db)
            return shapes
        }
        try queue.run("INSERT INTO t (id) VALUES ('1')")
        #expect(try queue.take(shapes).first?.changes.first?.values.count == 130)
        for column in ["c0", "c59", "c60", "c129"] {
            try queue.run("UPDATE t SET \(column) = 1")
            #expect(try queue.take(shapes).map(\.lines) == [["t '1' \(column)=1"]])
        }
    }

    @Test("after a pause there is another group, with its own time; a column is in the group of its last change")
    func pauses() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red')")
            try queue.run("UPDATE baton_journal SET time = 1000")
            try queue.run("UPDATE lists SET color = 'blue'")
            let groups = try queue.take(shapes)
            #expect(groups.map(\.lines) == [["lists 'l' title=\"Home\""], ["lists 'l' color=\"blue\""]])
            #expect(groups.first?.time == 1000)
        }
    }

    @Test("a journal that was emptied gives no number twice, and one of an older version is moved (D-1)")
    func numbers() throws {
        try MirrorFixture.captured { queue, shapes in
            let newest = { try queue.read { try Int64.fetchOne($0, sql: "SELECT MAX(seq) FROM baton_journal") ?? 0 } }
            try queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red'), ('m', 'Work', 'red')")
            try queue.write { try MirrorJournal.forget(upTo: 2, in: $0) }
            #expect(try queue.read { try MirrorJournal.waiting(in: $0) } == 0)
            #expect(try queue.read { try JournalReader(shapes).read(in: $0) } == nil)
            try queue.run("UPDATE lists SET color = 'blue' WHERE id = 'l'")
            #expect(try newest() == 3)
            try queue.run(
                """
                DROP TABLE baton_journal;
                CREATE TABLE baton_journal (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, tbl TEXT NOT NULL, key TEXT NOT NULL,
                    oldKey TEXT, op INTEGER NOT NULL, mask);
                UPDATE lists SET color = 'green';
                DELETE FROM baton_journal WHERE seq = 2;
                """)
            try queue.write { try MirrorTables.create(in: $0) }
            #expect(try queue.read { try MirrorJournal.waiting(in: $0) } == 1)
            #expect(try newest() == 2)
            try queue.run("UPDATE lists SET color = 'red' WHERE id = 'm'")
            #expect(try newest() == 3)
        }
    }

    @Test("lines that later lines say too leave the journal, and what is read stays the same")
    func bound() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red'), ('m', 'Work', 'red'), ('n', 'None', 'red')")
            for number in 0..<50 { try queue.run("UPDATE lists SET color = 'c\(number)' WHERE id = 'l'") }
            try queue.run("UPDATE lists SET id = 'p' WHERE id = 'm'; DELETE FROM lists WHERE id = 'n'")
            let before = try queue.read { try JournalReader(shapes).read(in: $0)?.groups.map(\.lines) }
            #expect(try queue.write { try JournalBound.enforce(in: $0) } == 4)
            let after = try queue.read { try JournalReader(shapes).read(in: $0)?.groups.map(\.lines) }
            #expect(before == after)
        }
    }

    @Test("what is left of a long journal of many rows in two tables says the same of each of them")
    func boundOfManyRows() throws {
        try MirrorFixture.captured { queue, shapes in
            for number in 0..<400 {
                let row = "'r\(number * 7 % 11)'"
                let statement =
                    switch number * 5 % 13 {
                    case 0, 1: "INSERT OR IGNORE INTO lists VALUES (\(row), 'T\(number)', 'red')"
                    case 2...5: "UPDATE lists SET color = 'c\(number)' WHERE id = \(row)"
                    case 6, 7: "UPDATE lists SET title = 'U\(number)' WHERE id = \(row)"
                    case 8: "DELETE FROM lists WHERE id = \(row)"
                    case 9: "UPDATE OR IGNORE lists SET id = 'r\(number % 11)' WHERE id = \(row)"
                    case 10: "DELETE FROM tags WHERE id = \(row)"
                    default: "INSERT OR REPLACE INTO tags VALUES (\(row), 'N\(number)')"
                    }
                try queue.run(statement)
            }
            let before = try queue.read { try JournalReader(shapes).read(in: $0)?.groups.map(\.lines) }
            let lines = try queue.read { try MirrorJournal.waiting(in: $0) }
            let left = try queue.write { try JournalBound.enforce(in: $0) }
            #expect(try queue.read { try MirrorJournal.waiting(in: $0) } == left)
            #expect(left < lines / 3)
            let after = try queue.read { try JournalReader(shapes).read(in: $0)?.groups.map(\.lines) }
            #expect(before == after)
        }
    }

    @Test("columns can be added and dropped, and a rebuilt table gets its triggers again (case 29)")
    func schemaChanges() throws {
        try MirrorFixture.captured { queue, shapes in
            try queue.run("INSERT INTO tags VALUES ('t', 'red')")
            _ = try queue.take(shapes)
            try queue.write { db in
                try CaptureTriggers.remove(in: db)
                try db.execute(
                    sql: """
                        CREATE TABLE other (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE, note TEXT);
                        INSERT INTO other SELECT id, name, NULL FROM tags; DROP TABLE tags; ALTER TABLE other RENAME TO tags;
                        """)
            }
            let shapes = try queue.write { db in
                let shapes = try SchemaReader.read(MirrorFixture.tables, in: db)
                try CaptureTriggers.install(for: shapes, in: db)
                return shapes
            }
            let version = try queue.read { try MirrorTables.schemaVersion(in: $0) }
            try queue.write { try CaptureTriggers.install(for: shapes, in: $0) }
            #expect(try queue.read { try MirrorTables.schemaVersion(in: $0) } == version)
            try queue.run("UPDATE tags SET note = 'new'")
            #expect(try queue.take(shapes).map(\.lines) == [["tags 't' note=\"new\""]])
        }
    }

    @Test("an app's trigger that sets a time of modification does not fire itself for ever")
    func ownTriggers() async throws {
        try await MirrorFixture.with { fixture in
            let queue = try fixture.open()
            #expect(try await queue.write { try !OwnTriggers.writeToThemselves(in: $0) })
            try queue.run(
                "CREATE TRIGGER m AFTER UPDATE ON lists BEGIN UPDATE lists SET color = 'x' || random() WHERE id = NEW.id; END"
            )
            #expect(try await queue.write { try OwnTriggers.writeToThemselves(in: $0) })
            let app = MirroredApp(queue, ReplicaDouble())
            try await app.start()
            try queue.run("INSERT INTO lists VALUES ('l', 'Home', NULL); UPDATE lists SET title = 'Away'")
        }
    }
}
