import Foundation
import GRDB
import RecordMirror
import Testing

/// The record cases on real tables, with the rules of merging between them (D-1).
@Suite struct MirrorCaseTests {
    final class Device {
        let app: MirroredApp
        let daemon: MergingDaemon
        let fixture: MirrorFixture

        init(_ fixture: MirrorFixture, clock: UInt64) async throws {
            self.fixture = fixture
            daemon = MergingDaemon(clock: clock)
            app = MirroredApp(try fixture.open(), daemon)
            try await app.start()
        }

        func run(_ sql: String) throws { try app.queue.run(sql) }
        func text(_ sql: String) throws -> String { try app.queue.text(sql) }
    }

    static let lists = """
        INSERT INTO lists VALUES ('l1', 'One', 'red'), ('l2', 'Two', 'red');
        INSERT INTO items (id, text, list) VALUES ('i1', 'x', 'l1'), ('i2', 'x', 'l1'), ('i3', 'x', 'l1');
        """

    private static func devices(_ count: Int = 2, _ body: ([Device]) async throws -> Void) async throws {
        var fixtures: [MirrorFixture] = []
        defer { for fixture in fixtures { fixture.remove() } }
        var devices: [Device] = []
        for index in 0..<count {
            fixtures.append(try MirrorFixture())
            devices.append(try await Device(fixtures[index], clock: UInt64(index) * 1_000_000))
        }
        try await body(devices)
    }

    /// Everybody hears of everything, and shows it.
    static func settle(_ devices: [Device]) async throws {
        for _ in 0..<3 {
            for device in devices { try await device.app.exchange() }
            for device in devices {
                for other in devices where other !== device { try device.daemon.hear(other.daemon) }
            }
            for device in devices { try await device.app.exchange() }
        }
        for device in devices {
            #expect(try device.app.all() == devices[0].app.all())
            #expect(try device.text("PRAGMA foreign_key_check").isEmpty)
            #expect(try await device.app.queue.read { try MirrorJournal.waiting(in: $0) } == 0)
        }
    }

    /// Both change what the other has not seen.
    private static func apart(_ devices: [Device], _ changes: String...) async throws {
        try await settle(devices)
        for (device, change) in zip(devices, changes) {
            try device.run(change)
            try await device.app.exchange()
        }
        try await settle(devices)
    }

    @Test("columns are merged, and an edit keeps a row (cases 1, 4, 5)")
    func columns() async throws {
        try await Self.devices { devices in
            try devices[0].run(Self.lists)
            try await Self.apart(
                devices, "UPDATE items SET text = 'A' WHERE id = 'i1'; DELETE FROM items WHERE id = 'i2'",
                "UPDATE items SET done = 1 WHERE id = 'i1'; UPDATE items SET text = 'B' WHERE id = 'i2'")
            #expect(
                try devices[0].text("SELECT id, text, done FROM items ORDER BY 1")
                    == "\"i1\"|\"A\"|1\n\"i2\"|\"B\"|0\n\"i3\"|\"x\"|0")
            try devices[1].run("DELETE FROM items WHERE id = 'i1'")
            try await Self.settle(devices)
            #expect(try devices[0].text("SELECT id FROM items ORDER BY 1") == "\"i2\"\n\"i3\"")
        }
    }

    @Test(
        "a list comes back with what needs it, a tag does not; it is shown again when its deletion is undone (cases 8 to 11)"
    )
    func references() async throws {
        try await Self.devices { devices in
            try devices[0].run(
                Self.lists + """
                    INSERT INTO lists VALUES ('l3', 'Three', NULL), ('l4', 'Four', NULL); INSERT INTO tags VALUES ('t', 'tag');
                    INSERT INTO items (id, text, list) VALUES ('j', 'x', 'l2'), ('k', 'x', 'l2'), ('m', 'x', 'l4');
                    """)
            try await Self.apart(
                devices,
                "DELETE FROM lists WHERE id = 'l1'; DELETE FROM lists WHERE id = 'l2'; UPDATE items SET list = 'l3' WHERE id = 'm'; DELETE FROM tags",
                "INSERT INTO items (id, text, list) VALUES ('n', 'new', 'l1'); UPDATE items SET done = 1 WHERE id = 'j'; DELETE FROM lists WHERE id = 'l3'; UPDATE items SET tag = 't' WHERE id = 'm'"
            )
            #expect(
                try devices[1].text(
                    "SELECT i.id, l.id, i.tag FROM items AS i JOIN lists AS l ON l.id = i.list ORDER BY 1")
                    == "\"j\"|\"l2\"|NULL\n\"m\"|\"l3\"|NULL\n\"n\"|\"l1\"|NULL")
            #expect(try devices[0].text("SELECT count(*) FROM tags") == "0")
            try devices[0].run("INSERT INTO tags VALUES ('t', 'tag')")
            try await Self.settle(devices)
            #expect(try devices[0].text("SELECT tag FROM items WHERE id = 'm'") == "\"t\"")
        }
    }

    @Test(
        "rows of one unique value become one, on three devices that meet in pairs, and a swap is a swap (cases 15 to 18)"
    )
    func unique() async throws {
        try await Self.devices(3) { devices in
            for (index, device) in devices.enumerated() {
                try device.run(
                    "INSERT INTO lists VALUES ('h\(index)', 'Home', NULL); INSERT INTO items (id, text, list) VALUES ('i\(index)', 'a', 'h\(index)')"
                )
                try await device.app.exchange()
            }
            try devices[1].daemon.hear(devices[2].daemon)
            try await devices[1].app.exchange()
            try await Self.settle(devices)
            #expect(
                try devices[2].text("SELECT i.id, l.id FROM items AS i JOIN lists AS l ON l.id = i.list ORDER BY 1")
                    == "\"i0\"|\"h0\"\n\"i1\"|\"h0\"\n\"i2\"|\"h0\"")
            try devices[0].run("INSERT INTO lists VALUES ('s1', 'First', NULL), ('s2', 'Second', NULL)")
            try await Self.apart(
                devices,
                "UPDATE lists SET title = '' WHERE id = 's1'; UPDATE lists SET title = 'First' WHERE id = 's2'; UPDATE lists SET title = 'Second' WHERE id = 's1'",
                "UPDATE lists SET color = 'blue' WHERE id = 's1'")
            #expect(
                try devices[2].text("SELECT id, title, color FROM lists WHERE id LIKE 's%' ORDER BY 1")
                    == "\"s1\"|\"Second\"|\"blue\"\n\"s2\"|\"First\"|NULL")
            // Case 16.
            try await Self.apart(
                devices, "UPDATE lists SET title = 'Work' WHERE id = 's1'",
                "UPDATE lists SET title = 'Work' WHERE id = 's2'")
            #expect(try devices[0].text("SELECT count(*) FROM lists WHERE title = 'Work'") == "1")
        }
    }

    @Test(
        "two databases from before sync that give one title to two rows: one row, with the items of both (cases 15, 33)"
    )
    func titlesFromBefore() async throws {
        try await Self.devices { devices in
            for (index, device) in devices.enumerated() {
                try device.run(
                    "INSERT INTO lists VALUES ('h\(index)', 'Home', NULL); INSERT INTO items (id, text, list) VALUES ('i\(index)', 'a', 'h\(index)'); DELETE FROM baton_journal"
                )
            }
            try await devices[0].app.exchange()
            try devices[1].daemon.hear(devices[0].daemon)
            try await Self.settle(devices)
            #expect(try devices[1].text("SELECT id, list FROM items ORDER BY 1") == "\"i0\"|\"h0\"\n\"i1\"|\"h0\"")
            #expect(try devices[1].text("SELECT count(*) FROM baton_held") == "0")
        }
    }

    @Test("a changed key: the row under the old key with the other's edit, and the new one (case 22)")
    func keys() async throws {
        try await Self.devices { devices in
            try devices[0].run(Self.lists)
            try await Self.apart(
                devices, "UPDATE items SET id = 'new' WHERE id = 'i1'", "UPDATE items SET text = 'B' WHERE id = 'i1'")
            #expect(
                try devices[0].text("SELECT id, text FROM items WHERE id IN ('i1', 'new') ORDER BY 1")
                    == "\"i1\"|\"B\"\n\"new\"|\"x\"")
        }
    }

    @Test(
        "random changes of three databases, exchanged at random, end in equal tables without broken references",
        arguments: 0..<12)
    func random(seed: Int) async throws {
        var random = SplitMix(state: UInt64(seed))
        try await Self.devices(3) { devices in
            for _ in 0..<60 {
                let device = devices[Int.random(in: 0..<3, using: &random)]
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<6:
                    let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.statement(&random) }
                    // A write that a constraint refuses is rolled back.
                    try? device.run(statements.joined(separator: "; "))
                case 6, 7: try await device.app.exchange()
                default: try device.daemon.hear(devices[Int.random(in: 0..<3, using: &random)].daemon)
                }
                #expect(try device.text("PRAGMA foreign_key_check").isEmpty)
            }
            try await Self.settle(devices)
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static func statement(_ random: inout SplitMix) -> String {
        func n(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        return switch n(11) {
        case 0: "INSERT INTO lists VALUES ('l\(n(4))', 'T\(n(4))', 'c\(n(9))')"
        case 1: "INSERT OR REPLACE INTO lists VALUES ('l\(n(4))', 'T\(n(4))', 'c\(n(9))')"
        case 2: "DELETE FROM lists WHERE id = 'l\(n(4))'"
        case 3: "UPDATE lists SET title = 'T\(n(4))' WHERE id = 'l\(n(4))'"
        case 4, 5:
            "INSERT INTO items (id, text, list, tag) SELECT 'i\(n(6))', 'x\(n(9))', id, (SELECT id FROM tags LIMIT 1) FROM lists LIMIT 1"
        case 6: "DELETE FROM items WHERE id = 'i\(n(6))'"
        case 7: "UPDATE items SET text = 'y\(n(99))', tag = (SELECT max(id) FROM tags) WHERE id = 'i\(n(6))'"
        case 8: "UPDATE items SET list = (SELECT max(id) FROM lists) WHERE id = 'i\(n(6))'"
        case 9: "INSERT INTO tags VALUES ('t\(n(3))', 'N\(n(3))') ON CONFLICT (id) DO UPDATE SET name = excluded.name"
        default: "DELETE FROM tags WHERE id = 't\(n(3))'"
        }
    }
}
