import BackupFormat
import BatonCore
import BatonTestSupport
import CLinux
import Dispatch
import FileSync
import Foundation
import GRDB
import Glibc
import Synchronization
import Testing

@testable import Backup

/// A target that cannot be written to from time to time.
private struct FaultyStore: BackupStore {
    /// Packs and marks that are refused; then they are taken.
    final class Faults: Sendable { let left = Mutex(0) }

    let store: DirectoryBackupStore
    let faults = Faults()

    func check() throws(BatonError) { try store.check() }
    func names(_ kind: BackupObject) throws(BatonError) -> [String] { try store.names(kind) }
    func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8] {
        try store.read(kind, name, limit: limit)
    }
    func read(_ kind: BackupObject, _ name: String, from offset: UInt64, count: Int) throws(BatonError) -> [UInt8] {
        try store.read(kind, name, from: offset, count: count)
    }
    func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
        let isFault = faults.left.withLock { left in
            guard [.pack, .mark].contains(kind), left > 0 else { return false }
            left -= 1
            return true
        }
        if isFault { throw BatonError(.unknown, reason: "file_error", "Could not write: input/output error.") }
        try store.write(kind, name, bytes)
    }
    func remove(_ kind: BackupObject, _ name: String) throws(BatonError) { try store.remove(kind, name) }
}

@Suite("Faults during backups")
struct BackupFaultTests {
    private static func repository(_ fixture: BackupFixture) throws -> (BackupRepository, FaultyStore) {
        let keys = try FixedKeys()
        let store = FaultyStore(store: try DirectoryBackupStore.prepare(fixture.target, account: keys.account))
        return (
            try BackupRepository(store: store, keys: keys, cache: fixture.home + "/index.sqlite", target: "t"), store
        )
    }

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

    @Test("A file that never rests is taken as it is after three times, counted, and read by the next backup (B-1)")
    func neverRests() async throws {
        let fixture = try BackupFixture()
        let path = fixture.source + "/log"
        let bytes = BackupFixture.random(3 << 20, seed: 5)
        try fixture.write(path, bytes)
        try fixture.write(fixture.source + "/other", "at rest")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        // As if all had been written long ago.
        fixture.now.withLock { $0 = UInt64(Date().timeIntervalSince1970 * 1000) + 60_000 }
        // It is asked between two pieces of a file.
        let outcome = try await service.backUp(isInUse: {
            let file = FileHandle(forWritingAtPath: path)
            _ = try? file?.seekToEnd()
            try? file?.write(contentsOf: Data([1]))
            try? file?.close()
            return false
        })
        #expect(outcome.snapshot.unrested == 1 && outcome.unreadable.isEmpty)
        let out = fixture.directory.path + "/out"
        #expect(try await Self.restore(service, fixture.source, to: out).result.failed == 0)
        let restored = try #require(FileManager.default.contents(atPath: out + "/source/log"))
        #expect(Array(restored.prefix(bytes.count)) == bytes)
        #expect(try String(contentsOfFile: out + "/source/other", encoding: .utf8) == "at rest")
        let next = try await service.backUp()
        #expect(next.read == 1 && next.snapshot.unrested == 0)
    }

    @Test("A target that fails ends the backup and is no unreadable file: no snapshot lacks files for it (B-1)")
    func targetFailure() throws {
        let fixture = try BackupFixture()
        for index in 0..<6 as Range<UInt64> {
            try fixture.write(fixture.source + "/\(index)", BackupFixture.random(4 << 20, seed: index))
        }
        let (repository, store) = try Self.repository(fixture)
        defer { repository.close() }
        try FileManager.default.createDirectory(
            atPath: fixture.home + "/backup/staging", withIntermediateDirectories: true)
        var state = BackupState()
        state.included = [fixture.source]
        let job = BackupJob(
            repository: repository, state: state,
            places: BackupPlaces(
                folder: fixture.home + "/backup", configuration: fixture.home + "/config",
                documents: fixture.home + "/documents", privatePlaces: []),
            apps: [], deviceName: "laptop", target: fixture.target, now: { 1_800_000_000_000 }, progress: { _, _ in })
        store.faults.left.withLock { $0 = 1 }
        #expect { try job.run() } throws: { ($0 as? BatonError)?.reason == "file_error" }
        #expect(try fixture.objects(.snapshot).isEmpty)
        let made = try job.run()
        #expect(made.unreadable.isEmpty)
        // The next one has about as much.
        var expected: UInt64 = 0
        var next = job
        next.expects = { expected = $0 }
        _ = try next.run()
        #expect(expected == made.snapshot.bytes && expected > 0)
    }

    @Test("Damage at a target that takes no mark is named all the same, and that it could not be marked (B-1)")
    func damageOfReadOnlyTarget() throws {
        let fixture = try BackupFixture()
        let (repository, store) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        _ = try writer.put(BackupFixture.random(1000, seed: 1))
        try writer.flush()
        let pack = try #require(try fixture.objects(.pack).first)
        let path = fixture.target + "/baton-backup/packs/" + pack
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes[bytes.count - 5] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        store.faults.left.withLock { $0 = .max }
        let found = try repository.verify(readsAll: true, known: [:], now: 1_800_000_000_000)
        #expect(found.damagedPacks.map(\.description) == [pack])
        #expect(found.notMarked == "Could not write: input/output error.")
        store.faults.left.withLock { $0 = 0 }
        let again = try repository.verify(readsAll: true, known: [:], now: 1_800_000_000_000)
        #expect(again.notMarked == nil && again.damagedPacks == found.damagedPacks)
        #expect(try fixture.objects(.mark) == [pack])
    }

    @Test("A damaged record of this device's backups loses no included folder and no exclusion (B-1)")
    func damagedState() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "x")
        let service = try fixture.service(known: KnownDevice())
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        try service.exclude(fixture.source + "/a")
        _ = try await service.backUp()
        try fixture.write(fixture.home + "/backup/state.json", "{")
        for again in [try fixture.service(), try fixture.service()] {
            #expect(again.state.target == nil)
            #expect(again.state.included == [fixture.source] && again.state.excluded == [fixture.source + "/a"])
        }
    }

    @Test("A damaged index of this device is made anew, and stops no backup and no restore for good (B-1)")
    func damagedIndex() async throws {
        let fixture = try BackupFixture()
        for index in 0..<100 { try fixture.write(fixture.source + "/\(index)", "file \(index)") }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let index = fixture.home + "/backup/index.sqlite"
        func spoil() throws {
            var bytes = try #require(FileManager.default.contents(atPath: index))
            try #require(bytes.count > 8192)
            for place in 4096..<bytes.count { bytes[place] ^= 0xFF }
            try bytes.write(to: URL(fileURLWithPath: index))
        }
        try spoil()
        await #expect { try await service.backUp() } throws: { ($0 as? BatonError)?.reason == "backup_index_damaged" }
        #expect(try await service.backUp().stored == 0)
        try spoil()
        let out = fixture.directory.path + "/out"
        await #expect { try await Self.restore(service, fixture.source, to: out) } throws: {
            ($0 as? BatonError)?.reason == "backup_index_damaged"
        }
        #expect(try await Self.restore(service, fixture.source, to: out).result.files == 100)
        let full = BackupIndex.failure(DatabaseError(resultCode: .SQLITE_FULL), path: index) as? BatonError
        #expect(full?.reason == "own_disk_full" && full?.message.contains(index) == true)
    }

    @Test("No pack becomes larger than can be read back, whatever the target does (B-1)")
    func packBound() throws {
        let fixture = try BackupFixture()
        let (repository, store) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        store.faults.left.withLock { $0 = .max }
        for index in 0..<8 as Range<UInt64> {
            _ = try? writer.put(BackupFixture.random(BackupChunks.sizes.maximum, seed: index))
        }
        store.faults.left.withLock { $0 = 0 }
        _ = try writer.put(BackupFixture.random(BackupChunks.sizes.maximum, seed: 99))
        try writer.flush()
        let packs = try fixture.objects(.pack)
        #expect(!packs.isEmpty)
        for name in packs {
            let id = try #require(BackupPack.ID(name))
            _ = try PackFile(id, in: store, keys: repository.keys).directory(in: store)
        }
        let id = try #require(BackupPack.ID(repository.random(BackupPack.ID.size)))
        let large = PackBytes()
        large.append([UInt8](repeating: 0, count: BackupPack.maximumBytes + 1))
        #expect {
            try PackFile.Sealing(BackupPack([]), large, id: id, keys: repository.keys, random: repository.random)
        } throws: {
            ($0 as? BatonError)?.reason == "pack_too_large"
        }
    }

    @Test("A pack that only says that it has the chunks of another one does not drive that out (B-1)")
    func claimedChunks() throws {
        let fixture = try BackupFixture()
        let (repository, store) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        let content = BackupFixture.random(300_000, seed: 3)
        let chunk = try writer.put(content)
        let file = BackupEntry(
            name: [0x61], kind: .file(.init(size: 300_000, chunks: [chunk])), mode: 0o600, modified: 0)
        let top = try writer.put(try BackupTree([file]).encoded)
        try writer.flush()
        try repository.commit(
            BackupSnapshot(
                id: .init(device: try #require(repository.keys.device), number: 1), deviceName: "laptop", begun: 1,
                finished: 2, previous: nil,
                roots: [
                    .init(
                        kind: .folder, name: "/home", version: "",
                        entry: BackupEntry(
                            name: Array("root".utf8), kind: .directory([top]), mode: 0o700, modified: 0), files: 1,
                        bytes: 300_000)
                ], unreadable: 0, unrested: 0))
        let id = try #require(BackupPack.ID([UInt8](repeating: 0, count: BackupPack.ID.size)))
        var claimed: [BackupPack.Chunk] = []
        let bytes = PackBytes()
        for reference in [chunk, top] {
            claimed.append(
                .init(
                    reference: reference, offset: UInt32(bytes.count), storedLength: reference.length,
                    compression: .none))
            bytes.append([UInt8](repeating: 7, count: Int(reference.length)))
        }
        let sealing = try PackFile.Sealing(
            BackupPack(claimed), bytes, id: id, keys: repository.keys, random: repository.random)
        var sealed: [UInt8] = []
        try sealing.write { (part: Data) throws(BatonError) in sealed += Array(part) }
        try store.write(.pack, "\(id)", sealed)
        // The writer's intent holds for a week.
        for day in 8...11 as ClosedRange<UInt64> {
            _ = try repository.collect(now: 1_800_000_000_000 + day * BackupCollection.patience)
        }
        #expect(try repository.chunk(chunk) == content)
        #expect(try repository.tree([top]).entries == [file])
    }

    @Test(
        "Directories of a hostile snapshot that stand for more paths than can be walked are verified all the same (B-1)",
        .timeLimit(.minutes(1)))
    func endlessTree() throws {
        let fixture = try BackupFixture()
        let (repository, _) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        func entry(_ name: String, _ kind: BackupEntry.Kind) -> BackupEntry {
            BackupEntry(name: Array(name.utf8), kind: kind, mode: 0o755, modified: 0)
        }
        let missing = ChunkReference(hash: ContentHash(of: [1]), length: 1)
        var tree = try BackupTree([entry("file", .file(.init(size: 1, chunks: [missing])))])
        for _ in 0..<60 {
            let below = BackupEntry.Kind.directory([try writer.put(tree.encoded)])
            tree = try BackupTree([entry("a", below), entry("b", below)])
        }
        let top = try writer.put(tree.encoded)
        try writer.flush()
        let snapshot = BackupSnapshot(
            id: .init(device: try #require(repository.keys.device), number: 1), deviceName: "laptop", begun: 1,
            finished: 2, previous: nil,
            roots: [
                .init(
                    kind: .folder, name: "/home", version: "", entry: entry("root", .directory([top])), files: 1,
                    bytes: 1)
            ], unreadable: 0, unrested: 0)
        try repository.commit(snapshot)
        let found = try repository.verify(readsAll: false, known: [:], now: 1_800_000_000_000)
        #expect(found.damage.map(\.snapshot) == [snapshot.id] && found.newestWhole == nil)
        #expect(found.affected.count == BackupRepository.Damage.maximumPaths)
    }

    /// Releases, after a while, a reader that waits for a writer of a named pipe.
    private static func release(_ pipe: String) {
        for seconds in [20, 40, 60] {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
                let descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
                if descriptor >= 0 { close(descriptor) }
            }
        }
    }

    @Test(
        "A named pipe in the place of a database's journal stops no backup, even one put there at the last moment (B-1)"
    )
    func pipeAsJournal() async throws {
        let fixture = try BackupFixture()
        let path = fixture.source + "/a.db"
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('one')") }
        try queue.close()
        // A database that is nearly all hole.
        try FileManager.default.copyItem(atPath: path, toPath: fixture.source + "/hole.db")
        #expect(truncate(fixture.source + "/hole.db", 1 << 30) == 0)
        let pipe = path + "-journal"
        #expect(mkfifo(pipe, 0o600) == 0)
        Self.release(pipe)
        let began = ContinuousClock.now
        #expect(throws: (any Error).self) {
            try DatabaseCopy.make(of: path, at: fixture.directory.path + "/copy") { _ in true }
        }
        #expect(ContinuousClock.now - began < .seconds(15))

        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        #expect(try await service.backUp().unreadable.isEmpty)
        let out = fixture.directory.path + "/out"
        _ = try await Self.restore(service, fixture.source, to: out)
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: out + "/source/a.db"))
        let attributes = try FileManager.default.attributesOfItem(atPath: out + "/source/hole.db")
        #expect(attributes[.size] as? Int == 1 << 30, "its holes are not written out")
    }

    @Test(
        "Holes are never read: a file with too many is left out, and the bound of chunks counts while a file is read (B-1)"
    )
    func largeFiles() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/small", "x")
        let file = open(fixture.source + "/holes", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        for index in 0...BackupEntry.maximumExtents { #expect(pwrite(file, "x", 1, off_t(index) * 8192) == 1) }
        close(file)
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        let outcome = try await service.backUp()
        #expect(outcome.unreadable == [fixture.source + "/holes"] && outcome.snapshot.unreadable == 1)

        try fixture.write(fixture.source + "/large", BackupFixture.random(16 << 20, seed: 1))
        let (repository, _) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        let reader = ContentReader(
            writer: writer, gear: try GearTable(key: repository.keys.gearKey), maximumReferences: 4)
        let node = try FileNode(directory: fixture.source).child(Array("large".utf8), isDirectory: false)
        let status = try node.status()
        #expect { try reader.read(node, status) } throws: { ($0 as? BatonError)?.reason == "file_too_large" }
        let narrow = ContentReader(writer: writer, gear: reader.gear, maximumDirectory: 999)
        #expect { try narrow.put(Array(repeating: 0, count: 1000)) } throws: {
            ($0 as? BatonError)?.reason == "too_many_files"
        }
        try writer.flush()
        #expect(writer.storedBytes < 16 << 20, "it ends at the bound")
    }

    @Test(
        "A directory that is too deep and a root that cannot be read are left out, and all else is backed up (B-1)"
    )
    func badItems() async throws {
        let fixture = try BackupFixture()
        let deep = fixture.source + String(repeating: "/d", count: BackupTree.maximumDepth + 2)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        try fixture.write(fixture.source + "/a", "kept")
        let other = fixture.directory.path + "/other"
        try fixture.write(other + "/b", "x")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(other)
        try service.include(fixture.source)
        for root in [fixture.container, other] {
            #expect(rename(root, root + ".away") == 0)
            #expect(symlink(root + ".away", root) == 0)
        }
        let outcome = try await service.backUp()
        #expect(outcome.missing.sorted() == [fixture.container, other])
        #expect(outcome.unreadable.count == 1 && outcome.unreadable.allSatisfy { $0.hasSuffix("/d/d/d") })
        #expect(outcome.snapshot.unreadable == 3)
        let out = fixture.directory.path + "/out"
        _ = try await Self.restore(service, fixture.source + "/a", to: out)
        #expect(try String(contentsOfFile: out + "/a", encoding: .utf8) == "kept")
        for (code, reason, isOfItem) in [
            (BatonError.Code.resourceExhausted, "too_many_files", true), (.resourceExhausted, "file_too_large", true),
            (.resourceExhausted, "disk_full", false), (.aborted, "backup_ended", false),
        ] {
            #expect(TreeReader.isOfItem(BatonError(code, reason: reason, "It failed.")) == isOfItem)
        }
    }

    @Test("What a revoked device signs after its revocation is never taken as the newest snapshot (B-1)")
    func revokedDevices() async throws {
        let fixture = try BackupFixture()
        let (member, revoked) = (try #require(try FixedKeys("B").device), try #require(try FixedKeys("C").device))
        for (device, content) in [("C", "old"), ("B", "kept"), ("C", "planted")] {
            try fixture.write(fixture.source + "/a", content)
            let service = try fixture.service(device, home: fixture.directory.path + "/" + device)
            try await service.setTarget(fixture.target)
            if service.state.included.isEmpty { try service.include(fixture.source) }
            _ = try await service.backUp()
            fixture.now.withLock { $0 += 60_000 }
        }
        let end = fixture.now.withLock { $0 } - 90_000
        let fresh = try fixture.service("D", home: fixture.directory.path + "/D", revoked: [revoked: end])
        try await fresh.setTarget(fixture.target)
        let out = fixture.directory.path + "/out"
        func chosen(_ change: (inout BackupService.RestoreRequest) -> Void) async throws -> BackupSnapshot.ID {
            try await Self.restore(fresh, fixture.source, to: out, change).snapshot.id
        }
        #expect(try await chosen { _ in } == BackupSnapshot.ID(device: member, number: 1))
        #expect(try await chosen { $0.device = "laptop" } == BackupSnapshot.ID(device: member, number: 1))
        #expect(try await chosen { $0.device = revoked.rawValue } == BackupSnapshot.ID(device: revoked, number: 1))
        for name in ["lap", "LAPTOP"] {
            #expect(try await chosen { $0.device = name } == BackupSnapshot.ID(device: member, number: 1))
        }
        #expect(try await chosen { $0.device = "cccc" } == BackupSnapshot.ID(device: revoked, number: 1))
        await #expect {
            try await chosen { $0.device = "phone" }
        } throws: {
            ($0 as? BatonError)?.message.hasSuffix("There are backups of “laptop”.") == true
        }
        let planted = BackupSnapshot.ID(device: revoked, number: 2)
        #expect(try await chosen { $0.snapshot = "\(planted)" } == planted, "by its whole name")
        let later = try fixture.service("D", home: fixture.directory.path + "/D", revoked: [revoked: 1])
        await #expect {
            try await Self.restore(later, fixture.source, to: out) { $0.device = revoked.rawValue }
        } throws: {
            ($0 as? BatonError)?.reason == "no_such_snapshot"
        }
    }
}
