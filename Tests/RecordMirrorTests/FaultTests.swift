import Foundation
import GRDB
import RecordMirror
import Testing

/// Temporary refusals of the app's own database (D-1).
@Suite("Faults of a mirrored database") struct FaultTests {
    private static func pair(
        _ body: (MirroredApp, MirroredApp, MirrorFixture, ReplicaDouble) async throws -> Void
    ) async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let replica = ReplicaDouble()
                let apps = (MirroredApp(try one.open(), replica), MirroredApp(try other.open(), replica))
                for app in [apps.0, apps.1] { try await app.start() }
                try await body(apps.0, apps.1, other, replica)
            }
        }
    }

    private static let many = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO lists SELECT 'l' || i, 'title ' || i, hex(randomblob(100)) FROM n
        """

    @Test("a full disk: nothing is shown in part or lost, and it goes on when there is room")
    func fullDisk() async throws {
        try await Self.pair { a, b, _, _ in
            try a.queue.run(Self.many)
            try await a.exchange()
            let pages = try await b.queue.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
            try await b.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 4)") }
            let error = await #expect(throws: DatabaseError.self) { try await b.exchange() }
            #expect(error?.resultCode == .SQLITE_FULL)
            #expect(try b.queue.text("SELECT count(*) FROM lists") == "0")
            #expect(try b.queue.text("SELECT applying FROM baton_state") == "0")
            try await b.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
            try await b.exchange()
            #expect(try b.all() == a.all())
        }
    }

    @Test("a reader that holds the database for long: what comes waits, and what the app wrote is not lost")
    func longReader() async throws {
        try await Self.pair { a, b, fixture, _ in
            try b.queue.run("INSERT INTO tags VALUES ('t', 'mine')")
            try a.queue.run(Self.many)
            try await a.exchange()
            // Without a write-ahead log a reader keeps all writers out.
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: fixture.path, configuration: configuration)
            let isHeld = try reader.inDatabase { db in
                try db.execute(sql: "BEGIN; SELECT count(*) FROM lists")
                return try Int.fetchOne(db, sql: "SELECT count(*) FROM lists") == 0
            }
            #expect(isHeld)
            let error = await #expect(throws: DatabaseError.self) { try await b.exchange() }
            #expect(error?.resultCode == .SQLITE_BUSY)
            try reader.inDatabase { try $0.execute(sql: "COMMIT") }
            for _ in 0..<2 { for app in [b, a] { try await app.exchange() } }
            #expect(try b.all() == a.all())
            #expect(try a.queue.text("SELECT name FROM tags") == "\"mine\"")
        }
    }

    @Test("a database that was deleted is filled again, and deletes nothing")
    func deleted() async throws {
        try await Self.pair { a, b, fixture, replica in
            try a.queue.run(Self.many)
            for app in [a, b] { try await app.exchange() }
            try b.queue.close()
            try FileManager.default.removeItem(atPath: fixture.path)
            let again = MirroredApp(try fixture.open(), replica)
            try await again.start()
            for app in [again, a, again] { try await app.exchange() }
            #expect(try again.all() == a.all())
            #expect(try a.queue.text("SELECT count(*) FROM lists") == "500")
        }
    }

    @Test("a group that takes the service too long is sent in smaller ones, until it takes them")
    func tooSlow() async throws {
        try await Self.pair { a, b, _, replica in
            try a.queue.run(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO lists SELECT 'l' || i, 'title ' || i, NULL FROM n
                """)
            replica.setMostChanges(800)
            // 3,000, 1,500 and 750, which is taken; then a quarter more, which is too much.
            for _ in 0..<2 { await #expect(throws: ReplicaDouble.TooLong.self) { try await a.exchange() } }
            #expect(replica.received.isEmpty)
            await #expect(throws: ReplicaDouble.TooLong.self) { try await a.exchange() }
            #expect(replica.received.map(\.changes.count) == [750])
            replica.setMostChanges(600)
            // Each of 500 that is taken is followed by one of 625.
            for _ in 0..<3 { await #expect(throws: ReplicaDouble.TooLong.self) { try await a.exchange() } }
            try await a.exchange()
            #expect(replica.received.map(\.changes.count) == [750, 500, 500, 500, 500, 250])
            try await b.exchange()
            #expect(try b.all() == a.all())
        }
    }

    @Test("a long journal is looked through while others write, and loses some lines at a time")
    func longJournal() async throws {
        try await Self.pair { a, b, _, _ in
            try await a.queue.write { db in
                try db.execute(sql: "INSERT INTO lists VALUES ('l', 'one', NULL)")
                for number in 0..<5000 {
                    try db.execute(sql: "UPDATE lists SET color = ? WHERE id = 'l'", arguments: ["c\(number)"])
                }
            }
            #expect(try await JournalBound.enforce(in: a.queue) == 2)
            #expect(try await a.queue.read { try MirrorJournal.waiting(in: $0) } == 2)
            for app in [a, b] { try await app.exchange() }
            #expect(try b.all() == a.all())
            #expect(try b.queue.text("SELECT color FROM lists") == "\"c4999\"")
        }
    }

    @Test("the pace falls by half to 500 lines, and grows again by a quarter")
    func pace() {
        var pace = JournalPace()
        pace.succeeded()
        #expect(pace.lines == 20_000)
        pace.tookTooLong(20_000)
        #expect(pace.lines == 10_000)
        // The bytes had made it fewer lines.
        pace.tookTooLong(2_500)
        #expect(pace.lines == 1_250)
        for _ in 0..<5 { pace.tookTooLong(2_500) }
        #expect(pace.lines == 500)
        pace.succeeded()
        #expect(pace.lines == 625)
        for _ in 0..<20 { pace.succeeded() }
        #expect(pace.lines == 20_000)
    }
}
