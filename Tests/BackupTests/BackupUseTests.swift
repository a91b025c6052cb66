import BackupFormat
import BatonConcurrency
import BatonCore
import BatonTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Backup

@Suite("Backups as people use them")
struct BackupUseTests {
    private static func restore(
        _ service: BackupService, _ path: String? = nil, to: String, _ snapshot: String? = nil
    ) async throws -> BackupService.Restored {
        var request = BackupService.RestoreRequest()
        request.path = path
        request.to = to
        request.snapshot = snapshot
        return try await service.restore(request)
    }

    private static func made(_ fixture: BackupFixture, _ device: String = "B") async throws -> BackupService {
        let service = try fixture.service(device, home: fixture.directory.path + "/" + device)
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        return service
    }

    @Test("A place that cannot be restored to is said, and the place that is named is the restored item's own (B-1)")
    func places() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/d/b", "kept")
        let service = try await Self.made(fixture)
        let (out, source) = (fixture.directory.path + "/new/out", fixture.source)
        #expect(
            await reason { _ = try await Self.restore(service, to: source + "/d/b") } == "not_a_directory")
        #expect(
            await reason { _ = try await Self.restore(service, to: source + "/d/b/c") } == "not_a_directory")
        #expect(await reason { _ = try await Self.restore(service, to: "/proc/nope") } == "file_not_found")
        #expect(await reason { _ = try await Self.restore(service, "docs", to: out) } == "not_in_snapshot")
        #expect(!FileManager.default.fileExists(atPath: out))
        #expect(try await Self.restore(service, source, to: out).place == out + "/source")
        #expect(try await Self.restore(service, source + "/d/b", to: out).place == out + "/b")
        #expect(try await Self.restore(service, to: out).place == out)
    }

    @Test("Who waits for a target or a restore, to make backups by itself, hears of one (B-1)", .timeLimit(.minutes(1)))
    func changes() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        var changes = service.changes.stream.makeAsyncIterator()
        try await service.setTarget(fixture.target)
        #expect(await changes.next() != nil && service.state.target != nil)
        let snapshot = try await service.backUp().snapshot
        _ = await changes.next()
        try service.changePlan {
            $0 = DeviceRestorePlan(
                snapshot, target: fixture.target, replaces: false, needsCode: false, without: [])
        }
        #expect(await changes.next() != nil && service.plan != nil)
    }

    @Test("What the newest snapshot does not have any more is named with the last one that has it (B-1)")
    func lastThatHasIt() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/sub/a", "kept")
        let service = try await Self.made(fixture)
        try fixture.write(fixture.source + "/b", "new")
        _ = try await service.backUp()
        try FileManager.default.removeItem(atPath: fixture.source + "/sub")
        _ = try await service.backUp()
        try service.exclude(fixture.source)
        _ = try await service.backUp()
        let out = fixture.directory.path + "/out"
        for path in [fixture.source + "/sub/a", fixture.source + "/sub"] {
            await #expect {
                try await Self.restore(service, path, to: out)
            } throws: {
                let error = $0 as? BatonError
                return error?.reason == "not_in_snapshot" && error?.message.contains("BBBB.2: name that one") == true
            }
        }
        await #expect {
            try await Self.restore(service, fixture.source + "/sub/c", to: out)
        } throws: {
            ($0 as? BatonError)?.message.contains("A path begins with one of: “") == true
        }
        #expect(try await Self.restore(service, fixture.source + "/sub/a", to: out, "2").result.files == 1)
    }

    @Test("A backup goes elsewhere once, and the daily ones go on as before (B-1)")
    func elsewhere() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "kept")
        let service = try await Self.made(fixture)
        let before = service.state.target
        let archive = fixture.source + "/archive"
        try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: true)
        for number in 1...2 {
            fixture.now.withLock { $0 += 1000 }
            #expect(try await service.backUp(to: archive).snapshot.id.number == UInt64(number))
            #expect(service.state.target == before)
        }
        var request = BackupService.RestoreRequest()
        (request.target, request.to) = (archive, fixture.directory.path + "/out")
        #expect(try await service.restore(request).result.failed == 0)
        let out = fixture.directory.path + "/out/source"
        #expect(try String(contentsOfFile: out + "/a", encoding: .utf8) == "kept")
        #expect(!FileManager.default.fileExists(atPath: out + "/archive/baton-backup"), "no backup is in itself")

        fixture.now.withLock { $0 += 1000 }
        #expect(try await service.backUp(to: fixture.target + "/").snapshot.id.number == 2)
        #expect(service.state.target?.lastNumber == 2, "the target, by its path")
        let (home, target) = (fixture.directory.path + "/C", fixture.target)
        let other = try fixture.service("C", home: home)
        #expect(try await other.backUp(to: target).snapshot.id.number == 1)
        #expect(other.state.target == nil, "none is set")
        #expect(await reason { _ = try await other.backUp(to: "/nowhere/at/all") } == "file_not_found")
        #expect(await reason { _ = try await other.backUp(to: BackupState.cloud) } == "no_cloud")
    }

    @Test("A number or a beginning names one snapshot, never one of several and none of a revoked device (B-1)")
    func names() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "kept")
        let service = try await Self.made(fixture)
        let out = fixture.directory.path + "/out"
        let own = try #require(try await service.list().snapshots.first?.id)
        for name in ["1", "BBBB", "bbbb.1", "\(own)"] {
            #expect(try await Self.restore(service, to: out, name).snapshot.id == own, "\(name)")
        }
        for name in ["2", "BBBB.2", "nothing"] {
            #expect(await reason { _ = try await Self.restore(service, to: out, name) } == "no_such_snapshot")
        }
        fixture.now.withLock { $0 += 1000 }
        _ = try await Self.made(fixture, "C")
        #expect(await reason { _ = try await Self.restore(service, to: out, "1") } == "ambiguous_snapshot")
        let device = try #require(try FixedKeys("C").device)
        let careful = try fixture.service("B", home: fixture.directory.path + "/B", revoked: [device: 1])
        #expect(try await Self.restore(careful, to: out, "1").snapshot.id == own)
        #expect(await reason { _ = try await Self.restore(careful, to: out, "CCCC") } == "no_such_snapshot")

        #expect(await reason { _ = try await service.forget(named: "1") } == "ambiguous_snapshot")
        #expect(try await service.forget(named: "CCCC.1").snapshots.map(\.device) == [device])
        await #expect {
            try await service.forget(named: "\(BackupSnapshot.ID(device: device, number: 1))")
        } throws: { error in
            let error = error as? BatonError
            return error?.reason == "no_such_snapshot" && error?.message.contains("was forgotten") == true
        }
    }

    @Test("A revoked device that removes snapshots hides that by no word of its own (B-1)")
    func wordsOfRevoked() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "kept")
        let service = try await Self.made(fixture)
        for number in 2...4 {
            fixture.now.withLock { $0 += 1000 }
            try fixture.write(fixture.source + "/a", "\(number)")
            _ = try await service.backUp()
        }
        let thief = try fixture.service("C", home: fixture.directory.path + "/C")
        try await thief.setTarget(fixture.target)
        let device = try #require(try FixedKeys("C").device)
        func missing(_ revoked: UInt64?) async throws -> [UInt64] {
            let home = fixture.directory.path + "/\(revoked ?? 0)"
            let own = try fixture.service("B", home: home, revoked: revoked.map { [device: $0] } ?? [:])
            try await own.setTarget(fixture.target)
            return try await own.verify(readsAll: false).missingSnapshots.map(\.number)
        }
        let time = fixture.now.withLock { $0 }
        _ = try await thief.forget(named: "BBBB.2")
        #expect(try await missing(nil).isEmpty)
        #expect(try await missing(time).isEmpty, "it forgot it while it was a member")
        #expect(try await missing(time - 1) == [2])
        // Dated back to when there was no snapshot yet.
        fixture.now.withLock { $0 = time - 3500 }
        _ = try await thief.forget(named: "BBBB.3")
        #expect(try await missing(time) == [3])
    }

    @Test("Snapshots are listed while a backup goes on; one that is stopped keeps what it stored for the next (B-1)")
    func stopping() async throws {
        let fixture = try BackupFixture()
        let files = 8 as UInt64
        for index in 0..<files {
            try fixture.write(fixture.source + "/\(index)", BackupFixture.random(4 << 20, seed: index))
        }
        let isHeld = Mutex(false)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        // The clock is asked after each file: the backup is held there once a pack is written.
        let service = try BackupService(
            account: FixedAccount(device: "B"), apps: FixedApps(),
            places: BackupPlaces(
                folder: fixture.home + "/backup", configuration: fixture.home + "/config",
                documents: fixture.home + "/documents", privatePlaces: []),
            recorder: NullEventRecorder(),
            clock: {
                let holds = isHeld.withLock { held in
                    guard !held, (try? fixture.objects(.pack).isEmpty) == false else { return false }
                    held = true
                    return true
                }
                if holds {
                    hold.yield()
                    gate.wait()
                }
                return 1_800_000_000_000
            })
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        let task = Task { try await service.backUp() }
        for await _ in held { break }
        #expect(try await service.list().snapshots.isEmpty)
        #expect(service.progress?.sentence.hasPrefix("Now: backup, ") == true)
        #expect(await reason { _ = try await service.verify(readsAll: false) } == "backup_busy")
        task.cancel()
        gate.signal()
        #expect(await reason { _ = try await task.value } == "backup_canceled")
        #expect(service.progress == nil && service.state.target?.failures == 1)
        #expect(try fixture.objects(.snapshot).isEmpty)
        let again = try await service.backUp()
        #expect(again.stored < (files - 3) * 4 << 20 && again.snapshot.id.number == 1, "\(again.stored)")
        #expect(try await service.verify(readsAll: true).isWhole)

        for name in ["restore", "verify"] {
            let out = fixture.directory.path + "/out"
            let task = Task {
                if name == "verify" {
                    _ = try await service.verify(readsAll: true)
                } else {
                    _ = try await Self.restore(service, fixture.source + "/0", to: out)
                }
            }
            task.cancel()
            #expect(await reason { try await task.value } == "backup_canceled", "\(name)")
            #expect((try? FileManager.default.contentsOfDirectory(atPath: out)) ?? [] == [])
        }
        #expect(try await service.verify(readsAll: false).isWhole)
    }

    @Test("Damage is told by snapshot, each path once, with the newest snapshot that is whole (B-1)")
    func damage() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "one")
        let service = try await Self.made(fixture)
        let first = Set(try fixture.objects(.pack))
        fixture.now.withLock { $0 += 1000 }
        try fixture.write(fixture.source + "/a", "another")
        _ = try await service.backUp()
        func spoil(_ names: some Sequence<String>) throws {
            for name in names {
                let path = fixture.target + "/baton-backup/packs/" + name
                var bytes = try #require(FileManager.default.contents(atPath: path))
                bytes[bytes.count - 5] ^= 1
                try bytes.write(to: URL(fileURLWithPath: path))
            }
        }
        try spoil(Set(try fixture.objects(.pack)).subtracting(first))
        var found = try await service.verify(readsAll: true)
        #expect(found.damage.map(\.snapshot.number) == [2] && found.newestWhole?.number == 1)
        #expect(found.damage.first?.paths.first?.hasPrefix(fixture.source) == true)
        try spoil(first)
        found = try await service.verify(readsAll: true)
        #expect(found.damage.map(\.snapshot.number) == [2, 1] && found.newestWhole == nil)
        #expect(found.damage.allSatisfy { !$0.paths.isEmpty && Set($0.paths).count == $0.paths.count })
        #expect(Set(found.affected).count == found.affected.count && !found.isWhole)
    }

    @Test("Nothing that is not there, or in no backup, is excluded without a word (B-4)")
    func exclusions() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "x")
        let service = try fixture.service()
        try service.include(fixture.source)
        #expect(await reason { try service.exclude(fixture.source + "/nothing") } == "file_not_found")
        #expect(await reason { try service.exclude("/etc") } == "not_included")
        #expect(BackupService.Progress(work: "restore", files: 1).sentence.contains("restore, 1 file, 0 "))
        #expect(service.state.excluded.isEmpty)
        try service.exclude(fixture.source + "/a")
        #expect(service.state.excluded == [fixture.source + "/a"])
        // A folder that is included by itself, and is in another one.
        try fixture.write(fixture.source + "/within/b", "x")
        try service.include(fixture.source + "/within")
        try service.exclude(fixture.source + "/within")
        #expect(try await !service.why(fixture.source + "/within/b").isIncluded)
        try service.include(fixture.source + "/within")
        #expect(try await service.why(fixture.source + "/within/b").isIncluded)
        #expect(service.state.included == [fixture.source])
        #expect(await reason { try service.include(fixture.source + "/within/b") } == "not_a_directory")
        // An included folder may be gone.
        try FileManager.default.removeItem(atPath: fixture.source)
        try service.exclude(fixture.source)
        #expect(service.state.included.isEmpty)
    }
}
