import BatonCore
import BatonTestSupport
import BatonTrust
import Crypto
import Foundation
import Glibc
import Testing

@testable import BatonCloud

/// The folder that a cloud is given: no other user's file is changed, and nothing that is missing is passed over.
@Suite("The cloud's folder", .serialized) struct CloudFolderTests {
    private func run(_ arguments: String...) async throws -> CloudCommand { try await CloudCommand.run(arguments) }

    private func make(_ folder: String, mode: Int = 0o700) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("A folder with other things in it is refused as it is; a disk's root and what a node leaves are none")
    func otherThings() async throws {
        let folder = try TemporaryDirectory()
        let other = folder.file("other")
        try make(other, mode: 0o755)
        try write("mine", other + "/letter.txt")
        let refused = try await run("serve", "--data", other, "--listen", "127.0.0.1:0")
        #expect(refused.status == 1 && refused.says("“\(other)” is not empty, and is no folder of a cloud."))
        #expect(folder.permissions("other") == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["letter.txt"])

        func check(_ names: [String]) throws -> Bool {
            let path = folder.file(UUID().uuidString)
            try make(path)
            for name in names { try write("", path + "/" + name) }
            do {
                try CloudFolder.checkIsOwn(path)
                return true
            } catch {
                #expect(error.reason == "not_a_cloud" && error.code == .failedPrecondition)
                return false
            }
        }
        for names in [
            [], ["lost+found"], ["lock"], ["lock", "certificate.pem", "key.pem", ".pgpass"], ["key.pem.1a2b.new"],
            ["restoring", "blobs", "cloud.sqlite.new"], ["cloud.sqlite", "cloud.sqlite-wal", "notes"],
        ] {
            let isOwn = try check(names)
            #expect(isOwn, "\(names)")
        }
        for names in [["notes"], ["lock", "notes"], ["key.pem", "cloud.sqlite.old"], [".profile"]] {
            let isOwn = try check(names)
            #expect(!isOwn, "\(names)")
        }
        try CloudFolder.checkIsOwn(folder.file("none"))

        let root = folder.file("disk")
        try make(root + "/lost+found")
        try await CloudProcess.with(data: root) { try await CloudClient($0, try TestAccount()).register() }
    }

    @Test("A mistyped command is answered with the one that was meant")
    func mistyped() async throws {
        let outcome = try await run("acounts")
        #expect(outcome.status == 64 && outcome.says("Did you mean “baton-cloud accounts”?"), "\(outcome)")
    }

    @Test("An empty text is no folder, for any command")
    func emptyName() async throws {
        let folder = try TemporaryDirectory()
        for arguments in [
            ["serve"], ["invite"], ["verify"], ["restored"], ["backup", folder.file("x")],
            ["restore", folder.file("x")],
        ] {
            let process = try ChildProcess([try Products.path("baton-cloud")] + arguments + ["--data", ""])
            let status = try await within(.seconds(60), "baton-cloud to end") { try await process.status() }
            try await process.errors.waitForEnd()
            #expect(status == 64, "\(arguments)")
            #expect(process.errors.all.contains { $0.contains("An empty text names no folder") }, "\(arguments)")
        }
        let backup = try await run("backup", "--data", folder.file("data"), "")
        #expect(backup.status == 64 && backup.says("An empty text names no folder"), "\(backup)")
    }

    @Test("Blobs without a database, or with an empty one, are not served, and verify says that it is empty")
    func noDatabase() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let content = Data("a blob".utf8)
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            #expect(try await client.putBlob(content, as: BlobHash(of: content)).status == 200)
        }
        for name in ["cloud.sqlite", "cloud.sqlite-wal", "cloud.sqlite-shm"] { unlink(data + "/" + name) }
        let missing = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(missing.status == 1 && missing.says("is missing. Put back a backup"), "\(missing)")
        #expect(!FileManager.default.fileExists(atPath: data + "/cloud.sqlite"))

        try write("", data + "/cloud.sqlite")
        let empty = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(empty.status == 1 && empty.says("is empty. Put back a backup"), "\(empty)")
        for command in [["verify"], ["restored"], ["invite"], ["backup", folder.file("backup")]] {
            let process = try ChildProcess([try Products.path("baton-cloud")] + command + ["--data", data])
            #expect(try await process.status() == 1)
            try await process.errors.waitForEnd()
            #expect(process.errors.all.contains { $0.contains("is empty: the file has 0 bytes") }, "\(command)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("backup")))
        let error = #expect(throws: BatonError.self) { try CloudFolder.checkHasDatabase(data) }
        #expect(error?.reason == "database_missing" && error?.code == .dataLoss)

        // Where nothing else says that there was one, nothing is lost.
        for name in ["blobs", "certificate.pem", "key.pem", "registered"] {
            try FileManager.default.removeItem(atPath: data + "/" + name)
        }
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
    }

    @Test("A young cloud without its log has its accounts still, and one that has lost them lets no stranger in")
    func noLog() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let account = try TestAccount()
        let server = try await CloudProcess(data: data, registration: "first")
        let client = try CloudClient(server, account)
        try await client.register()
        for number in 1...50 { try await client.put(number, "text") }
        server.process.send(SIGKILL)
        _ = try await server.process.status()
        // As a copy of the database alone, which knows the account.
        for name in ["cloud.sqlite-wal", "cloud.sqlite-shm"] { unlink(data + "/" + name) }
        #expect(try CloudDatabase.hasAccounts(path: data + "/cloud.sqlite"))
        try await CloudProcess.with(data: data, registration: "first") { server in
            let stranger = try CloudClient(server, try TestAccount())
            await #expect(throws: BatonError.self) { try await stranger.register() }
        }
        // Tables without an account, beside the mark alone.
        for name in ["cloud.sqlite", "cloud.sqlite-wal", "cloud.sqlite-shm"] { unlink(data + "/" + name) }
        try CloudDatabase.make(data + "/cloud.sqlite")
        let lost = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(lost.status == 1 && lost.says("has no account, and the cloud has had one"), "\(lost)")
        // The first page without a table.
        let page = try Data(contentsOf: URL(fileURLWithPath: data + "/cloud.sqlite")).prefix(4096)
        try page.write(to: URL(fileURLWithPath: data + "/cloud.sqlite"))
        let empty = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(empty.status == 1 && empty.says("Put back a backup"), "\(empty)")
    }

    @Test("A cloud whose accounts have all left starts again, and takes another")
    func allLeft() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let key = P256.Signing.PrivateKey().publicKey
        let id = AccountID(rootKey: key)
        let store = try SQLiteItemStore(
            path: path, rules: StoreRules(), registered: RegisteredMark(folder: folder.path))
        #expect(!FileManager.default.fileExists(atPath: folder.file("registered")))
        _ = try await store.addAccount(id, rootKey: key.x963Representation, statements: [.sample], invitation: nil)
        #expect(FileManager.default.fileExists(atPath: folder.file("registered")))
        try await store.removeAccount(id)
        while try await store.sweep() {}
        try store.close()
        try CloudFolder.checkHasAccounts(folder.path)
        let other = folder.file("other")
        try make(other)
        try CloudDatabase.make(other + "/cloud.sqlite")
        try CloudFolder.checkHasAccounts(other)
        try RegisteredMark(folder: other).set()
        #expect(throws: BatonError.self) { try CloudFolder.checkHasAccounts(other) }
    }

    @Test("A certificate of the server's own without its database is not served, but for one that it was given")
    func onlyCertificate() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        for name in ["cloud.sqlite", "cloud.sqlite-wal", "cloud.sqlite-shm", "reserve"] { unlink(data + "/" + name) }
        try FileManager.default.removeItem(atPath: data + "/blobs")
        let refused = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(refused.status == 1 && refused.says("is missing. Put back a backup"), "\(refused)")
        #expect(refused.says("name them with --certificate and --key"), "\(refused)")
        let left = try FileManager.default.contentsOfDirectory(atPath: data).sorted()
        #expect(left == ["certificate.pem", "key.pem", "lock", "registered"])
        for command in [["verify"], ["backup", folder.file("backup")]] {
            let outcome = try await CloudCommand.run(command + ["--data", data])
            #expect(outcome.status == 1 && outcome.says("is missing. Put back a backup"), "\(outcome)")
        }
        let error = #expect(throws: BatonError.self) { try CloudFolder.checkHasDatabase(data) }
        #expect(error?.reason == "database_missing" && error?.code == .dataLoss)
        // One that an operator has put there, and named.
        unlink(data + "/registered")
        try CloudFolder.checkHasDatabase(data, given: data + "/certificate.pem")
        #expect(throws: BatonError.self) { try CloudFolder.checkHasDatabase(data, given: "/etc/certificate.pem") }
        let named = ["--certificate", data + "/certificate.pem", "--key", data + "/key.pem"]
        try await CloudProcess.with(data: data, named) { try await CloudClient($0, try TestAccount()).register() }
    }

    @Test("A certificate that is gone is told by “verify”, and by a server that makes another")
    func lostCertificate() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let (told, warned) = ("There is no certificate in “\(data)”", "There was no certificate, though the cloud has")
        func warns() async throws -> Bool {
            let server = try await CloudProcess(data: data)
            await server.process.end()
            try await server.process.errors.waitForEnd()
            return server.process.errors.all.contains { $0.contains(warned) }
        }
        let first = try await warns()
        #expect(!first, "nobody knows a certificate before a first start")
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        for name in ["certificate.pem", "key.pem"] { unlink(data + "/" + name) }
        let verified = try await run("verify", "--data", data)
        #expect(verified.status == 0 && verified.says(told) && verified.says("All is well"), "\(verified)")
        let second = try await warns()
        #expect(second)
        let again = try await run("verify", "--data", data)
        #expect(again.status == 0 && !again.says(told), "\(again)")
        let third = try await warns()
        #expect(!third, "it has one again")
    }

    @Test("A named pipe and a folder are no certificate and no key, and nothing waits for them")
    func noFiles() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        for name in ["key.pem", "certificate.pem"] {
            let path = data + "/" + name
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for isPipe in [true, false] {
                #expect(remove(path) == 0)
                if isPipe { #expect(mkfifo(path, 0o600) == 0) } else { try make(path) }
                for command in [["verify"], ["serve", "--listen", "127.0.0.1:0"]] {
                    let outcome = try await CloudCommand.run(command + ["--data", data])
                    #expect(outcome.status == 1 && outcome.says("“\(path)” is not a file"), "\(outcome)")
                }
            }
            #expect(remove(path) == 0)
            try whole.write(to: URL(fileURLWithPath: path))
        }
        #expect(try await run("verify", "--data", data).status == 0)
    }

    @Test("A first start that was interrupted goes on: the database is made before the certificate")
    func interruptedStart() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        // A key cannot be stored where a folder is.
        try make(data + "/key.pem")
        let stopped = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(stopped.status == 1, "\(stopped)")
        #expect(FileManager.default.fileExists(atPath: data + "/cloud.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: data + "/certificate.pem"))
        try FileManager.default.removeItem(atPath: data + "/key.pem")
        // As one that was interrupted between the two, and one that was before it had anything.
        for text in ["half a key", ""] {
            if text.isEmpty { try FileManager.default.removeItem(atPath: data) }
            try make(data)
            try write(text, data + "/key.pem")
            try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        }
    }

    @Test("A restore that was interrupted is not served")
    func interrupted() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        try make(data)
        for name in ["restoring", "cloud.sqlite.new"] { try write("", data + "/" + name) }
        let served = try await run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(served.status == 1 && served.says("Run “baton-cloud restore” again"), "\(served)")
    }

    @Test("“restored” leaves a backup one, and a folder that is not there is named as that")
    func backups() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, none) = (folder.file("data"), folder.file("backup"), folder.file("none"))
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        #expect(try await run("backup", "--data", data, backup).status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: backup + "/cloud.sqlite"))
        let refused = try await run("restored", "--data", backup)
        #expect(refused.status == 1 && refused.says("is a backup"), "\(refused)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup + "/cloud.sqlite")) == before)
        #expect(try await run("restore", "--data", folder.file("again"), backup).status == 0, "it is one still")

        let restore = try await run("restore", "--data", folder.file("new"), none)
        #expect(restore.status == 1 && restore.says("There is no backup in “\(none)”: there is no such folder."))
        for command in ["verify", "restored"] {
            let outcome = try await run(command, "--data", none)
            #expect(outcome.status == 1 && outcome.says("“\(none)”: there is no such folder."), "\(outcome)")
        }
        for path in [none, folder.file("new")] { #expect(!FileManager.default.fileExists(atPath: path)) }
    }
}
