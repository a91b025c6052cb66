import BackupFormat
import BatonCore
import BatonTestSupport
import Files
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Backup

/// A target of which one object cannot be read.
private struct RefusingStore: BackupStore {
    let store: DirectoryBackupStore
    let refused: String
    let code: Int32

    func check() throws(BatonError) { try store.check() }
    func names(_ kind: BackupObject) throws(BatonError) -> [String] { try store.names(kind) }
    func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8] {
        guard name != refused else { throw FileFailure.error("open", name, errno: code) }
        return try store.read(kind, name, limit: limit)
    }
    func read(_ kind: BackupObject, _ name: String, from offset: UInt64, count: Int) throws(BatonError) -> [UInt8] {
        try store.read(kind, name, from: offset, count: count)
    }
    func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
        try store.write(kind, name, bytes)
    }
    func remove(_ kind: BackupObject, _ name: String) throws(BatonError) { try store.remove(kind, name) }
}

@Suite("Targets that lack something, or hold what cannot be read")
struct LostSnapshotTests {
    private static func made(_ fixture: BackupFixture, rounds: Range<UInt64>) async throws -> BackupService {
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        for round in rounds {
            try fixture.write(fixture.source + "/a", BackupFixture.random(1000, seed: round))
            _ = try await service.backUp()
            fixture.now.withLock { $0 += 1000 }
        }
        return service
    }

    @Test("A backup goes on from the membership that another device wrote beside the backups (B-1)")
    func membership() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<1)
        let store = DirectoryBackupStore(path: fixture.target, account: try FixedKeys("B").account)
        #expect(try store.read(.account, "membership", limit: 1) == [1])
        try store.write(.account, "membership", [7])
        _ = try await service.backUp()
        #expect(try store.read(.account, "membership", limit: 1) == [7])
    }

    @Test("While a snapshot is damaged or missing nothing goes, which is said, and its whole name forgets it (B-1)")
    func lostSnapshots() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<4)
        let folder = fixture.target + "/baton-backup/snapshots/"
        let device = String(repeating: "B", count: 26)
        try fixture.write(folder + device + ".1", "damaged")
        let second = try await service.forget(named: "2")
        #expect(second.notCollected?.contains("baton backup forget \(device).1") == true)
        #expect(try fixture.objects(.mark).isEmpty)
        #expect(await reason { _ = try await service.forget(named: "BBBB.1") } == "no_such_snapshot")
        let first = try await service.forget(named: "\(device).1")
        #expect(first.snapshots.map(\.number) == [1] && first.notCollected == nil)
        let marked = try fixture.objects(.mark)
        #expect(!marked.isEmpty)

        // The newest one, which no other one names.
        unlink(folder + device + ".4")
        #expect(try await service.listed().missing.map(\.number) == [4])
        fixture.now.withLock { $0 += BackupCollection.patience + 1 }
        #expect(try await service.collect().blocked?.contains("\(device).4 is missing") == true)
        #expect(try fixture.objects(.mark) == marked, "what it needs waits for it")
        let fourth = try await service.forget(named: "\(device).4")
        #expect(fourth.snapshots.map(\.number) == [4] && fourth.notCollected == nil)
        #expect(try await service.listed().missing.isEmpty)
        #expect(try await service.backUp().snapshot.id.number == 5)
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test(
        "A file that proves nothing makes no other snapshot missing, and one that is only not readable here stays (B-1)"
    )
    func strangeFiles() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<1)
        let folder = fixture.target + "/baton-backup/snapshots/"
        let strange = String(repeating: "B", count: 26) + ".5000"
        try fixture.write(folder + strange, "x")
        var listed = try await service.listed()
        #expect(listed.listing.bad.map(\.number) == [5000] && listed.missing.isEmpty)
        #expect(try await service.forget(named: strange).notCollected == nil)
        #expect(try fixture.objects(.forgotten).isEmpty, "a stone would make 4998 snapshots missing")
        listed = try await service.listed()
        #expect(listed.listing.bad.isEmpty && listed.missing.isEmpty)
        #expect(try await service.backUp().snapshot.id.number == 2)

        let other = String(repeating: "C", count: 26) + ".1"
        try FileManager.default.createDirectory(atPath: folder + other, withIntermediateDirectories: false)
        #expect(await reason { _ = try await service.forget(named: other) } == "not_a_file")
        #expect(try fixture.objects(.snapshot).contains(other) && fixture.objects(.forgotten).isEmpty)
    }

    /// Puts a snapshot at the target, of a device that those of the fixture do not know.
    private static func putStranger(_ fixture: BackupFixture, _ number: UInt64) throws -> BackupSnapshot.ID {
        let newcomer = try BackupRepository(
            store: DirectoryBackupStore(path: fixture.target, account: try FixedKeys("E").account),
            keys: try FixedKeys("E"), cache: ":memory:", target: "")
        defer { newcomer.close() }
        let id = BackupSnapshot.ID(device: try #require(newcomer.keys.device), number: number)
        try newcomer.commit(
            BackupSnapshot(
                id: id, deviceName: "lost laptop", begun: 1, finished: 2, previous: nil, roots: [], unreadable: 0,
                unrested: 0))
        return id
    }

    @Test(
        "A snapshot of a device that is not known here is listed with why, and forgotten only by the word for that (B-1)"
    )
    func strangers() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<3)
        let (id, invented) = (try Self.putStranger(fixture, 1), try Self.putStranger(fixture, 900))
        let listing = try await service.list()
        #expect(listing.bad.sorted() == [id, invented] && Set(listing.unreadable.keys) == [id, invented])
        #expect(listing.unreadable[id]?.message.contains("“lost laptop”") == true)
        #expect(try await service.verify(readsAll: false).unreadableSnapshots.count == 2)

        // Neither a retention nor a number nor a name alone takes one, and nothing goes.
        let blocked = try #require(try await service.forget(named: "1").notCollected)
        #expect(blocked.contains("forget \(id) --unreadable"))
        _ = try await service.forget(BackupRetention(daily: 1, weekly: 0, monthly: 0))
        for name in ["\(id)", "\(invented)"] {
            #expect(await reason { _ = try await service.forget(named: name) } == "snapshot_of_unknown_device")
        }
        #expect(await reason { _ = try await service.forget(named: "900", isUnread: true) } == "no_such_snapshot")
        #expect(try fixture.objects(.snapshot).suffix(2) == ["\(id)", "\(invented)"])
        #expect(try fixture.objects(.mark).isEmpty)

        // One by one: while another one is there nothing goes either.
        #expect(try await service.forget(named: "\(id)", isUnread: true).notCollected?.contains("\(invented)") == true)
        #expect(try fixture.objects(.mark).isEmpty && fixture.objects(.forgotten).contains("\(id)"))
        #expect(try await service.forget(named: "\(invented)", isUnread: true).notCollected == nil)
        #expect(!(try fixture.objects(.mark).isEmpty), "packs of the snapshots that were forgotten")
        let listed = try await service.listed()
        #expect(listed.listing.bad.isEmpty && listed.missing.isEmpty, "a number that was invented leaves none out")
        fixture.now.withLock { $0 += BackupCollection.patience + 1 }
        _ = try await service.collect()
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test("A directory in a snapshot's place is forgotten by no word (B-1)")
    func directoryInPlace() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<1)
        let name = String(repeating: "C", count: 26) + ".1"
        let path = fixture.target + "/baton-backup/snapshots/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        await #expect {
            _ = try await service.forget(named: name, isUnread: true)
        } throws: {
            ($0 as? BatonError)?.message.contains("Take it away from the target.") == true
        }
        #expect(try fixture.objects(.forgotten).isEmpty)
    }

    @Test(
        "A snapshot that may not be read, or that the disk cannot read, stops neither lists nor backups, and keeps all packs (B-1)",
        arguments: [EACCES, EIO])
    func refusedSnapshot(code: Int32) async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<3)
        _ = try await service.forget(named: "2")
        let marks = try fixture.objects(.mark)
        let id = BackupSnapshot.ID(device: try #require(try FixedKeys().device), number: 1)
        let keys = try FixedKeys()
        let store = RefusingStore(
            store: DirectoryBackupStore(path: fixture.target, account: keys.account), refused: "\(id)", code: code)
        let repository = try BackupRepository(store: store, keys: keys, cache: ":memory:", target: "")
        defer { repository.close() }
        let listing = try repository.listing()
        #expect(listing.snapshots.map(\.id.number) == [3] && listing.bad == [id])
        #expect(listing.unreadable[id]?.message.contains("\(id)") == true)
        #expect(listing.missing(knowing: [id.device: 3]).isEmpty)

        let places = BackupPlaces(
            folder: fixture.home + "/backup", configuration: fixture.home + "/config",
            documents: fixture.home + "/documents", privatePlaces: [])
        let job = BackupJob(
            repository: repository, state: service.state, places: places, apps: [], deviceName: "laptop",
            target: fixture.target, now: { 1_800_000_100_000 }, progress: { _, _ in })
        #expect(try job.run().snapshot.id.number == 4)
        let collected = try repository.collect(now: 1_800_000_100_000 + 2 * BackupCollection.patience)
        #expect(collected.removed == 0 && collected.marked == 0)
        #expect(collected.blocked?.contains("\(id) may need anything") == true)
        #expect(try fixture.objects(.mark) == marks && !marks.isEmpty)
        #expect(try repository.verify(readsAll: true, known: [:], now: 0).damage.isEmpty)
    }

    @Test("A damaged snapshot of a device that is not known here is forgotten by its whole name (B-1)")
    func unknownDevice() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<2)
        let id = try Self.putStranger(fixture, 1)
        #expect(await reason { _ = try await service.forget(named: "\(id)") } == "snapshot_of_unknown_device")
        #expect(try fixture.objects(.snapshot).contains("\(id)") && fixture.objects(.forgotten).isEmpty)
        let blocked = try #require(try await service.forget(named: "1").notCollected)
        #expect(blocked.contains("\(id) may need") && blocked.contains("meet the others"))
        #expect(!blocked.contains("is damaged"))

        // One that nobody can have made is damaged whether or not its device is known.
        try fixture.write(fixture.target + "/baton-backup/snapshots/\(id)", "damaged")
        #expect(try await service.forget(named: "\(id)").notCollected == nil)
    }

    @Test("Stray names of snapshots and stones leave no number out, so nothing counts as missing after them (B-1)")
    func strayNumbers() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<1)
        let device = String(repeating: "B", count: 26)
        try fixture.write(fixture.target + "/baton-backup/snapshots/\(device).901", "x")
        for number in [2, 800] {
            try fixture.write(fixture.target + "/baton-backup/forgotten/\(device).\(number)", "x")
        }
        #expect(try await service.backUp().snapshot.id.number == 2)
        #expect(try await service.listed().missing.isEmpty)
        #expect(try await service.forget(named: "\(device).901").notCollected == nil)
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test("A reserve that a crash left empty, or that a copy made a hole of, is made anew, and a whole one stays (B-1)")
    func reserve() throws {
        let fixture = try BackupFixture()
        let path = fixture.target + "/baton-backup/reserve"
        let store = try DirectoryBackupStore.prepare(fixture.target, account: try FixedKeys().account)
        func number(_ key: FileAttributeKey) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[key] as? Int
        }
        #expect(try number(.size) == 1 << 20)
        let inode = try #require(try number(.systemFileNumber))
        store.removeRemains(now: 0)
        #expect(try number(.systemFileNumber) == inode)
        try #require(truncate(path, 0) == 0)
        store.removeRemains(now: 0)
        #expect(try number(.size) == 1 << 20)
        // As a tool leaves it that makes holes.
        try #require(truncate(path, 0) == 0 && truncate(path, 1 << 20) == 0)
        store.removeRemains(now: 0)
        let blocks = try FileNode(directory: fixture.target + "/baton-backup").status(of: Array("reserve".utf8))
        #expect(blocks?.size == 1 << 20 && blocks?.allocated ?? 0 >= 1 << 20)
    }

    @Test("Numbers that a revoked device leaves out keep nothing from going (B-1)")
    func numbersOfRevoked() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<2)
        let thief = try BackupRepository(
            store: DirectoryBackupStore(path: fixture.target, account: try FixedKeys("C").account),
            keys: try FixedKeys("C"), cache: ":memory:", target: "")
        defer { thief.close() }
        let device = try #require(thief.keys.device)
        try thief.commit(
            BackupSnapshot(
                id: .init(device: device, number: 900), deviceName: "laptop", begun: 1, finished: 2, previous: nil,
                roots: [], unreadable: 0, unrested: 0))
        #expect(try await service.forget(named: "1").notCollected?.contains("\(device.rawValue).1 is missing") == true)
        let again = try fixture.service(revoked: [device: 3])
        #expect(try await again.listed().missing.count == 899)
        #expect(try await again.collect().blocked == nil)
    }

    @Test("A copy of a target without its empty folders is one, and without its snapshots it is away (B-1)")
    func copiedTarget() async throws {
        let fixture = try BackupFixture()
        let service = try await Self.made(fixture, rounds: 0..<2)
        let folder = fixture.target + "/baton-backup/"
        for kind in [BackupObject.forgotten, .intent, .mark] {
            try #require(try fixture.objects(kind).isEmpty)
            try FileManager.default.removeItem(atPath: folder + kind.rawValue)
        }
        #expect(try await service.verify(readsAll: true).isWhole)
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, fixture.directory.path + "/out")
        #expect(try await service.restore(request).result.files == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 6, "to read makes nothing")
        #expect(try await service.backUp().snapshot.id.number == 3)
        #expect(try await service.forget(named: "1").notCollected == nil)
        #expect(try fixture.objects(.forgotten).count == 1)
        rename(folder + "snapshots", folder + "elsewhere")
        #expect(await reason { _ = try await service.backUp() } == "target_away")
        #expect(await reason { _ = try await service.collect() } == "target_away")
    }
}
