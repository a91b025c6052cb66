import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Backups to the account's cloud, and restores of whole devices, with real daemons, a real cloud and the command line.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct CloudBackupTests {
        private static let app = "com.example.backed"

        private struct Made: Decodable {
            var filesRead: Int
            var bytesStored: Int
        }
        private struct Restored: Decodable {
            var files: Int
            var failed: Int
            var kept: Int
            var installed: [String]
            var notInstalled: [String]
        }
        private struct Verified: Decodable {
            var whole: Bool
            var snapshots: Int
        }
        private struct Found: Decodable { var otherFileSystems: [String] }
        private struct Listed: Decodable {
            struct Large: Decodable { var bundleId: String }
            var large: [Large]
        }

        private static func write(_ path: String, _ bytes: some Sequence<UInt8>) throws {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }

        private static func random(_ count: Int) throws -> Data {
            let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
            return try #require(try random.read(upToCount: count))
        }

        /// A device of a new account in the cloud.
        private static func begin(_ device: TestDevice, _ cloud: TestCloud) async throws {
            _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
            try await device.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
        }

        @Test("Everything goes to the account's cloud, and a new machine gets it with the recovery code alone (B-1)")
        func cloud() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (lost, fresh) = (household[0], household[1])
                    try await Self.begin(lost, cloud)
                    let made = try await lost.baton("account", "recovery-key").lines.joined()
                    let code = try #require(made.firstMatch(of: /"code":"([0-9A-Z-]+)"/)?.1).description
                    let source = household.directory + "/source"
                    try Self.write(source + "/large", Self.random(6 << 20))
                    try Self.write(source + "/d/a", Array("kept".utf8))
                    chmod(source + "/d/a", 0o640)
                    let container = lost.locations.containers + "/" + Self.app
                    try await household.install(.probe(Self.app, types: ["\(Self.app).type"]), on: [lost])
                    try Self.write(container + "/Documents/text", Array("of an app".utf8))
                    try await lost.baton("settings", "set", "search.devices", "on")
                    try await lost.baton("backup", "target", "cloud")
                    try await lost.baton("backup", "include", source)
                    #expect(try await lost.baton("backup", "now").decode(Made.self).bytesStored > 6 << 20)
                    #expect(try await lost.baton("backup", "now").decode(Made.self).bytesStored < 1 << 20)
                    #expect(try await lost.baton("backup", "verify", "--read").decode(Verified.self).whole)
                    #expect(try await lost.baton("backup", "list", "--large").decode(Listed.self).large.isEmpty)
                    try await lost.kill()
                    rename(source, source + ".lost")

                    let here = ["--cloud", cloud.url, "--fingerprint", cloud.fingerprint, "--recovery-code"]
                    let restored = try await fresh.baton(
                        ["backup", "restore", "--device", lost.name] + here, input: code
                    ).decode(Restored.self)
                    #expect(restored.failed == 0 && restored.kept == 0)
                    #expect(restored.notInstalled.contains { $0.hasPrefix(Self.app) })
                    for name in ["/large", "/d/a"] {
                        #expect(
                            FileManager.default.contentsEqual(atPath: source + ".lost" + name, andPath: source + name))
                    }
                    let back = fresh.locations.containers + "/" + Self.app + "/Documents/text"
                    #expect(try String(contentsOfFile: back, encoding: .utf8) == "of an app")
                    let settings = fresh.locations.configuration + "/settings.json"
                    #expect(try String(contentsOfFile: settings, encoding: .utf8).contains("search.devices"))
                    var status = stat()
                    #expect(stat(source + "/d/a", &status) == 0 && status.st_mode & 0o777 == 0o640)
                }
            }
        }

        @Test("A full cloud says what to do (B-1)")
        func quota() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                try await TestCloud.with(on: 1, of: household, ["--quota", "3000000"]) { cloud in
                    let device = household[0]
                    try await Self.begin(device, cloud)
                    let source = household.directory + "/source"
                    try Self.write(source + "/large", Self.random(8 << 20))
                    try await device.baton("backup", "target", "cloud")
                    try await device.baton("backup", "include", source)
                    let full = try await device.baton("backup", "now", expecting: nil)
                    let failure = try full.failure()
                    #expect(failure.reason == "backup_quota" && failure.message.contains("baton backup forget"))
                    try FileManager.default.removeItem(atPath: source + "/large")
                    try Self.write(source + "/small", Array("kept".utf8))
                    try await device.baton("backup", "now")
                    #expect(try await device.baton("backup", "verify").decode(Verified.self).whole)
                }
            }
        }

        @Test("A disk that is full or read-only ends a backup, says so, and the next one goes on (B-1)")
        func disks() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let (disk, source) = (household.directory + "/disk", household.directory + "/source")
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
                // Its daemon sees the mounts of the moment at which it was started.
                try await device.stop()
                guard mount("tmpfs", disk, "tmpfs", 0, "size=4m,mode=700") == 0 else {
                    throw IntegrationFailure("no disk: \(errno)")
                }
                defer { umount2(disk, Int32(MNT_DETACH)) }
                try Self.write(source + "/large", Self.random(8 << 20))
                let other = source + "/other"
                try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
                try #require(mount("tmpfs", other, "tmpfs", 0, "size=1m,mode=700") == 0)
                defer { umount2(other, Int32(MNT_DETACH)) }
                try await device.start()
                try await device.baton("backup", "target", disk)
                try await device.baton("backup", "include", source)
                func reason() async throws -> String {
                    try await device.baton("backup", "now", expecting: nil).failure().reason
                }
                #expect(try await reason() == "disk_full")
                #expect(try await device.baton("backup", "verify").decode(Verified.self).whole)
                try FileManager.default.removeItem(atPath: source + "/large")
                try Self.write(source + "/small", Array("kept".utf8))
                try #require(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "size=4m,mode=700") == 0)
                let readOnly = try await device.baton("backup", "now", expecting: nil).failure()
                #expect(readOnly.reason == "file_access_denied" && readOnly.message.contains("mounted read-only"))
                try #require(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=4m,mode=700") == 0)
                #expect(try await device.baton("backup", "now").decode(Found.self).otherFileSystems == [other])
                #expect(try await device.baton("backup", "verify", "--read").decode(Verified.self).whole)
                // Something else fills it to the last byte, and what is forgotten is forgotten all the same.
                try await device.baton("backup", "now")
                let fill = Glibc.open(disk + "/fill", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                let zeros = [UInt8](repeating: 0, count: 4096)
                while Glibc.write(fill, zeros, zeros.count) > 0 {}
                Glibc.close(fill)
                let full = try await device.baton("backup", "now", expecting: nil).failure()
                #expect(full.reason == "disk_full" && full.message.contains("baton backup forget"))
                try await device.baton("backup", "forget", "1")
                #expect(try await device.baton("backup", "verify").decode(Verified.self).snapshots == 1)
            }
        }

        @Test(
            "A device is restored from a disk by another one of the account: apps and handlers; one that is killed goes on (B-1)"
        )
        func device() async throws {
            try await TestHousehold.with(2) { household in
                let (old, new) = (household[0], household[1])
                var app = TestBundle.probe(Self.app, types: [])
                app.info = ["CFBundleURLTypes": [["CFBundleURLSchemes": ["backed"], "CFBundleTypeRole": "Editor"]]]
                try await household.install(app)
                try await old.baton("default", "scheme", "backed", Self.app)
                let container = "/" + Self.app + "/Documents/text"
                try Self.write(old.locations.containers + container, Array("of an app".utf8))
                let large = "/" + Self.app + "/Documents/large"
                try Self.write(old.locations.containers + large, Self.random(24 << 20))
                let disk = household.directory + "/disk"
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
                try await old.baton("backup", "target", disk)
                try await old.baton("backup", "now")
                let restore = ["backup", "restore", "--device", old.name, "--target", disk, "--replace"]
                _ = try new.startBaton(restore)
                let back = new.locations.containers + container
                try await new.until("the restore to go on") {
                    try await new.call(BackupMethods.getBackupStatus).restoring > 0
                        || FileManager.default.fileExists(atPath: back)
                }
                try await new.kill()
                try await new.start()
                try await new.until("the restore to end") {
                    let status = try await new.call(BackupMethods.getBackupStatus)
                    return status.restoring == 0 && status.work.isEmpty
                }
                let restored = try await new.baton(restore).decode(Restored.self)
                #expect(restored.failed == 0 && restored.notInstalled.isEmpty)
                #expect(
                    FileManager.default.contentsEqual(
                        atPath: old.locations.containers + large, andPath: new.locations.containers + large))
                #expect(try String(contentsOfFile: back, encoding: .utf8) == "of an app")
                #expect(try await new.baton("default").lines.joined().contains(Self.app))
                // The app opens: nothing is waited for any more.
                let launched = try TestApp(Self.app, on: new)
                try await launched.launch()
                let given = try await new.baton("backup", "restore", "--give-up", expecting: nil)
                #expect(try given.failure().reason == "no_restore")
            }
        }

        @Test("An app that is backed up with its bundle is installed from the backup, and opens (B-1)")
        func bundle() async throws {
            try await TestHousehold.with(2) { household in
                let (old, new) = (household[0], household[1])
                try await household.install(.probe(Self.app, types: []), on: [old])
                let text = "/" + Self.app + "/Documents/text"
                try Self.write(old.locations.containers + text, Array("of an app".utf8))
                let disk = household.directory + "/disk"
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
                try await old.baton("backup", "target", disk)
                try await old.baton("backup", "include", "--app", Self.app)
                try await old.baton("backup", "now")
                let restored = try await new.baton("backup", "restore", "--device", old.name, "--target", disk)
                    .decode(Restored.self)
                #expect(restored.failed == 0 && restored.notInstalled.isEmpty)
                #expect(restored.installed.contains { $0.hasPrefix(Self.app) })
                #expect(
                    try String(contentsOfFile: new.locations.containers + text, encoding: .utf8) == "of an app")
                let app = try TestApp(Self.app, on: new)
                try await app.launch()
            }
        }

        @Test("A folder that was on demand comes back as placeholders, which no backup takes for documents (B-1)")
        func onDemand() async throws {
            try await TestHousehold.with(3) { household in
                let (keeper, old, new) = (household[0], household[1], household[2])
                // What is in the home of one is in the home of the other.
                for device in [old, new] {
                    try await device.stop()
                    device.use(["HOME": device.home])
                    try await device.start()
                }
                let (first, second, third) = (keeper.home + "/films", old.home + "/films", new.home + "/films")
                let film = try Self.random(300_000)
                try Self.write(first + "/d/film", film)
                try Self.write(first + "/note", Array("a note".utf8))
                try await keeper.baton("folder", "add", first)
                for device in [old, new] {
                    try await device.until("the folder to be known") {
                        try await device.baton("folder", "list").lines.joined().contains(#""films""#)
                    }
                }
                try await old.baton("folder", "join", "films", second)
                try await old.until("the film to come") {
                    FileManager.default.contents(atPath: second + "/d/film") == film
                }
                try await old.baton("folder", "on-demand", second + "/d")
                try await old.until("its placeholder") { access(second + "/d/.film.icloud", F_OK) == 0 }
                let disk = household.directory + "/disk"
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
                try await old.baton("backup", "target", disk)
                try await old.baton("backup", "include", second)
                try await old.baton("backup", "now")
                try await old.kill()

                let restored = try await new.baton("backup", "restore", "--device", old.name, "--target", disk)
                    .decode(Restored.self)
                #expect(restored.failed == 0)
                try await new.until("the folder to come") {
                    access(third + "/note", F_OK) == 0 && access(third + "/d/.film.icloud", F_OK) == 0
                }
                #expect(access(third + "/d/film", F_OK) != 0)
                try await new.baton("download", third + "/d/film")
                try await new.until("the film to come") {
                    FileManager.default.contents(atPath: third + "/d/film") == film
                }
                let names = try FileManager.default.subpathsOfDirectory(atPath: first)
                #expect(!names.contains { $0.hasSuffix(".icloud") }, "\(names)")
            }
        }
    }
}
