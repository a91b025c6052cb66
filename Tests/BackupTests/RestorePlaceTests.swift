import BackupFormat
import BatonCore
import BatonTestSupport
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Backup

@Suite("Where a restore writes")
struct RestorePlaceTests {
    private static func mode(_ path: String) throws -> UInt16 { try FileNode(directory: path).status().mode }

    @Test("A container or folder that is there keeps its mode; one that a restore makes is the person's alone (B-1)")
    func topThatIsThere() async throws {
        let fixture = try BackupFixture()
        let app = try #require(BundleID(rawValue: "com.example.App"))
        try fixture.write(fixture.container + "/Documents/a", "a")
        try #require(chmod(fixture.container, 0o755) == 0)
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        _ = try await service.backUp()
        var request = BackupService.RestoreRequest()
        request.app = app
        try FileManager.default.removeItem(atPath: fixture.container + "/Documents")
        try #require(chmod(fixture.container, 0o700) == 0)
        #expect(try await service.restore(request).result.files == 1)
        #expect(try Self.mode(fixture.container) == 0o700)
        request.replaces = true
        _ = try await service.restore(request)
        #expect(try Self.mode(fixture.container) == 0o755)
        // One that is not there gets the snapshot's at the end, also when the restore was cut and goes on.
        request.replaces = false
        try FileManager.default.removeItem(atPath: fixture.container)
        let made = try RestoreTarget.directory(at: fixture.container)
        #expect(made.isRestored)
        #expect(try made.node.status().mode == 0o700)
        _ = try await service.restore(request)
        #expect(try Self.mode(fixture.container) == 0o755)
        #expect(try !RestoreTarget.directory(at: fixture.container).isRestored)
    }

    @Test("A path beside an app is refused: nobody who wants one file gets all of the app replaced (B-1)")
    func appAndPath() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.container + "/Documents/a", "old")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        _ = try await service.backUp()
        try fixture.write(fixture.container + "/Documents/a", "new")
        var request = BackupService.RestoreRequest()
        request.app = BundleID(rawValue: "com.example.App")
        request.path = "Documents/b"
        request.replaces = true
        #expect(await reason { _ = try await service.restore(request) } == "app_and_path")
        #expect(FileManager.default.contents(atPath: fixture.container + "/Documents/a") == Data("new".utf8))
    }

    @Test("A snapshot beside a device is one of that device: another's is never taken for it (B-1)")
    func snapshotOfDevice() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "a")
        for device in ["B", "C"] {
            let service = try fixture.service(device, home: fixture.directory.path + "/" + device)
            try await service.setTarget(fixture.target)
            try service.include(fixture.source)
            _ = try await service.backUp()
            fixture.now.withLock { $0 += 1000 }
        }
        let service = try fixture.service("B", home: fixture.directory.path + "/B")
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, fixture.directory.path + "/out")
        request.snapshot = "1"
        #expect(await reason { _ = try await service.restore(request) } == "ambiguous_snapshot")
        request.device = String(repeating: "C", count: 26)
        #expect(try await service.restore(request).snapshot.id.device.rawValue == request.device)
        request.snapshot = String(repeating: "B", count: 26) + ".1"
        #expect(await reason { _ = try await service.restore(request) } == "no_such_snapshot")
    }

    @Test("The newest snapshot of a device is its last one, also when its clock was wrong (B-1)")
    func wrongClock() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        for (text, time) in [("first", 4_000_000_000_000), ("last", 1_800_000_000_000)] as [(String, UInt64)] {
            fixture.now.withLock { $0 = time }
            try fixture.write(fixture.source + "/a", text)
            _ = try await service.backUp()
        }
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, fixture.directory.path + "/out")
        #expect(try await service.restore(request).snapshot.id.number == 2)
        let out = fixture.directory.path + "/out/source/a"
        #expect(FileManager.default.contents(atPath: out) == Data("last".utf8))
        #expect(try await service.forget(BackupRetention(daily: 1, weekly: 0, monthly: 0)).snapshots.isEmpty)
    }

    @Test("A name or size that a file system does not take concerns one item; a full disk ends the restore (B-1)")
    func refusedNames() {
        for code in [EINVAL, EILSEQ, EFBIG, ENAMETOOLONG, EPERM] {
            let error = RestoreTarget.failure("make", "/out/a:b", errno: code)
            #expect(TreeRestorer.isOfOneFile(error) && error.message.contains("/out/a:b"))
        }
        for code in [ENOSPC, EIO, EMFILE] {
            #expect(!TreeRestorer.isOfOneFile(RestoreTarget.failure("make", "/out/a", errno: code)))
        }
    }

    @Test("Where a file system has no rename that replaces nothing, an item gets its name and replaces nothing (B-1)")
    func placesWithoutExclusiveRename() throws {
        let fixture = try BackupFixture()
        let target = RestoreTarget(node: try FileNode(directory: fixture.source))
        let names = ["temporary", "name", "there"].map { FileNode.terminated(Array($0.utf8)) }
        try fixture.write(fixture.source + "/temporary", "restored")
        try fixture.write(fixture.source + "/there", "the person's")
        #expect(target.link(names[0], as: names[2]) == EEXIST)
        #expect(target.link(names[0], as: names[1]) == 0)
        #expect(FileManager.default.contents(atPath: fixture.source + "/name") == Data("restored".utf8))
        #expect(FileManager.default.contents(atPath: fixture.source + "/there") == Data("the person's".utf8))
    }

    @Test("Where a file system finds one name by another, a restore overwrites and fills no item of another name (B-1)")
    func namesThatAreOneName() throws {
        let fixture = try BackupFixture()
        let keys = try FixedKeys()
        let repository = try BackupRepository(
            store: try DirectoryBackupStore.prepare(fixture.target, account: keys.account), keys: keys,
            cache: fixture.home + "/index.sqlite", target: "t")
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        let chunk = try writer.put(Array("restored".utf8))
        func entry(_ name: String, _ kind: BackupEntry.Kind) -> BackupEntry {
            BackupEntry(name: Array(name.utf8), kind: kind, mode: 0o600, modified: 0)
        }
        let file = entry("README", .file(.init(size: 8, chunks: [chunk])))
        let below = entry("Docs", .directory([try writer.put(try BackupTree([file]).encoded)]))
        let link = entry("Link", .link(target: Array("nowhere".utf8)))
        try writer.flush()
        for path in ["/README", "/Docs/README", "/Link"] { try fixture.write(fixture.source + path, "the person's") }
        let node = try FileNode(directory: fixture.source)
        // As if it had been made as “readme”, and so on.
        let folded = TreeRestorer(
            repository, replaces: true,
            list: { try $0.names().map { Array(String(decoding: $0, as: UTF8.self).lowercased().utf8) } })
        for entry in [file, below, link] { try folded.restore(entry, as: entry.name, in: node) }
        #expect(folded.result.failed == 3 && folded.result.files == 0 && folded.result.kept == 0)
        #expect(folded.result.failures.allSatisfy { $0.contains("Another item has the name here") })
        for path in ["/README", "/Docs/README", "/Link"] {
            #expect(FileManager.default.contents(atPath: fixture.source + path) == Data("the person's".utf8))
        }
        // A new directory is filled, however it is listed.
        let new = entry("New", below.kind)
        try folded.restore(new, as: new.name, in: node)
        #expect(folded.result.failed == 3 && folded.result.files == 1)
        // One that the same restore has made is known, and a directory is filled again.
        let exact = TreeRestorer(repository, replaces: true)
        for entry in [file, below, link, file, below] { try exact.restore(entry, as: entry.name, in: node) }
        #expect(exact.result.failed == 0 && exact.result.files == 3 && exact.result.unchanged == 2)
    }

    @Test("All hard links come back, however many files have some, and none is made to a file that was changed (B-1)")
    func manyLinks() async throws {
        let fixture = try BackupFixture()
        let count = 300
        for name in 0..<count {
            try fixture.write(fixture.source + "/a/\(name)", "file \(name)")
            try FileManager.default.createDirectory(
                atPath: fixture.source + "/b/c", withIntermediateDirectories: true)
            #expect(link(fixture.source + "/a/\(name)", fixture.source + "/b/c/\(name)") == 0)
        }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let out = fixture.directory.path + "/out"
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, out)
        _ = try await service.restore(request)
        func inode(_ path: String) throws -> UInt64 {
            var status = stat()
            try #require(lstat(path, &status) == 0)
            return UInt64(status.st_ino)
        }
        for name in 0..<count {
            #expect(try inode(out + "/source/a/\(name)") == inode(out + "/source/b/c/\(name)"), "\(name)")
        }
        let top = try FileNode(directory: out + "/source")
        let place = RestorePlace(Array("a".utf8), in: RestorePlace(top: top))
        let status = try #require(try FileNode(directory: out + "/source/a").status(of: Array("7".utf8)))
        let known = RestoredLink(Array("7".utf8), in: place, status)
        #expect(known.opened() != nil)
        try fixture.write(out + "/source/a/7", "another one")
        #expect(known.opened() == nil)
        #expect(rename(out + "/source/a", out + "/source/moved") == 0 && symlink("moved", out + "/source/a") == 0)
        #expect(place.entry(Array("8".utf8)) == nil, "no link is followed")
    }

    @Test("The link to an app's Inbox leads to a place of its device, so it is in no backup (B-1)")
    func inboxLink() async throws {
        let fixture = try BackupFixture()
        let inbox = fixture.container + "/Documents/Inbox"
        try fixture.write(fixture.container + "/Documents/a", "a")
        try #require(symlink("/nowhere/inboxes/com.example.App", inbox) == 0)
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        _ = try await service.backUp()
        #expect(try await service.why(inbox) == .inbox)
        let out = fixture.directory.path + "/out"
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = ("com.example.App", out)
        _ = try await service.restore(request)
        let restored = out + "/com.example.App/Documents"
        #expect(try FileManager.default.contentsOfDirectory(atPath: restored) == ["a"])
        // A directory of that name holds an app's own files.
        try FileManager.default.removeItem(atPath: inbox)
        try fixture.write(inbox + "/b", "b")
        #expect(try await service.why(inbox + "/b").isIncluded)
    }

    @Test("A path behind a link is not excluded or explained as if a backup went there (B-4)")
    func behindLink() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/real/secret", "x")
        try fixture.write(fixture.source + "/secret", "another")
        try #require(symlink("real", fixture.source + "/link") == 0)
        let service = try fixture.service()
        try service.include(fixture.source)
        #expect(await reason { try service.include(fixture.source + "/link") } == "unexpected_symlink")
        #expect(await reason { try service.exclude(fixture.source + "/link/secret") } == "link_in_path")
        #expect(await reason { _ = try await service.why(fixture.source + "/link/secret") } == "link_in_path")
        #expect(service.state.excluded.isEmpty)
        try service.exclude(fixture.source + "/link")
        try service.exclude(fixture.source + "/real/secret")
        #expect(try await !service.why(fixture.source + "/real/secret").isIncluded)
        #expect(try await service.why(fixture.source + "/secret").isIncluded)
    }
}
