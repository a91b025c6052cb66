import BatonCore
import BatonTestSupport
import BatonWire
import Crypto
import Foundation
import GRDB
import Testing

@testable import BatonCloud

/// `baton-cloud verify` finds what was changed in a database whose file is whole, and changes nothing itself.
@Suite("Looking through a cloud", .serialized) struct VerificationTests {
    private static let zone = ZoneID(unchecked: Data(repeating: 1, count: 32))

    private func run(_ arguments: String...) async throws -> CloudCommand { try await CloudCommand.run(arguments) }

    private func put(
        _ number: Int, _ text: String?, replaces: UInt64 = 0, saying tombstone: Data? = nil, blobs: [BlobHash] = [],
        _ store: SQLiteItemStore, _ account: AccountID
    ) async throws {
        let content = text.map { ItemContent(sealed: Data($0.utf8), blobs: blobs) }
        let write = ItemWrite(
            ItemID(unchecked: CloudClient.name(number)), replaces: replaces, content: content, tombstone: tombstone)
        let outcome = try await store.write(
            WriteBatch(key: StoreRules.systemRandom(16), writes: [write]), to: Self.zone, of: account)
        guard case .written = outcome else { throw IntegrationFailure("a conflict: \(outcome)") }
    }

    /// Items that came (versions 2 and 3), were overwritten (6), and were deleted with a word and without (7 and 8).
    private func fill(_ path: String) async throws -> AccountID {
        let account = try TestAccount()
        let blob = BlobHash(of: Data("blob".utf8))
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        _ = try await store.secret()
        _ = try await store.addAccount(
            account.id, rootKey: account.rootKey.publicKey.x963Representation, statements: account.statements,
            invitation: nil)
        _ = try await store.beginBlob(blob, size: 4, of: account.id)
        try await store.finishBlob(blob, size: 4, of: account.id)
        for (number, text) in [(1, "one"), (2, "two"), (3, ""), (4, "four"), (5, "five")] {
            try await put(number, text, blobs: number == 2 ? [blob] : [], store, account.id)
        }
        try await put(1, "uno", replaces: 1, store, account.id)
        try await put(4, nil, replaces: 4, saying: Data("gone".utf8), store, account.id)
        try await put(5, nil, replaces: 5, store, account.id)
        try store.close()
        return account.id
    }

    private func change(_ path: String, _ statements: String...) async throws { try await change(path, statements) }

    private func change(_ path: String, _ statements: [String]) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            for sql in statements { try database.execute(sql: sql) }
        }
        try queue.close()
    }

    private func item(_ number: Int, in zone: Data = Self.zone.bytes) -> String {
        "item \(CloudClient.name(number).hexadecimal) of zone \(zone.hexadecimal) is damaged"
    }

    @Test("An item that was changed is named, whatever of it was; what was written, overwritten and deleted is not")
    func items() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        _ = try await fill(path)
        #expect(try CloudDatabase.findings(path: path) == [])
        for (sql, named) in [
            ("UPDATE items SET sealed = X'74774F' WHERE version = 2", [item(2)]),
            // Two contents that changed places.
            (
                "UPDATE items SET sealed = CASE version WHEN 2 THEN X'756E6F' ELSE X'74776F' END "
                    + "WHERE version IN (2, 6)", [item(1), item(2)]
            ),
            ("UPDATE items SET version = 1 WHERE version = 2", [item(2)]),
            ("UPDATE items SET name = X'\(CloudClient.name(9).hexadecimal)' WHERE version = 2", [item(9)]),
            ("UPDATE items SET written = written + 1 WHERE version = 3", [item(3)]),
            ("UPDATE items SET deleted = 0 WHERE version = 7", [item(4)]),
            ("UPDATE items SET sealed = X'676F6E65' WHERE version = 7", []),
            ("UPDATE items SET sealed = X'676F6E66' WHERE version = 7", [item(4)]),
            ("UPDATE items SET deleted = 0 WHERE version = 8", [item(5)]),
            ("UPDATE items SET checksum = checksum + 1 WHERE version = 8", [item(5)]),
        ] as [(String, [String])] {
            let copy = folder.file("\(UUID().uuidString).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try await change(copy, sql)
            #expect(try CloudDatabase.findings(path: copy) == named, "\(sql)")
        }
    }

    @Test("A statement of a membership that was changed is named")
    func statements() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let account = try await fill(path)
        try await change(path, "UPDATE statements SET signature = X'00'")
        let findings = try CloudDatabase.findings(path: path)
        #expect(
            findings.count == 1 && findings[0].hasPrefix("statement ")
                && findings[0].hasSuffix(" of account \(account.rawValue) is damaged"), "\(findings)")
    }

    @Test("An account whose statements are all gone is named")
    func withoutStatements() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let account = try await fill(path)
        try await change(path, "DELETE FROM statements")
        #expect(
            try CloudDatabase.findings(path: path) == [
                "account \(account.rawValue): it has no membership statement, so it has no member"
            ])
    }

    @Test("A table that says of itself what it is not is named, though the file is whole, and no backup is made of it")
    func schema() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        _ = try await fill(path)
        let spoil = "UPDATE sqlite_master SET sql = replace(sql, 'digest BLOB', 'digest0BLOB') WHERE name = 'answers'"
        let spoiled = "the definition of the table “answers” is damaged"
        for (statements, said) in [
            (["PRAGMA writable_schema = ON", spoil], [spoiled]),
            (["DROP INDEX items_by_version"], ["the index “items_by_version” is missing"]),
            (["CREATE TABLE notes (n)", "CREATE INDEX by_n ON notes (n)"], []),
            (
                ["CREATE TRIGGER late AFTER INSERT ON items BEGIN DELETE FROM used; END"],
                ["the trigger “late” does not belong into the database"]
            ),
            (
                ["DELETE FROM grdb_migrations"],
                ["the list of the steps that made the tables (grdb_migrations) is missing or empty"]
            ),
            // As in a backup that an earlier version made.
            (["DROP INDEX items_by_version", "DELETE FROM grdb_migrations WHERE identifier = 'cloud-4'"], []),
        ] as [([String], [String])] {
            let copy = folder.file("\(UUID().uuidString).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try await change(copy, statements)
            #expect(try CloudDatabase.findings(path: copy) == said, "\(statements)")
        }
        try await change(path, "PRAGMA writable_schema = ON", spoil)
        let verified = try await run("verify", "--data", folder.path)
        #expect(verified.status == 1 && verified.says(spoiled), "\(verified)")
        let refused = try await run("backup", "--data", folder.path, folder.file("backup"))
        #expect(refused.status == 1 && refused.says(spoiled), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("backup/cloud.sqlite")))
    }

    @Test("A root key from which the account's name does not follow is named, and an epoch and an answer cut short")
    func keysAndLengths() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let account = try await fill(path)
        let other = P256.Signing.PrivateKey().publicKey.x963Representation
        let (key, zone) = ("account \(account.rawValue): its key is damaged", "zone \(Self.zone.bytes.hexadecimal)")
        for (sql, said) in [
            ("UPDATE accounts SET root_key = X''", key),
            ("UPDATE accounts SET root_key = 7", key),
            ("UPDATE accounts SET root_key = X'\(other.hexadecimal)'", key),
            ("UPDATE zones SET epoch = X'00'", "\(zone): its epoch is damaged"),
            ("UPDATE zones SET epoch = 'sixteen letters!'", "\(zone): its epoch is damaged"),
            ("UPDATE answers SET digest = X'00' WHERE first = 2", "an answer that is remembered of \(zone) is damaged"),
        ] {
            let copy = folder.file("\(UUID().uuidString).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try await change(copy, sql)
            #expect(try CloudDatabase.findings(path: copy) == [said], "\(sql)")
        }
    }

    @Test("A secret of another length is lost: nobody is invited with it, and the next start makes another")
    func damagedSecret() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let path = data + "/cloud.sqlite"
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        for value in ["X''", "X'01'", "7"] {
            try await change(path, "UPDATE server SET value = \(value) WHERE name = 'secret'")
            let invited = try await run("invite", "--data", data)
            #expect(invited.status == 1 && invited.says("The server's secret is damaged: it has "), "\(invited)")
            let store = try SQLiteItemStore(path: path, rules: StoreRules())
            let made = try await store.secret()
            #expect(made.count == StoreRules.secretLength, "\(value)")
            #expect(try await store.secret() == made, "it is made once")
            try store.close()
        }
        #expect(try await run("invite", "--data", data).status == 0)
        #expect(try await run("verify", "--data", data).status == 0)
    }

    @Test("Items of before are passed over until they are written again")
    func before() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let account = try await fill(path)
        try await change(
            path, "ALTER TABLE items DROP COLUMN checksum",
            "DELETE FROM grdb_migrations WHERE identifier = 'cloud-4'")
        // As in a backup that an earlier version made.
        #expect(try CloudDatabase.findings(path: path) == [])
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        try await put(3, "new", replaces: 3, store, account)
        try store.close()
        #expect(try CloudDatabase.findings(path: path) == [])
        try await change(path, "UPDATE items SET sealed = X'74774F' WHERE version = 2")
        #expect(try CloudDatabase.findings(path: path) == [])
        try await change(path, "UPDATE items SET sealed = X'6E6577' WHERE version > 8")
        #expect(try CloudDatabase.findings(path: path) == [])
        try await change(path, "UPDATE items SET sealed = X'6E6578' WHERE version > 8")
        #expect(try CloudDatabase.findings(path: path) == [item(3)])
    }

    @Test("A hundred damaged items are named, and the others counted")
    func many() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let account = try await fill(path)
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        for number in 100..<250 { try await put(number, "text", store, account) }
        try store.close()
        #expect(try CloudDatabase.findings(path: path) == [])
        try await change(path, "UPDATE items SET sealed = X'74657875' WHERE version > 8")
        let findings = try CloudDatabase.findings(path: path)
        #expect(findings.count == 101 && findings.last == "and 50 more", "\(findings.count)")
        #expect(findings.first == item(100))
    }

    @Test("A secret or a key that is lost is named, and one thing is told as one")
    func secretAndKey() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let path = data + "/cloud.sqlite"
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        let whole = try await run("verify", "--data", data)
        #expect(whole.status == 0 && whole.says("so are 0 blobs"), "\(whole)")
        try await change(path, "UPDATE server SET value = X'0102' WHERE name = 'secret'")
        let short = try await run("verify", "--data", data)
        #expect(short.status == 1 && short.says("the server's secret has 2 bytes instead of 32"), "\(short)")
        #expect(short.says("1 finding. Put back"), "\(short)")
        try await change(path, "DELETE FROM server WHERE name = 'secret'")
        let missing = try await run("verify", "--data", data)
        #expect(missing.status == 1 && missing.says("the server's secret is missing"), "\(missing)")
        try FileManager.default.removeItem(atPath: data + "/key.pem")
        let key = try await run("verify", "--data", data)
        #expect(key.status == 1 && key.says("The key “\(data)/key.pem” cannot be read"), "\(key)")
        #expect(key.says("2 findings. Put back"), "\(key)")
    }

    @Test("A store is whole after deletions, a backup, a restore and a new start")
    func restored() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, again) = (folder.file("data"), folder.file("backup"), folder.file("again"))
        let account = try TestAccount()
        let blob = Data("blob".utf8)
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, account)
            try await client.register()
            for number in 1...3 { try await client.put(number, "text \(number)") }
            #expect(try await client.putBlob(blob, as: BlobHash(of: blob)).status == 200)
            #expect(try await run("backup", "--data", data, backup).status == 0)
        }
        let copied = try await run("verify", "--data", backup)
        #expect(copied.status == 0 && copied.says("so is 1 blob."), "\(copied)")
        let back = try await run("restore", "--data", again, backup)
        #expect(back.status == 0 && back.says("the database and 1 blob."), "\(back)")
        let files = try FileManager.default.contentsOfDirectory(atPath: again).sorted()
        #expect(files == ["blobs", "certificate.pem", "cloud.sqlite", "key.pem"])
        for _ in 0..<2 {
            #expect(try await run("verify", "--data", again).status == 0)
            try await CloudProcess.with(data: again) { server in
                let client = try CloudClient(server, account)
                try await client.authenticate()
                let items = try await client.pull()
                let version = try #require(items[CloudClient.name(1)]?.version)
                try await client.put(1, "other", replaces: version)
            }
            let whole = try await run("verify", "--data", again)
            #expect(whole.status == 0, "\(whole)")
            #expect(try await run("restored", "--data", again).status == 0)
        }
    }

    @Test("A damaged item keeps nothing else from being backed up and put back; it is named, and can be written again")
    func damagedItem() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, again) = (folder.file("data"), folder.file("backup"), folder.file("again"))
        let account = try TestAccount()
        let damaged = item(2, in: CloudClient.name(1))
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, account)
            try await client.register()
            for number in 1...3 { try await client.put(number, "text \(number)") }
        }
        try await change(data + "/cloud.sqlite", "UPDATE items SET sealed = X'00' || sealed WHERE version = 2")
        // Its size is another one as well: nothing is built on totals that are wrong.
        #expect(try await run("backup", "--data", data, backup).status == 1)
        #expect(!FileManager.default.fileExists(atPath: backup + "/cloud.sqlite"))
        try await change(data + "/cloud.sqlite", "UPDATE items SET sealed = X'746578742078' WHERE version = 2")
        let made = try await run("backup", "--data", data, backup)
        #expect(
            made.status == 1 && made.says(damaged) && made.says("The backup was made, but for 1 finding"), "\(made)")
        let back = try await run("restore", "--data", again, backup)
        #expect(back.status == 1 && back.says(damaged) && back.says("The backup was put back"), "\(back)")
        try await CloudProcess.with(data: again) { server in
            let client = try CloudClient(server, account)
            try await client.authenticate()
            let version = try #require(try await client.pull()[CloudClient.name(2)]?.version)
            try await client.put(2, "text 2", replaces: version)
        }
        #expect(try await run("verify", "--data", again).status == 0)
    }

    // MARK: Changing nothing

    /// Every name in a folder and below, with when it was changed; the folder itself as an empty name.
    private func state(_ folder: String) throws -> [String: Date] {
        var state: [String: Date] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for name in names + [""] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            state[name] = attributes[.modificationDate] as? Date
        }
        return state
    }

    @Test("A backup is looked through as on a disk that cannot be written to, and refused by a server as it is")
    func untouched() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup) = (folder.file("data"), folder.file("backup"))
        let path = backup + "/cloud.sqlite"
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        #expect(try await run("backup", "--data", data, backup).status == 0)
        // Root may write all the same: so what is there is compared, too.
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: backup)
        let before = try state(backup)
        #expect(before[""] != nil && before["cloud.sqlite"] != nil && before["blobs"] == nil)
        let verified = try await run("verify", "--data", backup)
        #expect(verified.status == 0, "\(verified)")
        #expect(try state(backup) == before)
        let served = try await run("serve", "--data", backup, "--listen", "127.0.0.1:0")
        #expect(served.status == 1 && served.says("is a backup"), "\(served)")
        #expect(try state(backup) == before)
        #expect(folder.permissions("backup") == 0o500)

        // As a server of before left one that it refused.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: backup)
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        let logged = try state(backup)
        #expect(logged.keys.sorted() == before.keys.sorted())
        #expect(try await run("verify", "--data", backup).status == 0)
        #expect(try await run("restore", "--data", folder.file("again"), backup).status == 0)
        let after = try state(backup)
        #expect(after.filter { $0.key != "" } == logged.filter { $0.key != "" })
    }

    @Test("A file that nobody may change is read with nothing beside it, whatever its name")
    func frozen() async throws {
        let folder = try TemporaryDirectory()
        let place = folder.file("a ?b#c%41ü")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let path = place + "/cloud.sqlite"
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "CREATE TABLE numbers (n)")
            try database.execute(sql: "INSERT INTO numbers VALUES (7)")
        }
        try queue.close()
        let before = try state(place)
        #expect(before.keys.sorted() == ["", "cloud.sqlite"])
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: DatabaseReader.frozen(path), configuration: configuration)
        #expect(try await reader.read { try Int.fetchOne($0, sql: "SELECT n FROM numbers") } == 7)
        try reader.close()
        #expect(try state(place) == before)
        // Where the folder may be written to, no more stays either.
        let other = try DatabaseReader.open(path)
        #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT n FROM numbers") } == 7)
        try other.close()
        #expect(try state(place).keys.sorted() == ["", "cloud.sqlite"])
    }
}
