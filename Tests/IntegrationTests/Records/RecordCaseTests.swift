import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Cases of records on real daemons, beside ``RecordMirrorTests``: clocks, rows that are held, versions of an app, three devices, a full
    /// account, and one that was left (D-1).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct RecordCaseTests {
        private typealias App = ReminderListsExample

        private static let lists = """
            INSERT INTO lists VALUES ('l1', 'One', 'red'), ('l2', 'Two', 'red');
            INSERT INTO items (id, text, list) VALUES ('i1', 'x', 'l1'), ('i2', 'x', 'l1'), ('i3', 'x', 'l1');
            """

        private static func sqlite(_ path: String, _ statements: String) async throws {
            let process = try ChildProcess(
                ["/usr/bin/sqlite3", "-cmd", ".timeout 5000", path, statements], environment: ["PATH": "/usr/bin:/bin"])
            #expect(try await process.status() == 0, "\(process.errors.all)")
        }

        /// The output of `baton explain records` for the app, with its rows if one is named.
        private static func explanation(on device: TestDevice, _ row: String...) async throws -> String {
            let told = try await device.baton(
                ["explain", "records", "development.ReminderLists"] + row, expecting: nil)
            return told.lines.joined()
        }

        @Test(
            "what was written later wins over a clock that is a year slow; an item waits for its list, also over the daemon's end (D-1; cases 3, 12, 13, 14)"
        )
        func lateLists() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (try await App(household[0]), try await App(household[1]))
                try await a.sql(Self.lists + "UPDATE items SET text = 'A' WHERE id = 'i1'")
                try await App.until([b], "SELECT text FROM items WHERE id = 'i1'", are: "A")
                try await b.pause()
                try await b.sql("UPDATE items SET text = 'B' WHERE id = 'i1'")
                try await b.sql("UPDATE baton_journal SET time = time - 31536000000")
                try await b.resume()
                try await App.until([a, b], "SELECT text FROM items WHERE id = 'i1'", are: "B")

                // One item has no list, which the app's own connection would refuse.
                try await Self.sqlite(
                    a.path, "INSERT INTO items (id, text, list) VALUES ('early', 'x', 'late'), ('plain', 'x', 'l1')")
                try await App.until([b], "SELECT id FROM items WHERE id IN ('early', 'plain')", are: "plain")
                let held = try await Self.explanation(on: household[1])
                #expect(held.contains("items/early") && held.contains("lists/late"), "\(held)")
                try await household[1].kill()
                try await a.sql("INSERT INTO lists VALUES ('late', 'Late', NULL)")
                try await household[1].start()
                try await App.until([b], "SELECT list FROM items WHERE id = 'early'", are: "late")
                #expect(try await !Self.explanation(on: household[1]).contains("items/early"))

                // In one transaction, the item first.
                try await a.sql(
                    "PRAGMA defer_foreign_keys = ON; INSERT INTO items (id, text, list) VALUES ('t', 'x', 'lt'); INSERT INTO lists VALUES ('lt', 'T', NULL)"
                )
                try await App.until([b], "SELECT list FROM items WHERE id = 't'", are: "lt")
                try await App.same(a, b)
                for app in [a, b] { try await app.quit() }
            }
        }

        /// The table of lists is made anew with other columns while the app does not run.
        private static func rebuildLists(_ app: ReminderListsExample, _ columns: String, from old: String) async throws
        {
            try await app.quit()
            try await sqlite(
                app.path,
                """
                PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; BEGIN;
                CREATE TABLE fresh (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL UNIQUE, \(columns));
                INSERT INTO fresh SELECT id, title, \(old) FROM lists; DROP TABLE lists; ALTER TABLE fresh RENAME TO lists; COMMIT;
                """)
        }

        @Test(
            "a row of an older version gets the default of a new column, and is held until there is one; dropped and renamed columns: each version sees its own (D-1; cases 25, 26, 28)"
        )
        func columns() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (try await App(household[0]), try await App(household[1]))
                try await a.sql(Self.lists)
                try await App.same(a, b)
                try await Self.rebuildLists(
                    a, "color TEXT, icon TEXT NOT NULL, size INTEGER NOT NULL DEFAULT 7", from: "color, 'i', 1")
                let two = try await App(household[0])
                try await b.sql(
                    "INSERT INTO lists VALUES ('l9', 'Nine', NULL); INSERT INTO items (id, text, list) VALUES ('i9', 'x', 'l9')"
                )
                try await household[0].until("the row to be held") {
                    let held = try await Self.explanation(on: household[0])
                    return held.contains("lists/l9") && held.contains("NOT NULL constraint failed: lists.icon")
                }
                #expect(try await two.rows("SELECT count(*) FROM items WHERE id = 'i9'") == "0")
                try await Self.rebuildLists(
                    two, "color TEXT, icon TEXT NOT NULL DEFAULT 'none', size INTEGER NOT NULL DEFAULT 7",
                    from: "color, icon, size")
                let three = try await App(household[0])
                try await App.until(
                    [three], "SELECT l.icon, l.size FROM lists AS l JOIN items AS i ON i.list = l.id WHERE i.id = 'i9'",
                    are: "none|7")

                try await Self.rebuildLists(
                    three, "icon TEXT NOT NULL DEFAULT 'none', size INTEGER NOT NULL DEFAULT 7", from: "icon, size")
                try await Self.sqlite(a.path, "ALTER TABLE items RENAME COLUMN text TO label")
                let four = try await App(household[0])
                try await four.sql("UPDATE items SET label = 'four' WHERE id = 'i1'")
                try await four.sql("UPDATE lists SET title = 'Uno' WHERE id = 'l1'")
                try await b.sql("UPDATE items SET text = 'one' WHERE id = 'i1'")
                try await b.sql("UPDATE lists SET color = 'green' WHERE id = 'l1'")
                try await App.until(
                    [b], "SELECT text, title, color FROM items AS i JOIN lists AS l ON l.id = i.list WHERE i.id = 'i1'",
                    are: "one|Uno|green")
                try await four.sync()
                #expect(try await four.rows("SELECT label FROM items WHERE id IN ('i1', 'i2')") == "four\nx")
                for app in [four, b] { try await app.quit() }
            }
        }

        @Test("tags of one name on three devices that meet in pairs become one, the least (D-1; case 18)")
        func threeDevices() async throws {
            try await TestHousehold.with(3) { household in
                var apps: [ReminderListsExample] = []
                for (device, tag) in zip(household.devices, ["t2", "t1", "t3"]) {
                    let app = try await App(device, paused: true)
                    try await app.sql(
                        "INSERT INTO lists VALUES ('l\(tag)', '\(tag)', NULL); INSERT INTO tags VALUES ('\(tag)', 'Red'); INSERT INTO items (id, text, list, tag) VALUES ('i\(tag)', 'x', 'l\(tag)', '\(tag)')"
                    )
                    apps.append(app)
                }
                try await household[1].stop()
                for index in [0, 2] { try await apps[index].resume() }
                try await App.until([apps[0], apps[2]], "SELECT id FROM tags", are: "t2")
                try await household[0].stop()
                try await household[1].start()
                try await apps[1].resume()
                try await App.until([apps[1], apps[2]], "SELECT id FROM tags", are: "t1")
                try await household[0].start()
                try await App.until(apps, "SELECT id, tag FROM items ORDER BY 1", are: "it1|t1\nit2|t1\nit3|t1")
                try await App.until(apps, "SELECT id FROM tags", are: "t1")
                try await App.same(apps[0], apps[1])
                for app in apps { try await app.quit() }
            }
        }

        @Test(
            "an image that changes while it is sent arrives as the newer one; in a full account rows wait and say so, small ones and deletions go (D-1; cases 32, 37)"
        )
        func fullAccount() async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household, ["--quota", "3000000"]) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    let (a, b) = (try await App(household[0]), try await App(household[1]))
                    try await a.sql(Self.lists + "INSERT INTO covers VALUES ('l1', randomblob(300001))")
                    try await a.sql("UPDATE covers SET image = randomblob(300002)")
                    try await a.sync()
                    try await a.sql("UPDATE covers SET image = randomblob(300003)")
                    try await App.until([b], "SELECT length(image) FROM covers", are: "300003")
                    #expect(
                        try await a.rows("SELECT hex(image) FROM covers") == b.rows("SELECT hex(image) FROM covers"))

                    try await a.sql("INSERT INTO covers VALUES ('l2', randomblob(6000000))")
                    try await household[0].until("the row to wait for room") {
                        try await Self.explanation(on: household[0]).contains("cloud is full")
                    }
                    try await a.sql("UPDATE lists SET color = 'blue' WHERE id = 'l1'")
                    try await App.until([b], "SELECT color FROM lists WHERE id = 'l1'", are: "blue")
                    // It was never sent, and its deletion needs no room.
                    try await a.sql("DELETE FROM covers WHERE list = 'l2'")
                    try await household[0].until("the deletion to be sent") {
                        try await !Self.explanation(on: household[0]).contains("cloud is full")
                    }
                    try await App.same(a, b)
                    for app in [a, b] { try await app.quit() }
                }
            }
        }

        @Test(
            "rows that were edited or deleted after the device left its account are merged when it comes back, and no deletion is undone (D-1; case 36)"
        )
        func leftAccount() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (try await App(household[0]), try await App(household[1]))
                try await a.sql(
                    Self.lists
                        + "INSERT INTO items (id, text, list) VALUES ('d1', 'x', 'l1'), ('d2', 'x', 'l1'), ('d3', 'x', 'l1')"
                )
                try await App.same(a, b)
                try await household[1].baton("account", "leave", "--yes")
                try await b.sql(
                    "UPDATE items SET text = 'B' WHERE id = 'i1'; INSERT INTO items (id, text, list) VALUES ('b', 'new', 'l1')"
                )
                // The other device edits the last one, and this one has not seen it.
                try await b.sql("DELETE FROM items WHERE id IN ('d1', 'i2')")
                try await a.sql(
                    "UPDATE items SET done = 1 WHERE id = 'i1'; UPDATE items SET text = 'A' WHERE id = 'i2'; DELETE FROM items WHERE id IN ('d2', 'd3')"
                )
                #expect(try await b.rows("SELECT count(*) FROM items") == "5")
                try await household.pair(household[0], with: household[1])
                try await App.until(
                    [a, b], "SELECT id, text, done FROM items ORDER BY 1", are: "b|new|0\ni1|B|1\ni2|A|0\ni3|x|0")
                try await App.same(a, b)
                for app in [a, b] { try await app.quit() }
            }
        }
    }
}
