import BatonCloud
import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import GRDB
import Glibc
import SwiftProtobuf
import Testing

/// Room on the disk of a cloud over SQLite: what is done while there is none, and that what was removed comes back.
@Suite("Room on the cloud's disk", .serialized) struct DiskRoomTests {
    private static let text = String(repeating: "x", count: 1 << 20)

    /// Servers on a disk of 64 MiB of their own.
    /// - Parameters:
    ///   - ballast: Bytes that are taken from the beginning.
    ///   - body: Its `setRoom` leaves so many bytes on the disk; nil removes what fills it.
    private func withSmallDisk(
        ballast: Int,
        _ body: (_ start: () async throws -> CloudProcess, _ setRoom: (_ bytes: Int?) async throws -> Void) async throws
            -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        let mount = folder.file("mount")
        // Holds the disk while no server runs.
        let holder = try ChildProcess([
            "unshare", "--mount", "--propagation", "private", "sh", "-c",
            """
            mkdir \(mount) && mount -t tmpfs -o size=64m tmpfs \(mount) && head -c \(ballast) /dev/zero > \(mount)/ballast \
            && echo mounted && exec sleep 600
            """,
        ])
        defer { holder.send(SIGKILL) }
        _ = try await within(.seconds(20), "the disk") {
            try await holder.output.expect { $0 == "mounted" ? true : nil }
        }
        let there = ["nsenter", "-t", "\(holder.processID)", "-m"]
        try await body {
            try await CloudProcess(data: mount + "/data", wrapper: there)
        } _: { bytes in
            let filling =
                "head -c $(($(df -B1 --output=avail \(mount) | tail -n 1) - \(bytes ?? 0))) /dev/zero > \(mount)/more"
            let change = try ChildProcess(
                there + (bytes == nil ? ["sh", "-c", "rm -f \(mount)/ballast \(mount)/more"] : ["sh", "-c", filling]))
            let status = try await change.status()
            #expect(status == 0)
        }
    }

    private func fill(_ client: CloudClient, from first: Int = 1, zone: Int = 1) async throws -> Int {
        var number = first
        for text in [Self.text, String(repeating: "y", count: 3000), "z"] {
            await expectRefusal("disk_full", .resourceExhausted) {
                while number < first + 2000 {
                    try await client.put(number, text, zone: zone)
                    number += 1
                }
            }
        }
        return number - first
    }

    // In the quiet lane, since a disk is filled, which takes its time.
    @Test("While the disk is full, items, zones and accounts are deleted, a device is revoked, and devices log in")
    func removals() async throws {
        try await withSmallDisk(ballast: 30_000_000) { start, _ in
            var server = try await start()
            let account = try TestAccount()
            let client = try CloudClient(server, account)
            let second = try CloudClient(server, account, try account.admit())
            let (other, third) = (
                try CloudClient(server, try TestAccount()), try CloudClient(server, try TestAccount())
            )
            try await client.register()
            for client in [second, other, third] { try await client.register() }
            try await third.put(1, "kept")
            try await other.put(1, Self.text)
            try await client.put(1, Self.text, zone: 2)
            let written = try await fill(client)
            #expect(written > 3)
            // Deletions that say much are not what room is kept for.
            var deleted = 0
            await expectRefusal("disk_full", .resourceExhausted) {
                for number in (2...written).reversed() {
                    deleted += try await client.delete(number, saying: Data(repeating: 7, count: 4096))
                }
            }
            let blob = Data(repeating: 9, count: 2 << 20)
            let refused = try await client.putBlob(blob, as: BlobHash(of: blob))
            #expect(refused.status == 429 && refused.body.contains("disk_full"), "\(refused)")

            try account.revoke(second.device)
            _ = try await client.call(AccountMethods.mergeMembership, .with { $0.statements = account.statements })
            await expectRefusal("device_revoked", .permissionDenied) { try await second.pull() }
            #expect(try await client.delete(1, saying: Data(repeating: 7, count: 200)) == 1)
            _ = try await client.call(ZoneMethods.deleteZone, .with { $0.zoneID = CloudClient.name(2) })
            _ = try await other.call(
                AccountMethods.deleteAccount, .with { $0.accountID = other.account.id.rawValue })
            try await client.authenticate()
            #expect(try await client.pull().values.filter(\.hasContent).count == written - deleted - 1)

            // Also by a server that starts on the full disk, which knows what was done.
            _ = try await fill(client, from: 5000)
            server.process.send(SIGKILL)
            _ = try await server.process.status()
            server = try await start()
            defer { server.process.send(SIGKILL) }
            let again = try CloudClient(server, account)
            try await again.authenticate()
            let revoked = try CloudClient(server, account, second.device)
            await expectRefusal("device_revoked", .permissionDenied) { try await revoked.authenticate() }
            _ = try await again.call(ZoneMethods.deleteZone, .with { $0.zoneID = CloudClient.name(1) })
            // Its rows are removed in the background, and then there is room.
            let isRoom = try await within(.seconds(120), "room") {
                while true {
                    do {
                        return try await again.put(1, Self.text, zone: 3) == 1
                    } catch let error as BatonError where error.reason == "disk_full" {
                        try await Task.sleep(for: .milliseconds(500))  // sleeps: free room causes no event
                    }
                }
            }
            #expect(isRoom)
            #expect(try await again.call(AccountMethods.getUsage, .init()).zones == 1)
            await server.process.end()
        }
    }

    @Test("A server that starts on a full disk is not ready before a write has failed, and is once there is room")
    func readyFromTheStart() async throws {
        try await withSmallDisk(ballast: 24_000_000) { start, setRoom in
            let first = try await start()
            await first.process.end()
            try await setRoom(600_000)
            let server = try await start()
            defer { server.process.send(SIGKILL) }
            let client = try CloudClient(server, try TestAccount())
            let full = try await client.curl("/ready")
            #expect(full.status == 503 && String(decoding: full.body, as: UTF8.self).contains("disk_full"), "\(full)")
            try await setRoom(nil)
            #expect(try await client.curl("/ready").status == 200)
            try await client.register()
            await server.process.end()
        }
    }

    @Test("While writes fail for lack of space the server is not ready, and it is again once there is some")
    func readiness() async throws {
        try await withSmallDisk(ballast: 24_000_000) { start, setRoom in
            let server = try await start()
            defer { server.process.send(SIGKILL) }
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            #expect(try await client.curl("/ready").status == 200)
            _ = try await fill(client)
            let full = try await client.curl("/ready")
            #expect(full.status == 503 && String(decoding: full.body, as: UTF8.self).contains("disk_full"), "\(full)")
            #expect(try await client.curl("/health").status == 200)
            try await setRoom(nil)
            try await within(.seconds(60), "the server to be ready") {
                while try await client.curl("/ready").status != 200 {}
            }
            try await client.put(1, "more", zone: 2)
            #expect(try await client.curl("/ready").status == 200)
            await server.process.end()
        }
    }

    @Test("A blob that did not fit says what of it stays and counts, and goes on from there")
    func blobs() async throws {
        try await withSmallDisk(ballast: 50_000_000) { start, _ in
            let server = try await start()
            defer { server.process.send(SIGKILL) }
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            let blob = Data((0..<12 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
            let refused = try await client.putBlob(blob, as: BlobHash(of: blob))
            #expect(refused.status == 429 && refused.body.contains("disk_full"), "\(refused)")
            let missing = try await client.call(
                BlobMethods.findMissingBlobs, .with { $0.hashes = [BlobHash(of: blob).bytes] })
            let received = try #require(missing.missing.first?.received)
            #expect(received > 0)
            #expect(refused.body.contains("The \(received) bytes of the blob that have come are kept and count"))
            #expect(try await client.call(AccountMethods.getUsage, .init()).blobBytes == UInt64(blob.count))
            // Nothing of another fits: then nothing of it stays, and it does not count.
            let another = Data(repeating: 7, count: 1 << 20)
            let nothing = try await client.putBlob(another, as: BlobHash(of: another))
            #expect(nothing.status == 429 && nothing.body.contains("nothing was changed"), "\(nothing)")
            #expect(try await client.call(AccountMethods.getUsage, .init()).blobs == 1)
            await server.process.end()
        }
    }

    @Test("The file of a database shrinks when what was in it is gone, and writes go on meanwhile")
    func shrinking() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        let key = P256.Signing.PrivateKey().publicKey
        let account = AccountID(rootKey: key)
        let zones = (1...2).map { ZoneID(unchecked: Data(repeating: UInt8($0), count: 32)) }
        _ = try await store.addAccount(account, rootKey: key.x963Representation, statements: [.sample], invitation: nil)
        func put(_ number: Int, _ bytes: Int, _ zone: ZoneID) async throws {
            let id = ItemID(unchecked: CloudClient.name(number))
            let content = ItemContent(sealed: Data(repeating: 1, count: bytes))
            _ = try await store.write(
                WriteBatch(key: StoreRules.systemRandom(16), writes: [ItemWrite(id, replaces: 0, content: content)]),
                to: zone, of: account)
        }
        for number in 1...200 { try await put(number, 100_000, zones[0]) }
        try await store.removeZone(zones[0], of: account)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while try await store.sweep() {} }
            group.addTask { for number in 1...500 { try await put(number, 100, zones[1]) } }
            try await group.waitForAll()
        }
        while try await store.sweep() {}
        try store.close()
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size < 4 << 20, "\(size) bytes are left of 20 MB")
        #expect(try CloudDatabase.findings(path: path) == [])
    }

    @Test("A database that was made before it could shrink serves on, and a copy of it shrinks")
    func before() async throws {
        let folder = try TemporaryDirectory()
        let (path, copy) = (folder.file("cloud.sqlite"), folder.file("copy.sqlite"))
        // As the first version made it.
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            try database.execute(sql: "CREATE TABLE early (value)")
            try database.execute(sql: "DROP TABLE early")
        }
        try queue.close()
        let store = try SQLiteItemStore(path: path, rules: StoreRules())
        while try await store.sweep() {}
        try store.close()
        func mode(_ path: String) throws -> Int? {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") }
        }
        #expect(try mode(path) == 0)
        try CloudDatabase.copy(path, to: copy)
        #expect(try mode(copy) == 2)
        try CloudDatabase.copy(copy, to: folder.file("again.sqlite"), isBackup: false)
        #expect(try mode(folder.file("again.sqlite")) == 2)
        #expect(try CloudDatabase.findings(path: folder.file("again.sqlite")) == [])
    }
}

extension CloudClient {
    /// Deletes the item of the first zone that was written as this version, and never since.
    /// - Returns: how many versions were answered.
    fileprivate func delete(_ number: Int, saying sealed: Data) async throws -> Int {
        try await call(
            ZoneMethods.writeItems,
            .with {
                $0.zoneID = Self.name(1)
                $0.idempotencyKey = StoreRules.systemRandom(16)
                $0.writes = [
                    .with {
                        $0.itemID = Self.name(number)
                        $0.replaces = UInt64(number)
                        $0.delete = .with { $0.sealed = sealed }
                    }
                ]
            }
        ).versions.count
    }
}
