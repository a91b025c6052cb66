import BatonCore
import Foundation
import GRDB
import RecordMirror
import Testing

/// Each change is counted once, whatever fails between an app and its daemon (D-1).
extension CounterTests {
    /// Lines up to now were written before a pause.
    private static func pause(_ device: Device) throws {
        try device.queue.run("UPDATE baton_journal SET time = time - 120000 WHERE op > 0")
    }

    private static func views(_ devices: Device...) throws -> Set<String> {
        Set(try devices.map { try $0.queue.text("SELECT views FROM pages WHERE id = 'p'") })
    }

    @Test("a column that a migration adds and fills keeps its numbers, and counts from them")
    func filledByMigration() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let daemons = [MergingDaemon(), MergingDaemon(clock: 1_000_000)]
                let queues = try [one, other].map {
                    try $0.open("CREATE TABLE pages (id TEXT PRIMARY KEY NOT NULL, title TEXT)")
                }
                func apps(_ counters: Set<String>) async throws -> [MirroredApp] {
                    var apps: [MirroredApp] = []
                    for (queue, daemon) in zip(queues, daemons) {
                        let app = MirroredApp(queue, daemon, tables: [MirrorTable("pages", counters: counters)])
                        try await app.start()
                        apps.append(app)
                    }
                    return apps
                }
                func settle(_ apps: [MirroredApp]) async throws {
                    for _ in 0..<3 {
                        for app in apps { try await app.exchange() }
                        try daemons[0].hear(daemons[1])
                        try daemons[1].hear(daemons[0])
                    }
                    for app in apps { try await app.exchange() }
                }
                let before = try await apps([])
                try queues[0].run("INSERT INTO pages VALUES ('p', 'x'), ('q', 'x')")
                try await settle(before)
                for queue in queues {
                    try queue.run(
                        """
                        ALTER TABLE pages ADD COLUMN views INTEGER NOT NULL DEFAULT 0;
                        UPDATE pages SET views = 50 WHERE id = 'p';
                        """)
                }
                let after = try await apps(["views"])
                try await settle(after)
                for queue in queues { #expect(try queue.text("SELECT views FROM pages ORDER BY id") == "50\n0") }
                for queue in queues { try queue.run("UPDATE pages SET views = views + 1") }
                try await settle(after)
                for queue in queues { #expect(try queue.text("SELECT views FROM pages ORDER BY id") == "52\n2") }
            }
        }
    }

    @Test("rows from before sync keep their numbers where they are counted before the daemon is there at all")
    func countedBeforeFirstExchange() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                var apps: [(app: MirroredApp, daemon: MergingDaemon)] = []
                for (index, fixture) in [one, other].enumerated() {
                    let queue = try fixture.open(Self.schema)
                    let daemon = MergingDaemon(clock: UInt64(index) * 1_000_000)
                    try queue.run("INSERT INTO pages VALUES ('p', 'x', 50, 7), ('q', NULL, 0, NULL)")
                    let app = MirroredApp(queue, daemon, tables: Self.tables)
                    try await app.start()
                    try queue.run("UPDATE pages SET views = views + \(index + 1), stars = IFNULL(stars, 0) + 1")
                    if index == 0 { try await app.exchange() }
                    // It has heard of the first one's rows before it has said its own.
                    try apps.first.map { try daemon.hear($0.daemon) }
                    apps.append((app, daemon))
                }
                for _ in 0..<3 {
                    for (app, _) in apps { try await app.exchange() }
                    try apps[0].daemon.hear(apps[1].daemon)
                    try apps[1].daemon.hear(apps[0].daemon)
                }
                for (app, _) in apps { try await app.exchange() }
                for (app, _) in apps {
                    #expect(
                        try app.queue.text("SELECT id, views, stars FROM pages ORDER BY 1") == "\"p\"|53|9\n\"q\"|3|2")
                }
            }
        }
    }

    @Test("two processes that read one journal count once")
    func twoProcesses() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 0, 0)")
            try await Self.settle([a, b])
            try a.queue.run("UPDATE pages SET views = views + 1")
            // The other process has not removed its lines yet.
            try await a.sendOnly()
            try a.queue.run("UPDATE pages SET views = views + 1")
            let error = await #expect(throws: BatonError.self) { try await a.exchange() }
            #expect(error?.reason == "rows_taken")
            try await a.start()
            try await Self.settle([a, b])
            #expect(try Self.views(a, b) == ["2"])
        }
    }

    @Test("a row that is new has the number of its own time, also when the process dies before the journal is cut")
    func newRowBeforePause() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 5, 0)")
            try Self.pause(a)
            try a.queue.run("UPDATE pages SET views = views + 1")
            let reading = try await a.queue.read { db in
                try JournalReader(SchemaReader.read(Self.tables, in: db)).read(in: db)
            }
            #expect(
                reading?.groups.map(\.lines) == [
                    ["pages 'p' stars=0 title=\"x\" views=5"], ["pages 'p' views+=1"],
                ])
            try await a.sendOnly()
            try await a.start()
            try await Self.settle([a, b])
            #expect(try Self.views(a, b) == ["6"])
            // It was counted, and is gone and back: what was counted before is in its number.
            try a.queue.run("UPDATE pages SET views = views + 1")
            try Self.pause(a)
            try a.queue.run("DELETE FROM pages; INSERT INTO pages VALUES ('p', 'x', 9, 0)")
            try Self.pause(a)
            try a.queue.run("UPDATE pages SET views = views + 2")
            try await Self.settle([a, b])
            #expect(try Self.views(a, b) == ["11"])
        }
    }

    @Test("what was counted before a pause and after it is cut where the daemon has taken it")
    func pauses() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 0, 0)")
            try await Self.settle([a, b])
            try a.queue.run("UPDATE pages SET views = views + 1")
            try Self.pause(a)
            try a.queue.run("UPDATE pages SET views = views + 1")
            a.daemon.groupsBeforeFailure = 1
            await #expect(throws: MergingDaemon.Failure.self) { try await a.exchange() }
            a.daemon.groupsBeforeFailure = nil
            try await a.start()
            try await Self.settle([a, b])
            #expect(try Self.views(a, b) == ["2"])
        }
    }

    @Test("a restored copy with rows that it had not sent overwrites nothing newer, and brings nothing deleted back")
    func restoredInsertions() async throws {
        try await Self.pair { a, b, fixture in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 3, 0), ('q', 'x', 0, 0), ('r', 'x', 0, 0)")
            try await a.queue.vacuum(into: fixture.path + ".old")
            try await Self.settle([a, b])
            try b.queue.run(
                """
                UPDATE pages SET views = views + 4, title = 'new' WHERE id = 'p'; DELETE FROM pages WHERE id = 'q'
                """)
            try await Self.settle([a, b])
            try a.queue.close()
            try FileManager.default.removeItem(atPath: fixture.path)
            try FileManager.default.moveItem(atPath: fixture.path + ".old", toPath: fixture.path)
            let again = try await Device(fixture, a.daemon)
            try await Self.settle([again, b])
            for device in [again, b] {
                #expect(
                    try device.queue.text("SELECT id, title, views FROM pages ORDER BY 1") == """
                        "p"|"new"|7
                        "r"|"x"|0
                        """)
            }
        }
    }

    @Test("a long journal adds nothing to lines that the daemon may have, also in a file of an earlier version")
    func boundAfterLostAnswer() async throws {
        try await Self.pair { a, b, _ in
            try a.queue.run("INSERT INTO pages VALUES ('p', 'x', 0, 0)")
            try await Self.settle([a, b])
            try a.queue.run("UPDATE pages SET views = views + 1")
            a.daemon.losesAnswer = true
            await #expect(throws: MergingDaemon.Failure.self) { try await a.exchange() }
            a.daemon.losesAnswer = false
            for _ in 0..<3 { try a.queue.run("UPDATE pages SET views = views + 1") }
            #expect(try await a.queue.write { try JournalBound.enforce(in: $0) } == 2)
            try await a.start()
            try await Self.settle([a, b])
            #expect(try Self.views(a, b) == ["4"])
        }
        try await MirrorFixture.with { fixture in
            let queue = try fixture.open(
                Self.schema + """
                    CREATE TABLE baton_state (
                        id INTEGER PRIMARY KEY CHECK (id = 1), applying INTEGER NOT NULL DEFAULT 0, actor BLOB, cursor BLOB,
                        file TEXT, schemaVersion INTEGER, shapes TEXT, comparison INTEGER NOT NULL DEFAULT 0);
                    """)
            let app = MirroredApp(queue, MergingDaemon(), tables: Self.tables)
            for _ in 0..<2 {
                try await app.start()
                try queue.run("INSERT OR REPLACE INTO pages VALUES ('p', 'x', 0, 0)")
                try await app.exchange()
            }
            #expect(try queue.text("SELECT sent > 0, applying FROM baton_state") == "1|0")
        }
    }

    @Test("a row that is one of two records shows the number that it was given when it is replaced")
    func replacedMergedRow() async throws {
        try await MirrorFixture.with { one in
            try await MirrorFixture.with { other in
                let daemons = [MergingDaemon(), MergingDaemon(clock: 1_000_000)]
                let tables = [
                    MirrorTable("pages", unique: [.init(columns: ["slug"], collision: .merge)], counters: ["views"])
                ]
                let schema = """
                    CREATE TABLE pages (id TEXT PRIMARY KEY NOT NULL, slug TEXT NOT NULL UNIQUE, views INTEGER)
                    """
                var apps: [MirroredApp] = []
                for (fixture, daemon) in zip([one, other], daemons) {
                    let app = MirroredApp(try fixture.open(schema), daemon, tables: tables)
                    try await app.start()
                    apps.append(app)
                }
                func settle() async throws {
                    for _ in 0..<3 {
                        for app in apps { try await app.exchange() }
                        try daemons[0].hear(daemons[1])
                        try daemons[1].hear(daemons[0])
                    }
                    for app in apps { try await app.exchange() }
                }
                for (number, app) in apps.enumerated() {
                    try app.queue.run("INSERT INTO pages VALUES ('\(number)', 's', 0)")
                    try await app.exchange()
                    try app.queue.run("UPDATE pages SET views = views + \(number + 2)")
                    try await app.exchange()
                }
                try await settle()
                for app in apps { #expect(try app.queue.text("SELECT * FROM pages") == "\"0\"|\"s\"|5") }
                try apps[0].queue.run("INSERT OR REPLACE INTO pages VALUES ('0', 's', 10)")
                try await settle()
                for app in apps { #expect(try app.queue.text("SELECT * FROM pages") == "\"0\"|\"s\"|10") }
                try apps[1].queue.run("DELETE FROM pages; INSERT INTO pages VALUES ('0', 's', NULL)")
                try await settle()
                try apps[0].queue.run("UPDATE pages SET views = views + 1")
                try await settle()
                for app in apps { #expect(try app.queue.text("SELECT * FROM pages") == "\"0\"|\"s\"|1") }
            }
        }
    }
}
