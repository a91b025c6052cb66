import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Disks, permissions and accounts that do not play along: nothing is lost, the person is notified, and it goes on by itself (D-5, D-36).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentFaultTests {
        private func run(_ command: String...) async throws {
            let process = try ChildProcess(command)
            process.closeInput()
            guard try await process.status() == 0 else {
                throw IntegrationFailure("\(command): \(process.errors.all)")
            }
        }

        /// A disk of its own for a device's containers, with the device's daemon on it.
        private func withSmallDisk(
            _ size: String, of index: Int, _ body: @escaping (DocumentPair, String) async throws -> Void
        ) async throws {
            let mount = Mount()
            defer { mount.remove() }
            try await DocumentPair.with(
                prepare: { household in
                    let device = household[index]
                    try await device.stop()
                    let folder = device.locations.data + "/documents"
                    try FileManager.default.createDirectory(
                        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                    try await run("mount", "-t", "tmpfs", "-o", "size=\(size),mode=700", "tmpfs", folder)
                    mount.path = folder
                    try await device.start()
                    try await CloudAccessTests.isConnected(device)
                }, { pair in try await body(pair, mount.path) })
        }

        /// A mount, removed at the end.
        private final class Mount {
            var path = ""

            func remove() { if !path.isEmpty { umount2(path, Int32(MNT_DETACH)) } }
        }

        @Test(
            "a disk that is full where files come: what does not fit waits and says so, the rest comes; then all of it (D-36)"
        )
        func receiverIsFull() async throws {
            try await withSmallDisk("6m", of: 1) { pair, disk in
                let bytes = Data((0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
                try pair.one.write(bytes, to: "large.bin")
                try pair.one.write("small", to: "small.txt")
                try await pair.other.until("small.txt", is: "small")
                try await pair.other.device.until("the full disk to be told") {
                    try await pair.other.items()["Documents/large.bin"]?.problem == "disk_full"
                }
                #expect(!pair.other.exists("large.bin"))
                try pair.other.write("back", to: "back.txt")
                try await pair.one.until("back.txt", is: "back")
                // Mounted anew, with more room, in all namespaces: that of the daemon, too.
                let daemon = try #require(pair.other.device.daemon)
                try await run(
                    "nsenter", "--target", "\(daemon.processID)", "--mount", "mount", "-o", "remount,size=64m", disk)
                try await pair.other.device.until("the large file to come") { pair.other.read("large.bin") == bytes }
                try await pair.areEqual()
                #expect(pair.one.tree.count == 3)
            }
        }

        @Test("documents that were not used for longest leave a disk with little room, and come again (D-36)")
        func littleRoom() async throws {
            try await withSmallDisk("64m", of: 1) { pair, disk in
                let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
                let bytes = try #require(try random.read(upToCount: 9_000_000))
                let names = ["first.mov", "second.mov", "third.mov"]
                for (index, name) in names.enumerated() {
                    try pair.one.write(Data(bytes.dropFirst(index * 3_000_000).prefix(3_000_000)), to: name)
                    // Without reading it, which would be a use.
                    try await pair.other.device.until("\(name) to come") { pair.other.exists(name) }
                }
                for name in names { try await pair.other.untilSent(name) }
                // A tenth of a small disk stays free.
                var status = statvfs()
                try #require(statvfs(disk, &status) == 0)
                let free = Int(status.f_bavail) * Int(status.f_frsize)
                try Data(count: free - 5_000_000).write(to: URL(fileURLWithPath: disk + "/ballast"))
                try await pair.other.device.baton("settings", "set", "folders.room", "1025")
                try await pair.other.device.until("the first to leave") {
                    FileManager.default.fileExists(atPath: pair.other.path(".first.mov.icloud"))
                }
                #expect(!pair.other.exists("first.mov"))
                #expect(pair.other.exists("second.mov") && pair.other.exists("third.mov"))
                #expect(pair.one.exists("first.mov"))
                try await pair.other.device.baton("download", pair.other.path("first.mov"))
                try await pair.other.device.until("it to be here again") {
                    pair.other.read("first.mov") == Data(bytes.prefix(3_000_000))
                }
            }
        }

        @Test("the disk of the containers is unmounted underneath the daemon: nothing is deleted elsewhere (D-36)")
        func unmounted() async throws {
            try await withSmallDisk("16m", of: 1) { pair, disk in
                try pair.one.write("a", to: "d/a.txt")
                try pair.other.write("b", to: "b.txt")
                try await pair.areEqual()
                let daemon = try #require(pair.other.device.daemon)
                try await run(
                    "nsenter", "--target", "\(daemon.processID)", "--mount", "umount", "--lazy", disk)
                // It looks at the disk when something comes.
                try pair.one.write("c", to: "c.txt")
                try pair.one.write("more", to: "d/a.txt")
                try await pair.one.untilSent("d/a.txt")
                try await pair.other.device.restart()
                try await pair.other.device.until("everything to come again") {
                    FileManager.default.fileExists(atPath: pair.other.path("c.txt"))
                        || TestContainer.listing(of: disk).count > 5
                }
                #expect(pair.one.tree == ["d": "/", "d/a.txt": "more", "b.txt": "b", "c.txt": "c"])
            }
        }

        @Test("an account over its quota: a large file waits and says why, small changes and deletions go on (D-5)")
        func overQuota() async throws {
            try await DocumentPair.with(cloud: ["--quota", "3000000"]) { pair in
                try pair.one.write("small", to: "small.txt")
                try pair.one.write("to go", to: "gone.txt")
                try await pair.areEqual()
                let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
                let bytes = try #require(try random.read(upToCount: 6_000_000))
                try pair.one.write(bytes, to: "large.bin")
                try await pair.one.device.record("zone_failed") { $0.fields["reason"] == "quota_exceeded" }
                try pair.one.remove("gone.txt")
                try pair.one.write("small, and edited", to: "small.txt")
                try await pair.other.until(has: ["small.txt": "small, and edited"])
                try pair.other.write("back", to: "back.txt")
                try await pair.one.until("back.txt", is: "back")
                #expect(pair.one.read("large.bin") == bytes)
                let item = try await pair.one.items()["Documents/large.bin"]
                #expect(item?.uploaded == false && item?.problem == "quota_exceeded")
                // The person makes room.
                try pair.one.remove("large.bin")
                try pair.one.write("last", to: "last.txt")
                try await pair.other.until("last.txt", is: "last")
                #expect(!pair.other.exists("large.bin"))
                // The part of it that has come to the cloud keeps nothing else from it.
                try pair.one.write(Data(bytes.prefix(2_000_000)), to: "fits.bin")
                try await pair.other.device.until("what fits to come", limit: .seconds(60)) {
                    pair.other.read("fits.bin") == Data(bytes.prefix(2_000_000))
                }
            }
        }

        @Test("a full account: a purge removes what was deleted and earlier versions, and what comes next fits (D-5)")
        func purge() async throws {
            try await DocumentPair.with(cloud: ["--quota", "6000000"]) { pair in
                let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
                let bytes = try #require(try random.read(upToCount: 8_000_000))
                let parts = [Data(bytes.prefix(4_000_000)), Data(bytes.dropFirst(4_000_000).prefix(3_500_000))]
                try pair.one.write(parts[0], to: "gone.bin")
                try pair.one.write("first", to: "kept.txt")
                try await pair.areEqual()
                try pair.one.write("second", to: "kept.txt")
                try pair.one.remove("gone.bin")
                try await pair.areEqual()
                let found = try await pair.one.device.call(
                    DocumentsMethods.purgeDocuments, .with { $0.countOnly = true })
                #expect(found.deleted == 1 && found.versions == 1 && found.bytes == 4_000_005, "\(found)")
                let purged = try await pair.one.device.baton("documents", "purge", "--yes", "--json")
                struct Purged: Decodable { var left: Int, freedBytes: Int }
                let answer = try purged.decode(Purged.self)
                #expect(answer.left == 0 && answer.freedBytes >= 4_000_000, "\(purged)")
                try pair.one.write(parts[1], to: "new.bin")
                try await pair.other.device.until("it to come", limit: .seconds(60)) {
                    pair.other.read("new.bin") == parts[1]
                }
                for container in pair.both {
                    #expect(container.read("kept.txt") == Data("second".utf8))
                    let left = try await container.device.call(
                        DocumentsMethods.purgeDocuments, .with { $0.countOnly = true })
                    #expect(left.deleted == 0 && left.versions == 0, "\(container.device.name) \(left)")
                }
            }
        }

        @Test("without watches of the system changes are found all the same (D-5)")
        func noWatches() async throws {
            try await DocumentPair.with(
                prepare: { household in
                    let source = household.directory + "/no-watches.c"
                    try Data(
                        "#include <errno.h>\nint inotify_add_watch(int f, const char *p, unsigned m) { errno = ENOSPC; return -1; }"
                            .utf8
                    ).write(to: URL(fileURLWithPath: source))
                    let library = household.directory + "/no-watches.so"
                    try await run("clang", "-shared", "-fPIC", "-o", library, source)
                    try await household[0].stop()
                    household[0].use(["LD_PRELOAD": library])
                    try await household[0].start()
                    try await CloudAccessTests.isConnected(household[0])
                },
                { pair in
                    try pair.one.write("found", to: "deep/found.txt")
                    try await pair.other.until("deep/found.txt", is: "found")
                    try pair.other.write("back", to: "deep/found.txt")
                    try await pair.one.until("deep/found.txt", is: "back")
                    try pair.one.remove("deep/found.txt")
                    try await pair.other.until(has: ["deep": "/"])
                })
        }

        @Test(
            "files and folders that their owner may not read or write hold nothing else back, and come when he may (D-5)"
        )
        func permissions() async throws {
            try await DocumentPair.with(
                prepare: { household in
                    for index in 0..<2 {
                        household[index].heedPermissions()
                        try await household[index].restart()
                        try await CloudAccessTests.isConnected(household[index])
                    }
                },
                { pair in
                    try pair.one.write("secret", to: "unreadable.txt")
                    chmod(pair.one.path("unreadable.txt"), 0)
                    try pair.one.write("in it", to: "folder/in.txt")
                    chmod(pair.one.path("folder"), 0o555)
                    try pair.one.write("other", to: "other.txt")
                    try await pair.other.until("folder/in.txt", is: "in it")
                    try await pair.other.until("other.txt", is: "other")
                    try await pair.one.device.record("unreadable_file")
                    #expect(!pair.other.exists("unreadable.txt"))
                    chmod(pair.one.path("unreadable.txt"), 0o600)
                    try await pair.other.until("unreadable.txt", is: "secret")

                    // A known one: no process may read it any more, and later again.
                    chmod(pair.one.path("other.txt"), 0)
                    try await pair.other.device.until("the mode to come") {
                        CaseFolder(container: pair.other, name: "").mode(of: "other.txt") == 0
                    }
                    chmod(pair.one.path("other.txt"), 0o644)
                    try await pair.other.device.until("the mode to come back") {
                        CaseFolder(container: pair.other, name: "").mode(of: "other.txt") == 0o644
                    }
                    // A file that another device puts into a folder that is not to be written to waits, and says so.
                    try pair.other.write("more", to: "folder/more.txt")
                    try await pair.one.device.until("the problem to be told") {
                        try await pair.one.items()["Documents/folder/more.txt"]?.problem == "file_access_denied"
                    }
                    chmod(pair.one.path("folder"), 0o755)
                    try await pair.one.until("folder/more.txt", is: "more")
                    try await pair.areEqual()
                })
        }
    }
}
