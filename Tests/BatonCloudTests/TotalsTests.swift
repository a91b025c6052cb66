import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import GRDB
import Testing

@testable import BatonCloud

/// `baton-cloud verify` counts anew what the cloud keeps in totals, and names each that is wrong.
@Suite("Totals of the cloud", .serialized) struct TotalsTests {
    private static let rootKey = P256.Signing.PrivateKey()
    private static let account = AccountID(rootKey: rootKey.publicKey)
    private static let zone = ZoneID(unchecked: Data(repeating: 1, count: 32))
    private static let blob = BlobHash(of: Data("blob".utf8))

    /// Two zones, of which one is being removed; four items, of which one is deleted; a blob that two of them name.
    private static func fill(_ store: any ItemStore) async throws {
        _ = try await store.addAccount(
            account, rootKey: rootKey.publicKey.x963Representation, statements: [.sample], invitation: nil)
        _ = try await store.beginBlob(blob, size: 4, of: account)
        try await store.finishBlob(blob, size: 4, of: account)
        let gone = ZoneID(unchecked: Data(repeating: 2, count: 32))
        for (number, zone) in [(1, zone), (2, zone), (3, zone), (4, gone)] {
            let content = ItemContent(sealed: Data("text".utf8), blobs: number < 3 ? [blob] : [])
            let write = ItemWrite(ItemID(unchecked: CloudClient.name(number)), replaces: 0, content: content)
            _ = try await store.write(
                WriteBatch(key: StoreRules.systemRandom(16), writes: [write]), to: zone, of: account)
        }
        let deletion = ItemWrite(ItemID(unchecked: CloudClient.name(3)), replaces: 3, content: nil)
        _ = try await store.write(
            WriteBatch(key: StoreRules.systemRandom(16), writes: [deletion]), to: zone, of: account)
        try await store.removeZone(gone, of: account)
    }

    /// Deliberate damage, and the expected findings.
    private static func mistakes(answers: String) -> [(sql: String, said: [String])] {
        let owner = "account \(account.rawValue)"
        let own = "zone \(zone.bytes.hexadecimal) of \(owner)"
        return [
            ("UPDATE accounts SET items = 7", ["\(owner): 7 items are kept in its total, and there are 3"]),
            (
                "UPDATE accounts SET item_bytes = item_bytes + 1",
                ["\(owner): 457 bytes of items are kept in its total, and there are 456"]
            ),
            ("UPDATE accounts SET blobs = 0", ["\(owner): 0 blobs are kept in its total, and there are 1"]),
            (
                "UPDATE accounts SET blob_bytes = 9",
                ["\(owner): 9 bytes of blobs are kept in its total, and there are 4"]
            ),
            ("UPDATE accounts SET zones = 2", ["\(owner): 2 zones are kept in its total, and there are 1"]),
            (answers, ["\(owner): 6 answers are kept in its total, and there are 5"]),
            (
                "UPDATE zones SET items = 2 WHERE name IS NOT NULL",
                [
                    "\(own): 2 items are kept in its total, and there are 3",
                    "\(owner): 3 items are kept in its total, and there are 2",
                ]
            ),
            (
                "UPDATE zones SET item_bytes = 0 WHERE name IS NULL",
                ["a deleted zone of \(owner): 0 bytes of items are kept in its total, and there are 132"]
            ),
            (
                "UPDATE zones SET head = 3 WHERE name IS NOT NULL",
                [
                    "zone \(zone.bytes.hexadecimal): it has come to version 3, but has an item of version 4 and has "
                        + "forgotten deletions up to version 0"
                ]
            ),
            (
                "UPDATE blobs SET uses = 0",
                ["blob \(blob.hexadecimal) of \(owner): 0 uses are kept in its total, and items name it 2 times"]
            ),
        ]
    }

    @Test("Each wrong total of SQLite is named, by the command too")
    func sqlite() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        try await Self.fill(store)
        try store.close()
        #expect(try CloudDatabase.findings(path: path) == [])
        for (sql, said) in Self.mistakes(answers: "UPDATE accounts SET answers = answers + 1") {
            let copy = folder.file("\(UUID().uuidString).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let queue = try DatabaseQueue(path: copy)
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
            #expect(try CloudDatabase.findings(path: copy) == said, "\(sql)")
        }
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "UPDATE accounts SET items = 7") }
        try queue.close()
        let command = try await CloudCommand.run(["verify", "--data", folder.path])
        #expect(command.status == 1 && command.says("7 items are kept in its total, and there are 3"), "\(command)")
    }

    @Test("An index that does not fit its table is named, and so is a file that cannot be looked through")
    func damage() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        try await Self.fill(store)
        try store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        // An item's name in a leaf of an index, by the page's first byte.
        let name = try #require(
            stride(from: 4096, to: whole.count, by: 4096).lazy.filter { whole[$0] == 0x0A }
                .compactMap { whole.range(of: CloudClient.name(2), in: $0..<($0 + 4096)) }.first)
        var damaged = whole
        damaged[name.lowerBound + 5] ^= 1
        try damaged.write(to: URL(fileURLWithPath: path))
        let index = try CloudDatabase.findings(path: path)
        #expect(index.contains { $0.contains("missing from index") }, "\(index)")
        damaged = whole
        for page in stride(from: 4096, to: whole.count, by: 4096) { damaged[page] = 0xFF }
        try damaged.write(to: URL(fileURLWithPath: path))
        let file = try CloudDatabase.findings(path: path)
        #expect(!file.isEmpty && !file.contains { $0.contains("baton-cloud verify") }, "\(file)")
    }

    @Test("Each wrong total of PostgreSQL is named")
    func postgreSQL() async throws {
        let server = try await PostgreSQLServer.shared.value
        let place = try await server.place()
        let store = try PostgreSQLItemStore(location: place, rules: StoreRules())
        defer { store.close() }
        try await Self.fill(store)
        #expect(try PostgreSQLVerification.findings(location: place) == [])
        let tables = ["accounts", "zones", "blobs"]
        for table in tables {
            try await server.query("CREATE TABLE right_\(table) AS SELECT * FROM \(table)", in: place)
        }
        for (sql, said) in Self.mistakes(answers: "UPDATE accounts SET forgotten = forgotten - 1") {
            try await server.query(sql, in: place)
            #expect(try PostgreSQLVerification.findings(location: place) == said, "\(sql)")
            for table in tables {
                try await server.query("DELETE FROM \(table)", in: place)
                try await server.query("INSERT INTO \(table) SELECT * FROM right_\(table)", in: place)
            }
        }
        #expect(try PostgreSQLVerification.findings(location: place) == [])
    }

    @Test("Databases from before answers counted have the right number of them after the step, and go on")
    func answersOfBefore() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let first = try SQLiteItemStore(path: path, rules: StoreRules())
        try await Self.fill(first)
        try first.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            for column in ["answers", "quota"] {
                try database.execute(sql: "ALTER TABLE accounts DROP COLUMN \(column)")
            }
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier IN ('cloud-2', 'cloud-6')")
        }
        try queue.close()
        // Backups of before are looked through, too.
        #expect(try CloudDatabase.findings(path: path) == [])
        let again = try SQLiteItemStore(path: path, rules: StoreRules())
        #expect(try await again.usage(of: Self.account).items == 3)
        try again.close()
        #expect(try CloudDatabase.findings(path: path) == [])

        let server = try await PostgreSQLServer.shared.value
        let place = try await server.place()
        let shared = try PostgreSQLItemStore(location: place, rules: StoreRules())
        try await Self.fill(shared)
        shared.close()
        try await server.query("ALTER TABLE accounts DROP COLUMN forgotten", in: place)
        try await server.query("ALTER TABLE zones DROP COLUMN history", in: place)
        try await server.query("ALTER TABLE accounts DROP COLUMN quota", in: place)
        try await server.query("DELETE FROM baton_schema WHERE version > 1", in: place)
        #expect(try PostgreSQLVerification.findings(location: place) == [])
        let later = try PostgreSQLItemStore(location: place, rules: StoreRules())
        defer { later.close() }
        #expect(try await later.usage(of: Self.account).items == 3)
        #expect(try PostgreSQLVerification.findings(location: place) == [])
    }
}
