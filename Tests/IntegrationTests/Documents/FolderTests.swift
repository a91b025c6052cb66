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
                // What stands in its place meanwhile is not the folder, even if it is a folder of somebody.
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
    }
}
