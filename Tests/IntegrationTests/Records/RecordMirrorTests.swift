import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Databases that sync by row and column: the example Reminders on two devices with real daemons (D-1).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct RecordMirrorTests {
        private typealias App = ReminderListsExample

        /// - Parameter throughCloud: the devices reach a cloud, and not each other.
        private func pair(
            throughCloud: Bool = false, _ body: (ReminderListsExample, ReminderListsExample) async throws -> Void
        ) async throws {
            try await TestHousehold.with(throughCloud ? 3 : 2) { household in
                guard throughCloud else { return try await Self.run(household, body) }
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 {
                        try await CloudAccessTests.isConnected(household[index])
                        try await household[index].stop()
                        try await household[index].start(["--interface", "lo"])
                        try await CloudAccessTests.isConnected(household[index])
                    }
                    try await Self.run(household, body)
                }
            }
        }

        private static func run(
            _ household: TestHousehold, _ body: (ReminderListsExample, ReminderListsExample) async throws -> Void
        ) async throws {
            let (a, b) = (try await App(household[0]), try await App(household[1]))
            try await body(a, b)
            for app in [a, b] { try await app.quit() }
        }

        /// Neither hears of the other's change before both are made.
        private func apart(
            _ a: ReminderListsExample, _ one: String, _ b: ReminderListsExample, _ other: String
        ) async throws {
            try await App.same(a, b)
            for app in [a, b] { try await app.pause() }
            try await a.sql(one)
            try await b.sql(other)
            for app in [a, b] { try await app.resume() }
        }

        /// How many changes have ever been noted.
        private static let written = "SELECT MAX(seq) FROM baton_journal"

        private static let lists = """
            INSERT INTO lists VALUES ('l1', 'One', 'red'), ('l2', 'Two', 'red');
            INSERT INTO items (id, text, list) VALUES ('i1', 'x', 'l1'), ('i2', 'x', 'l1'), ('i3', 'x', 'l1');
            """

        @Test(
            "columns of a row that two devices change are merged; an edit keeps a row that the other has deleted (D-1; cases 1, 4, 5, 21)",
            arguments: [false, true])
        func columns(throughCloud: Bool) async throws {
            try await pair(throughCloud: throughCloud) { a, b in
                try await a.sql(Self.lists)
                try await apart(
                    a, "UPDATE items SET text = 'A' WHERE id = 'i1'; DELETE FROM items WHERE id = 'i2'", b,
                    "UPDATE items SET done = 1 WHERE id = 'i1'; UPDATE items SET text = 'B' WHERE id = 'i2'")
                try await App.until(
                    [a, b], "SELECT id, text, done FROM items ORDER BY 1", are: "i1|A|1\ni2|B|0\ni3|x|0")
                try await b.sql("DELETE FROM items WHERE id = 'i1'")
                try await App.until([a, b], "SELECT id FROM items ORDER BY 1", are: "i2\ni3")
                try await App.same(a, b)
                let lines = try await a.rows(Self.written)
                try await a.sql("UPDATE items SET text = text; UPDATE lists SET title = 'One' WHERE id = 'l1'")
                try await a.sync()
                #expect(try await a.rows(Self.written) == lines)
            }
        }

        @Test(
            "two devices that write one column end equal; a row that is put again is new; a changed key leaves the other's edit (D-1; cases 2, 6, 7, 22)"
        )
        func keys() async throws {
            try await pair { a, b in
                try await a.sql(Self.lists)
                try await apart(
                    a,
                    """
                    UPDATE items SET text = 'A' WHERE id = 'i1'; UPDATE items SET id = 'new' WHERE id = 'i2';
                    DELETE FROM items WHERE id = 'i3'; INSERT INTO items (id, text, list) VALUES ('i3', 'again', 'l2')
                    """, b, "UPDATE items SET text = 'B' WHERE id = 'i1'; UPDATE items SET text = 'B' WHERE id = 'i2'")
                try await App.until(
                    [a, b], "SELECT id, text, list FROM items WHERE id <> 'i1' ORDER BY 1",
                    are: "i2|B|l1\ni3|again|l2\nnew|x|l1")
                try await App.same(a, b)
                #expect(["A", "B"].contains(try await a.rows("SELECT text FROM items WHERE id = 'i1'")))
                try await a.pause()
                try await a.sql("DELETE FROM items WHERE id = 'i3'")
                try await a.sql("INSERT INTO items (id, text, list) VALUES ('i3', 'third', 'l1')")
                try await a.resume()
                try await App.until([a, b], "SELECT text, list FROM items WHERE id = 'i3'", are: "third|l1")
                try await App.same(a, b)
            }
        }

        @Test(
            "a file from last week loses nothing of the week, and a copy is another database; two processes write at once; a rebuilt table sends nothing (D-1; cases 29, 34, 35, 38)"
        )
        func files() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (try await App(household[0]), try await App(household[1]))
                try await a.sql(Self.lists)
                try await App.same(a, b)
                try await a.quit()
                try FileManager.default.copyItem(atPath: a.path, toPath: a.path + ".week")
                try FileManager.default.copyItem(atPath: a.path, toPath: household[0].home + "/copy.sqlite")
                let later = try await App(household[0])
                try await later.sql("UPDATE items SET text = 'week' WHERE id = 'i1'; DELETE FROM items WHERE id = 'i2'")
                try await App.same(later, b)
                try await later.quit()
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: a.path + suffix) }
                try FileManager.default.moveItem(atPath: a.path + ".week", toPath: a.path)
                let restored = try await App(household[0])
                let copy = try await App(household[0], name: "copy.sqlite")
                for app in [restored, copy, b] {
                    try await App.until([app], "SELECT id, text FROM items ORDER BY 1", are: "i1|week\ni3|x")
                }
                // One more process, with the file of the first.
                let second = try await App(household[0])
                async let one: Void = restored.sql("INSERT INTO items (id, text, list) VALUES ('p1', 'one', 'l1')")
                async let two: Void = second.sql("INSERT INTO items (id, text, list) VALUES ('p2', 'two', 'l2')")
                _ = try await (one, two)
                try await App.until([restored, copy, b], "SELECT count(*) FROM items", are: "4")
                try await App.same(restored, b)
                for app in [second, restored] { try await app.quit() }
                try await Self.sqlite(
                    a.path,
                    """
                    PRAGMA legacy_alter_table = ON;
                    CREATE TABLE fresh (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE);
                    INSERT INTO fresh SELECT * FROM tags; DROP TABLE tags; ALTER TABLE fresh RENAME TO tags;
                    """)
                let rebuilt = try await App(household[0])
                let lines = try await rebuilt.rows(Self.written)
                try await rebuilt.sync()
                #expect(try await rebuilt.rows(Self.written) == lines)
                try await rebuilt.sql("INSERT INTO tags VALUES ('t', 'tag')")
                try await App.until([copy, b], "SELECT name FROM tags", are: "tag")
                for app in [rebuilt, copy, b] { try await app.quit() }
            }
        }

        @Test(
            "a deleted list comes back with the item that needs it, and a deleted tag does not until its deletion is undone (D-1; cases 8, 9, 10, 11)",
            arguments: [false, true])
        func references(throughCloud: Bool) async throws {
            try await pair(throughCloud: throughCloud) { a, b in
                try await a.sql(
                    Self.lists + """
                        INSERT INTO lists VALUES ('l3', 'Three', NULL), ('l4', 'Four', NULL); INSERT INTO tags VALUES ('t', 'tag');
                        INSERT INTO items (id, text, list) VALUES ('j', 'x', 'l2'), ('k', 'x', 'l2'), ('m', 'x', 'l4');
                        """)
                try await apart(
                    a,
                    """
                    DELETE FROM lists WHERE id = 'l1'; DELETE FROM lists WHERE id = 'l2';
                    UPDATE items SET list = 'l3' WHERE id = 'm'; DELETE FROM tags
                    """, b,
                    """
                    INSERT INTO items (id, text, list) VALUES ('n', 'new', 'l1'); UPDATE items SET done = 1 WHERE id = 'j';
                    DELETE FROM lists WHERE id = 'l3'; UPDATE items SET tag = 't' WHERE id = 'm'
                    """)
                try await App.until(
                    [a, b], "SELECT i.id, l.id, i.tag FROM items AS i JOIN lists AS l ON l.id = i.list ORDER BY 1",
                    are: "j|l2|NULL\nm|l3|NULL\nn|l1|NULL")
                try await App.until([a, b], "SELECT count(*) FROM tags", are: "0")
                try await App.same(a, b)
                try await a.sql("INSERT INTO tags VALUES ('t', 'tag')")
                try await App.until([a, b], "SELECT tag FROM items WHERE id = 'm'", are: "t")
                try await App.same(a, b)
            }
        }

        @Test(
            "two lists of one title become one with the items of both; exchanged titles are exchanged (D-1; cases 15, 16, 17)",
            arguments: [false, true])
        func uniqueTitles(throughCloud: Bool) async throws {
            try await pair(throughCloud: throughCloud) { a, b in
                try await apart(
                    a,
                    "INSERT INTO lists VALUES ('h1', 'Home', NULL); INSERT INTO items (id, text, list) VALUES ('i1', 'a', 'h1')",
                    b,
                    "INSERT INTO lists VALUES ('h2', 'Home', NULL); INSERT INTO items (id, text, list) VALUES ('i2', 'b', 'h2')"
                )
                try await App.until(
                    [a, b], "SELECT i.id, l.title FROM items AS i JOIN lists AS l ON l.id = i.list ORDER BY 1",
                    are: "i1|Home\ni2|Home")
                try await App.until([a, b], "SELECT count(*) FROM lists", are: "1")
                try await a.sql("INSERT INTO lists VALUES ('s1', 'First', NULL), ('s2', 'Second', NULL)")
                try await apart(
                    a,
                    "UPDATE lists SET title = '' WHERE id = 's1'; UPDATE lists SET title = 'First' WHERE id = 's2'; UPDATE lists SET title = 'Second' WHERE id = 's1'",
                    b, "UPDATE lists SET color = 'blue' WHERE id = 's1'")
                try await App.until(
                    [a, b], "SELECT id, title, color FROM lists WHERE id LIKE 's%' ORDER BY 1",
                    are: "s1|Second|blue\ns2|First|NULL")
                try await App.same(a, b)
            }
        }

        @Test(
            "a transaction shows whole or not at all; 2,000 rows are deleted; a row that REPLACE removes is gone (D-1; cases 19, 20, 23)"
        )
        func groups() async throws {
            try await pair { a, b in
                try await a.sql("INSERT INTO lists VALUES ('l', 'Many', NULL)")
                for (number, count) in [100, 1_900].enumerated() {
                    try await a.sql(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO items (id, text, list) SELECT '\(number)-' || i, 'x', 'l' FROM n"
                    )
                    try await b.device.until("the rows") {
                        let found = try await b.rows("SELECT count(*) FROM items WHERE id LIKE '0-%'")
                        #expect(["0", "100"].contains(found))
                        return try await b.rows("SELECT count(*) FROM items WHERE id LIKE '\(number)-%'") == "\(count)"
                    }
                }
                try await a.sql("DELETE FROM items")
                try await App.until([b], "SELECT count(*) FROM items", are: "0")
                try await a.sql("INSERT OR REPLACE INTO lists VALUES ('m', 'Many', NULL)")
                try await App.until([b], "SELECT id FROM lists", are: "m")
                try await App.same(a, b)
            }
        }

        @Test(
            "both had the database before; the program sqlite3 writes while the app runs and while it does not; the daemon was away (D-1; cases 30, 33)"
        )
        func otherWriters() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (try await App(household[0], paused: true), try await App(household[1], paused: true))
                for app in [a, b] {
                    try await app.sql("INSERT INTO lists VALUES ('l', 'Home', 'red'), ('m', 'Work', NULL)")
                }
                try await b.sql("UPDATE lists SET color = 'blue' WHERE id = 'm'")
                for app in [a, b] { try await app.resume() }
                try await App.same(a, b)
                try await App.until([a], "SELECT id, title FROM lists ORDER BY 1", are: "l|Home\nm|Work")
                try await Self.sqlite(a.path, "INSERT INTO items (id, text, list) VALUES ('i', 'by hand', 'l')")
                try await App.until([b], "SELECT text FROM items", are: "by hand")
                try await a.quit()
                try await Self.sqlite(
                    a.path, "UPDATE items SET done = 1; UPDATE lists SET color = 'green' WHERE id = 'm'")
                try await household[0].kill()
                let again = try await App(household[0])
                try await again.sql("UPDATE items SET text = 'away'")
                try await household[0].start()
                try await App.until(
                    [again, b], "SELECT text, done, color FROM items, lists WHERE lists.id = 'm'", are: "away|1|green")
                try await App.same(again, b)
                for app in [again, b] { try await app.quit() }
            }
        }

        @Test(
            "a second version adds a column and a table: it writes nothing, the first keeps its values, and is filled when it is updated; what both count while apart adds up (D-1; cases 24, 27)"
        )
        func versions() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (try await App(household[0]), try await App(household[1]))
                try await a.sql(Self.lists)
                try await App.same(a, b)
                let lines = try await a.rows(Self.written)
                try await a.quit()
                let a2 = try await App(household[0], schema: 2)
                try await a2.sync()
                #expect(try await a2.rows(Self.written) == lines)
                try await a2.sql(
                    "UPDATE items SET priority = 3 WHERE id = 'i1'; INSERT INTO notes VALUES ('n', 'A note', 'i1')")
                try await a2.sync()
                try await b.sql("UPDATE items SET text = 'B' WHERE id = 'i1'")
                try await App.until([a2], "SELECT text, priority FROM items WHERE id = 'i1'", are: "B|3")
                try await b.quit()
                let b2 = try await App(household[1], schema: 2)
                try await App.until(
                    [b2], "SELECT i.text, i.priority, n.text FROM notes AS n JOIN items AS i ON i.id = n.item",
                    are: "B|3|A note")
                // Both count.
                try await apart(
                    a2, "UPDATE items SET views = views + 3 WHERE id = 'i1'", b2,
                    "UPDATE items SET views = views + 4 WHERE id = 'i1'")
                try await App.until([a2, b2], "SELECT views FROM items WHERE id = 'i1'", are: "7")
                for app in [a2, b2] { try await app.quit() }
            }
        }

        @Test(
            "through a cloud, with devices that do not reach each other: rows, and an image of 300 KB (D-1; cases 1, 31)"
        )
        func throughTheCloud() async throws {
            try await pair(throughCloud: true) { a, b in
                try await a.sql(Self.lists + "INSERT INTO covers VALUES ('l1', randomblob(300000))")
                try await App.until([b], "SELECT length(image) FROM covers", are: "300000")
                try await b.sql("UPDATE items SET done = 1 WHERE id = 'i1'")
                try await a.sql("UPDATE items SET text = 'A' WHERE id = 'i1'")
                try await App.until([a, b], "SELECT text, done FROM items WHERE id = 'i1'", are: "A|1")
                let digest = "SELECT hex(image) FROM covers"
                #expect(try await a.rows(digest) == b.rows(digest))
            }
        }

        private static func sqlite(_ path: String, _ statements: String) async throws {
            let process = try ChildProcess(
                ["/usr/bin/sqlite3", "-cmd", ".timeout 5000", path, statements], environment: ["PATH": "/usr/bin:/bin"])
            #expect(try await process.status() == 0, "\(process.errors.all)")
        }
    }
}
