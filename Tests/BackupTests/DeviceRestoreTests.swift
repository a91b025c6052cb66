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

/// The knowledge of a daemon.
final class KnownDevice: BackupDevice {
    let kept: DeviceFacts
    let restored = Mutex((handlers: [DeviceFacts.Handler](), folders: [DeviceFacts.Folder](), settings: 0))

    init(_ kept: DeviceFacts = DeviceFacts()) { self.kept = kept }

    func facts() async -> DeviceFacts { kept }
    func settingsRestored() async { restored.withLock { $0.settings += 1 } }
    func restore(handlers: [DeviceFacts.Handler]) async -> [String] {
        restored.withLock { $0.handlers = handlers }
        return []
    }
    func restore(folders: [DeviceFacts.Folder]) async -> [String] {
        restored.withLock { $0.folders = folders }
        return folders.map { "The folder \($0.name) waits." }
    }
}

@Suite("Restores of whole devices")
struct DeviceRestoreTests {
    /// A device with three apps.
    final class Home: Sendable {
        let fixture: BackupFixture
        let path: String
        let known: KnownDevice
        let ids = ["com.example.a", "com.example.b", "com.example.c"]

        init(_ fixture: BackupFixture, _ name: String, _ known: KnownDevice = KnownDevice()) throws {
            (self.fixture, path, self.known) = (fixture, fixture.directory.path + "/" + name, known)
            try FileManager.default.createDirectory(atPath: path + "/config", withIntermediateDirectories: true)
        }

        func container(_ id: String) -> String { path + "/containers/" + id }

        func service(_ device: String, clock: @escaping @Sendable () -> UInt64) throws -> BackupService {
            try BackupService(
                account: FixedAccount(device: device),
                apps: FixedApps(containers: Dictionary(uniqueKeysWithValues: ids.map { ($0, container($0)) })),
                device: known,
                places: BackupPlaces(
                    folder: path + "/backup", configuration: path + "/config", documents: path + "/documents",
                    privatePlaces: [], home: path),
                recorder: NullEventRecorder(), clock: clock)
        }

        func service(_ device: String) throws -> BackupService {
            let fixture = fixture
            return try service(device) { fixture.now.withLock { $0 } }
        }
    }

    static func request(
        _ change: (inout BackupService.RestoreRequest) -> Void = { _ in }
    )
        -> BackupService.RestoreRequest
    {
        var request = BackupService.RestoreRequest()
        request.device = "laptop"
        change(&request)
        return request
    }

    private static func old(_ fixture: BackupFixture) async throws -> Home {
        let known = KnownDevice(
            DeviceFacts(
                handlers: [.init(kind: "scheme", name: "todo", bundleID: "com.example.a")],
                folders: [.init(name: "notes", path: fixture.directory.path + "/old/Notes")]))
        let home = try Home(fixture, "old", known)
        for (index, id) in home.ids.enumerated() {
            try fixture.write(home.container(id) + "/Documents/text", "of \(id)")
            try fixture.write(
                home.container(id) + "/Documents/large", BackupFixture.random(3 << 20, seed: UInt64(index)))
        }
        try fixture.write(home.path + "/config/settings.json", "{}")
        try fixture.write(home.path + "/Pictures/p", "a picture")
        #expect(link(home.path + "/Pictures/p", home.path + "/Pictures/q") == 0)
        chmod(home.path + "/Pictures/p", 0o640)
        let service = try home.service("B")
        try await service.setTarget(fixture.target)
        try service.include(home.path + "/Pictures")
        // A file's exclusion is taken back, too.
        try service.exclude(home.container("com.example.a") + "/Documents/large")
        try service.include(home.container("com.example.a") + "/Documents/large")
        for app in ["com.example.a", "com.example.c"] {
            fixture.now.withLock { $0 += 1000 }
            await service.noteUse(of: try #require(BundleID(rawValue: app)))
        }
        _ = try await service.backUp()
        return home
    }

    @Test("A device comes back whole: settings, apps by their last use, folders, handlers, the backup's lists (B-1)")
    func whole() async throws {
        let fixture = try BackupFixture()
        let old = try await Self.old(fixture)
        let fresh = try Home(fixture, "fresh")
        let service = try fresh.service("C")
        let restored = try await service.restoreDevice(
            Self.request {
                $0.target = fixture.target
                $0.replaces = true
            })
        #expect(restored.result.failed == 0 && restored.result.kept == 0, "\(restored.result.failures)")
        #expect(
            restored.snapshot.roots.filter { $0.kind == .app }.map(\.name)
                == ["com.example.c", "com.example.a", "com.example.b"])
        for path in ["config/settings.json", "Pictures/p", "Pictures/q"]
            + old.ids.map({ "containers/\($0)/Documents/large" })
        {
            #expect(FileManager.default.contentsEqual(atPath: old.path + "/" + path, andPath: fresh.path + "/" + path))
        }
        var status = stat()
        #expect(
            stat(fresh.path + "/Pictures/q", &status) == 0 && status.st_nlink == 2 && status.st_mode & 0o777 == 0o640)
        #expect(service.state.included == [fresh.path + "/Pictures"] && service.plan == nil)
        fresh.known.restored.withLock { restored in
            #expect(restored.handlers == old.known.kept.handlers && restored.settings == 1)
            #expect(restored.folders == [.init(name: "notes", path: fresh.path + "/Notes")])
        }
        #expect(restored.notes == ["The folder notes waits."] && restored.notInstalled.isEmpty)
        // Nothing that is there is overwritten unasked.
        try fixture.write(fresh.path + "/Pictures/p", "mine")
        let again = try await service.restoreDevice(Self.request { $0.target = fixture.target })
        #expect(again.result.kept > 0)
        #expect(try String(contentsOfFile: fresh.path + "/Pictures/p", encoding: .utf8) == "mine")
    }

    @Test(
        "Cut at any moment a restore goes on after a restart, and with the recovery code when it is given again (B-1)")
    func cuts() async throws {
        let fixture = try BackupFixture()
        let old = try await Self.old(fixture)
        let fresh = try Home(fixture, "fresh")
        try await fresh.service("C").setTarget(fixture.target)
        var cuts = 0
        for count in 1..<40 {
            // A daemon that ends after so many looks at its progress.
            let service = try fresh.service("C")
            let task = Task { try await service.restoreDevice(Self.request()) }
            let work = Task {
                for _ in 0..<(count * 40) { await Task.yield() }
                service.end()
            }
            do {
                _ = try await task.value
                await work.value
                break
            } catch let error as BatonError where error.reason == "backup_ended" {
                cuts += 1
                #expect(try fresh.service("C").plan != nil || count == 1)
            }
            await work.value
        }
        let service = try fresh.service("C")
        await service.continueRestore()
        #expect(service.plan == nil)
        for id in old.ids {
            let name = "/containers/\(id)/Documents"
            #expect(
                FileManager.default.contentsEqual(atPath: old.path + name, andPath: fresh.path + name), "\(cuts) cuts")
        }
        let alone = try Home(fixture, "alone")
        let restored = try await alone.service("D").restoreDevice(
            Self.request {
                $0.target = fixture.target
                $0.recoveryCode = "code"
            })
        #expect(restored.result.failed == 0)
        #expect(try String(contentsOfFile: alone.path + "/Pictures/p", encoding: .utf8) == "a picture")
    }

    @Test("A restore that goes on by itself replaces nothing that was edited since it was begun (B-1)")
    func edited() async throws {
        let fixture = try BackupFixture()
        _ = try await Self.old(fixture)
        let fresh = try Home(fixture, "fresh")
        let service = try fresh.service("C")
        try await service.setTarget(fixture.target)
        try fixture.write(fresh.path + "/config/settings.json", "from before")
        try await Task.sleep(for: .milliseconds(50))  // sleeps: times of files go by ticks of the clock
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        let snapshot = try #require(try await service.list().snapshots.last)
        let plan = DeviceRestorePlan(
            snapshot, target: fixture.target, replaces: true, needsCode: false, without: [DeviceFacts.root], begun: now)
        try service.changePlan { $0 = plan }
        try await Task.sleep(for: .milliseconds(50))  // sleeps: times of files go by ticks of the clock
        try fixture.write(fresh.path + "/Pictures/p", "mine, and newer")
        await service.continueRestore()
        #expect(service.plan == nil)
        #expect(try String(contentsOfFile: fresh.path + "/Pictures/p", encoding: .utf8) == "mine, and newer")
        #expect(try String(contentsOfFile: fresh.path + "/config/settings.json", encoding: .utf8) == "{}")
        #expect(FileManager.default.fileExists(atPath: fresh.path + "/containers/com.example.a/Documents/large"))
    }

    @Test("An app that is opened while its device is restored comes first, and opens once its container is whole (B-1)")
    func wanted() async throws {
        let fixture = try BackupFixture()
        let old = try await Self.old(fixture)
        let fresh = try Home(fixture, "fresh")
        let service = try fresh.service("C")
        try await service.setTarget(fixture.target)
        let last = try #require(BundleID(rawValue: "com.example.b"))
        let task = Task { try await service.restoreDevice(Self.request()) }
        while service.plan == nil { await Task.yield() }
        try await service.prepareLaunch(of: last)
        let name = "/containers/\(last)/Documents/large"
        #expect(FileManager.default.contentsEqual(atPath: old.path + name, andPath: fresh.path + name))
        _ = try await task.value
        try await service.prepareLaunch(of: last)
        #expect { try service.giveUpRestore() } throws: { ($0 as? BatonError)?.reason == "no_restore" }
    }

    @Test("An app whose data is not back is not opened; what is given up stands in nobody's way (B-1)")
    func waiting() async throws {
        let fixture = try BackupFixture()
        _ = try await Self.old(fixture)
        let fresh = try Home(fixture, "fresh")
        let service = try fresh.service("C")
        try await service.setTarget(fixture.target)
        let task = Task { try await service.restoreDevice(Self.request()) }
        while service.plan == nil { await Task.yield() }
        task.cancel()
        let app = try #require(BundleID(rawValue: "com.example.b"))
        guard (try? await task.value) == nil else { return }
        #expect(service.plan?.isPaused == true)
        await service.continueRestore()
        #expect(service.plan?.isPaused == true, "its caller stopped it")
        await #expect { try await service.prepareLaunch(of: app) } throws: {
            ($0 as? BatonError)?.reason == "app_restoring"
        }
        try service.giveUpRestore()
        try await service.prepareLaunch(of: app)
    }

    @Test("An app that waits for a restore with the recovery code names the command that goes on (B-1)")
    func waitingForCode() async throws {
        let fixture = try BackupFixture()
        let device = String(repeating: "B", count: 26)
        let app = try #require(BundleID(rawValue: "com.example.b"))
        let snapshot = BackupSnapshot(
            id: .init(device: try #require(DeviceID(rawValue: device)), number: 3), deviceName: "laptop", begun: 1,
            finished: 2, previous: nil,
            roots: [
                .init(
                    kind: .app, name: app.rawValue, version: "",
                    entry: BackupEntry(name: [0x61], kind: .directory([]), mode: 0o700, modified: 0), files: 1, bytes: 1
                )
            ], unreadable: 0, unrested: 0)
        func advice(_ target: String, needsCode: Bool, isPaused: Bool = false) async throws -> String? {
            let home = try Home(fixture, "fresh")
            var plan = DeviceRestorePlan(snapshot, target: target, replaces: false, needsCode: needsCode)
            plan.isPaused = isPaused
            try fixture.write(home.path + "/backup/restore.json", JSONEncoder().encode(plan))
            do {
                try await home.service("C").prepareLaunch(of: app)
            } catch let error as BatonError where error.reason == "app_restoring" {
                return error.message
            }
            return nil
        }
        let command = "“baton backup restore \(device).3 --device \(device)"
        let disk = try #require(try await advice("/my disk", needsCode: true))
        #expect(disk.contains("\(command) --target '/my disk' --recovery-code”") && disk.contains("--give-up"))
        #expect(disk.contains("The recovery code is not kept") && !disk.contains("--fingerprint"))
        let cloud = try #require(try await advice("host", needsCode: true))
        #expect(cloud.contains("\(command) --cloud host --recovery-code”") && cloud.contains("--fingerprint"))
        let paused = try #require(try await advice("cloud", needsCode: false, isPaused: true))
        #expect(paused.contains("It was stopped: go on with \(command) --target cloud”"))
        #expect(try await advice("cloud", needsCode: false)?.contains("It goes on by itself") == true)
    }

    @Test("A directory in a folder that devices keep equal is no target: each device would get the backup (B-1)")
    func syncedTarget() async throws {
        let fixture = try BackupFixture()
        let target = fixture.directory.path + "/folder/disk"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        var facts = DeviceFacts()
        facts.folders = [.init(name: "work", path: fixture.directory.path + "/folder")]
        let service = try Home(fixture, "home", KnownDevice(facts)).service("B")
        await #expect {
            try await service.setTarget(target)
        } throws: {
            ($0 as? BatonError)?.reason == "synced_target"
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty && service.state.target == nil)
        try await service.setTarget(fixture.target)
    }

    @Test("What was restored is on the disk before it counts as done, with one call for many files (B-1)")
    func durable() async throws {
        let fixture = try BackupFixture()
        _ = try await Self.old(fixture)
        let fresh = try Home(fixture, "fresh")
        let calls = Mutex((count: 0, isFull: true))
        let service = try BackupService(
            account: FixedAccount(device: "C"),
            apps: FixedApps(
                containers: Dictionary(uniqueKeysWithValues: fresh.ids.map { ($0, fresh.container($0)) })),
            device: fresh.known,
            places: BackupPlaces(
                folder: fresh.path + "/backup", configuration: fresh.path + "/config",
                documents: fresh.path + "/documents",
                privatePlaces: [], home: fresh.path),
            recorder: NullEventRecorder(), clock: { 0 },
            synchronize: { _ in
                calls.withLock { calls in
                    calls.count += 1
                    if calls.isFull { errno = ENOSPC }
                    return !calls.isFull
                }
            })
        let request = Self.request { $0.target = fixture.target }
        await #expect(throws: BatonError.self) { try await service.restoreDevice(request) }
        #expect(service.plan?.next?.kind == .settings, "a step that is not durable is not done")
        calls.withLock { $0.isFull = false }
        let restored = try await service.restoreDevice(request)
        #expect(restored.result.failed == 0 && service.plan == nil)
        // Settings twice, three apps, one folder.
        #expect(calls.withLock { $0.count } <= 8)
        let before = calls.withLock { $0.count }
        var single = BackupService.RestoreRequest()
        (single.target, single.to) = (fixture.target, fresh.path + "/found")
        (single.device, single.path) = ("laptop", fixture.directory.path + "/old/Pictures")
        #expect(try await service.restore(single).result.files == 2)
        #expect(calls.withLock { $0.count } == before + 1)
    }

    @Test(
        "A folder that was outside of the home is not made where its disk is missing, and how to bring it is said (B-1)"
    )
    func outside() async throws {
        let fixture = try BackupFixture()
        let known = KnownDevice(DeviceFacts(folders: [.init(name: "lost", path: "/a/../b")]))
        let old = try Home(fixture, "old", known)
        let disk = fixture.directory.path + "/media/it's a disk"
        try fixture.write(disk + "/Films/film", "a film")
        let service = try old.service("B")
        try await service.setTarget(fixture.target)
        try service.include(disk + "/Films")
        let snapshot = try await service.backUp().snapshot
        try FileManager.default.removeItem(atPath: fixture.directory.path + "/media")

        let fresh = try Home(fixture, "fresh")
        let restored = try await fresh.service("C").restoreDevice(Self.request { $0.target = fixture.target })
        #expect(restored.result.failed == 1)
        let failure = try #require(restored.result.failures.first)
        #expect(failure.contains("outside of the home"))
        let quoted = disk.replacing("'", with: #"'\''"#)
        #expect(failure.contains("baton backup restore \(snapshot.id) '\(quoted)/Films' --to DIR"))
        #expect(!FileManager.default.fileExists(atPath: fixture.directory.path + "/media"))
        #expect(restored.notes.contains { $0.contains("“/a/../b”") && $0.contains("baton folder join lost DIR") })

        // The disk is there again.
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let again = try await fresh.service("C").restoreDevice(Self.request { $0.target = fixture.target })
        #expect(again.result.failed == 0)
        #expect(try String(contentsOfFile: disk + "/Films/film", encoding: .utf8) == "a film")
    }
}
