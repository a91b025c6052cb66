import GRDB
import RecordMirror
import Testing

/// Rows whose records are over a limit, so that the service does not take them (D-1).
@Suite struct UnsentRowTests {
    private static let schema = """
        CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT, views INT NOT NULL DEFAULT 0);
        CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE, text TEXT);
        """
    private static let tables = [MirrorTable("lists", counters: ["views"]), MirrorTable("items")]
    /// More than a record may have.
    private static let large = "printf('%.*c', 1100000, 'x')"
    private static let all = """
        SELECT 'l', id, title, length(note), views FROM lists UNION ALL SELECT 'i', id, list, length(text), '' FROM items
        ORDER BY 1, 2
        """

    private struct Pair {
        var a: MirroredApp
        var b: MirroredApp
        var one = MergingDaemon()
        var other = MergingDaemon()

        func settle() async throws {
            for _ in 0..<2 {
                for app in [a, b] { try await app.exchange() }
                try one.hear(other)
                try other.hear(one)
            }
            for app in [a, b] { try await app.exchange() }
        }

        func all() throws -> [String] { try [a, b].map { try $0.queue.text(UnsentRowTests.all) } }
        func held() throws -> String {
            try a.queue.text("SELECT tbl, trim(key, char(39)), isTold FROM baton_held ORDER BY 1, 2")
        }
    }

    private static func with(
        schema: String = schema, tables: [MirrorTable] = tables, _ body: (Pair) async throws -> Void
    ) async throws {
        try await MirrorFixture.with { first in
            try await MirrorFixture.with { second in
                let (one, other) = (MergingDaemon(), MergingDaemon())
                let pair = Pair(
                    a: MirroredApp(try first.open(schema), one, tables: tables),
                    b: MirroredApp(try second.open(schema), other, tables: tables), one: one, other: other)
                for app in [pair.a, pair.b] { try await app.start() }
                for app in [pair.a, pair.b] { try await app.exchange() }
                try await body(pair)
            }
        }
    }

    @Test(
        "a row that is too large is named, and stays with its rows; others travel, and it does once it is small (D-1)")
    func tooLarge() async throws {
        try await Self.with { pair in
            try pair.a.queue.run(
                """
                INSERT INTO lists VALUES ('big', 'Big', \(Self.large), 3); INSERT INTO items VALUES ('i', 'big', 'x');
                INSERT INTO lists VALUES ('l', 'Small', 'x', 0); INSERT INTO items VALUES ('j', 'l', 'x');
                """)
            #expect(try await pair.a.exchange().refused.map(\.key.journalText) == ["'big'"])
            try await pair.settle()
            let mine = #"""
                "i"|"i"|"big"|1|""
                "i"|"j"|"l"|1|""
                "l"|"big"|"Big"|1100000|3
                "l"|"l"|"Small"|1|0
                """#
            let others = "\"i\"|\"j\"|\"l\"|1|\"\"\n\"l\"|\"l\"|\"Small\"|1|0"
            #expect(try pair.all() == [mine, others])
            #expect(try pair.held() == "\"items\"|\"i\"|3\n\"lists\"|\"big\"|4")
            #expect(try await pair.a.queue.read { try MirrorJournal.waiting(in: $0) } == 0)
            // At each start it is tried again. Tables that are compared with the replica lose nothing of it.
            for sql in ["SELECT 1", "CREATE TABLE other (a)", "UPDATE baton_state SET cursor = NULL, comparison = 2"] {
                try pair.a.queue.run(sql)
                try await pair.a.start()
                try await pair.settle()
                #expect(try pair.all() == [mine, others], "\(sql)")
                #expect(try pair.held() == "\"items\"|\"i\"|3\n\"lists\"|\"big\"|4", "\(sql)")
            }
            try pair.a.queue.run("UPDATE lists SET note = 'short', views = views + 1 WHERE id = 'big'")
            try await pair.settle()
            let whole = mine.replacing("1100000|3", with: "5|4")
            #expect(try pair.all() == [whole, whole])
            #expect(try pair.held() == "")
        }
    }

    @Test(
        "columns that others change meanwhile are merged, and what was counted counts once, when the row travels (D-1)")
    func merged() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', 'x', 1)")
            try await pair.settle()
            try pair.a.queue.run("UPDATE lists SET note = \(Self.large), views = views + 5")
            try await pair.settle()
            try pair.b.queue.run("UPDATE lists SET title = 'Two', views = views + 10")
            try await pair.settle()
            #expect(try pair.all() == ["\"l\"|\"l\"|\"One\"|1100000|6", "\"l\"|\"l\"|\"Two\"|1|11"])
            try pair.a.queue.run("UPDATE lists SET note = 'short'")
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"Two\"|5|16", count: 2))
        }
    }

    @Test("such a row can be deleted, and its list stays while another device deletes that (D-1)")
    func deleted() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', 'x', 0), ('m', 'Two', 'x', 0)")
            try await pair.settle()
            try pair.a.queue.run("INSERT INTO items VALUES ('i', 'l', \(Self.large)), ('j', 'm', \(Self.large))")
            try await pair.settle()
            try pair.b.queue.run("DELETE FROM lists")
            try await pair.settle()
            #expect(try pair.all()[0].contains("1100000"))
            #expect(try pair.a.queue.text("SELECT count(*) FROM lists") == "2")
            try pair.a.queue.run("UPDATE items SET text = 'x' WHERE id = 'i'; DELETE FROM items WHERE id = 'j'")
            try await pair.settle()
            let left = "\"i\"|\"i\"|\"l\"|1|\"\"\n\"l\"|\"l\"|\"One\"|1|0"
            #expect(try pair.all() == [left, left])
            #expect(try pair.held() == "")
        }
    }

    @Test("a row that changes often while it is not taken has few lines in the journal (D-1)")
    func often() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', \(Self.large), 0)")
            for number in 0..<150 {
                try pair.a.queue.run("UPDATE lists SET title = 'Title \(number)', views = views + 1")
                if number.isMultiple(of: 50) { try await pair.a.exchange() }
            }
            try await pair.a.exchange()
            #expect(try pair.a.queue.text("SELECT count(*) < 60 FROM baton_journal") == "1")
            try pair.a.queue.run("UPDATE lists SET note = ''")
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"Title 149\"|0|150", count: 2))
        }
    }

    @Test("a row that is not taken goes whole or not at all, also where it changed after a pause (D-1)")
    func afterPause() async throws {
        try await Self.with { pair in
            try pair.a.queue.run(
                """
                INSERT INTO lists VALUES ('l', 'One', \(Self.large), 3);
                UPDATE baton_journal SET time = time - 600000;
                UPDATE lists SET title = 'Two', views = views + 1;
                INSERT INTO lists VALUES ('m', 'Small', 'x', 0);
                """)
            try await pair.settle()
            let mine = "\"l\"|\"l\"|\"Two\"|1100000|4\n\"l\"|\"m\"|\"Small\"|1|0"
            #expect(try pair.all() == [mine, "\"l\"|\"m\"|\"Small\"|1|0"])
            let sent = pair.one.received.count
            try await pair.settle()
            #expect(pair.one.received.count == sent)
            // The column that is too large has another time than the others now.
            try pair.a.queue.run(
                "UPDATE baton_journal SET time = time - 600000; UPDATE lists SET note = note || 'x' WHERE id = 'l'")
            try await pair.settle()
            #expect(try pair.all()[1] == "\"l\"|\"m\"|\"Small\"|1|0")
            try pair.a.queue.run(
                "UPDATE baton_journal SET time = time - 600000; UPDATE lists SET note = 'short' WHERE id = 'l'")
            try await pair.settle()
            let whole = mine.replacing("1100000", with: "5")
            #expect(try pair.all() == [whole, whole])
        }
    }

    @Test("a new row that has grown too large after a pause does not travel without what has grown (D-1)")
    func grownAfterPause() async throws {
        let columns = (0..<40).map { "n\($0)" }
        let schema = "CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, \(columns.joined(separator: ", ")))"
        try await Self.with(schema: schema, tables: [MirrorTable("notes")]) { pair in
            let grown = columns.dropFirst().map { "\($0) = printf('%.*c', 30000, 'x')" }.joined(separator: ", ")
            try pair.a.queue.run(
                """
                INSERT INTO notes (id, n0) VALUES ('a', 'one'), ('b', 'two');
                UPDATE baton_journal SET time = time - 600000;
                UPDATE notes SET \(grown) WHERE id = 'a';
                """)
            try await pair.settle()
            #expect(try pair.held() == "\"notes\"|\"a\"|4")
            #expect(try pair.b.queue.text("SELECT id, n0 FROM notes") == "\"b\"|\"two\"")
            try pair.a.queue.run("UPDATE notes SET n1 = '', n2 = '', n3 = '', n4 = '', n5 = '', n6 = ''")
            try await pair.settle()
            let whole = try pair.b.queue.text("SELECT id, n0, length(n7) FROM notes WHERE id = 'a'")
            #expect(whole == "\"a\"|\"one\"|30000")
        }
    }

    @Test("a text with a NUL is not sent cut: its row stays as it is, is named, and goes once it has none (D-1)")
    func cutText() async throws {
        try await Self.with { pair in
            let cut = "CAST(x'610062' AS TEXT)"
            try pair.a.queue.run(
                "INSERT INTO lists VALUES ('l', 'One', 'x', 0), ('m', \(cut), 'x', 0), ('n', 'Blob', x'610062', 0)")
            try await pair.settle()
            #expect(try pair.held() == "\"lists\"|\"m\"|4")
            let others = try pair.b.queue.text("SELECT id, hex(note) FROM lists ORDER BY id")
            #expect(others == "\"l\"|\"78\"\n\"n\"|\"610062\"")
            try pair.a.queue.run("UPDATE lists SET title = \(cut), views = views + 1 WHERE id = 'l'")
            try await pair.settle()
            try pair.b.queue.run("UPDATE lists SET note = 'other' WHERE id = 'l'")
            try await pair.settle()
            // Nothing from elsewhere is written over it either.
            #expect(try pair.a.queue.text("SELECT hex(title), note FROM lists WHERE id = 'l'") == "\"610062\"|\"x\"")
            #expect(try pair.b.queue.text("SELECT title, views FROM lists WHERE id = 'l'") == "\"One\"|0")
            try pair.a.queue.run("UPDATE lists SET title = 'Two' WHERE id IN ('l', 'm')")
            try await pair.settle()
            let all = "\"l\"|\"l\"|\"Two\"|5|1\n\"l\"|\"m\"|\"Two\"|1|0\n\"l\"|\"n\"|\"Blob\"|3|0"
            #expect(try pair.all() == [all, all])
            #expect(try pair.held() == "")
        }
    }

    @Test("a text that is not UTF-8 is not sent as another one: its row stays as it is and is named (D-1)")
    func brokenText() async throws {
        try await Self.with { pair in
            try pair.a.queue.run(
                """
                INSERT INTO lists VALUES ('l', CAST(x'61ff62' AS TEXT), 'x', 0), ('m', char(65533), 'x', 0)
                """)
            try await pair.settle()
            #expect(try pair.held() == "\"lists\"|\"l\"|4")
            #expect(try pair.a.queue.text("SELECT reason LIKE '%UTF-8%' FROM baton_held") == "1")
            #expect(try pair.a.queue.text("SELECT hex(title) FROM lists WHERE id = 'l'") == "\"61FF62\"")
            // The character that stands for such bytes is one as any.
            #expect(try pair.b.queue.text("SELECT id, hex(title) FROM lists") == "\"m\"|\"EFBFBD\"")
            try pair.a.queue.run("UPDATE lists SET title = 'ä' WHERE id = 'l'")
            try await pair.settle()
            #expect(try pair.held() == "")
            #expect(try pair.b.queue.text("SELECT title FROM lists WHERE id = 'l'") == "\"ä\"")
        }
    }

    @Test(
        "a row that takes the key of one that is not taken, in lines that were not sent yet, leaves its old key (D-1)")
    func laterKey() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('old', 'Old', 'x', 0), ('f', 'Filler', 'x', 0)")
            try await pair.settle()
            // The filler is what fills one reading.
            try pair.a.queue.run(
                """
                INSERT INTO lists VALUES ('big', 'Big', \(Self.large), 0);
                INSERT INTO baton_journal (time, tbl, key, op, mask)
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(JournalPace.most))
                    SELECT time, 'lists', '''f''', 2, 1 FROM n, (SELECT MAX(time) AS time FROM baton_journal);
                DELETE FROM lists WHERE id = 'big';
                UPDATE lists SET id = 'big', note = \(Self.large) WHERE id = 'old';
                """)
            try await pair.settle()
            #expect(try pair.held() == "\"lists\"|\"big\"|4")
            #expect(try pair.b.queue.text("SELECT id FROM lists") == "\"f\"")
            try pair.a.queue.run("UPDATE lists SET note = 'short' WHERE id = 'big'")
            try await pair.settle()
            let all = "\"l\"|\"big\"|\"Old\"|5|0\n\"l\"|\"f\"|\"Filler\"|1|0"
            #expect(try pair.all() == [all, all])
        }
    }

    @Test("a row that a trigger of the app kept out comes in once the trigger is gone (D-1)")
    func otherTrigger() async throws {
        try await Self.with { pair in
            try pair.b.queue.run(
                "CREATE TRIGGER own BEFORE INSERT ON lists BEGIN SELECT RAISE(ABORT, 'not today'); END")
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', 'x', 0)")
            try await pair.settle()
            #expect(try pair.all()[1] == "")
            try pair.b.queue.run("DROP TRIGGER own")
            try await pair.b.start()
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"One\"|1|0", count: 2))
        }
    }

    @Test("what was counted before a change that is not taken counts once (D-1)")
    func countedBefore() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', 'x', 1)")
            try await pair.settle()
            try pair.a.queue.run(
                """
                UPDATE lists SET views = views + 5;
                UPDATE baton_journal SET time = time - 600000 WHERE op > 0;
                UPDATE lists SET note = \(Self.large), views = views + 2;
                """)
            try await pair.settle()
            #expect(try pair.all()[1] == "\"l\"|\"l\"|\"One\"|1|6")
            try pair.a.queue.run("UPDATE lists SET note = 'short'")
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"One\"|5|8", count: 2))
        }
    }

    @Test("a refusal whose answer is lost keeps the row's changes, and those that come after it (D-1)")
    func lostAnswer() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', 'x', 1)")
            try await pair.settle()
            let large = "UPDATE lists SET note = \(Self.large), views = views + 2"
            for (number, later) in ["UPDATE lists SET title = 'Mine'", ""].enumerated() {
                try pair.a.queue.run(large)
                pair.one.losesAnswer = true
                await #expect(throws: MergingDaemon.Failure.self) { try await pair.a.exchange() }
                pair.one.losesAnswer = false
                try pair.a.queue.run(later)
                try pair.b.queue.run("UPDATE lists SET title = 'Other \(number)', views = views + 10")
                try await pair.a.open()
                try await pair.settle()
                #expect(try pair.all()[0].contains("1100000"))
                #expect(try pair.held() == "\"lists\"|\"l\"|4")
            }
            try pair.a.queue.run("UPDATE lists SET note = 'short'")
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"Mine\"|5|25", count: 2))
        }
    }

    @Test("a row with more in it than one reading has is read once for each change, not without end (D-1)")
    func moreThanReading() async throws {
        try await Self.with { pair in
            try pair.a.queue.run(
                """
                INSERT INTO lists VALUES ('l', 'One', printf('%.*c', 9000000, 'x'), 1);
                UPDATE lists SET title = 'Two'; UPDATE lists SET views = views + 1;
                """)
            try await pair.settle()
            #expect(pair.one.received.count == 1)
            try pair.a.queue.run("UPDATE lists SET title = 'Three'")
            try await pair.settle()
            #expect(pair.one.received.count == 2)
            try pair.a.queue.run("UPDATE lists SET note = 'short'")
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"Three\"|5|2", count: 2))
        }
    }

    @Test("a row that is taken, though the answer is lost, takes the changes of others again (D-1)")
    func takenWithoutAnswer() async throws {
        try await Self.with { pair in
            try pair.a.queue.run("INSERT INTO lists VALUES ('l', 'One', \(Self.large), 1)")
            try await pair.settle()
            #expect(try pair.held() == "\"lists\"|\"l\"|4")
            try pair.a.queue.run("UPDATE lists SET note = 'short'")
            pair.one.losesAnswer = true
            await #expect(throws: MergingDaemon.Failure.self) { try await pair.a.exchange() }
            pair.one.losesAnswer = false
            try await pair.a.open()
            try await pair.settle()
            #expect(try pair.held() == "")
            try pair.b.queue.run("UPDATE lists SET title = 'Other'")
            try await pair.settle()
            #expect(try pair.all() == Array(repeating: "\"l\"|\"l\"|\"Other\"|5|1", count: 2))
        }
    }

    @Test("a row that refers to one that is not here does not take a row with it that was not sent (D-1)")
    func brokenReference() async throws {
        let schema = """
            CREATE TABLE folders (id TEXT PRIMARY KEY NOT NULL);
            CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, folder TEXT REFERENCES folders (id) ON DELETE CASCADE);
            CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, list TEXT REFERENCES lists (id) ON DELETE CASCADE, text TEXT);
            """
        let tables = [MirrorTable("folders"), MirrorTable("lists"), MirrorTable("items")]
        try await Self.with(schema: schema, tables: tables) { pair in
            try pair.a.queue.run(
                "INSERT INTO lists VALUES ('l', NULL); INSERT INTO items VALUES ('i', 'l', \(Self.large))")
            try await pair.settle()
            try pair.a.queue.run(
                "CREATE TRIGGER refuses BEFORE INSERT ON folders BEGIN SELECT RAISE(ABORT, 'no folders'); END")
            try pair.b.queue.run("INSERT INTO folders VALUES ('f'); UPDATE lists SET folder = 'f'")
            try await pair.settle()
            #expect(try pair.a.queue.text("SELECT id, list, length(text) FROM items") == "\"i\"|\"l\"|1100000")
            try pair.a.queue.run("UPDATE items SET text = 'short'")
            try await pair.settle()
            #expect(try pair.b.queue.text("SELECT id, list, text FROM items") == "\"i\"|\"l\"|\"short\"")
        }
    }
}
