import GRDB
import RecordMirror
import Testing

/// What schemas of apps have besides the ordinary (D-1).
@Suite struct AppSchemaTests {
    private static func pair(
        _ schema: String, _ tables: [MirrorTable],
        _ body: (MirroredApp, MirroredApp, ReplicaDouble) async throws -> Void
    ) async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let a = MirroredApp(try one.open(schema), replica, tables: tables)
                let b = MirroredApp(try other.open(schema), replica, tables: tables)
                for app in [a, b] { try await app.start() }
                for app in [a, b] { try await app.exchange() }
                try await body(a, b, replica)
            }
        }
    }

    @Test("a default that is a name, in double quotes or bare, is the text that SQLite takes it for (D-1)")
    func defaults() async throws {
        let schema = #"""
            CREATE TABLE notes (
                id TEXT PRIMARY KEY, title TEXT NOT NULL DEFAULT "", kind TEXT DEFAULT plain, said TEXT DEFAULT "a ""b"" c",
                isOpen INT DEFAULT true, made TEXT DEFAULT CURRENT_TIMESTAMP, mark TEXT DEFAULT NULL)
            """#
        try await Self.pair(schema, [MirrorTable("notes")]) { a, b, replica in
            #expect(
                a.shapes[0].columns.map(\.defaultLiteral) == [
                    "".databaseValue, "plain".databaseValue, "a \"b\" c".databaseValue, 1.databaseValue, nil, .null,
                ])
            try a.queue.run("INSERT INTO notes (id) VALUES ('n')")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT title, kind, said = 'a \"b\" c' FROM notes") == "\"\"|\"plain\"|1")
            // A column that is new and has its default writes nothing.
            replica.forget()
            try a.queue.run("ALTER TABLE notes ADD COLUMN body TEXT DEFAULT \"empty\"")
            try await a.start()
            #expect(try await a.exchange().hasCompared)
            #expect(replica.received.isEmpty)
        }
    }

    @Test("NULL in a column with a default stays NULL elsewhere, also where the row from before sync was changed (D-1)")
    func nullOverDefault() async throws {
        let schema = "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT, state TEXT DEFAULT 'new')"
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let (replica, tables) = (ReplicaDouble(), [MirrorTable("notes")])
                let a = MirroredApp(try one.open(schema), replica, tables: tables)
                let b = MirroredApp(try other.open(schema), replica, tables: tables)
                try a.queue.run("INSERT INTO notes VALUES ('n', 'x', NULL)")
                for app in [a, b] { try await app.start() }
                try a.queue.run("UPDATE notes SET text = 'y'")
                for app in [a, b] { try await app.exchange() }
                #expect(try b.queue.text("SELECT text, state FROM notes") == "\"y\"|NULL")
            }
        }
    }

    @Test("a constraint that replaces rows removes none while changes are applied, nor what refers to them (D-1)")
    func conflictClauses() async throws {
        let schema = """
            CREATE TABLE notes (id TEXT PRIMARY KEY ON CONFLICT REPLACE, slot TEXT NOT NULL UNIQUE ON
                CONFLICT REPLACE);
            CREATE TABLE marks (id TEXT PRIMARY KEY, note TEXT REFERENCES notes ON DELETE CASCADE, mine INT DEFAULT 0);
            """
        let tables = [
            MirrorTable("notes", unique: [.init(columns: ["slot"], collision: .merge)]),
            MirrorTable("marks", local: ["mine"]),
        ]
        try await Self.pair(schema, tables) { a, b, _ in
            try a.queue.run(
                "INSERT INTO notes VALUES ('1', 'A'), ('2', 'B'); INSERT INTO marks (id, note) VALUES ('m', '1'), ('n', '2')"
            )
            for app in [a, b] { try await app.exchange() }
            try b.queue.run("UPDATE marks SET mine = 1")
            try a.queue.run(
                "UPDATE notes SET slot = '' WHERE id = '1'; UPDATE notes SET slot = 'A' WHERE id = '2'; UPDATE notes SET slot = 'B' WHERE id = '1'"
            )
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT * FROM notes ORDER BY 1") == "\"1\"|\"B\"\n\"2\"|\"A\"")
            #expect(try b.queue.text("SELECT * FROM marks ORDER BY 1") == "\"m\"|\"1\"|1\n\"n\"|\"2\"|1")
        }
    }

    @Test(
        "a row that a table refers to which does not sync stays with what it needs until that lets it go, and nothing else waits for it (D-1)",
        arguments: ["", "ON DELETE RESTRICT"])
    func kept(action: String) async throws {
        try await Self.pair(MirrorFixture.schema, MirrorFixture.tables) { a, b, replica in
            try a.queue.run(MirrorCaseTests.lists)
            for app in [a, b] { try await app.exchange() }
            try b.queue.run(
                "CREATE TABLE log (id INTEGER PRIMARY KEY, item TEXT REFERENCES items (id) \(action)); INSERT INTO log VALUES (1, 'i2')"
            )
            try a.queue.run("DELETE FROM lists WHERE id = 'l1'; UPDATE lists SET color = 'blue' WHERE id = 'l2'")
            try await a.exchange()
            replica.forget()
            #expect(try await Set(b.exchange().refused.map(\.key.journalText)) == ["'l1'", "'i2'"])
            #expect(try b.queue.text("SELECT id, color FROM lists ORDER BY 1") == "\"l1\"|\"red\"\n\"l2\"|\"blue\"")
            #expect(try b.queue.text("SELECT id FROM items") == "\"i2\"")
            #expect(try b.queue.text("SELECT reason LIKE '%table log,%' FROM baton_held") == "1\n1")
            // The service shows nothing of it that it could try again, and a comparison does not take it for new.
            try await b.start()
            #expect(try await b.exchange().hasCompared)
            #expect(replica.reported.isEmpty && replica.received.isEmpty)
            try b.queue.run("DELETE FROM log")
            try a.queue.run("UPDATE lists SET color = 'green'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.all() == a.all())
            #expect(try b.queue.text("SELECT count(*) FROM baton_held") == "0")
        }
    }

    @Test(
        "a row stays that a table which does not sync holds through rows that would go with it, by a default that is not there, or in another spelling (D-1)"
    )
    func heldIndirectly() async throws {
        let schema = "CREATE TABLE tags (id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, name TEXT)"
        try await Self.pair(schema, [MirrorTable("tags")]) { a, b, _ in
            try a.queue.run("INSERT INTO tags VALUES ('p', 'x'), ('q', 'x'), ('r', 'x'), ('s', 'x'), ('u', 'x')")
            for app in [a, b] { try await app.exchange() }
            try b.queue.run(
                """
                CREATE TABLE marks (
                    id INT UNIQUE, tag TEXT REFERENCES tags ON DELETE CASCADE, up INT REFERENCES marks (id));
                CREATE TABLE logP (mark INT REFERENCES marks (id));
                CREATE TABLE logQ (tag TEXT DEFAULT none REFERENCES tags ON DELETE SET DEFAULT);
                CREATE TABLE logR (tag TEXT REFERENCES tags);
                INSERT INTO marks VALUES (1, 'p', NULL), (2, 'p', 1);
                INSERT INTO logP VALUES (2); INSERT INTO logQ VALUES ('q'); INSERT INTO logR VALUES ('R');
                -- These hold nothing.
                CREATE TABLE falls (tag TEXT DEFAULT 'u' REFERENCES tags ON DELETE SET DEFAULT);
                CREATE TABLE empties (tag TEXT REFERENCES tags ON DELETE SET DEFAULT);
                INSERT INTO marks VALUES (3, 's', NULL), (4, 's', 3);
                INSERT INTO falls VALUES ('s'); INSERT INTO empties VALUES ('s');
                """)
            try a.queue.run("DELETE FROM tags WHERE id <> 'u'; UPDATE tags SET name = 'y'")
            for app in [a, b] { try await app.exchange() }
            #expect(
                try b.queue.text("SELECT id || name FROM tags ORDER BY 1") == "\"px\"\n\"qx\"\n\"rx\"\n\"uy\"")
            #expect(
                try b.queue.text("SELECT reason LIKE '%table log' || substr(key, 2, 1) || ',%' FROM baton_held")
                    == "1\n1\n1")
            try b.queue.run("DELETE FROM logP; DELETE FROM logQ; DELETE FROM logR")
            try a.queue.run("UPDATE tags SET name = 'z'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT id || name FROM tags") == "\"uz\"")
            #expect(
                try b.queue.text("SELECT (SELECT count(*) FROM marks), falls.tag, empties.tag FROM falls, empties")
                    == "0|\"u\"|NULL")
        }
    }

    @Test(
        "a row that is kept under another spelling of its key is not taken for new, and stays once it is shown again (D-1)",
        arguments: zip(["NOCASE", "RTRIM"], [false, true]))
    func keptSpelling(collation: String, expires: Bool) async throws {
        let schema = "CREATE TABLE tags (id TEXT NOT NULL COLLATE \(collation) PRIMARY KEY, name TEXT)"
        let key = collation == "NOCASE" ? ("tt", "TT", "tT") : ("t", "t ", "t  ")
        try await Self.pair(schema, [MirrorTable("tags")]) { a, b, replica in
            try a.queue.run("INSERT INTO tags VALUES ('\(key.0)', 'x'), ('u', 'y')")
            for app in [a, b] { try await app.exchange() }
            // As after a merge of rows that two devices had before.
            try b.queue.run(
                """
                UPDATE baton_state SET applying = 1; UPDATE tags SET id = '\(key.1)' WHERE id = '\(key.0)';
                UPDATE baton_state SET applying = 0;
                CREATE TABLE log (tag TEXT REFERENCES tags); INSERT INTO log VALUES ('\(key.1)');
                """)
            try a.queue.run("DELETE FROM tags WHERE id = '\(key.0)'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT count(*) FROM baton_held") == "1")
            replica.forget()
            try b.queue.run("CREATE INDEX names ON tags (name)")
            try await b.start()
            #expect(try await b.exchange().hasCompared)
            #expect(replica.received.isEmpty)
            try a.queue.run("INSERT INTO tags VALUES ('\(key.2)', 'z')")
            try await a.exchange()
            if expires {
                replica.expire()
                try await b.open()
            }
            #expect(try await b.exchange().hasCompared == expires)
            #expect(try b.queue.text("SELECT count(*) FROM baton_held") == "0")
            try b.queue.run("DELETE FROM log")
            try a.queue.run("UPDATE tags SET name = 'w' WHERE id = 'u'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT name FROM tags ORDER BY name") == "\"w\"\n\"z\"")
        }
    }

    @Test("a row that a trigger keeps from being removed is not reported to the service, and goes once it may (D-1)")
    func keptByTrigger() async throws {
        try await Self.pair(MirrorFixture.schema, MirrorFixture.tables) { a, b, replica in
            try a.queue.run("INSERT INTO tags VALUES ('t', 'x'), ('u', 'y')")
            for app in [a, b] { try await app.exchange() }
            try b.queue.run(
                "CREATE TRIGGER guard BEFORE DELETE ON tags BEGIN SELECT RAISE(ABORT, 'kept'); END")
            try a.queue.run("DELETE FROM tags WHERE id = 't'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT reason FROM baton_held") == "\"kept\"")
            #expect(replica.reported.isEmpty)
            try b.queue.run("DROP TRIGGER guard")
            try a.queue.run("UPDATE tags SET name = 'z'")
            for app in [a, b] { try await app.exchange() }
            #expect(try b.all() == a.all())
        }
    }

    @Test("a row that a trigger passes over is held, and is not taken for deleted (D-1)")
    func passedOver() async throws {
        try await Self.pair(MirrorFixture.schema, MirrorFixture.tables) { a, b, replica in
            try b.queue.run(
                "CREATE TRIGGER guard BEFORE INSERT ON tags WHEN NEW.name = 'x' BEGIN SELECT RAISE(IGNORE); END")
            try a.queue.run("INSERT INTO tags VALUES ('t', 'x'), ('u', 'y')")
            for app in [a, b] { try await app.exchange() }
            #expect(replica.reported.map(\.key.journalText) == ["'t'"])
            replica.forget()
            try await b.start()
            #expect(try await b.exchange().hasCompared)
            #expect(replica.received.isEmpty)
        }
    }

    @Test("a row that goes with its old target and comes back has its local columns; generated ones are computed")
    func generated() async throws {
        let schema = """
            CREATE TABLE lists (id TEXT PRIMARY KEY);
            CREATE TABLE items (
                id TEXT PRIMARY KEY, name TEXT UNIQUE, list TEXT NOT NULL REFERENCES lists ON DELETE CASCADE,
                mine INT DEFAULT 0, low TEXT AS (lower(name)), kept TEXT AS (name || list) STORED);
            """
        let tables = [
            MirrorTable("lists"),
            MirrorTable("items", unique: [.init(columns: ["name"], collision: .merge)], local: ["mine"]),
        ]
        try await Self.pair(schema, tables) { a, b, _ in
            try a.queue.run(
                "INSERT INTO lists VALUES ('1'), ('2'); INSERT INTO items (id, name, list) VALUES ('i', 'A', '1'), ('j', 'B', '2')"
            )
            for app in [a, b] { try await app.exchange() }
            try b.queue.run("UPDATE items SET mine = 7")
            try a.queue.run(
                "UPDATE items SET name = NULL; UPDATE items SET name = 'B', list = '2' WHERE id = 'i'; UPDATE items SET name = 'A' WHERE id = 'j'; DELETE FROM lists WHERE id = '1'"
            )
            for app in [a, b] { try await app.exchange() }
            #expect(
                try b.queue.text("SELECT id, mine, low, kept FROM items ORDER BY 1")
                    == "\"i\"|7|\"b\"|\"B2\"\n\"j\"|7|\"a\"|\"A2\"")
        }
    }

    @Test("a table of 1,000 columns syncs")
    func wide() async throws {
        let columns = (1..<1_000).map { "c\($0)" }
        let schema = "CREATE TABLE wide (id TEXT PRIMARY KEY, \(columns.joined(separator: ", ")))"
        try await Self.pair(schema, [MirrorTable("wide")]) { a, b, replica in
            try a.queue.run("INSERT INTO wide (id, c1, c999) VALUES ('w', 1, 'last')")
            for app in [a, b] { try await app.exchange() }
            replica.forget()
            try a.queue.run("UPDATE wide SET c1 = 1, c998 = 'new'")
            for app in [a, b] { try await app.exchange() }
            #expect(replica.received.first?.lines == ["wide 'w' c998=\"new\""])
            #expect(try b.queue.text("SELECT c1, c998, c999 FROM wide") == "1|\"new\"|\"last\"")
        }
    }

    @Test("keys that the collation of a column takes for the same are one row when tables are compared (D-1)")
    func spelling() async throws {
        let schema = """
            CREATE TABLE names (name TEXT NOT NULL COLLATE NOCASE, kind TEXT NOT NULL, note TEXT, PRIMARY KEY (name, kind));
            CREATE TABLE tags (tag TEXT NOT NULL COLLATE RTRIM PRIMARY KEY, note TEXT);
            """
        let tables = [MirrorTable("names"), MirrorTable("tags")]
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let daemons = (MergingDaemon(), MergingDaemon(clock: 1_000))
                let a = MirroredApp(try one.open(schema), daemons.0, tables: tables)
                let b = MirroredApp(try other.open(schema), daemons.1, tables: tables)
                for app in [a, b] { try await app.start() }
                try a.queue.run(
                    "INSERT INTO names VALUES ('Ann', 'x', 'a'), ('ann', 'X', 'c'); INSERT INTO tags VALUES ('t', 'a')")
                try b.queue.run("INSERT INTO names VALUES ('ANN', 'x', 'b'); INSERT INTO tags VALUES ('t ', 'b')")
                for _ in 0..<2 {
                    for app in [a, b] { try await app.exchange() }
                    try daemons.0.hear(daemons.1)
                    try daemons.1.hear(daemons.0)
                }
                for app in [a, b] {
                    try app.queue.run("CREATE INDEX i ON names (note)")
                    try await app.start()
                }
                for daemon in [daemons.0, daemons.1] { daemon.forget() }
                for app in [a, b] {
                    #expect(try await app.exchange().hasCompared)
                    #expect(
                        try app.queue.text("SELECT lower(name), kind, note FROM names ORDER BY 2")
                            == "\"ann\"|\"X\"|\"c\"\n\"ann\"|\"x\"|\"b\"")
                    #expect(try app.queue.text("SELECT rtrim(tag), note FROM tags") == "\"t\"|\"b\"")
                }
                #expect(daemons.0.received.isEmpty && daemons.1.received.isEmpty)
            }
        }
    }
}
