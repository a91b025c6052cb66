import BatonCore
import BatonStore
import BatonTestSupport
import Foundation
import GRDB
import Testing

@Suite struct DaemonDatabaseTests {
    let temporary: TemporaryDirectory
    init() throws { temporary = try TemporaryDirectory() }
    var path: String { temporary.file("baton.sqlite") }

    static let first = DaemonDatabase.Migration("test-1") { try $0.execute(sql: "CREATE TABLE a (x INTEGER)") }
    static let second = DaemonDatabase.Migration("test-2") { try $0.execute(sql: "ALTER TABLE a ADD COLUMN y TEXT") }

    @Test func `what was written is there after opening again, and the schema moves forward`() async throws {
        let database = try DaemonDatabase(path: path, migrations: [Self.first])
        try await database.write { try $0.execute(sql: "INSERT INTO a VALUES (5)") }
        try database.close()
        let again = try DaemonDatabase(path: path, migrations: [Self.first, Self.second])
        let row = try await again.read { try Row.fetchOne($0, sql: "SELECT x, y FROM a").map { [$0["x"] as Int?] } }
        #expect(row == [5])
    }

    @Test func `writes are durable and private`() async throws {
        let database = try DaemonDatabase(path: path, migrations: [Self.first])
        let settings = try database.writeBlocking { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        #expect(settings.0 == 2)
        #expect(settings.1 == "wal")
        for name in try FileManager.default.contentsOfDirectory(atPath: temporary.path) {
            #expect(temporary.permissions(name) == 0o600, "\(name)")
        }
    }

    @Test func `a transaction that fails leaves nothing`() async throws {
        let database = try DaemonDatabase(path: path, migrations: [Self.first])
        await #expect(throws: (any Error).self) {
            try await database.write { db in
                try db.execute(sql: "INSERT INTO a VALUES (1)")
                try db.execute(sql: "INSERT INTO nonexistent VALUES (1)")
            }
        }
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM a") } == 0)
    }

    @Test func `a database that was not closed is recovered from its log`() async throws {
        let database = try DaemonDatabase(path: path, migrations: [Self.first])
        for number in 0..<100 {
            try await database.write { try $0.execute(sql: "INSERT INTO a VALUES (?)", arguments: [number]) }
        }
        // As a crash leaves it: the log was not merged into the file.
        let copy = temporary.file("copy.sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
        let recovered = try DaemonDatabase(path: copy, migrations: [Self.first])
        #expect(try await recovered.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM a") } == 100)
        withExtendedLifetime(database) {}
    }

    @Test func `a damaged database is reported and left as it is`() async throws {
        let database = try DaemonDatabase(path: path, migrations: [Self.first])
        try await database.write { db in
            for _ in 0..<2000 { try db.execute(sql: "INSERT INTO a VALUES (1)") }
        }
        try database.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var damages: [Data] = [Data("not a database at all, and longer than a header would be ........".utf8)]
        damages.append(Data(whole.prefix(whole.count / 2)))
        var overwritten = whole
        overwritten.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
        damages.append(overwritten)
        for damage in damages {
            try damage.write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: BatonError.self) { try DaemonDatabase(path: path, migrations: [Self.first]) }
            #expect(error?.code == .dataLoss)
            #expect(error?.reason == "database_damaged")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damage)
        }
    }

    /// SQLite 3.40's quick check finds a NULL in such a table that is not there.
    @Test func `a table whose key is in another order than its columns is no damage`() async throws {
        let table = DaemonDatabase.Migration("test-1") { db in
            try db.execute(
                sql: "CREATE TABLE a (x BLOB NOT NULL, y INTEGER NOT NULL, PRIMARY KEY (y, x)) STRICT, WITHOUT ROWID")
        }
        let database = try DaemonDatabase(path: path, migrations: [table])
        try await database.write { try $0.execute(sql: "INSERT INTO a VALUES (x'01', 2)") }
        try database.close()
        let again = try DaemonDatabase(path: path, migrations: [table])
        #expect(try await again.read { try Int.fetchOne($0, sql: "SELECT y FROM a") } == 2)
    }

    @Test func `a database that a newer version wrote is refused`() throws {
        try DaemonDatabase(path: path, migrations: [Self.first, Self.second]).close()
        let error = #expect(throws: BatonError.self) { try DaemonDatabase(path: path, migrations: [Self.first]) }
        #expect(error?.reason == "database_newer")
    }

    @Test func `a path where no database can be is refused`() {
        for path in ["/nonexistent/x.sqlite", temporary.path] {
            #expect(throws: BatonError.self) { try DaemonDatabase(path: path, migrations: []) }
        }
    }
}
