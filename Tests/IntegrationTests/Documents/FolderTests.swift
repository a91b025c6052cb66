import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// Folders that a person keeps equal without an app.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct FolderTests {
        private struct Folders: Decodable {
            struct Folder: Decodable {
                var name: String
                var state: String
            }
            var folders: [Folder]
        }

        private static func states(_ device: TestDevice) async throws -> [String: String] {
            let folders = try await device.baton("folder", "list").decode(Folders.self).folders
            return Dictionary(uniqueKeysWithValues: folders.map { ($0.name, $0.state) })
        }

        private static func with(_ body: (TestDevice, TestDevice) async throws -> Void) async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    try await body(household[0], household[1])
                }
            }
        }

        private static func write(_ text: String, _ path: String) throws {
            let file = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        private static func text(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }

        @Test("any folder is kept equal without an app; joining merges, and leaving keeps every file (D-5, D-36)")
        func folder() async throws {
            try await Self.with { one, other in
                let (first, second) = (one.home + "/Photos of 2026", other.home + "/elsewhere/photos")
                try Self.write("same", first + "/same.txt")
                try Self.write("mine", first + "/both.txt")
                try Self.write("deep", first + "/a/b/c.txt")
                try Self.write("same", second + "/same.txt")
                try Self.write("other", second + "/both.txt")
                try Self.write("kept", second + "/own.txt")
                try await one.baton("folder", "add", first, "--name", "photos")
                try await other.until("the folder to be known") {
                    try await Self.states(other)["photos"] == "elsewhere"
                }
                try await other.baton("folder", "join", "photos", second)
                try await one.until("both to be equal") {
                    let listing = TestContainer.listing(of: first).filter { !$0.key.hasPrefix(".baton-folder") }
                    let names = Set(listing.keys)
                    return listing == TestContainer.listing(of: second).filter { !$0.key.hasPrefix(".baton-folder") }
                        && names.isSuperset(of: ["same.txt", "both.txt", "own.txt", "a/b/c.txt"])
                        && names.contains { $0.hasPrefix("both (conflict") }
                }
                // Nothing was lost, and equal files are one.
                let files = try FileManager.default.contentsOfDirectory(atPath: first).filter { $0.hasSuffix(".txt") }
                #expect(files.count == 4, "\(files)")
                let both = files.filter { $0.hasPrefix("both") }.compactMap { Self.text("\(first)/\($0)") }
                #expect(both.sorted() == ["mine", "other"])

                try Self.write("changed", second + "/a/b/c.txt")
                try await one.until("the change to come") { Self.text(first + "/a/b/c.txt") == "changed" }

                try await other.baton("folder", "leave", "photos")
                #expect(Self.text(second + "/own.txt") == "kept")
                #expect(access(second + "/.baton-folder", F_OK) != 0)
                try Self.write("later", first + "/later.txt")
                #expect(try await Self.states(other)["photos"] == "elsewhere")
                try await other.baton("folder", "join", "photos", second)
                try await other.until("what was missed to come") { Self.text(second + "/later.txt") == "later" }
            }
        }

        @Test("a folder whose disk goes is away, loses nothing elsewhere, and goes on when it is back (D-36)")
        func away() async throws {
            try await Self.with { one, other in
                let (disk, second) = (one.home + "/disk", other.home + "/notes")
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
                let away = one.home + "/unplugged"
                let folder = disk + "/notes"
                try Self.write("kept", folder + "/a.txt")
                try await one.baton("folder", "add", folder)
                try await other.until("the folder to be known") {
                    try await Self.states(other)["notes"] == "elsewhere"
                }
                try await other.baton("folder", "join", "notes", second)
                try await other.until("the file to come") { Self.text(second + "/a.txt") == "kept" }

                try FileManager.default.moveItem(atPath: disk, toPath: away)
                try await one.until("the folder to be away", limit: .seconds(30)) {
                    try await Self.states(one)["notes"] == "away"
                }
                // A directory in its place meanwhile is not the folder, even if it is another folder.
                try Self.write("other", folder + "/.baton-folder/identity")
                try Self.write("foreign", folder + "/foreign.txt")
                try await one.stop()
                try await one.start()
                #expect(try await Self.states(one)["notes"] == "away")
                try Self.write("new", second + "/b.txt")
                try FileManager.default.removeItem(atPath: disk)
                try FileManager.default.moveItem(atPath: away, toPath: disk)
                try await one.until("what was missed to come", limit: .seconds(30)) {
                    Self.text(folder + "/b.txt") == "new"
                }
                #expect(Self.text(second + "/foreign.txt") == nil)
                #expect(Self.text(second + "/a.txt") == "kept" && Self.text(folder + "/a.txt") == "kept")
            }
        }

        @Test("folders that hold Baton's own files, overlap or are not there are refused, and nothing is put into them")
        func refusals() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let folder = device.home + "/work"
                try Self.write("kept", folder + "/inner/a.txt")
                try await device.baton("folder", "add", folder)
                for (path, reason) in [
                    (folder + "/inner", "folder_overlaps"), (device.home, "folder_overlaps"),
                    (device.locations.data, "folder_overlaps"), (device.home + "/none", "no_folder"),
                ] {
                    let answer = try await device.baton("folder", "add", path, "--name", "x", expecting: nil)
                    #expect(answer.status != 0 && answer.errors.contains(reason), "\(answer)")
                }
                #expect(access(folder + "/inner/.baton-folder", F_OK) != 0)
            }
        }

        @Test("what .batonignore names is not sent, stays, and what was synced before goes on (issue 30)")
        func ignored() async throws {
            try await Self.with { one, other in
                let (first, second) = (one.home + "/code", other.home + "/code")
                try Self.write("*.o\nbuild/\n!keep.o\n", first + "/.batonignore")
                try Self.write("source", first + "/main.c")
                try Self.write("object", first + "/main.o")
                try Self.write("kept", first + "/keep.o")
                try Self.write("built", first + "/build/out")
                try await one.baton("folder", "add", first)
                try await other.until("the folder to be known") {
                    try await Self.states(other)["code"] == "elsewhere"
                }
                try await other.baton("folder", "join", "code", second)
                try await other.until("what is not ignored to come") {
                    Self.text(second + "/keep.o") == "kept" && Self.text(second + "/main.c") == "source"
                        && Self.text(second + "/.batonignore") != nil
                }
                // The rules came with the folder, and hold on the other device too.
                try Self.write("own", second + "/own.o")
                try Self.write("last", second + "/last.c")
                try await one.until("what is no object to come") { Self.text(first + "/last.c") == "last" }
                #expect(Self.text(first + "/own.o") == nil)
                #expect(Self.text(second + "/main.o") == nil && Self.text(second + "/build/out") == nil)
                #expect(Self.text(first + "/main.o") == "object" && Self.text(first + "/build/out") == "built")

                // Fewer rules: what was left out comes.
                try Self.write("build/\n", first + "/.batonignore")
                try await other.until("the object to come") { Self.text(second + "/main.o") == "object" }
                try await one.until("the other's object to come") { Self.text(first + "/own.o") == "own" }
                // More rules: what is synced stays so, also saved by renaming.
                try Self.write("*.c\n", first + "/.batonignore")
                try await other.until("the rules to come") { Self.text(second + "/.batonignore") == "*.c\n" }
                try Self.write("newer", second + "/main.c.tmp")
                #expect(rename(second + "/main.c.tmp", second + "/main.c") == 0)
                try await one.until("the change to come") { Self.text(first + "/main.c") == "newer" }
            }
        }

        @Test("a member that only receives sends nothing, shows what was done on it, and undoes it (issue 30)")
        func readOnly() async throws {
            try await Self.with { one, other in
                let (first, second) = (one.home + "/shared", other.home + "/mirror")
                try Self.write("theirs", first + "/a.txt")
                try await one.baton("folder", "add", first)
                try await other.until("the folder to be known") {
                    try await Self.states(other)["shared"] == "elsewhere"
                }
                try Self.write("in the way", second + "/x")
                let refused = try await other.baton("folder", "join", "shared", second, "--read-only", expecting: nil)
                #expect(refused.status != 0 && refused.errors.contains("folder_not_empty"), "\(refused)")
                try FileManager.default.removeItem(atPath: second + "/x")
                try await other.baton("folder", "join", "shared", second, "--read-only")
                try await other.until("the file to come") { Self.text(second + "/a.txt") == "theirs" }

                try Self.write("mine", second + "/a.txt")
                try Self.write("new", second + "/b.txt")
                let status = try await other.baton("folder", "status", "shared")
                let told = status.lines.joined()
                #expect(told.contains("b.txt") && told.contains("a.txt"), "\(status)")
                try Self.write("later", first + "/c.txt")
                try await other.until("what comes to come") { Self.text(second + "/c.txt") == "later" }
                #expect(Self.text(first + "/a.txt") == "theirs" && Self.text(first + "/b.txt") == nil)

                try await other.baton("folder", "revert", "shared")
                try await other.until("the file to be as it was") {
                    Self.text(second + "/a.txt") == "theirs" && Self.text(second + "/b.txt") == nil
                }
                let kept = try FileManager.default.subpathsOfDirectory(atPath: second + "/.baton-reverted")
                #expect(kept.contains { $0.hasSuffix("/a.txt") } && kept.contains { $0.hasSuffix("/b.txt") })
                #expect(Self.text(first + "/b.txt") == nil)
            }
        }

        @Test("a directory on demand gets placeholders, and its contents when they are kept (issue 30)")
        func onDemand() async throws {
            try await Self.with { one, other in
                let (first, second) = (one.home + "/films", other.home + "/films")
                try Self.write("old", first + "/d/old.txt")
                try await one.baton("folder", "add", first)
                try await other.until("the folder to be known") {
                    try await Self.states(other)["films"] == "elsewhere"
                }
                try await other.baton("folder", "join", "films", second)
                try await other.until("the file to come") { Self.text(second + "/d/old.txt") == "old" }
                try await other.baton("folder", "on-demand", second + "/d")
                try Self.write("new", first + "/d/new.txt")
                try await other.until("placeholders to stand there") {
                    access(second + "/d/.new.txt.icloud", F_OK) == 0 && access(second + "/d/.old.txt.icloud", F_OK) == 0
                }
                #expect(Self.text(first + "/d/old.txt") == "old")
                try await other.baton("folder", "keep", second + "/d")
                try await other.until("the contents to come") {
                    Self.text(second + "/d/new.txt") == "new" && Self.text(second + "/d/old.txt") == "old"
                }
            }
        }

        @Test("what is on demand under Documents comes ahead as soon as the person wants that (issue 30)")
        func ahead() async throws {
            try await Self.with { one, other in
                let (first, second) = (one.home + "/Documents", other.home + "/Documents")
                try Self.write("a letter", first + "/d/letter.txt")
                try await one.baton("folder", "add", first)
                try await other.until("the folder to be known") {
                    try await Self.states(other)["Documents"] == "elsewhere"
                }
                try await other.baton("folder", "join", "Documents", second)
                try await other.until("the letter to come") { Self.text(second + "/d/letter.txt") == "a letter" }
                try await other.baton("folder", "on-demand", second)
                try await other.until("its placeholder") { access(second + "/d/.letter.txt.icloud", F_OK) == 0 }
                // Whatever the disk has here.
                try await other.baton("settings", "set", "folders.room", "1")
                try await other.baton("settings", "set", "documents.prefetch", "on")
                try await other.until("the letter to come by itself") {
                    Self.text(second + "/d/letter.txt") == "a letter"
                }
            }
        }
    }
}
