import BackupFormat
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

@testable import Backup

@Suite("Backups in the account's cloud")
struct CloudBackupTests {
    private static func made(
        _ fixture: BackupFixture, _ cloud: ModelCloud, _ device: String = "B"
    ) async throws -> BackupService {
        let service = try fixture.service(device, home: fixture.directory.path + "/" + device, cloud: cloud)
        try await service.setTarget(BackupState.cloud)
        try service.include(fixture.source)
        return service
    }

    private static func restore(
        _ service: BackupService, _ path: String, to: String,
        _ change: (inout BackupService.RestoreRequest) -> Void = { _ in }
    ) async throws -> BackupService.Restored {
        var request = BackupService.RestoreRequest()
        request.path = path
        request.to = to
        change(&request)
        return try await service.restore(request)
    }

    @Test("All comes back from the cloud; unchanged files are stored once, also for another device (B-1)")
    func roundTrip() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        try fixture.write(fixture.source + "/large", BackupFixture.random(21 << 20, seed: 1))
        for index in 0..<40 { try fixture.write(fixture.source + "/d/\(index)", "a small file \(index)") }
        let service = try await Self.made(fixture, cloud)
        try fixture.write(fixture.home + "/documents/note", "it is in the cloud already")
        let first = try await service.backUp()
        #expect(first.stored > 21 << 20 && first.unreadable.isEmpty)
        #expect(!first.snapshot.roots.contains { $0.name == "documents" })
        #expect(try await service.why(fixture.home + "/documents/note") == .inCloud)
        #expect(try await service.backUp().stored < 10_000)
        let other = try await Self.made(fixture, cloud, "C")
        #expect(try await other.backUp().stored < 100_000)
        #expect(try await service.list().snapshots.count == 3)
        let blobs = cloud.state.withLock { $0.blobs.values.map(\.count) }
        #expect(blobs.allSatisfy { $0 <= CloudObject.blobBytes })

        let out = fixture.directory.path + "/out"
        let reads = cloud.state.withLock { $0.reads }
        #expect(try await Self.restore(service, fixture.source, to: out).result.failed == 0)
        #expect(FileManager.default.contentsEqual(atPath: fixture.source, andPath: out + "/source"))
        // Small chunks come together.
        #expect(cloud.state.withLock { $0.reads } - reads < 60)
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test("Nothing but the recovery code and the cloud's address is needed to restore (B-1)")
    func recovery() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        try fixture.write(fixture.source + "/a", "kept")
        _ = try await Self.made(fixture, cloud).backUp()
        let fresh = try fixture.service("D", home: fixture.directory.path + "/fresh", cloud: cloud)
        let out = fixture.directory.path + "/out"
        func restore(_ code: String) async throws -> BackupService.Restored {
            try await Self.restore(fresh, fixture.source, to: out) {
                $0.recoveryCode = code
                $0.cloudURL = "https://cloud.example.com"
            }
        }
        #expect(await reason { _ = try await restore("other") } == "nothing_to_recover")
        #expect(try await restore("code").snapshot.deviceName == "laptop")
        #expect(try String(contentsOfFile: out + "/source/a", encoding: .utf8) == "kept")
    }

    @Test("A full cloud says what to do, and forgetting frees room though nothing more may be stored (B-1)")
    func quota() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        let service = try await Self.made(fixture, cloud)
        for seed in 1..<4 as Range<UInt64> {
            try fixture.write(fixture.source + "/a", BackupFixture.random(2 << 20, seed: seed))
            _ = try await service.backUp()
            fixture.now.withLock { $0 += 1000 }
        }
        cloud.state.withLock { $0.room = 0 }
        try fixture.write(fixture.source + "/b", BackupFixture.random(1 << 20, seed: 9))
        await #expect { try await service.backUp() } throws: { error in
            let error = error as? BatonError
            return error?.reason == "backup_quota" && error?.message.contains("baton backup forget") == true
        }
        #expect(service.state.target?.lastReason == "backup_quota")
        _ = try await service.forget(named: "2")
        let packs = try await Self.packs(cloud)
        fixture.now.withLock { $0 += BackupCollection.patience + 1 }
        _ = try await service.collect()
        #expect(try await Self.packs(cloud) < packs)
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test("A cloud that tells the same page for ever ends the reading, and is named (B-1)", .timeLimit(.minutes(1)))
    func repeats() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        try fixture.write(fixture.source + "/a", "kept")
        _ = try await Self.made(fixture, cloud).backUp()
        cloud.state.withLock { $0.repeats = true }
        let fresh = try fixture.service("C", home: fixture.directory.path + "/C", cloud: cloud)
        #expect(await reason { try await fresh.setTarget(BackupState.cloud) } == "damaged_backup_object")
    }

    private static func packs(_ cloud: ModelCloud) async throws -> Int {
        try CloudBackupStore(keys: FixedKeys("B"), calls: cloud, pause: .zero).names(.pack).count
    }

    @Test("A list that a lying cloud has cut is noticed, of this device and of others (B-1)")
    func lists() async throws {
        let (fixture, cloud, keys) = (try BackupFixture(), ModelCloud(), try FixedKeys("B"))
        try fixture.write(fixture.source + "/a", "kept")
        let (own, other) = (try await Self.made(fixture, cloud), try await Self.made(fixture, cloud, "C"))
        for service in [own, other, own, other] { _ = try await service.backUp() }
        #expect(try await own.listed().missing.isEmpty)
        let devices = ["B", "C"].map { String(repeating: $0, count: 26) }
        try cloud.hide("snapshots/\(devices[0]).2", of: "B", keys)
        try cloud.hide("snapshots/\(devices[1]).2", of: "C", keys)
        #expect(try await own.listed().missing.map(\.description) == ["\(devices[0]).2", "\(devices[1]).2"])
        #expect(try await own.verify(readsAll: false).missingSnapshots.count == 2)
        // The whole zone.
        cloud.state.withLock { $0.zones = [:] }
        #expect(try await own.listed().missing.count == 4)
        #expect(try await own.backUp().snapshot.id.number == 3, "no number comes twice")
    }

    @Test(
        "A damaged, missing or exchanged pack is found, all else is restored, and the next backup stores it again (B-1)"
    )
    func damage() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        let service = try await Self.made(fixture, cloud)
        for index in 0..<3 as Range<UInt64> {
            try fixture.write(fixture.source + "/\(index)", BackupFixture.random(1 << 20, seed: index))
            _ = try await service.backUp()
        }
        let large = cloud.state.withLock { $0.blobs.filter { $0.value.count > 1 << 20 }.keys.sorted { $0[0] < $1[0] } }
        try #require(large.count == 3)
        cloud.state.withLock { state in
            state.blobs[large[0]]?[700_000] ^= 1
            state.blobs[large[1]] = nil
            state.blobs[large[2]] = state.blobs[large[0]]
        }
        let found = try await service.verify(readsAll: true)
        #expect(found.damagedPacks.count == 3 && !found.isWhole && !found.affected.isEmpty)
        for index in 0..<3 { #expect(utimes(fixture.source + "/\(index)", nil) == 0) }
        #expect(try await service.backUp().stored > 3 << 20)
        let out = fixture.directory.path + "/out"
        #expect(try await Self.restore(service, fixture.source, to: out).result.failed == 0)
        #expect(FileManager.default.contentsEqual(atPath: fixture.source, andPath: out + "/source"))
    }

    @Test("A backup or a collection that is killed at any call leaves everything whole, and the next one ends it (B-1)")
    func kills() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        let service = try await Self.made(fixture, cloud)
        try fixture.write(fixture.source + "/a", BackupFixture.random(100_000, seed: 0))
        _ = try await service.backUp()
        var seed = 1 as UInt64
        func run() async throws {
            seed += 1
            try fixture.write(fixture.source + "/a", BackupFixture.random(100_000, seed: seed))
            fixture.now.withLock { $0 += BackupCollection.patience + 1 }
            _ = try await service.backUp()
            let forgotten = try await service.forget(BackupRetention(daily: 1, weekly: 0, monthly: 0))
            if let why = forgotten.notCollected { throw BatonError(.unavailable, reason: "killed", why) }
        }
        var kills = 0
        for step in stride(from: 0, to: 400, by: 7) {
            cloud.state.withLock { $0.callsUntilFault = step }
            let error = await reason(run)
            cloud.state.withLock { $0.callsUntilFault = nil }
            let found = try await service.verify(readsAll: false)
            #expect(found.damage.isEmpty && found.damagedPacks.isEmpty, "killed at call \(step)")
            guard error != nil else { break }
            #expect(error == "killed")
            kills += 1
            try await run()
        }
        #expect(kills > 5 && kills < 50)
        try await run()
        #expect(try await service.verify(readsAll: true).isWhole)
    }

    @Test("A cloud that is away is said; what it has of another account counts for nothing (B-1)")
    func away() async throws {
        let (fixture, cloud) = (try BackupFixture(), ModelCloud())
        let service = try await Self.made(fixture, cloud)
        try fixture.write(fixture.source + "/a", "kept")
        cloud.state.withLock { $0.isAway = true }
        #expect(!service.isTargetThere)
        let store = CloudBackupStore(keys: try FixedKeys("B"), calls: cloud, pause: .zero)
        #expect(throws: BatonError.self) { try store.names(.pack) }
        #expect(cloud.state.withLock { $0.calls } >= 3, "it is tried again")
        cloud.state.withLock { $0.isAway = false }
        _ = try await service.backUp()
        // Another account's items open no name, and nothing is collected while they are there.
        let zone = try FixedKeys("B").zoneID(of: #require(FixedKeys("B").device))
        cloud.state.withLock { state in
            state.zones[zone]?.head = 1_000_000
            state.zones[zone]?.items[Data([9])] = .with {
                $0.itemID = Data([9])
                $0.version = 1_000_000
                $0.content.sealed = Data([3, 1, 2, 3])
            }
        }
        #expect(try store.hasUnreadable())
        let packs = try store.names(.pack).count
        try fixture.write(fixture.source + "/a", "another")
        _ = try await service.backUp()
        _ = try await service.forget(named: "1")
        fixture.now.withLock { $0 += BackupCollection.patience + 1 }
        _ = try await service.collect()
        #expect(try store.names(.pack).count >= packs)
        let alone = try fixture.service("B", home: fixture.directory.path + "/alone")
        #expect(await reason { try await alone.setTarget(BackupState.cloud) } == "no_cloud")
    }
}
