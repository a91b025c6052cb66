import GRDB
import RecordMirror
import Testing

/// Rows of tables that do not sync, beside rows that a table refuses (D-1).
@Suite struct LocalRowTests {
    private static let schema = "CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT);"
    private static let strict = """
        CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT CHECK (title <> 'bad'));
        """

    /// The other app's table refuses some titles, and it has a table of its own.
    private static func pair(
        _ own: String, _ body: (MirroredApp, MirroredApp, () async throws -> Void) async throws -> Void
    ) async throws {
        try await MirrorFixture.with { first in
            try await MirrorFixture.with { second in
                let (one, other) = (MergingDaemon(), MergingDaemon())
                let tables = [MirrorTable("lists")]
                let a = MirroredApp(try first.open(schema), one, tables: tables)
                let b = MirroredApp(try second.open(strict + own), other, tables: tables)
                func settle() async throws {
                    for _ in 0..<3 {
                        for app in [a, b] { try await app.exchange() }
                        try one.hear(other)
                        try other.hear(one)
                    }
                    for app in [a, b] { try await app.exchange() }
                }
                for app in [a, b] { try await app.start() }
                try await settle()
                try await body(a, b, settle)
            }
        }
    }

    private static let drafts = """
        CREATE TABLE drafts (id INTEGER PRIMARY KEY, list TEXT REFERENCES lists (id) ON DELETE
        """
    private static let all = """
        SELECT l.id, l.title, d.id, d.list FROM lists l LEFT JOIN drafts d ON d.list = l.id ORDER BY 1
        """
    private static let held = "SELECT trim(key, char(39)), isTold FROM baton_held ORDER BY 1"

    @Test(
        "a row that its table refuses stays as it was where rows that do not sync would go with it or lose it (D-1)",
        arguments: ["CASCADE", "SET NULL"])
    func refused(action: String) async throws {
        try await Self.pair("\(Self.drafts) \(action));") { a, b, settle in
            try a.queue.run("INSERT INTO lists VALUES ('1', 'good'), ('2', 'good')")
            try await settle()
            try b.queue.run("INSERT INTO drafts VALUES (7, '1')")
            try a.queue.run("UPDATE lists SET title = 'bad'")
            try await settle()
            // The other row leaves, as one without such rows does.
            #expect(try b.queue.text(Self.all) == "\"1\"|\"good\"|7|\"1\"")
            #expect(try b.queue.text(Self.held) == "\"1\"|5\n\"2\"|1")
            // Nor does a comparison remove it, or take it for the app's.
            try b.queue.run("CREATE TABLE more (id)")
            try await b.start()
            try await settle()
            #expect(try b.queue.text(Self.all) == "\"1\"|\"good\"|7|\"1\"")
            #expect(try a.queue.text("SELECT id, title FROM lists ORDER BY 1") == "\"1\"|\"bad\"\n\"2\"|\"bad\"")
            try a.queue.run("UPDATE lists SET title = 'fine'")
            try await settle()
            #expect(try b.queue.text(Self.all) == "\"1\"|\"fine\"|7|\"1\"\n\"2\"|\"fine\"|NULL|NULL")
            #expect(try b.queue.text("SELECT count(*) FROM baton_held") == "0")
        }
    }

    @Test("such a row leaves once no row refers to it, and a deletion takes it and what goes with it (D-1)")
    func leaves() async throws {
        try await Self.pair("\(Self.drafts) CASCADE);") { a, b, settle in
            try a.queue.run("INSERT INTO lists VALUES ('1', 'good'), ('2', 'good')")
            try await settle()
            try b.queue.run("INSERT INTO drafts VALUES (7, '1'), (8, '2')")
            try a.queue.run("UPDATE lists SET title = 'bad'")
            try await settle()
            #expect(try b.queue.text("SELECT count(*) FROM lists") == "2")
            try b.queue.run("DELETE FROM drafts WHERE id = 7")
            try a.queue.run("DELETE FROM lists WHERE id = '2'")
            try await settle()
            #expect(try b.queue.text("SELECT (SELECT count(*) FROM lists), (SELECT count(*) FROM drafts)") == "0|0")
            #expect(try b.queue.text(Self.held) == "\"1\"|1")
            #expect(try a.queue.text("SELECT id FROM lists") == "\"1\"")
        }
    }
}
