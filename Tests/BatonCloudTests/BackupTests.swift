import BatonClient
import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

/// Copies of a cloud that are made while it serves, and what devices learn when one was put back.
@Suite("Backups of the cloud", .serialized) struct BackupTests {
    private func run(_ arguments: String...) async throws -> CloudCommand { try await CloudCommand.run(arguments) }

    private func fetch(_ client: CloudClient, _ cursor: Data) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        try await client.call(
            ZoneMethods.fetchChanges,
            .with {
                $0.zoneID = CloudClient.name(1)
                $0.cursor = cursor
            })
    }

    private func content(_ number: Int) -> Data { Data("blob \(number) ".utf8) + Data(repeating: 3, count: 300_000) }

    private func putNaming(_ item: Int, _ blob: Data, _ client: CloudClient) async throws {
        let hash = BlobHash(of: blob)
        #expect(try await client.putBlob(blob, as: hash).status == 200)
        var batch = CloudClient.batch([(item, "names a blob", 0)])
        batch.writes[0].put.blobs = [hash.bytes]
        #expect(try await client.call(ZoneMethods.writeItems, batch).versions.count == 1)
    }

    @Test(
        "A backup under load holds all earlier acknowledged writes; later ones are recognised as of another time")
    func underLoad() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, again) = (folder.file("data"), folder.file("backup"), folder.file("again"))
        let account = try TestAccount()
        let log = AcknowledgedWrites()
        let server = try await CloudProcess(data: data)
        let client = try CloudClient(server, account)
        try await client.register()
        try await putNaming(1000, content(1), client)
        let first = try await run("backup", "--data", data, backup)
        #expect(first.status == 0 && first.says("1 blob, of which 1 is new"), "\(first)")
        try await putNaming(1001, content(2), client)

        let isOver = Flag()
        let before = try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<6 {
                group.addTask {
                    while await log.write(writer, by: client), !isOver.isSet {}
                }
            }
            await log.waitForAcknowledgements(100)
            let acknowledged = try await client.pull()
            let second = try await run("backup", "--data", data, backup)
            isOver.set()
            #expect(second.status == 0 && second.says("2 blobs, of which 1 is new"), "\(second)")
            try await group.waitForAll()
            return acknowledged
        }
        // These writes will be lost.
        try await client.put(2000, "lost")
        let lost = try await client.put(
            1, "lost too", replaces: try #require(client.pull()[CloudClient.name(1)]).version)
        let cursor = try await fetch(client, Data()).cursor
        await server.process.end()
        #expect(try await run("verify", "--data", backup).status == 0)

        let restored = try await run("restore", "--data", again, backup)
        #expect(restored.status == 0 && restored.says("2 blobs"), "\(restored)")
        #expect(try await run("verify", "--data", again).status == 0)
        #expect(folder.permissions("again/cloud.sqlite") == 0o600 && folder.permissions("again/key.pem") == 0o600)
        try await CloudProcess.with(data: again) { server in
            #expect(server.fingerprint == client.fingerprint, "devices know the server again")
            let client = try CloudClient(server, account)
            try await client.authenticate()
            let now = try await client.pull()
            for (name, item) in before {
                let version = try #require(now[name]?.version, "an acknowledged write is gone")
                #expect(version >= item.version)
            }
            #expect(now[CloudClient.name(2000)] == nil)
            await expectRefusal("cursor_of_another_time", .outOfRange) { try await fetch(client, cursor) }
            // A version that was given out in the lost time is unused now, and stays so.
            let next = try await client.put(3000, "new")
            #expect(next > lost)
            let conflict = try await client.call(ZoneMethods.writeItems, CloudClient.batch([(1, "x", lost)]))
            #expect(conflict.versions.isEmpty && conflict.conflicts.count == 1)
            let hash = BlobHash(of: content(2))
            #expect(try await client.curl("/v1/blobs/\(hash.hexadecimal)").body == content(2))
        }
    }

    @Test("Neither a backup nor a restore overwrites what is something else, and no server runs on a backup")
    func refusals() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup) = (folder.file("data"), folder.file("backup"))
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        #expect(try await run("backup", "--data", data, backup).status == 0)
        for wrong in [data, folder.path] {
            let outcome = try await run("backup", "--data", data, wrong)
            #expect(outcome.status == 1 && outcome.says("is no backup of a cloud"), "\(outcome)")
        }
        for wrong in [data, backup, folder.path] {
            let outcome = try await run("restore", "--data", wrong, backup)
            #expect(outcome.status == 1 && outcome.says("is not empty"), "\(outcome)")
        }
        let notOne = try await run("restore", "--data", folder.file("new"), data)
        #expect(notOne.status == 1 && notOne.says("is no backup"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("new")))
        let none = try await run("backup", "--data", folder.file("none"), folder.file("other"))
        #expect(none.status == 1 && none.says("There is no data"))
        let served = try await run("serve", "--data", backup, "--listen", "127.0.0.1:0")
        #expect(served.status == 1 && served.says("is a backup"), "\(served)")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("file")))
        for file in ["/dev/null", folder.file("file")] {
            let outcome = try await run("backup", "--data", data, file)
            #expect(outcome.status == 1 && outcome.says("“\(file)” is no folder, and a backup is one."), "\(outcome)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("file"))) == Data("mine".utf8))
        let shared = try await run("backup", "--postgres", "postgresql:///x", "--s3", "https://h/b", folder.file("x"))
        #expect(shared.status == 1 && shared.says("by its own means"))
    }

    @Test("Another cloud's backup is not replaced; one of the same cloud is, also after it was put back")
    func otherCloud() async throws {
        let folder = try TemporaryDirectory()
        let (data, other, backup) = (folder.file("data"), folder.file("other"), folder.file("backup"))
        for place in [data, other] {
            try await CloudProcess.with(data: place) { try await CloudClient($0, try TestAccount()).register() }
        }
        #expect(try await run("backup", "--data", data, backup).status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: backup + "/cloud.sqlite"))
        let refused = try await run("backup", "--data", other, backup)
        #expect(refused.status == 1 && refused.says("holds the backup of another cloud"), "\(refused)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup + "/cloud.sqlite")) == before)
        #expect(try await run("restore", "--data", folder.file("again"), backup).status == 0)
        #expect(try await run("restored", "--data", data).status == 0)
        for place in [data, folder.file("again")] {
            let later = try await run("backup", "--data", place, backup)
            #expect(later.status == 0, "\(later)")
        }
    }

    @Test("A later backup drops what it does not need, and one that was interrupted is begun again")
    func again() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, again) = (folder.file("data"), folder.file("backup"), folder.file("again"))
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            try await putNaming(1, content(1), client)
            // As interrupted: the database is not there, a blob is, but only its size is right.
            #expect(try await run("backup", "--data", data, backup).status == 0)
            let path = try #require(blobFile(in: backup))
            try FileManager.default.removeItem(atPath: backup + "/cloud.sqlite")
            try Data(repeating: 0, count: content(1).count).write(to: URL(fileURLWithPath: path))
            #expect(try await run("backup", "--data", data, backup).status == 0)
            #expect(try await run("verify", "--data", backup).status == 0)
            // As interrupted when putting back.
            try FileManager.default.createDirectory(
                atPath: again, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data().write(to: URL(fileURLWithPath: again + "/restoring"))
            try Data("half".utf8).write(to: URL(fileURLWithPath: again + "/cloud.sqlite.new"))
            #expect(try await run("restore", "--data", again, backup).status == 0)
            #expect(try await run("verify", "--data", again).status == 0)
            _ = try await client.call(AccountMethods.deleteAccount, .with { $0.accountID = client.account.id.rawValue })
        }
        #expect(try await run("backup", "--data", data, backup).status == 0)
        #expect(blobFile(in: backup) == nil, "a blob is left")
    }

    private func unfinished(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("cloud.sqlite.new") }
    }

    @Test("Leftovers of an interrupted backup are removed by the next one, which accepts the folder")
    func leftovers() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup) = (folder.file("data"), folder.file("backup"))
        try await CloudProcess.with(data: data) { try await CloudClient($0, try TestAccount()).register() }
        try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
        for _ in 0..<2 {
            for name in ["", "-journal", "-wal", "-shm"] {
                try Data("half".utf8).write(to: URL(fileURLWithPath: backup + "/cloud.sqlite.new" + name))
            }
            let outcome = try await run("backup", "--data", data, backup)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(unfinished(in: backup) == [])
        }
        #expect(try await run("verify", "--data", backup).status == 0)
        // One that cannot be finished: a folder stands where the database would be.
        let blocked = folder.file("blocked")
        try FileManager.default.createDirectory(
            atPath: blocked + "/blobs", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.createDirectory(
            atPath: blocked + "/certificate.pem", withIntermediateDirectories: true)
        let failed = try await run("backup", "--data", data, blocked)
        #expect(failed.status == 1, "\(failed)")
        #expect(unfinished(in: blocked) == [])
    }

    /// The only blob's file.
    private func blobFile(in data: String) -> String? {
        let root = data + "/blobs/blobs"
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return names.first { $0.split(separator: "/").count == 3 }.map { root + "/" + $0 }
    }

    @Test("Damage is told: a blob by a backup, which has the rest, and a database by one that is not made")
    func damage() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, again) = (folder.file("data"), folder.file("backup"), folder.file("again"))
        let account = try TestAccount()
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, account)
            try await client.register()
            try await putNaming(1, content(1), client)
            for number in 2...40 { try await client.put(number, String(repeating: "x", count: 20_000)) }
            #expect(try await run("backup", "--data", data, backup).status == 0)
        }
        // The backup's only copy of a blob is damaged.
        let path = try #require(blobFile(in: backup))
        try Data("other".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await run("verify", "--data", backup).status == 1)
        let restored = try await run("restore", "--data", again, backup)
        #expect(restored.status == 1 && restored.says(BlobHash(of: content(1)).hexadecimal), "\(restored)")
        try await CloudProcess.with(data: again) { server in
            let client = try CloudClient(server, account)
            try await client.authenticate()
            let missing = try await client.call(
                BlobMethods.findMissingBlobs, .with { $0.hashes = [BlobHash(of: content(1)).bytes] })
            #expect(missing.missing.map(\.received) == [0])
            #expect(try await client.putBlob(content(1), as: BlobHash(of: content(1))).status == 200)
            #expect(try await client.pull().count == 40)
        }
        #expect(try await run("verify", "--data", again).status == 0)

        // The next backup has what is right in the cloud again.
        #expect(try await run("backup", "--data", data, backup).status == 0)
        try FileManager.default.removeItem(atPath: try #require(blobFile(in: data)))
        let incomplete = try await run("backup", "--data", data, folder.file("second"))
        #expect(incomplete.status == 1 && incomplete.says("is missing"), "\(incomplete)")

        let file = try FileHandle(forUpdating: URL(fileURLWithPath: data + "/cloud.sqlite"))
        let size = try file.seekToEnd()
        for offset in stride(from: UInt64(8192), to: size, by: 4096) {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
        }
        try file.close()
        let refused = try await run("backup", "--data", data, backup)
        #expect(refused.status == 1 && refused.says("damaged"), "\(refused)")
        #expect(unfinished(in: backup) == [], "a backup that failed leaves nothing of it")
        #expect(try await run("verify", "--data", backup).status == 0, "the earlier one is as it was")
    }

    @Test("After a database was put back by other means, “restored” makes it another time", arguments: [false, true])
    func restored(isShared: Bool) async throws {
        let folder = try TemporaryDirectory()
        let account = try TestAccount()
        try await S3Server.with { bucket in
            let data = folder.file("data")
            var storage = ["--data", data]
            if isShared {
                storage += [
                    "--postgres", try await PostgreSQLServer.shared.value.place(), "--s3", bucket.url("restored"),
                ]
            }
            let environment = ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"]
            func serving(_ body: (CloudClient) async throws -> Void) async throws {
                let server = try await CloudProcess(data: data, Array(storage.dropFirst(2)), wrapper: environment)
                defer { server.process.send(SIGKILL) }
                let client = try CloudClient(server, account)
                try await client.register()
                try await body(client)
                await server.process.end()
            }
            let cursor = Mutex(Data())
            try await serving { client in
                try await client.put(1, "one")
                try await putNaming(2, content(1), client)
                let now = try await fetch(client, Data()).cursor
                cursor.withLock { $0 = now }
                if isShared {
                    // The bucket is older than the database.
                    let removed = try await bucket.remove(folder: "restored/blobs")
                    #expect(removed > 0)
                    let early = try await CloudCommand.run(["restored"] + storage, wrapper: environment)
                    #expect(early.status == 1 && early.says("Stop every node first"), "\(early)")
                } else {
                    let command = try ChildProcess([try Products.path("baton-cloud"), "restored"] + storage)
                    #expect(try await command.status() == 1, "while the server runs")
                }
            }
            let command = try ChildProcess(environment + [try Products.path("baton-cloud"), "restored"] + storage)
            #expect(try await command.status() == 0, "\(command.errors.all)")
            try await command.output.waitForEnd()
            if isShared { #expect(command.output.all.contains { $0.hasPrefix("1 blob is not in the bucket") }) }
            try await serving { client in
                let old = cursor.withLock { $0 }
                await expectRefusal("cursor_of_another_time", .outOfRange) { try await fetch(client, old) }
                #expect(try await client.pull().count == 2)
                #expect(try await client.put(1, "two", replaces: 1) > 1 << 32)
                let hash = BlobHash(of: content(1))
                let missing = try await client.call(BlobMethods.findMissingBlobs, .with { $0.hashes = [hash.bytes] })
                #expect(missing.missing.count == (isShared ? 1 : 0))
                #expect(try await client.putBlob(content(1), as: hash).status == 200)
            }
        }
    }

    @Test("With SQLite beside a bucket, the database is backed up; “verify” and “restore” look for blobs in the bucket")
    func besideBucket() async throws {
        let folder = try TemporaryDirectory()
        let (data, backup, again) = (folder.file("data"), folder.file("backup"), folder.file("again"))
        let account = try TestAccount()
        try await S3Server.with { bucket in
            let environment = ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"]
            let storage = ["--s3", bucket.url("beside")]
            func command(_ arguments: String...) async throws -> CloudCommand {
                try await CloudCommand.run(arguments + storage, wrapper: environment)
            }
            let server = try await CloudProcess(data: data, storage, wrapper: environment)
            defer { server.process.send(SIGKILL) }
            let client = try CloudClient(server, account)
            try await client.register()
            for number in 1...2 { try await putNaming(number, content(number), client) }
            let copied = try await command("backup", "--data", data, backup)
            #expect(copied.status == 0 && copied.says("Its blobs are in the bucket"), "\(copied)")
            let whole = try await command("verify", "--data", data)
            #expect(whole.status == 0 && whole.says("2 blobs"), "\(whole)")
            await server.process.end()

            #expect(try await bucket.remove(folder: "beside/blobs") == 2)
            let missing = try await command("verify", "--data", data)
            #expect(missing.status == 1 && missing.says("2 findings"), "\(missing)")
            let restored = try await command("restore", backup, "--data", again)
            #expect(restored.status == 0 && restored.says("2 blobs are not in the bucket"), "\(restored)")
            let later = try await CloudProcess(data: again, storage, wrapper: environment)
            defer { later.process.send(SIGKILL) }
            let returned = try CloudClient(later, account)
            try await returned.authenticate()
            #expect(try await returned.pull().count == 2)
            #expect(try await returned.putBlob(content(1), as: BlobHash(of: content(1))).status == 200)
            await later.process.end()
        }
    }

    @Test("A dump of PostgreSQL that is put back is another time after “restored”, as docs/running-a-cloud.md says")
    func dumped() async throws {
        let folder = try TemporaryDirectory()
        let database = try await PostgreSQLServer.shared.value
        let place = try await database.place()
        let schema = try #require(place.split(separator: "%3D").last)
        let account = try TestAccount()
        func tool(_ command: String...) async throws {
            let process = try ChildProcess(command)
            #expect(try await process.status() == 0, "\(command): \(process.errors.all)")
        }
        try await S3Server.with { bucket in
            let storage = ["--postgres", place, "--s3", bucket.url("dumped")]
            let environment = ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"]
            let before = try await CloudProcess(data: folder.file("data"), storage, wrapper: environment)
            defer { before.process.send(SIGKILL) }
            let client = try CloudClient(before, account)
            try await client.register()
            try await client.put(1, "one")
            try await putNaming(2, content(1), client)
            let dump = folder.file("cloud.dump")
            try await tool("pg_dump", "-Fc", "-n", String(schema), "-f", dump, database.location)
            let lost = try await client.put(1, "lost", replaces: 1)
            let cursor = try await fetch(client, Data()).cursor
            await before.process.end()

            try await tool("pg_restore", "--clean", "--if-exists", "--dbname", database.location, dump)
            for command in ["restored", "verify"] {
                let process = try ChildProcess(environment + [try Products.path("baton-cloud"), command] + storage)
                #expect(try await process.status() == 0, "\(process.errors.all)")
            }
            let after = try await CloudProcess(data: folder.file("data"), storage, wrapper: environment)
            defer { after.process.send(SIGKILL) }
            let again = try CloudClient(after, account)
            try await again.authenticate()
            await expectRefusal("cursor_of_another_time", .outOfRange) { try await fetch(again, cursor) }
            #expect(try await again.pull()[CloudClient.name(1)]?.content.sealed == Data("one".utf8))
            let conflict = try await again.call(ZoneMethods.writeItems, CloudClient.batch([(1, "x", lost)]))
            #expect(conflict.conflicts.map(\.version) == [1])
            #expect(try await again.put(1, "two", replaces: 1) > lost)
            await after.process.end()
        }
    }
}
