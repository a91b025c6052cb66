import BackupFormat
import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Backup

extension DeviceRestoreTests {
    @Test("An app of another team with the same name gets none of the data in a backup, now or later (B-1)")
    func teams() async throws {
        let fixture = try BackupFixture()
        let old = try Home(fixture, "old")
        let (own, other) = (
            TeamIdentity(fingerprint: Array(repeating: 1, count: 32)),
            TeamIdentity(fingerprint: Array(repeating: 2, count: 32))
        )
        for id in old.ids { try fixture.write(old.container(id) + "/Documents/text", "of \(id)") }
        func service(_ home: Home, _ device: String, _ apps: FixedApps) throws -> BackupService {
            try BackupService(
                account: FixedAccount(device: device), apps: apps, device: home.known,
                places: BackupPlaces(
                    folder: home.path + "/backup", configuration: home.path + "/config",
                    documents: home.path + "/documents", privatePlaces: [], home: home.path),
                recorder: NullEventRecorder(), clock: { fixture.now.withLock { $0 } })
        }
        func apps(of home: Home, _ teams: [TeamIdentity]) -> FixedApps {
            var apps = FixedApps(
                containers: Dictionary(uniqueKeysWithValues: home.ids.map { ($0, home.container($0)) }))
            apps.teams = Dictionary(uniqueKeysWithValues: zip(home.ids, teams))
            return apps
        }
        let backup = try service(old, "B", apps(of: old, [own, own, own]))
        try await backup.setTarget(fixture.target)
        _ = try await backup.backUp()

        let fresh = try Home(fixture, "fresh")
        var there = apps(of: fresh, [own, other])
        there.absent = [fresh.ids[2]]
        let restore = try service(fresh, "C", there)
        let restored = try await restore.restoreDevice(Self.request { $0.target = fixture.target })
        #expect(restored.result.failed == 1 && restored.result.failures.first?.contains("another team") == true)
        for (id, isBack) in zip(fresh.ids, [true, false, true]) {
            #expect(FileManager.default.fileExists(atPath: fresh.container(id) + "/Documents/text") == isBack, "\(id)")
        }
        // The one that is not installed is kept for its team.
        #expect(there.installs.owners.withLock { $0[fresh.ids[2]] } == own)
        // Nor by itself, unless to a place that the person names.
        var single = BackupService.RestoreRequest()
        (single.target, single.device, single.app) = (fixture.target, "laptop", BundleID(rawValue: fresh.ids[1]))
        let request = single
        let refusal = await #expect(throws: BatonError.self) { try await restore.restore(request) }
        #expect(refusal?.reason == "team_changed")
        single.to = fresh.path + "/elsewhere"
        _ = try await restore.restore(single)
        #expect(FileManager.default.fileExists(atPath: fresh.path + "/elsewhere/Documents/text"))
    }

    @Test("An app is backed up with its bundle where that is wanted, and installed again; others are named (B-1)")
    func bundles() async throws {
        let fixture = try BackupFixture()
        let old = try Home(fixture, "old")
        let ids = old.ids
        var bundles: [String: String] = [:]
        for (id, name) in zip(ids, ["One", "Wide", "Three"]) {
            bundles[id] = "\(old.path)/apps/\(id)/\(name).app"
            try fixture.write("\(old.path)/apps/\(id)/\(name).app/Contents/\(name)", "a program")
            chmod("\(old.path)/apps/\(id)/\(name).app/Contents/\(name)", 0o755)
            try fixture.write(old.container(id) + "/Documents/text", "of \(id)")
        }
        func service(_ home: Home, _ device: String, _ apps: FixedApps) throws -> BackupService {
            try BackupService(
                account: FixedAccount(device: device), apps: apps, device: home.known,
                places: BackupPlaces(
                    folder: home.path + "/backup", configuration: home.path + "/config",
                    documents: home.path + "/documents", privatePlaces: [], home: home.path),
                recorder: NullEventRecorder(), clock: { fixture.now.withLock { $0 } })
        }
        func apps(of home: Home) -> FixedApps {
            FixedApps(containers: Dictionary(uniqueKeysWithValues: ids.map { ($0, home.container($0)) }))
        }
        var installed = apps(of: old)
        installed.bundles = bundles
        let backup = try service(old, "B", installed)
        try await backup.setTarget(fixture.target)
        for id in ids.prefix(2) { try backup.setWhole(try #require(BundleID(rawValue: id)), true) }
        try backup.setWhole(try #require(BundleID(rawValue: ids[2])), true)
        try backup.setWhole(try #require(BundleID(rawValue: ids[2])), false)
        #expect(backup.state.wholeApps == Array(ids.prefix(2)))
        let snapshot = try await backup.backUp().snapshot
        #expect(
            snapshot.roots.filter { $0.kind == .bundle }.map(\.name) == ["\(ids[0])/One.app", "\(ids[1])/Wide.app"])
        #expect(snapshot.roots.filter { $0.kind == .bundle }.allSatisfy { $0.version == "1.0" })

        let fresh = try Home(fixture, "fresh")
        var missing = apps(of: fresh)
        missing.absent = Set(ids)
        let restore = try service(fresh, "C", missing)
        let restored = try await restore.restoreDevice(Self.request { $0.target = fixture.target })
        #expect(restored.result.failed == 0, "\(restored.result.failures)")
        let place = fresh.path + "/backup/bundles/"
        #expect(missing.installs.paths.withLock { $0 } == ["\(place)\(ids[0])/One.app"])
        #expect(restored.installed == ["\(ids[0]) 1.0"])
        #expect(!FileManager.default.fileExists(atPath: place + ids[0]))
        // It stays for the person, whole.
        let program = "\(place)\(ids[1])/Wide.app/Contents/Wide"
        #expect(FileManager.default.isExecutableFile(atPath: program))
        #expect(restored.notes.contains { $0.contains("It wants to use all files.") && $0.contains("Wide.app") })
        #expect(restored.notInstalled.contains("\(ids[2]) 1.0"))
        #expect(restore.state.wholeApps == Array(ids.prefix(2)))
        for id in ids {
            #expect(try String(contentsOfFile: fresh.container(id) + "/Documents/text", encoding: .utf8) == "of \(id)")
        }

        // An app that is installed stays as it is.
        let third = try Home(fixture, "third")
        let there = apps(of: third)
        let again = try await service(third, "D", there).restoreDevice(Self.request { $0.target = fixture.target })
        #expect(again.installed.isEmpty && there.installs.paths.withLock { $0.isEmpty } && again.result.failed == 0)
        #expect(!FileManager.default.fileExists(atPath: third.path + "/backup/bundles"))

        // A bundle is restored by itself, too.
        var single = BackupService.RestoreRequest()
        (single.target, single.to) = (fixture.target, fresh.path + "/found")
        (single.device, single.path) = ("laptop", "\(ids[1])/Wide.app")
        let found = try await restore.restore(single)
        #expect(found.place == fresh.path + "/found/Wide.app")
        #expect(FileManager.default.isExecutableFile(atPath: found.place + "/Contents/Wide"))
    }
}
