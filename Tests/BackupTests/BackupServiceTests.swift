import BackupFormat
import BatonCore
import BatonTestSupport
import CLinux
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import FileSync
import Foundation
import GRDB
import Glibc
import Synchronization
import Testing

@testable import Backup

@Suite("Backups in a directory")
struct BackupServiceTests {
    private static func restore(
        _ service: BackupService, _ path: String? = nil, to: String,
        _ change: (inout BackupService.RestoreRequest) -> Void = { _ in }
    ) async throws -> BackupService.Restored {
        var request = BackupService.RestoreRequest()
        request.path = path
        request.to = to
        change(&request)
        return try await service.restore(request)
    }

    private static func status(_ path: String) throws -> NodeStatus {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return NodeStatus(status)
    }

    @Test("Bytes, modes, times, attributes, links, hard links and holes come back as they were (B-1)")
    func roundTrip() async throws {
        let fixture = try BackupFixture()
        let (source, out) = (fixture.source, fixture.directory.path + "/out")
        let large = BackupFixture.random(9 << 20, seed: 1)
        try fixture.write(source + "/large", large)
        try fixture.write(source + "/a/b/text", String(repeating: "a line of text\n", count: 5000))
        try fixture.write(source + "/empty", "")
        #expect(symlink("../nowhere", source + "/a/link") == 0)
        #expect(link(source + "/large", source + "/a/second") == 0)
        #expect(truncate(source + "/empty", 5 << 20) == 0)
        let hole = open(source + "/hole", O_RDWR | O_CREAT, 0o600)
        #expect(pwrite(hole, "x", 1, 8 << 20) == 1)
        #expect(ftruncate(hole, 12 << 20) == 0)
        close(hole)
        chmod(source + "/a/b/text", 0o4751)
        chmod(source + "/a/b", 0o500)
        let hasAttributes = setxattr(source + "/large", "user.note", "hello", 5, 0) == 0
        let times = [
            timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789),
            timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789),
        ]
        #expect(utimensat(AT_FDCWD, source + "/a/b/text", times, 0) == 0)
        #expect(utimensat(AT_FDCWD, source + "/a", times, 0) == 0)

        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(source)
        let outcome = try await service.backUp()
        #expect(outcome.unreadable.isEmpty && outcome.snapshot.id.number == 1)
        #expect(outcome.stored < 11 << 20, "random bytes once, and text compressed: \(outcome.stored)")

        let restored = try await Self.restore(service, source, to: out)
        #expect(restored.result.failed == 0 && restored.result.kept == 0, "\(restored.result)")
        let made = out + "/source"
        for name in ["large", "a/b/text", "empty", "hole", "a/second"] {
            let equal = FileManager.default.contentsEqual(atPath: source + "/" + name, andPath: made + "/" + name)
            #expect(equal, "\(name)")
        }
        for name in ["", "/large", "/a", "/a/b", "/a/b/text", "/a/link", "/hole"] {
            let (before, after) = (try Self.status(source + name), try Self.status(made + name))
            #expect(
                before.mode == after.mode && before.kind == after.kind && before.modified == after.modified, "\(name)")
        }
        #expect(try Self.status(made + "/large").inode == Self.status(made + "/a/second").inode)
        #expect(try Self.status(made + "/hole").allocated < 1 << 20)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: made + "/a/link") == "../nowhere")
        if hasAttributes {
            var value = [UInt8](repeating: 0, count: 5)
            #expect(getxattr(made + "/large", "user.note", &value, 5) == 5 && value == Array("hello".utf8))
        }
        chmod(source + "/a/b", 0o700)
        chmod(made + "/a/b", 0o700)
    }

    @Test("A directory that is there keeps its mode: a restore opens it to nobody (B-1)")
    func directoriesThatAreThere() async throws {
        let fixture = try BackupFixture()
        let (source, out) = (fixture.source, fixture.directory.path + "/out")
        try fixture.write(source + "/private/note", "note")
        try #require(chmod(source + "/private", 0o755) == 0)
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(source)
        _ = try await service.backUp()
        try FileManager.default.createDirectory(
            atPath: out + "/source/private", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o500])
        let restored = try await Self.restore(service, source, to: out)
        #expect(restored.result.failed == 0)
        #expect(FileManager.default.contents(atPath: out + "/source/private/note") == Data("note".utf8))
        #expect(try Self.status(out + "/source/private").mode == 0o500)
        // One that a restore makes gets that of the snapshot.
        chmod(out + "/source/private", 0o700)
        try FileManager.default.removeItem(atPath: out)
        _ = try await Self.restore(service, source, to: out)
        #expect(try Self.status(out + "/source/private").mode == 0o755)
    }

    @Test("A second backup reads nothing again that did not change, and stores the changed file alone (B-1)")
    func incremental() async throws {
        let fixture = try BackupFixture()
        for index in 0..<50 {
            try fixture.write(fixture.source + "/\(index)", BackupFixture.random(20_000, seed: UInt64(index)))
        }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        // As if they had been written long ago.
        fixture.now.withLock { $0 = UInt64(Date().timeIntervalSince1970 * 1000) + 60_000 }
        let first = try await service.backUp()
        #expect(first.read >= 50)
        let second = try await service.backUp()
        #expect(second.read == 0 && second.stored == 0 && second.snapshot.id.number == 2)
        #expect(second.snapshot.previous != nil)
        try fixture.write(fixture.source + "/7", BackupFixture.random(20_000, seed: 99))
        let third = try await service.backUp()
        #expect(third.read == 1 && third.stored < 40_000)
        #expect(try fixture.objects(.intent).isEmpty)
    }

    @Test("Caches, temporary files, flagged files and cache directories are left out, and each says why (B-3, B-4)")
    func exclusions() async throws {
        let fixture = try BackupFixture()
        let container = fixture.container
        for name in [
            "Documents/a", "Library/Caches/b", "tmp/c", "Library/Application Support/d", "Documents/big/e",
            "f/CACHEDIR.TAG",
        ] {
            try fixture.write(container + "/" + name, "x")
        }
        try fixture.write(container + "/f/CACHEDIR.TAG", String(decoding: BackupRules.cacheTag, as: UTF8.self) + "\n")
        // Restored, it would be a document of its own. A file that only has such a name is none.
        let placeholder = container + "/Documents/.film.icloud"
        try fixture.write(placeholder, PlaceholderText.bytes(size: 7 << 30, id: EntryID(high: 1, low: 2)))
        try fixture.write(container + "/Documents/.own.icloud", "mine")
        let hasAttributes = setxattr(container + "/Documents/big", BackupRules.attribute, "false", 5, 0) == 0
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.exclude(container + "/Library/Application Support/d")
        try await _ = service.backUp()
        let out = fixture.directory.path + "/out"
        _ = try await Self.restore(service, "com.example.App", to: out)
        let files = try FileManager.default.subpathsOfDirectory(atPath: out + "/com.example.App").sorted()
        var expected = ["Documents", "Documents/.own.icloud", "Documents/a", "Library", "Library/Application Support"]
        if !hasAttributes { expected.insert(contentsOf: ["Documents/big", "Documents/big/e"], at: 3) }
        #expect(files == expected)
        #expect(try await service.why(container + "/Library/Caches/b") == .caches)
        #expect(try await service.why(container + "/tmp") == .temporary)
        #expect(try await service.why(container + "/f/CACHEDIR.TAG") == .cacheDirectory)
        #expect(try await service.why(container + "/Documents/a") == .included(root: container))
        #expect(try await service.why(placeholder) == .placeholder)
        #expect(try await service.why("/etc/hostname") == .notIncluded)
        if hasAttributes { #expect(try await service.why(container + "/Documents/big/e") == .attribute) }
        try fixture.write(fixture.home + "/config/teams/key", "secret")
        #expect(try await service.why(fixture.home + "/config/teams/key") == .privatePlace)
    }

    @Test("A database that an app keeps open is taken whole, with what is still in its log (B-1)")
    func databases() async throws {
        let fixture = try BackupFixture()
        let path = fixture.container + "/Documents/db"
        try FileManager.default.createDirectory(
            atPath: fixture.container + "/Documents", withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        }
        try await queue.write { try $0.execute(sql: "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('one'), ('two')") }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        _ = try await service.backUp()
        let out = fixture.directory.path + "/out"
        _ = try await Self.restore(service, "com.example.App", to: out)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out + "/com.example.App/Documents") == ["db"])
        let copy = try DatabaseQueue(path: out + "/com.example.App/Documents/db")
        #expect(try await copy.read { try String.fetchAll($0, sql: "SELECT v FROM t") } == ["one", "two"])
        try queue.close()
    }

    @Test("No log that an app left is replayed over a restored database; without being told all stays (B-1)")
    func databaseLogs() async throws {
        let fixture = try BackupFixture()
        let path = fixture.source + "/a.db"
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('one')") }
        try queue.close()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let out = fixture.directory.path + "/out"
        #expect(try await Self.restore(service, fixture.source, to: out).result.files == 1)
        let names = ["a.db-wal", "a.db-shm", "a.db-journal"]
        for name in names { try fixture.write(out + "/source/" + name, "left") }
        let kept = try await Self.restore(service, fixture.source, to: out).result
        #expect(kept.kept == 1 && kept.unchanged == 0 && kept.files == 0)
        for name in names { #expect(FileManager.default.fileExists(atPath: out + "/source/" + name)) }
        let replaced = try await Self.restore(service, fixture.source, to: out) { $0.replaces = true }.result
        #expect(replaced.files == 1 && replaced.kept == 0 && replaced.failed == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out + "/source") == ["a.db"])
        let copy = try DatabaseQueue(path: out + "/source/a.db")
        #expect(try await copy.read { try String.fetchAll($0, sql: "SELECT v FROM t") } == ["one"])
        try copy.close()
    }

    @Test("A restore overwrites nothing without being told, goes on where it was cut, and follows no link (B-1)")
    func restoring() async throws {
        let fixture = try BackupFixture()
        let (source, out) = (fixture.source, fixture.directory.path + "/out")
        try fixture.write(source + "/a", "new")
        try fixture.write(source + "/d/b", "new")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(source)
        _ = try await service.backUp()
        try fixture.write(out + "/source/a", "other")
        try fixture.write(out + "/outside/b", "outside")
        #expect(symlink(out + "/outside", out + "/source/d") == 0)
        var result = try await Self.restore(service, source, to: out).result
        #expect(
            result.kept == 1 && result.failed == 1 && result.files == 0, "nothing in “d” is restored, and that is told")
        #expect(try String(contentsOfFile: out + "/source/a", encoding: .utf8) == "other")
        #expect(try String(contentsOfFile: out + "/outside/b", encoding: .utf8) == "outside")
        unlink(out + "/source/d")
        result = try await Self.restore(service, source, to: out) { $0.replaces = true }.result
        #expect(result.kept == 0 && result.files == 2)
        #expect(try String(contentsOfFile: out + "/source/a", encoding: .utf8) == "new")
        result = try await Self.restore(service, source, to: out).result
        #expect(result.unchanged == 2 && result.files == 0)
        result = try await Self.restore(service, source + "/d/b", to: out + "/one").result
        #expect(result.files == 1 && FileManager.default.contents(atPath: out + "/one/b") == Data("new".utf8))
        await #expect(throws: BatonError.self) { try await Self.restore(service, "/nowhere", to: out) }
    }

    @Test("A damaged, a missing and an exchanged pack are found, and the next backup stores their chunks again (B-1)")
    func damage() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", BackupFixture.random(3 << 20, seed: 5))
        try fixture.write(fixture.source + "/b", BackupFixture.random(300_000, seed: 6))
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        #expect(try await service.verify(readsAll: true).isWhole)
        let name = try #require(try fixture.objects(.pack).first)
        let path = fixture.target + "/baton-backup/packs/" + name
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes[bytes.count - 2_000_000] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let found = try await service.verify(readsAll: true)
        #expect(found.damagedPacks.map(\.description) == [name])
        #expect(found.affected.map { $0.split(separator: "/").last } == ["a"], "the other chunks of the pack are whole")
        let again = try await service.backUp()
        #expect(again.stored > 2_000_000)
        let out = fixture.directory.path + "/out"
        #expect(try await Self.restore(service, fixture.source, to: out).result.failed == 0)
        #expect(FileManager.default.contentsEqual(atPath: fixture.source + "/a", andPath: out + "/source/a"))
        // Nothing needs it now, and it was marked when it was found.
        fixture.now.withLock { $0 += BackupCollection.patience + 1 }
        _ = try await service.collect()
        #expect(try !fixture.objects(.pack).contains(name))
        #expect(try await service.verify(readsAll: true).isWhole)

        for name in try fixture.objects(.pack) { unlink(fixture.target + "/baton-backup/packs/" + name) }
        #expect(try await !service.verify(readsAll: false).affected.isEmpty)
        _ = try await service.backUp()
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test("Objects at a target that cannot be read here stop nothing, and no such pack is marked (B-1)")
    func foreignObjects() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "kept")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let folder = fixture.target + "/baton-backup"
        let device = String(repeating: "C", count: 26)
        let pack = try #require(BackupPack.ID([UInt8](repeating: 7, count: BackupPack.ID.size))).description
        for path in ["/snapshots/\(device).1", "/packs/\(pack)"] {
            try FileManager.default.createDirectory(atPath: folder + path, withIntermediateDirectories: false)
        }
        #expect(symlink("target", folder + "/snapshots/\(device).2") == 0)
        try fixture.write(folder + "/snapshots/\(String(repeating: "B", count: 26)).\(UInt64.max)", "")
        #expect(try await service.list().bad.map(\.number).sorted() == [1, 2])
        #expect(try await service.backUp().snapshot.id.number == 2)
        let out = fixture.directory.path + "/out"
        #expect(try await Self.restore(service, fixture.source, to: out).result.failed == 0)
        let found = try await service.verify(readsAll: true)
        #expect(!found.isWhole && found.damagedPacks.isEmpty && found.damage.isEmpty)
        #expect(found.unreadablePacks.map(\.description) == [pack])
        _ = try await service.collect()
        #expect(try fixture.objects(.mark).isEmpty)
        #expect(try await service.forget(named: "BBBB.1").snapshots.map(\.number) == [1])
        for reason in ["unknown_content_key", "unknown_item_format", "file_error"] {
            #expect(BackupRepository.isUnreadable(BatonError(.unknown, reason: reason, "It failed.")))
        }
        #expect(!BackupRepository.isUnreadable(BatonError(.unavailable, reason: "target_away", "It is away.")))
    }

    @Test(
        "Forgetting keeps what is to be kept and frees the rest a day later, and a list that was cut is noticed (B-1)")
    func forgetting() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        for round in 0..<4 as Range<UInt64> {
            try fixture.write(fixture.source + "/a", BackupFixture.random(100_000, seed: round))
            _ = try await service.backUp()
            fixture.now.withLock { $0 += 1000 }
        }
        let forgotten = try await service.forget(BackupRetention(daily: 1, weekly: 0, monthly: 0))
        #expect(forgotten.snapshots.map(\.number) == [1, 2, 3] && forgotten.notCollected == nil)
        let before = try fixture.objects(.pack).count
        fixture.now.withLock { $0 += BackupCollection.patience + 1 }
        _ = try await service.collect()
        #expect(try fixture.objects(.pack).count < before)
        #expect(try await service.verify(readsAll: true).isWhole)
        _ = try await service.backUp()
        let last = try #require(try fixture.objects(.snapshot).first { $0.hasSuffix(".4") })
        unlink(fixture.target + "/baton-backup/snapshots/" + last)
        #expect(try await service.verify(readsAll: false).missingSnapshots.map(\.number) == [4])
    }

    @Test("Once the last snapshot of this device is forgotten it has no backup, and the next one is due (B-1)")
    func forgettingTheLast() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        try fixture.write(fixture.source + "/a", "kept")
        let first = try await service.backUp().snapshot.finished
        fixture.now.withLock { $0 += 1000 }
        _ = try await service.backUp()
        _ = try await service.forget(named: "2")
        #expect(service.state.target?.lastSuccess == first)
        _ = try await service.forget(named: "1")
        #expect(service.state.target?.lastSuccess == nil)
        #expect(try await service.backUp().snapshot.id.number == 3)
        #expect(service.state.target?.lastSuccess != nil)
    }

    @Test("A target that is away is said and never made anew, another account's is refused by name (B-1)")
    func targets() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        await #expect { try await service.backUp() } throws: { ($0 as? BatonError)?.reason == "no_backup_target" }
        var wanted = BackupService.RestoreRequest()
        wanted.to = fixture.directory.path + "/restored"
        let request = wanted
        await #expect { try await service.restore(request) } throws: {
            let error = $0 as? BatonError
            return error?.reason == "no_backup_target" && error?.message.contains("--target cloud") == true
        }
        try await service.setTarget(fixture.target)
        rename(fixture.target + "/baton-backup", fixture.target + "/elsewhere")
        await #expect { try await service.backUp() } throws: { ($0 as? BatonError)?.reason == "target_away" }
        #expect(!FileManager.default.fileExists(atPath: fixture.target + "/baton-backup"))
        #expect(service.state.target?.failures == 1)
        let other = fixture.directory.path + "/other"
        try fixture.write(other + "/baton-backup/target", "baton-backup 1\n\(String(repeating: "C", count: 26))\n")
        await #expect { try await service.setTarget(other) } throws: {
            ($0 as? BatonError)?.reason == "target_of_other_account"
        }
    }

    @Test("With nothing but the recovery code and the target a new home gets everything back (B-1)")
    func recovery() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "kept")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let fresh = try fixture.service("D", home: fixture.directory.path + "/fresh")
        let out = fixture.directory.path + "/out"
        let restored = try await Self.restore(fresh, to: out) {
            $0.target = fixture.target
            $0.recoveryCode = "code"
        }
        #expect(restored.result.failed == 0 && restored.snapshot.deviceName == "laptop")
        #expect(try String(contentsOfFile: out + "/source/a", encoding: .utf8) == "kept")
    }

    @Test("Two devices back up to one target, and what one stored the other does not store again (B-1)")
    func twoDevices() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", BackupFixture.random(1 << 20, seed: 3))
        let (one, two) = (try fixture.service(), try fixture.service("C", home: fixture.directory.path + "/second"))
        for service in [one, two] {
            try await service.setTarget(fixture.target)
            try service.include(fixture.source)
        }
        _ = try await one.backUp()
        #expect(try await two.backUp().stored < 100_000)
        #expect(try await one.list().snapshots.count == 2)
    }
}
