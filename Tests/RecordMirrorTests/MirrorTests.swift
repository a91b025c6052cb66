import Foundation
import GRDB
import RecordMirror
import Testing

/// Two databases that mirror one replica (D-1).
@Suite struct MirrorTests {
    private static func pair(_ body: (MirroredApp, MirroredApp, ReplicaDouble) async throws -> Void) async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let apps = (MirroredApp(try one.open(), replica), MirroredApp(try other.open(), replica))
                try await apps.0.start()
                try await apps.1.start()
                try await body(apps.0, apps.1, replica)
            }
        }
    }

    @Test("rows go both ways, columns that stay here stay, and what came is not sent again")
    func bothWays() async throws {
        try await Self.pair { a, b, replica in
            try a.queue.run(
                "INSERT INTO lists VALUES ('l', 'Home', 'red'); INSERT INTO items (id, text, list) VALUES ('i', 'x', 'l')"
            )
            try await a.exchange()
            try await b.exchange()
            #expect(try b.all() == a.all())
            try b.queue.run("UPDATE items SET isExpanded = 1, done = 1")
            try a.queue.run("UPDATE items SET text = 'y'")
            for _ in 0..<2 { for app in [a, b] { try await app.exchange() } }
            // Case 1.
            #expect(try a.queue.text("SELECT text, done, isExpanded FROM items") == "\"y\"|1|0")
            #expect(try b.queue.text("SELECT text, done, isExpanded FROM items") == "\"y\"|1|1")
            replica.forget()
            for app in [a, b] { try await app.exchange() }
            #expect(replica.received.isEmpty)
            try a.queue.run("UPDATE items SET text = 'y'; UPDATE lists SET title = title")
            try await a.exchange()
            #expect(replica.received.isEmpty)
        }
    }

    @Test("two rows exchange a unique value, three in a circle, also in a column that must not be NULL (case 17)")
    func swaps() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run(
                "INSERT INTO lists VALUES ('1', 'A', NULL), ('2', 'B', NULL), ('3', 'C', NULL); INSERT INTO items (id, text, list) VALUES ('i', 'x', '1')"
            )
            try await a.exchange()
            try await b.exchange()
            try b.queue.run("UPDATE items SET isExpanded = 1")
            try a.queue.run(
                "UPDATE lists SET title = 'x'; ".replacing("'x'", with: "id || title")
                    + "UPDATE lists SET title = substr('BCA', id, 1)")
            try await a.exchange()
            let progress = try await b.exchange()
            #expect(progress.refused.isEmpty)
            #expect(try b.all() == a.all())
            #expect(try b.queue.text("SELECT isExpanded FROM items") == "1")
        }
    }

    @Test("a row that moves away in the group that removes its target stays, with its local columns")
    func moves() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run(
                "INSERT INTO lists VALUES ('1', 'A', NULL), ('2', 'B', NULL); INSERT INTO items (id, text, list) VALUES ('i', 'x', '1'), ('j', 'x', '1')"
            )
            try await a.exchange()
            try await b.exchange()
            try b.queue.run("UPDATE items SET isExpanded = 7")
            try a.queue.run("UPDATE items SET list = '2' WHERE id = 'i'; DELETE FROM lists WHERE id = '1'")
            try await a.exchange()
            try await b.exchange()
            #expect(try b.all() == a.all())
            #expect(try b.queue.text("SELECT id, isExpanded FROM items") == "\"i\"|7")
        }
    }

    @Test(
        "a row that the table refuses is held and told, and so is one that refers to it; the rest of the group is there"
    )
    func refused() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let strict = MirrorFixture.schema.replacing("color TEXT", with: "color TEXT CHECK (color <> 'red')")
                let (a, b) = (MirroredApp(try one.open(), replica), MirroredApp(try other.open(strict), replica))
                for app in [a, b] { try await app.start() }
                try a.queue.run(
                    """
                    INSERT INTO lists VALUES ('l', 'Home', 'red'), ('m', 'Work', 'blue');
                    INSERT INTO items (id, text, list) VALUES ('i', 'x', 'l'), ('j', 'y', 'm');
                    """)
                for app in [a, b] { try await app.exchange() }
                #expect(try b.queue.text("SELECT id FROM lists UNION ALL SELECT id FROM items") == "\"m\"\n\"j\"")
                #expect(Set(replica.reported.map(\.table)) == ["lists", "items"])
                #expect(try b.queue.text("PRAGMA foreign_key_check").isEmpty)
                // A comparison does not take them for deleted.
                try b.queue.run("CREATE INDEX x ON items (text)")
                try await b.start()
                replica.forget()
                #expect(try await b.exchange().hasCompared)
                #expect(replica.received.isEmpty)
                // It comes again, and is allowed.
                try a.queue.run(
                    "UPDATE lists SET color = 'green' WHERE id = 'l'; UPDATE items SET done = 1 WHERE id = 'i'")
                for app in [a, b] { try await app.exchange() }
                #expect(try b.all() == a.all())
                #expect(try b.queue.text("SELECT count(*) FROM baton_held") == "0")
            }
        }
    }

    @Test("what the app commits while news are on their way is sent first, and nothing of it is lost")
    func meanwhile() async throws {
        try await Self.pair { a, b, replica in
            try a.queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red')")
            for app in [a, b] { try await app.exchange() }
            try a.queue.run("UPDATE lists SET title = 'Away', color = 'blue'")
            try await a.exchange()
            let queue = b.queue
            replica.beforeFetch { try queue.run("UPDATE lists SET color = 'mine'") }
            try await b.exchange()
            #expect(try b.queue.text("SELECT title, color FROM lists") == "\"Away\"|\"mine\"")
            try await a.exchange()
            #expect(try b.all() == a.all())
        }
    }

    @Test("both had the database before: one of each row, the same cell on both, later edits win (case 33)")
    func before() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let (a, b) = (MirroredApp(try one.open(), replica), MirroredApp(try other.open(), replica))
                for app in [a, b] {
                    try app.queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red'), ('m', 'Work', NULL)")
                }
                try b.queue.run(
                    "UPDATE lists SET color = 'blue' WHERE id = 'l'; INSERT INTO lists VALUES ('n', 'B only', NULL)")
                for app in [a, b] { try await app.start() }
                for _ in 0..<2 { for app in [a, b] { try await app.exchange() } }
                #expect(try a.all() == b.all())
                #expect(try a.queue.text("SELECT color FROM lists WHERE id = 'l'") == "\"red\"")
                #expect(replica.received.filter { !$0.isInitial }.isEmpty)
                try b.queue.run("UPDATE lists SET color = 'blue' WHERE id = 'l'")
                for app in [b, a] { try await app.exchange() }
                #expect(try a.all() == b.all())
                #expect(try a.queue.text("SELECT color FROM lists WHERE id = 'l'") == "\"blue\"")
            }
        }
    }

    @Test("the daemon is away: lines wait; it took a group whose answer was lost: it is not sent twice")
    func away() async throws {
        try await Self.pair { a, b, replica in
            replica.setAway(true)
            try a.queue.run("INSERT INTO lists VALUES ('l', 'Home', 'red')")
            await #expect(throws: ReplicaDouble.Away.self) { try await a.exchange() }
            #expect(try await a.queue.read { try MirrorJournal.waiting(in: $0) } == 1)
            replica.setAway(false)
            // As if the process had died between the answer and the journal.
            let reading = try await a.queue.read { [shapes = a.shapes] in try JournalReader(shapes).read(in: $0) }
            _ = try await replica.send(
                reading?.groups ?? [], actor: a.mirror.state().actor, cursor: Data(), known: (reading?.first ?? 1) - 1)
            try a.queue.run("UPDATE lists SET color = 'blue'")
            try await a.start()
            try await a.exchange()
            #expect(
                replica.received.map(\.lines) == [
                    ["lists 'l' color=\"red\" title=\"Home\""], ["lists 'l' color=\"blue\""],
                ])
            try await b.exchange()
            #expect(try a.all() == b.all())
        }
    }
}
