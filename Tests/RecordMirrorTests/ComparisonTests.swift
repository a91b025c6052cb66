import Foundation
import GRDB
import RecordMirror
import Testing

/// Starts at which the triggers alone do not know enough (D-1).
@Suite struct ComparisonTests {
    private static func pair(
        _ body: (MirrorFixture, MirroredApp, MirroredApp, ReplicaDouble) async throws -> Void
    ) async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let apps = (MirroredApp(try one.open(), replica), MirroredApp(try other.open(), replica))
                for app in [apps.0, apps.1] { try await app.start() }
                try apps.0.queue.run(
                    "INSERT INTO lists VALUES ('l', 'Home', 'red'), ('m', 'Work', NULL); INSERT INTO tags VALUES ('t', 'x')"
                )
                for app in [apps.0, apps.1] { try await app.exchange() }
                replica.forget()
                try await body(one, apps.0, apps.1, replica)
            }
        }
    }

    @Test("what was written without triggers is found when the schema has moved, and nothing else is sent (case 29)")
    func unseen() async throws {
        try await Self.pair { _, a, b, replica in
            try await a.queue.write { db in
                try CaptureTriggers.remove(in: db)
                try db.execute(
                    sql:
                        "UPDATE lists SET color = 'blue' WHERE id = 'l'; DELETE FROM tags; INSERT INTO lists VALUES ('n', 'New', NULL)"
                )
            }
            try await a.start()
            #expect(try await a.exchange().hasCompared)
            #expect(
                replica.received.reduce(into: Set()) { $0.formUnion($1.lines) } == [
                    "lists 'l' color=\"blue\"", "-tags 't'", "lists 'n' color=NULL title=\"New\"",
                ])
            try await b.exchange()
            #expect(try a.all() == b.all())
            replica.forget()
            try await a.start()
            #expect(try await !a.exchange().hasCompared)
        }
    }

    @Test("a new column and a new table are filled from the replica, and write nothing (cases 24 and 27)")
    func newVersion() async throws {
        try await Self.pair { _, a, b, replica in
            let newer = MirrorFixture.tables + [MirrorTable("notes")]
            let second =
                "ALTER TABLE lists ADD COLUMN icon TEXT DEFAULT 'none'; CREATE TABLE notes (id TEXT PRIMARY KEY, text)"
            try await a.queue.write { try $0.execute(sql: second) }
            let a2 = MirroredApp(a.queue, replica, tables: newer)
            try await a2.start()
            try await a2.exchange()
            #expect(replica.received.isEmpty)
            try a2.queue.run("UPDATE lists SET icon = 'house' WHERE id = 'l'; INSERT INTO notes VALUES ('1', 'n')")
            try await a2.exchange()
            try b.queue.run("UPDATE lists SET color = 'black' WHERE id = 'l'")
            try await b.exchange()
            try await a2.exchange()
            #expect(try a2.queue.text("SELECT color, icon FROM lists WHERE id = 'l'") == "\"black\"|\"house\"")
            replica.forget()
            try await b.queue.write { try $0.execute(sql: second) }
            let b2 = MirroredApp(b.queue, replica, tables: newer)
            try await b2.start()
            try await b2.exchange()
            #expect(replica.received.isEmpty)
            #expect(try b2.queue.text("SELECT id, icon FROM lists ORDER BY 1") == "\"l\"|\"house\"\n\"m\"|\"none\"")
            #expect(try b2.queue.text("SELECT text FROM notes") == "\"n\"")
        }
    }

    @Test(
        "a file that was restored gets another actor; nothing of the week is lost and nothing comes twice (cases 34 and 35)"
    )
    func restored() async throws {
        try await Self.pair { fixture, a, b, replica in
            let actor = try await a.mirror.state().actor
            try a.queue.run(
                "INSERT INTO lists VALUES ('n', 'Of the week', NULL); UPDATE lists SET color = 'blue' WHERE id = 'l'; DELETE FROM lists WHERE id = 'm'"
            )
            let old = fixture.folder.appending(path: "old.sqlite")
            // The state of before: a copy that a rollback makes of the file.
            try await a.exchange()
            try await a.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try FileManager.default.copyItem(atPath: fixture.path, toPath: old.path)
            try a.queue.run(
                "INSERT INTO lists VALUES ('o', 'After', NULL); UPDATE lists SET color = 'green' WHERE id = 'l'; DELETE FROM lists WHERE id = 'n'"
            )
            try await a.exchange()
            try await b.exchange()
            let expected = try b.all()
            let copy = MirroredApp(try DatabaseQueue(path: old.path), replica)
            replica.forget()
            try await copy.start()
            #expect(try await copy.mirror.state().actor != actor)
            try await copy.exchange()
            #expect(try copy.all() == expected)
            for app in [a, b] { try await app.exchange() }
            #expect(try a.all() == expected && b.all() == expected)
            // Both go on.
            try copy.queue.run("UPDATE lists SET color = 'copy' WHERE id = 'l'")
            try a.queue.run("UPDATE lists SET title = 'orig' WHERE id = 'l'")
            for _ in 0..<2 { for app in [copy, a, b] { try await app.exchange() } }
            #expect(try a.all() == b.all() && copy.all() == a.all())
        }
    }

    @Test("a file that was put back in place of itself is recognised by what the replica has taken of it")
    func putBack() async throws {
        try await Self.pair { fixture, a, b, replica in
            let bytes = try Data(contentsOf: URL(filePath: fixture.path))
            try a.queue.run("UPDATE lists SET color = 'blue' WHERE id = 'l'")
            try await a.exchange()
            try await b.exchange()
            try a.queue.close()
            let file = try FileHandle(forWritingTo: URL(filePath: fixture.path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
            let again = MirroredApp(try fixture.open(), replica)
            #expect(try again.queue.text("SELECT color FROM lists WHERE id = 'l'") == "\"red\"")
            try await again.start()
            try await again.exchange()
            #expect(try again.all() == b.all())
        }
    }

    @Test("what is written after a loss of power is sent, though the replica has lost lines of these numbers (D-1)")
    func lostTransactions() async throws {
        try await Self.pair { fixture, a, b, replica in
            let bytes = try Data(contentsOf: URL(filePath: fixture.path))
            try a.queue.run("UPDATE lists SET color = 'blue' WHERE id = 'l'")
            for app in [a, b] { try await app.exchange() }
            try a.queue.close()
            try bytes.write(to: URL(filePath: fixture.path))
            let again = MirroredApp(try fixture.open(), replica, boot: "two")
            try await again.startAlone()
            for number in 0..<5 { try again.queue.run("INSERT INTO tags VALUES ('t\(number)', 'n\(number)')") }
            try await again.open()
            for app in [again, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT count(*) FROM tags WHERE name LIKE 'n_'") == "5")
            #expect(try again.queue.text("SELECT color FROM lists WHERE id = 'l'") == "\"blue\"")
            #expect(try again.all() == b.all())
        }
    }

    @Test("what waits of a table that an older version of the app does not sync is sent by the newer one (D-1)")
    func olderVersion() async throws {
        try await Self.pair { _, a, b, replica in
            try a.queue.run("UPDATE tags SET name = 'mine'; UPDATE lists SET color = 'green' WHERE id = 'l'")
            let fewer = MirrorFixture.tables.filter { !["tags", "items"].contains($0.name) }
            let old = MirroredApp(a.queue, replica, tables: fewer)
            try await old.start()
            for _ in 0..<2 { try await old.exchange() }
            try await b.exchange()
            #expect(try b.queue.text("SELECT color FROM lists WHERE id = 'l'") == "\"green\"")
            #expect(try b.queue.text("SELECT name FROM tags") == "\"x\"")
            try await a.start()
            for app in [a, b] { try await app.exchange() }
            #expect(try b.queue.text("SELECT name FROM tags") == "\"mine\"")
            #expect(try a.all() == b.all())
        }
    }

    @Test("a cursor that the replica does not know begins anew, and the replica wins")
    func expired() async throws {
        try await Self.pair { _, a, b, replica in
            try b.queue.run("UPDATE lists SET color = 'blue'")
            try await b.exchange()
            replica.expire()
            replica.forget()
            #expect(try await a.exchange().hasCompared)
            #expect(try a.all() == b.all())
            #expect(replica.received.isEmpty)
        }
    }

    @Test("what was done while there was no replica is sent with what the tables had shown until then (D-1; case 36)")
    func former() async throws {
        try await Self.pair { _, a, _, replica in
            let cursor = try await a.mirror.state().cursor
            try a.queue.run("DELETE FROM tags")
            replica.expire()
            try await a.start()
            // Also over a start that ended early.
            try await a.queue.write {
                try $0.execute(sql: "UPDATE baton_state SET cursor = NULL, former = ?", arguments: [cursor])
            }
            try await a.exchange()
            #expect(replica.cursors.first == cursor)
            #expect(try await a.mirror.state().former.isEmpty)
            replica.forget()
            try a.queue.run("UPDATE lists SET color = 'green'")
            try await a.exchange()
            #expect(replica.cursors.allSatisfy { $0 != cursor })
        }
    }

    @Test("a key that two devices spell in two ways is one row, and stays it when tables are compared (D-1)")
    func spelling() async throws {
        let schema = "CREATE TABLE people (mail TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, name TEXT)"
        let tables = [MirrorTable("people")]
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let a = MirroredApp(try one.open(schema), replica, tables: tables)
                let b = MirroredApp(try other.open(schema), replica, tables: tables)
                for app in [a, b] { try await app.start() }
                try a.queue.run("INSERT INTO people VALUES ('ann@example.com', 'Ann')")
                for app in [a, b] { try await app.exchange() }
                // Only the spelling is another one, which no app has written.
                try await b.queue.write { db in
                    try db.execute(sql: "UPDATE baton_state SET applying = 1")
                    try db.execute(sql: "UPDATE people SET mail = 'Ann@Example.com'")
                    try db.execute(sql: "UPDATE baton_state SET applying = 0; CREATE TABLE moved (a)")
                }
                replica.forget()
                try await b.start()
                for app in [b, a] { try await app.exchange() }
                #expect(replica.received.isEmpty)
                for app in [a, b] { #expect(try app.queue.text("SELECT name FROM people") == "\"Ann\"") }
            }
        }
    }

    @Test("keys with fractions are the same on both sides")
    func realKeys() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let schema = "CREATE TABLE r (x REAL NOT NULL, y BLOB NOT NULL, v, PRIMARY KEY (x, y))"
                let apps = [one, other].map { fixture in
                    (try? fixture.open(schema)).map { MirroredApp($0, replica, tables: [MirrorTable("r")]) }
                }.compactMap(\.self)
                for app in apps { try await app.start() }
                try apps[0].queue.run("INSERT INTO r VALUES (1e20, X'00ff', 1), (0.1, 'a', 2), (3, 7, 3)")
                for app in apps { try await app.exchange() }
                #expect(try apps[1].queue.text("SELECT v FROM r ORDER BY v") == "1\n2\n3")
                replica.forget()
                for app in apps {
                    try app.queue.run("CREATE INDEX i ON r (v)")
                    try await app.start()
                    #expect(try await app.exchange().hasCompared)
                }
                #expect(replica.received.isEmpty)
            }
        }
    }

    @Test("a row whose content is away is held and told, keeps nobody waiting, and nothing is sent because of it (D-1)")
    func contentAway() async throws {
        try await Self.pair { _, a, b, replica in
            try a.queue.run(
                "UPDATE lists SET color = 'green' WHERE id = 'l'; INSERT INTO lists VALUES ('n', 'New', 'x')")
            try await a.exchange()
            try a.queue.run("INSERT INTO lists VALUES ('o', 'Old', NULL)")
            try await a.exchange()
            replica.setContentsAway(["color"])
            replica.forget()
            try await b.exchange()
            let lists = try b.queue.text("SELECT id, color FROM lists ORDER BY 1")
            #expect(lists == "\"l\"|\"red\"\n\"m\"|NULL\n\"o\"|NULL")
            #expect(replica.reported.map(\.reason) == [RefusedRow.contentAway, RefusedRow.contentAway])
            #expect(replica.reported.filter(\.stays).map(\.key.journalText) == ["'l'"])
            // A comparison takes it neither for deleted nor for the app's.
            for sql in ["ALTER TABLE tags ADD COLUMN x", "ALTER TABLE tags ADD COLUMN y"] {
                try await b.queue.write { try $0.execute(sql: sql) }
                try await b.start()
                #expect(try await b.exchange().hasCompared)
            }
            replica.expire()
            try await b.start()
            #expect(try await b.exchange().hasCompared)
            #expect(replica.received.allSatisfy { $0.isInitial || $0.changes.isEmpty })
            replica.setContentsAway([])
            try await b.exchange()
            #expect(try a.all() == b.all())
            #expect(try await b.queue.read { try MirrorTables.held(in: $0) }.isEmpty)
        }
    }

    @Test("a file keeps its actor where only the number of its device is another one, and when Baton is updated (D-1)")
    func otherMount() async throws {
        try await Self.pair { fixture, a, _, _ in
            let state = try await a.mirror.state()
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path)
            let device = try #require(attributes[.systemNumber] as? Int)
            let inode = try #require(attributes[.systemFileNumber] as? Int)
            #expect(!state.file.contains("\(device):"))
            try a.queue.run("UPDATE baton_state SET file = '\(device):\(inode)'")
            try await a.start()
            #expect(try await a.mirror.state() == state)
            // A file that was made at another time is another one.
            try a.queue.run("UPDATE baton_state SET file = 'inode \(inode) 1'")
            try await a.start()
            #expect(try await a.mirror.state().actor != state.actor)
        }
    }

    @Test("a table that was rebuilt without its rows gets them again, and deletes nothing elsewhere (D-1)")
    func rebuilt() async throws {
        try await Self.pair { _, a, b, replica in
            try a.queue.run(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO tags SELECT 'n' || i, 'tag' || i FROM n"
            )
            for app in [a, b] { try await app.exchange() }
            let expected = try b.all()
            replica.forget()
            try await a.queue.writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        DROP TABLE tags;
                        CREATE TABLE tags (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE);
                        """)
            }
            try await a.start()
            let progress = try await a.exchange()
            #expect(progress.hasCompared && progress.restored == ["tags"])
            #expect(replica.received.isEmpty)
            try await b.exchange()
            #expect(try a.all() == expected && b.all() == expected)
            // Few rows may have been removed without triggers.
            try await a.queue.write { db in
                try CaptureTriggers.remove(in: db)
                try db.execute(sql: "DELETE FROM tags WHERE id IN ('n1', 'n2')")
            }
            try await a.start()
            #expect(try await a.exchange().restored.isEmpty)
            #expect(replica.received.flatMap(\.lines).sorted() == ["-tags 'n1'", "-tags 'n2'"])
        }
    }
}
