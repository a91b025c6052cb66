import BatonTestSupport
import Foundation
import Synchronization
import Testing

extension Integration {
    /// `BATON_SEED` says what happens.
    @Suite(.serialized) struct RecordKillerTests {
        private typealias App = ReminderListsExample

        /// An app that is killed and started again.
        private final class RestartedApp: Sendable {
            let device: TestDevice
            private let current = Mutex<ReminderListsExample?>(nil)

            init(_ device: TestDevice) { self.device = device }

            func start() async throws -> ReminderListsExample {
                let app = try await App(device)
                current.withLock { $0 = app }
                return app
            }

            func kill() async {
                await current.withLock { $0 }?.process.kill()
            }
        }

        /// A person's rows, written by the program sqlite3: what it says is done is committed, whichever process is killed
        /// meanwhile.
        private struct Person: Sendable {
            let path: String
            let name: String
            var random: SeededGenerator
            /// The text of each row that must be there.
            var rows: [String: String] = [:]
            var last = 0

            mutating func act() async throws {
                last += 1
                let id = "\(name)-\(last)"
                let old = rows.keys.sorted()
                let statement: String
                var after = rows
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<4:
                    statement = "INSERT INTO items (id, text, list) VALUES ('\(id)', 'new', 'l')"
                    after[id] = "new"
                case 4..<7:
                    guard let row = old.randomElement(using: &random) else { return }
                    statement = "UPDATE items SET text = 'text \(last)' WHERE id = '\(row)'"
                    after[row] = "text \(last)"
                default:
                    guard let row = old.randomElement(using: &random) else { return }
                    statement = "DELETE FROM items WHERE id = '\(row)'"
                    after[row] = nil
                }
                let process = try ChildProcess(
                    ["/usr/bin/sqlite3", "-cmd", ".timeout 20000", path, statement],
                    environment: ["PATH": "/usr/bin:/bin"])
                guard try await process.status() == 0 else {
                    Issue.record("sqlite3: \(process.errors.all)")
                    return
                }
                rows = after
            }
        }

        // In the quiet lane, since it takes a while.
        @Test(
            "With apps and daemons killed meanwhile, no committed row is lost and none comes back: tables equal row by row, no broken reference (D-1, case 39)"
        )
        func killer() async throws {
            let seconds = Schedules.count(10, soak: 600)
            let seed = Schedules.oneSeed
            print("records killer: \(seconds) seconds, BATON_SEED=\(seed)")
            try await TestHousehold.with(2) { household in
                let apps = household.devices.prefix(2).map { RestartedApp($0) }
                var open = [try await apps[0].start(), try await apps[1].start()]
                try await open[0].sql("INSERT INTO lists VALUES ('l', 'All', NULL)")
                try await App.same(open[0], open[1])
                let people = try await Self.run(
                    apps, open.map(\.path), for: .seconds(seconds), seed: seed)
                open = []
                for app in apps {
                    await app.kill()
                    open.append(try await app.start())
                }
                try await App.same(open[0], open[1])
                let expected = people.flatMap { $0.rows.map { "\($0.key)|\($0.value)" } }.sorted()
                print("records killer: \(people.map(\.last)) statements, \(expected.count) rows must be there")
                for app in open {
                    let rows = try await app.rows("SELECT id, text FROM items").split(separator: "\n").map(String.init)
                    let (lost, more) = (Set(expected).subtracting(rows), Set(rows).subtracting(expected))
                    #expect(lost.isEmpty && more.isEmpty, "\(app.device.name) lost \(lost), and has besides \(more)")
                    try await app.quit()
                }
            }
        }

        private static func run(
            _ apps: [RestartedApp], _ paths: [String], for time: Duration, seed: UInt64
        ) async throws -> [Person] {
            let end = ContinuousClock.now + time
            return try await withThrowingTaskGroup(of: Person?.self) { group in
                for (index, path) in paths.enumerated() {
                    group.addTask {
                        var person = Person(
                            path: path, name: "p\(index)", random: SeededGenerator(seed: seed &+ 10 &+ UInt64(index)))
                        while ContinuousClock.now < end {
                            try await person.act()
                            let calm = Duration.milliseconds(Int.random(in: 0...40, using: &person.random))
                            try await Task.sleep(for: calm)  // sleeps: people do nothing now and then
                        }
                        return person
                    }
                }
                group.addTask {
                    var random = SeededGenerator(seed: seed)
                    while ContinuousClock.now < end {
                        let app = apps[Int.random(in: 0..<apps.count, using: &random)]
                        let away = Duration.milliseconds(Int.random(in: 0...500, using: &random))
                        if Bool.random(using: &random) {
                            await app.kill()
                            try await Task.sleep(for: away)  // sleeps: how long it is away is what is tried
                            _ = try await app.start()
                        } else {
                            try await app.device.kill()
                            try await Task.sleep(for: away)  // sleeps: how long it is away is what is tried
                            try await app.device.start()
                        }
                        let calm = Duration.milliseconds(Int.random(in: 0...800, using: &random))
                        try await Task.sleep(for: calm)  // sleeps: they sync meanwhile
                    }
                    return nil
                }
                var people: [Person] = []
                for try await person in group { if let person { people.append(person) } }
                return people
            }
        }
    }
}
