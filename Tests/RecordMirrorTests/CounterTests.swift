import Foundation
import GRDB
import RecordMirror
import Testing

/// Columns of which each change is sent as a difference (D-1).
@Suite("Counters of mirrored tables") struct CounterTests {
    static let schema = """
        CREATE TABLE pages (id TEXT PRIMARY KEY NOT NULL, title TEXT, views INTEGER NOT NULL DEFAULT 0, stars INTEGER);
        """
    static let tables = [MirrorTable("pages", counters: ["views", "stars"])]

    final class Device {
        let queue: DatabaseQueue
        let mirror: Mirror
        let daemon: MergingDaemon
        private var shapes: [TableShape] = []

        init(_ fixture: MirrorFixture, _ daemon: MergingDaemon) async throws {
            self.daemon = daemon
            queue = try fixture.open(CounterTests.schema)
            mirror = Mirror(queue, tables: CounterTests.tables, service: daemon) {
                Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
            }
            try await start()
        }

        func start() async throws {
            shapes = try await mirror.start()
            try await mirror.open(shapes)
        }

        func exchange() async throws { _ = try await mirror.exchange(shapes) }
        /// As if the process had died between the daemon's answer and the journal.
        func sendOnly() async throws {
            let reading = try await queue.read { [shapes] in try JournalReader(shapes).read(in: $0) }
            let state = try await mirror.state()
            _ = try await daemon.send(
                reading?.groups ?? [], actor: state.actor, cursor: state.cursor, known: (reading?.first ?? 1) - 1)
        }

        func read() throws -> ChangeGroup? { try queue.take(shapes).first }
        var pages: String { get throws { try queue.text("SELECT id, views, stars FROM pages ORDER BY 1") } }
    }

    static func settle(_ devices: [Device]) async throws {
        for _ in 0..<3 {
            for device in devices { try await device.exchange() }
            for device in devices {
                for other in devices where other !== device { try device.daemon.hear(other.daemon) }
            }
        }
        for device in devices { try await device.exchange() }
    }

    static func pair(_ body: (Device, Device, MirrorFixture) async throws -> Void) async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let a = try await Device(one, MergingDaemon())
                let b = try await Device(other, MergingDaemon(clock: 1_000_000))
                try await body(a, b, one)
            }
        }
    }

    @Test("an update of other columns does not run the triggers of those that count, nor the other way round")
    func triggers() async throws {
        try await Self.pair { a, _, _ in
            let triggers = try await a.queue.read { db in
                try String.fetchAll(
                    db, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%AFTER UPDATE%'")
            }
            let columns = triggers.compactMap { $0.firstMatch(of: /AFTER UPDATE OF (.*?) ON/).map { String($0.1) } }
            #expect(columns.sorted() == ["\"id\"", "\"stars\"", "\"title\"", "\"views\""])
            #expect(columns.count == triggers.count)
        }
    }

    @Test("what two devices add while apart adds up, and other columns go on as before")
    func adding() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 10, NULL), ('q', 'x', 0, NULL)")
            try await Self.settle([a, b])
            #expect(try b.pages == "\"p\"|10|0\n\"q\"|0|0" || b.pages == "\"p\"|10|NULL\n\"q\"|0|NULL")
            try a.queue.run(
                "UPDATE pages SET views = views + 1 WHERE id = 'p'; UPDATE pages SET views = views + 2, title = 'A' WHERE id = 'p'"
            )
            try b.queue.run("UPDATE pages SET views = views + 4, stars = 2 WHERE id = 'p'")
            try await Self.settle([a, b])
            for device in [a, b] {
                #expect(try device.queue.text("SELECT views, stars, title FROM pages WHERE id = 'p'") == "17|2|\"A\"")
            }
            a.daemon.forget()
            try a.queue.run("UPDATE pages SET views = views + 1; UPDATE pages SET views = views - 1")
            try await a.exchange()
            #expect(a.daemon.received.flatMap(\.changes).allSatisfy { $0.differences.isEmpty })
        }
    }

    @Test("a row that is put again, or replaced, shows the number that it was given")
    func restoredRow() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 0, 0)")
            try a.queue.run("UPDATE pages SET views = 3")
            try await Self.settle([a, b])
            try b.queue.run("UPDATE pages SET views = views + 4")
            try await Self.settle([a, b])
            try a.queue.run("DELETE FROM pages")
            try await Self.settle([a, b])
            #expect(try b.pages.isEmpty)
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 7, 0)")
            try a.queue.run("UPDATE pages SET views = views + 1")
            try await Self.settle([a, b])
            for device in [a, b] { #expect(try device.pages == "\"p\"|8|0") }
            try b.queue.run("INSERT OR REPLACE INTO pages VALUES ('p', 'y', 1, 0)")
            try await Self.settle([a, b])
            for device in [a, b] { #expect(try device.pages == "\"p\"|1|0") }
        }
    }

    @Test("a database that was restored from an older copy subtracts nothing, and adds nothing twice")
    func olderCopy() async throws {
        try await Self.pair { a, b, fixture in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 0, 0)")
            try await Self.settle([a, b])
            try a.queue.run("UPDATE pages SET views = views + 3")
            try await a.queue.vacuum(into: fixture.path + ".old")
            try await Self.settle([a, b])
            try b.queue.run("UPDATE pages SET views = views + 4")
            try await Self.settle([a, b])
            #expect(try a.pages == "\"p\"|7|0")
            try a.queue.close()
            try FileManager.default.removeItem(atPath: fixture.path)
            try FileManager.default.moveItem(atPath: fixture.path + ".old", toPath: fixture.path)
            let again = try await Device(fixture, a.daemon)
            #expect(try again.pages == "\"p\"|3|0")
            try await Self.settle([again, b])
            for device in [again, b] { #expect(try device.pages == "\"p\"|7|0") }
        }
    }

    @Test("a change that no trigger saw is a difference too; both had the row before sync began")
    func comparison() async throws {
        try await Self.pair { a, b, _ in
            for (device, number) in [(a, 5), (b, 5)] {
                try device.queue.run("INSERT INTO pages VALUES ('p', 'x', \(number), 0); DELETE FROM baton_journal")
            }
            try await Self.settle([a, b])
            for device in [a, b] { #expect(try device.pages == "\"p\"|5|0") }
            try await a.queue.write { db in
                try CaptureTriggers.remove(in: db)
                try db.execute(sql: "UPDATE pages SET views = views + 2")
            }
            try b.queue.run("UPDATE pages SET views = views + 1")
            try await b.exchange()
            try await a.start()
            try await Self.settle([a, b])
            for device in [a, b] { #expect(try device.pages == "\"p\"|8|0") }
        }
    }

    @Test("a new row that is read in parts counts nothing twice; a long journal keeps its sums")
    func parts() async throws {
        try await Self.pair { a, _, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 1, 0)")
            for _ in 0..<5 { try a.queue.run("UPDATE pages SET views = views + 1") }
            let shapes = try await a.mirror.start()
            var reader = JournalReader(shapes)
            reader.maximumLines = 2
            let total = try await a.queue.write { [reader] db in
                var total: Int64 = 0
                while let reading = try reader.read(in: db) {
                    for change in reading.groups.flatMap(\.changes) {
                        total += change.differences["views"] ?? 0
                        total += change.values["views"].flatMap { Int64.fromDatabaseValue($0) } ?? 0
                    }
                    try db.execute(sql: "DELETE FROM baton_journal WHERE seq <= ?", arguments: [reading.sequence])
                }
                return total
            }
            #expect(total == 6)
            for _ in 0..<5 { try a.queue.run("UPDATE pages SET views = views + 2, title = title || 'x'") }
            #expect(try await a.queue.write { try JournalBound.enforce(in: $0) } == 2)
            #expect(try a.read()?.changes.reduce(0) { $0 + ($1.differences["views"] ?? 0) } == 10)
        }
    }
}
