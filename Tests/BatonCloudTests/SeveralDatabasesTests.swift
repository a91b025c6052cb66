import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Testing

@testable import BatonCloud

/// Databases over which accounts are spread: which is which, what becomes of one that is away, and what `verify` sees.
@Suite("Several databases of a cloud", .serialized) struct SeveralDatabasesTests {
    private static let accounts = ["A", "B"].map { AccountID(unchecked: String(repeating: $0, count: 26)) }
    private static let keys = ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"]

    private static func open(_ places: [String]) throws -> ShardedItemStore {
        var stores: [PostgreSQLItemStore] = []
        do {
            for (index, place) in places.enumerated() {
                stores.append(try PostgreSQLItemStore(location: place, place: index + 1, rules: StoreRules()))
            }
            return try ShardedItemStore(stores)
        } catch {
            for store in stores { store.close() }
            throw error
        }
    }

    /// Two databases with an account in each.
    private static func filled() async throws -> [String] {
        let server = try await PostgreSQLServer.shared.value
        let places = [try await server.place(), try await server.place()]
        let store = try open(places)
        defer { store.close() }
        for account in accounts {
            _ = try await store.addAccount(account, rootKey: Data([4]), statements: [.sample], invitation: nil)
        }
        return places
    }

    private static func directories(_ places: [String]) async throws -> [[String]] {
        let server = try await PostgreSQLServer.shared.value
        var rows: [[String]] = []
        for place in places {
            rows.append(
                try await server.query("SELECT encode(value, 'hex') FROM server WHERE name = 'directory'", in: place))
        }
        return rows
    }

    // MARK: The directory

    @Test("A node that is given the databases in another order, or not all of them, is refused and changes nothing")
    func order() async throws {
        let server = try await PostgreSQLServer.shared.value
        let places = [try await server.place(), try await server.place(), try await server.place()]
        try Self.open(Array(places.prefix(2))).close()
        let known = try await Self.directories(Array(places.prefix(2)))
        #expect(known[0].count == 1 && known[1] == known[0])
        for list in [[1, 0], [1], [2, 1], [2, 0]] {
            await expectRefusal("other_directory", .failedPrecondition) {
                try Self.open(list.map { places[$0] }).close()
            }
        }
        do {
            try Self.open([places[1], places[0]]).close()
        } catch let error as BatonError {
            #expect(error.message.contains("database 2 is. Name it first"), "\(error)")
        }
        #expect(try await Self.directories(places) == known + [[]])
        try Self.open(places).close()
        #expect(try await Self.directories(places) == [known[0], known[0], known[0]])
    }

    @Test("Databases of before, which did not say which is the directory, are known by what is in them")
    func before() async throws {
        let server = try await PostgreSQLServer.shared.value
        let places = try await Self.filled()
        let known = try await Self.directories(places)
        for place in places { try await server.query("DELETE FROM server WHERE name = 'directory'", in: place) }
        for (list, reason) in [
            ([places[1], places[0]], "other_directory"), ([places[1]], "other_directory"),
            ([places[0]], "database_not_named"),
        ] {
            await expectRefusal(reason, .failedPrecondition) { try Self.open(list).close() }
        }
        #expect(try await Self.directories(places) == [[], []])
        try Self.open(places).close()
        #expect(try await Self.directories(places) == known)
    }

    // MARK: Verification

    @Test("Accounts that are in two databases, in another than the directory says, or in none, are named")
    func placements() async throws {
        let server = try await PostgreSQLServer.shared.value
        let places = try await Self.filled()
        #expect(try PostgreSQLPlacements.findings(places) == [])
        let first = try #require(try await server.query("SELECT name FROM accounts", in: places[0]).first)
        let second = try #require(try await server.query("SELECT name FROM accounts", in: places[1]).first)
        try await server.query("CREATE TABLE right_placements AS SELECT * FROM placements", in: places[0])
        for (sql, said) in [
            (
                "UPDATE placements SET database = (SELECT database FROM placements WHERE account = '\(first)')",
                ["account \(second): it is in database 2, and the directory says that it is in database 1"]
            ),
            (
                "DELETE FROM placements WHERE account = '\(first)'",
                ["account \(first): it is in database 1, and the directory does not know of it"]
            ),
            (
                "UPDATE placements SET removed = 1 WHERE account = '\(second)'",
                ["account \(second): it is in database 2, and the directory does not know of it"]
            ),
            (
                "INSERT INTO placements (account, database) SELECT 'Z', database FROM placements WHERE account = '\(first)'",
                [
                    "account Z: the directory says that it is in database 1, and it is not there: it was lost, or its "
                        + "registration was interrupted"
                ]
            ),
        ] as [(String, [String])] {
            try await server.query(sql, in: places[0])
            #expect(try PostgreSQLPlacements.findings(places) == said, "\(sql)")
            try await server.query("DELETE FROM placements", in: places[0])
            try await server.query("INSERT INTO placements SELECT * FROM right_placements", in: places[0])
        }
        let copy = "INSERT INTO accounts (id, name, root_key, space) VALUES (1, '\(second)', '', 'x')"
        try await server.query(copy, in: places[0])
        #expect(
            try PostgreSQLPlacements.findings(places) == [
                "account \(second): it is in database 1 and database 2 at once, and the directory says that it is in "
                    + "database 2"
            ])
        try await server.query("DELETE FROM accounts WHERE id = 1", in: places[0])
        #expect(try PostgreSQLPlacements.findings(places) == [])
        try await server.query("DELETE FROM server WHERE name = 'identity'", in: places[1])
        #expect(
            try PostgreSQLPlacements.findings(places) == [
                "database 2: its identity is missing, by which accounts are placed in it"
            ])
    }

    @Test("A statement of PostgreSQL's that was changed is named, and so is an account that has none")
    func statements() async throws {
        let server = try await PostgreSQLServer.shared.value
        let place = try await Self.filled()[0]
        let account = try #require(try await server.query("SELECT name FROM accounts", in: place).first)
        #expect(try PostgreSQLVerification.findings(location: place) == [])
        try await server.query("UPDATE statements SET signature = '\\x00'", in: place)
        let changed = try PostgreSQLVerification.findings(location: place)
        #expect(
            changed.count == 1 && changed[0].hasPrefix("statement ")
                && changed[0].hasSuffix(" of account \(account) is damaged"), "\(changed)")
        try await server.query("DELETE FROM statements", in: place)
        #expect(
            try PostgreSQLVerification.findings(location: place) == [
                "account \(account): it has no membership statement, so it has no member"
            ])
    }

    // MARK: One that is away

    @Test("While one database is away the store says which, until it is back")
    func away() async throws {
        let other = try await PostgreSQLServer()
        do {
            let places = [try await PostgreSQLServer.shared.value.place(), try await other.place()]
            let store = try Self.open(places)
            defer { store.close() }
            // The same, with the one that will be away for the directory.
            let turned = try Self.open([try await other.place(), try await PostgreSQLServer.shared.value.place()])
            defer { turned.close() }
            #expect(try await store.checkAnswers()?.message == nil)
            #expect(try await turned.checkAnswers()?.message == nil)
            try await other.stop("QUIT")
            let told = try #require(try await store.checkAnswers())
            #expect(told.code == .unavailable && told.message.hasPrefix("Database 2 does not"), "\(told)")
            #expect(StorageHealth.database(of: told) == 2)
            do {
                _ = try await turned.checkAnswers()
                Issue.record("not refused")
            } catch let error as BatonError {
                #expect(error.code == .unavailable && error.message.hasPrefix("Database 1 does not"), "\(error)")
            }
            try await other.start()
            #expect(try await store.checkAnswers()?.message == nil)
        } catch {
            Issue.record(error)
        }
        await other.end()
    }

    @Test("A database that refuses is named with what it says, at once, and so is one that is not there")
    func refusing() async throws {
        let folder = try TemporaryDirectory()
        let server = try await PostgreSQLServer.shared.value
        let first = try await server.place()
        let host = "host=\(server.folder)"
        for (url, texts) in [
            ("postgresql://nobody@/postgres?\(host)", ["Database 2 refuses", #"role "nobody" does not exist"#]),
            ("postgresql://baton@/none?\(host)", ["Database 2 refuses", #"database "none" does not exist"#]),
            ("postgresql://baton@/postgres?\(host)&wish=1", ["Database 2 cannot be used", "wish", "Mend its URL"]),
            ("postgresql://baton@/postgres?host=\(folder.path)", ["Database 2 does not answer", "Check that it runs"]),
        ] {
            let outcome = try await CloudCommand.run(
                [
                    "serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0", "--postgres", first,
                    "--postgres", url, "--s3", "http://127.0.0.1:1/bucket",
                ], wrapper: Self.keys)
            #expect(outcome.status == 1, "\(outcome)")
            for text in texts { #expect(outcome.says(text), "\(text) is not in \(outcome)") }
            let isAway = url.hasSuffix(folder.path)
            #expect(outcome.says("Waiting for the database") == isAway, "\(outcome)")
        }
    }

    @Test("A server waits for a database that is not there yet, and then says that it is ready")
    func waiting() async throws {
        let folder = try TemporaryDirectory()
        let database = try await PostgreSQLServer()
        do {
            let place = try await database.place()
            try await database.stop("INT")
            try await S3Server.with { bucket in
                let server = try ChildProcess(
                    Self.keys + [
                        try Products.path("baton-cloud"), "serve", "--data", folder.file("data"), "--listen",
                        "127.0.0.1:0", "--postgres", place, "--s3", bucket.url("waiting"),
                    ])
                let isWaiting = try await within(.seconds(30), "the server to wait") {
                    try await server.errors.first { $0.contains("Waiting for the database") ? true : nil }
                }
                #expect(isWaiting != nil, "\(server.errors.all)")
                try await database.start()
                let answers = try await within(.seconds(60), "the server to answer") {
                    try await server.output.first { $0.contains(" answers at ") ? true : nil }
                }
                #expect(answers != nil, "\(server.errors.all)")
                await server.end()
            }
        } catch {
            Issue.record(error)
        }
        await database.end()
    }
}
