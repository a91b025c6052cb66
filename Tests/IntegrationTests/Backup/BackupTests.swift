import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Backups to a directory, with a real daemon and the command line.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct BackupTests {
        private static let app = "com.example.backed"

        private struct Made: Decodable {
            var filesRead: Int
            var bytesStored: Int
            var unreadable: [String]
        }
        private struct Restored: Decodable {
            var files: Int
            var kept: Int
            var failed: Int
        }
        private struct Verified: Decodable {
            var whole: Bool
            var damagedPacks: [String]
        }
        private struct Why: Decodable { var included: Bool }
        private struct Listed: Decodable {
            struct Snapshot: Decodable { var snapshotId: String }
            var snapshots: [Snapshot]
        }

        private static func write(_ path: String, _ text: String) throws {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }

        private static func makeDirectory(_ path: String) throws -> String {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path
        }

        /// Kind, mode, size and time.
        private static func metadata(_ path: String) throws -> [Int] {
            var status = stat()
            try #require(lstat(path, &status) == 0, "\(path)")
            return [Int(status.st_mode), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }

        private static func expectEqual(_ first: String, _ second: String) throws {
            let names = try FileManager.default.subpathsOfDirectory(atPath: first).sorted()
            #expect(try FileManager.default.subpathsOfDirectory(atPath: second).sorted() == names)
            for name in names {
                let (one, two) = (first + "/" + name, second + "/" + name)
                let (before, after) = (try metadata(one), try metadata(two))
                // Sizes of directories are the file system's affair.
                let isDirectory = before[0] & Int(S_IFMT) == Int(S_IFDIR)
                #expect(
                    before[0] == after[0] && (isDirectory || before == after) && before[2...] == after[2...], "\(name)")
                #expect(isDirectory || FileManager.default.contentsEqual(atPath: one, andPath: two), "\(name)")
            }
        }

        @Test(
            "A container and a folder come back byte for byte with modes, times and links; caches and what the app flags are left out (B-1 to B-4, X-13)"
        )
        func roundTrip() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await household.install(.probe(Self.app, types: ["\(Self.app).type"]))
                let app = try TestApp(Self.app, on: device)
                try await app.launch()
                let container = device.locations.containers + "/" + Self.app
                try Self.write(container + "/Documents/kept", "kept")
                try Self.write(container + "/Documents/flagged", "can be made again")
                try Self.write(container + "/Library/Caches/cache", "cache")
                try Self.write(container + "/tmp/scratch", "scratch")
                try app.tell(["do": "exclude", "page": container + "/Documents/flagged"])
                try await app.events.first("done", ["do": "exclude"])

                let source = try Self.makeDirectory(household.directory + "/source")
                try Self.write(source + "/bash/README", String(repeating: "read me\n", count: 10_000))
                try Self.write(source + "/bash/tool", "#!/bin/sh\n")
                chmod(source + "/bash/tool", 0o755)
                symlink("README", source + "/bash/link")
                link(source + "/bash/README", source + "/hard")
                let disk = try Self.makeDirectory(household.directory + "/disk")
                try await device.baton("backup", "target", disk)
                try await device.baton("backup", "include", source)
                let made = try await device.baton("backup", "now").decode(Made.self)
                #expect(made.unreadable.isEmpty && made.filesRead > 0)

                let out = household.directory + "/out"
                var restored = try await device.baton("backup", "restore", "--to", out).decode(Restored.self)
                #expect(restored.failed == 0 && restored.kept == 0)
                try Self.expectEqual(source, out + "/source")
                let back = out + "/" + Self.app
                #expect(try String(contentsOfFile: back + "/Documents/kept", encoding: .utf8) == "kept")
                #expect(!FileManager.default.fileExists(atPath: back + "/Library/Caches"))
                #expect(!FileManager.default.fileExists(atPath: back + "/tmp"))
                let flagged = try await device.baton("backup", "why", container + "/Documents/flagged").decode(Why.self)
                // Where the file system has attributes.
                #expect(flagged.included == FileManager.default.fileExists(atPath: back + "/Documents/flagged"))
                #expect(
                    try await !device.baton("backup", "why", container + "/Library/Caches").decode(Why.self).included)

                // Nothing is overwritten unasked.
                try Self.write(out + "/source/bash/tool", "mine")
                restored = try await device.baton("backup", "restore", "latest", source, "--to", out).decode(
                    Restored.self)
                #expect(restored.kept == 1 && restored.files == 0)
                #expect(try String(contentsOfFile: out + "/source/bash/tool", encoding: .utf8) == "mine")

                // An app gets its container back, but not while it runs.
                let running = try await device.baton("backup", "restore", "--app", Self.app, expecting: nil)
                #expect(try running.failure().reason == "app_running")
            }
        }

        @Test("A damaged pack is found and its chunks are stored again; a target that is unplugged is said (B-1)")
        func faults() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let source = try Self.makeDirectory(household.directory + "/source")
                try Self.write(source + "/a", String(repeating: "some text that is kept\n", count: 50_000))
                let disk = try Self.makeDirectory(household.directory + "/disk")
                try await device.baton("backup", "target", disk)
                try await device.baton("backup", "include", source)
                try await device.baton("backup", "now")
                #expect(try await device.baton("backup", "verify", "--read").decode(Verified.self).whole)

                let packs = disk + "/baton-backup/packs"
                for name in try FileManager.default.contentsOfDirectory(atPath: packs) {
                    var bytes = try #require(FileManager.default.contents(atPath: packs + "/" + name))
                    bytes[bytes.count - 20] ^= 0xFF
                    try bytes.write(to: URL(fileURLWithPath: packs + "/" + name))
                }
                let found = try await device.baton(["backup", "verify", "--read"], expecting: 1).decode(Verified.self)
                #expect(!found.whole && !found.damagedPacks.isEmpty)
                let again = try await device.baton("backup", "now").decode(Made.self)
                #expect(again.bytesStored > 0)
                let out = household.directory + "/out"
                let restored = try await device.baton("backup", "restore", "latest", source, "--to", out).decode(
                    Restored.self)
                #expect(restored.failed == 0)
                try Self.expectEqual(source, out + "/source")

                rename(disk, disk + ".unplugged")
                let away = try await device.baton("backup", "now", expecting: nil)
                #expect(try away.failure().reason == "target_away")
                let why = try await device.baton(["explain", "backup"], expecting: nil)
                #expect(why.lines.joined().contains("is not there"))
                #expect(!FileManager.default.fileExists(atPath: disk))
            }
        }

        @Test("Snapshots are listed while a backup goes on, and Ctrl-C stops it in the daemon (B-1)")
        func stopping() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let source = try Self.makeDirectory(household.directory + "/source")
                let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
                for index in 0..<64 {
                    let bytes = try #require(try random.read(upToCount: 1 << 20))
                    try bytes.write(to: URL(fileURLWithPath: source + "/\(index)"))
                }
                try await device.baton("backup", "target", Self.makeDirectory(household.directory + "/disk"))
                try await device.baton("backup", "include", source)
                let now = try device.startBaton(["backup", "now"])
                try await device.until("the backup to go on") {
                    try await device.call(BackupMethods.getBackupStatus).workBytes > 0
                }
                #expect(try await device.baton("backup", "list").decode(Listed.self).snapshots.isEmpty)
                now.send(SIGINT)
                try await device.until("the backup to end") {
                    try await device.call(BackupMethods.getBackupStatus).work.isEmpty
                }
                #expect(try await device.baton("backup", "list").decode(Listed.self).snapshots.isEmpty)
                #expect(try await device.baton("backup", "verify").decode(Verified.self).whole)
            }
        }

        @Test("A new machine without an account restores with the recovery code and the disk alone (B-1)")
        func recovery() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (lost, fresh) = (household[0], household[1])
                    _ = try await lost.call(ControlMethods.createAccount, .with { $0.deviceName = lost.name })
                    try await lost.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    let made = try await lost.baton("account", "recovery-key").lines.joined()
                    let code = try #require(made.firstMatch(of: /"code":"([0-9A-Z-]+)"/)?.1).description
                    let source = try Self.makeDirectory(household.directory + "/source")
                    try Self.write(source + "/a", "kept")
                    let disk = try Self.makeDirectory(household.directory + "/disk")
                    try await lost.baton("backup", "target", disk)
                    try await lost.baton("backup", "include", source)
                    try await lost.baton("backup", "now")
                    // The newest backup is older than this key: the sentence is about it, and not about a cloud.
                    let later = try await lost.baton("account", "recovery-key").lines.joined()
                    let young = try #require(later.firstMatch(of: /"code":"([0-9A-Z-]+)"/)?.1).description
                    let out = household.directory + "/out"
                    let refused = try await fresh.baton(
                        ["backup", "restore", "--target", disk, "--to", out, "--recovery-code"], input: young,
                        expecting: nil
                    ).failure()
                    #expect(refused.reason == "unknown_recovery_key" && refused.message.contains("baton backup now"))
                    try await lost.kill()
                    let restored = try await fresh.baton(
                        ["backup", "restore", "--target", disk, "--to", out, "--recovery-code"], input: code
                    ).decode(Restored.self)
                    #expect(restored.failed == 0)
                    #expect(try String(contentsOfFile: out + "/source/a", encoding: .utf8) == "kept")
                }
            }
        }
    }
}
