import GRDB
import RecordMirror
import Testing

/// Rows that a trigger or an expression of the app's refuses: each costs itself, and the mirror goes on (D-1).
@Suite struct OwnTriggerTests {
    private static let schema = """
        CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT);
        CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, list TEXT REFERENCES lists (id) ON DELETE CASCADE, text TEXT);
        """
    private static let tables = [MirrorTable("lists"), MirrorTable("items")]
    private static let all = "SELECT 'l', id, title FROM lists UNION ALL SELECT 'i', id, text FROM items ORDER BY 1, 2"

    /// One app has nothing of its own, the other one has what is given.
    private static func pair(
        _ own: String, _ body: (MirroredApp, MirroredApp, ReplicaDouble) async throws -> Void
    ) async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let a = MirroredApp(try one.open(schema), replica, tables: tables)
                let b = MirroredApp(try other.open(schema + own), replica, tables: tables)
                for app in [a, b] { try await app.start() }
                for app in [a, b] { try await app.exchange() }
                try await body(a, b, replica)
            }
        }
    }

    private static func held(_ app: MirroredApp) throws -> String {
        try app.queue.text("SELECT tbl, trim(key, char(39)) FROM baton_held ORDER BY 1, 2")
    }

    /// What the app writes still goes, and what comes still comes.
    private static func goesOn(_ a: MirroredApp, _ b: MirroredApp) async throws {
        try a.queue.run("INSERT INTO lists VALUES ('from a', 'x')")
        try b.queue.run("INSERT INTO lists VALUES ('from b', 'x')")
        for app in [a, b, a] { try await app.exchange() }
        for app in [a, b] { #expect(try app.queue.text("SELECT count(*) FROM lists WHERE id LIKE 'from%'") == "2") }
    }

    static let raises = ["RAISE(IGNORE)", "RAISE(ABORT, 'no')", "RAISE(ROLLBACK, 'no')"]

    @Test("a row that a trigger keeps out is held, and the others come (D-1)", arguments: raises)
    func inserted(_ raise: String) async throws {
        let trigger = "CREATE TRIGGER own BEFORE INSERT ON lists WHEN NEW.title = 'bad' BEGIN SELECT \(raise); END;"
        try await Self.pair(trigger) { a, b, replica in
            try a.queue.run(
                """
                INSERT INTO lists VALUES ('1', 'bad'), ('2', 'x'), ('3', 'bad'); INSERT INTO items VALUES ('i', '2', 'x');
                """)
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all) == "\"i\"|\"i\"|\"x\"\n\"l\"|\"2\"|\"x\"")
            #expect(replica.reported.map(\.key.journalText).sorted() == ["'1'", "'3'"])
            #expect(try Self.held(b) == "\"lists\"|\"1\"\n\"lists\"|\"3\"")
            try await Self.goesOn(a, b)
            #expect(try a.queue.text("SELECT count(*) FROM lists WHERE title = 'bad'") == "2")
        }
    }

    @Test("a change of a row that a trigger keeps out is held, and is not undone elsewhere (D-1)", arguments: raises)
    func updated(_ raise: String) async throws {
        let trigger = "CREATE TRIGGER own BEFORE UPDATE ON lists WHEN NEW.title = 'bad' BEGIN SELECT \(raise); END;"
        try await Self.pair(trigger) { a, b, replica in
            try a.queue.run("INSERT INTO lists VALUES ('1', 'x'), ('2', 'x')")
            for app in [a, b] { try await app.exchange() }
            try a.queue.run(
                "UPDATE lists SET title = 'bad' WHERE id = '1'; UPDATE lists SET title = 'y' WHERE id = '2'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all).contains("\"2\"|\"y\""))
            #expect(replica.reported.map(\.key.journalText) == ["'1'"])
            try await Self.goesOn(a, b)
            // A comparison does not take what the table has for a change.
            try b.queue.run("CREATE TABLE other (a)")
            try await b.start()
            for app in [b, a] { try await app.exchange() }
            #expect(try a.queue.text("SELECT title FROM lists WHERE id = '1'") == "\"bad\"")
        }
    }

    @Test("a row that a trigger does not let go is held, and does not come back elsewhere (D-1)", arguments: raises)
    func removed(_ raise: String) async throws {
        let trigger = "CREATE TRIGGER own BEFORE DELETE ON lists WHEN OLD.id = '1' BEGIN SELECT \(raise); END;"
        try await Self.pair(trigger) { a, b, _ in
            try a.queue.run("INSERT INTO lists VALUES ('1', 'x'), ('2', 'x')")
            for app in [a, b] { try await app.exchange() }
            try a.queue.run("DELETE FROM lists")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all) == "\"l\"|\"1\"|\"x\"")
            #expect(try Self.held(b) == "\"lists\"|\"1\"")
            try b.queue.run("CREATE TABLE other (a)")
            try await b.start()
            for app in [b, a] { try await app.exchange() }
            #expect(try a.queue.text(Self.all) == "")
            try await Self.goesOn(a, b)
            try b.queue.run("DROP TRIGGER own; INSERT INTO lists VALUES ('3', 'x')")
            try a.queue.run("INSERT INTO lists VALUES ('4', 'x')")
            for app in [b, a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all) == a.queue.text(Self.all))
            #expect(try Self.held(b) == "")
        }
    }

    @Test("a row stays that another one needs which a trigger does not let go with it (D-1)", arguments: raises)
    func cascade(_ raise: String) async throws {
        let trigger = "CREATE TRIGGER own BEFORE DELETE ON items WHEN OLD.id = 'i' BEGIN SELECT \(raise); END;"
        try await Self.pair(trigger) { a, b, _ in
            try a.queue.run(
                """
                INSERT INTO lists VALUES ('1', 'x'), ('2', 'x'); INSERT INTO items VALUES ('i', '1', 'x'), ('j', '2', 'x');
                """)
            for app in [a, b] { try await app.exchange() }
            try a.queue.run("DELETE FROM lists; INSERT INTO lists VALUES ('3', 'x')")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all) == "\"i\"|\"i\"|\"x\"\n\"l\"|\"1\"|\"x\"\n\"l\"|\"3\"|\"x\"")
            #expect(try b.queue.text("PRAGMA foreign_key_check") == "")
            try await Self.goesOn(a, b)
            #expect(try a.queue.text(Self.all).contains("\"1\"|") == false)
        }
    }

    @Test("a row without its target stays out, also where a trigger would not let it go again (D-1)", arguments: raises)
    func target(_ raise: String) async throws {
        let own = """
            CREATE TRIGGER target BEFORE INSERT ON lists WHEN NEW.title = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END;
            CREATE TRIGGER own BEFORE DELETE ON items BEGIN SELECT \(raise); END;
            """
        try await Self.pair(own) { a, b, replica in
            try a.queue.run(
                """
                INSERT INTO lists VALUES ('1', 'bad'), ('2', 'x'); INSERT INTO items VALUES ('i', '1', 'x'), ('j', '2', 'x');
                """)
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all) == "\"i\"|\"j\"|\"x\"\n\"l\"|\"2\"|\"x\"")
            #expect(replica.reported.map(\.key.journalText).sorted() == ["'1'", "'i'"])
            try await Self.goesOn(a, b)
        }
    }

    @Test(
        "an expression or a trigger of the app's that fails keeps its row out alone (D-1)",
        arguments: [
            """
            ALTER TABLE lists ADD COLUMN kind TEXT AS (json_extract(title, '$.kind'));
            CREATE INDEX kinds ON lists (kind);
            """,
            "CREATE INDEX large ON lists (abs(CASE title WHEN 'bad' THEN -9223372036854775808 ELSE 1 END));",
            """
            CREATE TABLE log (list TEXT REFERENCES lists (id));
            CREATE TRIGGER own AFTER INSERT ON lists WHEN NEW.title = 'bad' BEGIN INSERT INTO log VALUES ('none'); END;
            """,
        ])
    func failing(_ own: String) async throws {
        try await Self.pair(own) { a, b, replica in
            try a.queue.run(
                "INSERT INTO lists VALUES ('1', 'bad'), ('2', '{}'); INSERT INTO items VALUES ('i', '2', 'x')")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text(Self.all) == "\"i\"|\"i\"|\"x\"\n\"l\"|\"2\"|\"{}\"")
            #expect(replica.reported.map(\.key.journalText) == ["'1'"])
            try a.queue.run("INSERT INTO lists VALUES ('3', '{}')")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT count(*) FROM lists") == "2")
        }
    }

    @Test("a text index that does not fit its table keeps the rows back that it fails for (D-1)")
    func textIndex() async throws {
        let own = """
            CREATE VIRTUAL TABLE words USING fts5(title, content='lists');
            CREATE TRIGGER own AFTER UPDATE ON lists BEGIN
                INSERT INTO words(words, rowid, title) VALUES('delete', OLD.rowid, OLD.title);
                INSERT INTO words(rowid, title) VALUES (NEW.rowid, NEW.title);
            END;
            """
        try await Self.pair(own) { a, b, _ in
            try a.queue.run("INSERT INTO lists VALUES ('1', 'one'), ('2', 'two')")
            for app in [a, b] { try await app.exchange() }
            // Rows that were never indexed are taken out of the index.
            try b.queue.run("DROP TABLE words_data; CREATE TABLE words_data (id INTEGER PRIMARY KEY, block BLOB)")
            try a.queue.run("UPDATE lists SET title = 'three' WHERE id = '1'; INSERT INTO items VALUES ('i', '2', 'x')")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT id FROM items") == "\"i\"")
        }
    }

    @Test("a key with a NUL is not taken for the text before it (D-1)")
    func null() async throws {
        try await Self.pair("") { a, b, replica in
            try a.queue.run("INSERT INTO lists VALUES ('1', 'mine')")
            for app in [a, b] { try await app.exchange() }
            replica.put(
                ShownRow(
                    table: "lists", key: RowKey(["1\0".databaseValue]), values: ["title": "other".databaseValue]))
            try await b.exchange()
            #expect(try b.queue.text(Self.all) == "\"l\"|\"1\"|\"mine\"")
            #expect(replica.reported.map(\.reason).allSatisfy { $0.contains("NUL") })
            try await Self.goesOn(a, b)
        }
    }

    @Test("a row whose key has a NUL stays on its device, and is not taken for a deletion of the text before it (D-1)")
    func ownNull() async throws {
        try await Self.pair("") { a, b, replica in
            try a.queue.run("INSERT INTO lists VALUES (CAST(x'310062' AS TEXT), 'mine')")
            try await a.exchange()
            #expect(replica.received.isEmpty)
            try b.queue.run("INSERT INTO lists VALUES ('1', 'other')")
            for app in [b, a] { try await app.exchange() }
            let both = "SELECT hex(id), title FROM lists ORDER BY 1"
            #expect(try a.queue.text(both) == "\"31\"|\"other\"\n\"310062\"|\"mine\"")
            // Nor when tables are compared.
            try a.queue.run("CREATE TABLE more (id)")
            replica.forget()
            try await a.start()
            #expect(try await a.exchange().hasCompared)
            #expect(replica.received.isEmpty)
            try await Self.goesOn(a, b)
            #expect(try b.queue.text("SELECT title FROM lists WHERE id = '1'") == "\"other\"")
        }
    }
}
