import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Containers of two real daemons, through a real cloud only.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentSyncTests {
        private func withContainers(
            _ body: (TestHousehold, TestContainer, TestContainer) async throws -> Void
        ) async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    try await body(
                        household, try await TestContainer(household[0]), try await TestContainer(household[1]))
                }
            }
        }

        @Test(
            "what is written on one device is on the other, directories, links and modes too; both ways (D-1, D-5, D-8, D-36)"
        )
        func throughTheCloud() async throws {
            try await withContainers { _, one, other in
                try one.write("Hello", to: "hello.txt")
                try one.write("In a folder", to: "folder/deep/in.txt")
                try FileManager.default.createSymbolicLink(
                    atPath: one.path("link"), withDestinationPath: "hello.txt")
                try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: one.path("hello.txt"))
                let tree = [
                    "hello.txt": "Hello", "folder": "/", "folder/deep": "/", "folder/deep/in.txt": "In a folder",
                    "link": "Hello",
                ]
                try await other.until(has: tree)
                #expect(
                    try FileManager.default.destinationOfSymbolicLink(atPath: other.path("link")) == "hello.txt")
                try await other.device.until("the mode to come") {
                    try FileManager.default.attributesOfItem(atPath: other.path("hello.txt"))[.posixPermissions] as? Int
                        == 0o640
                }
                try other.write("And back", to: "folder/back.txt")
                try await one.until("folder/back.txt", is: "And back")
                try other.write("Hello again", to: "hello.txt")
                try await one.until("hello.txt", is: "Hello again")
            }
        }

        @Test("a directory is moved and renamed as a whole, and nothing in it is lost (D-5, D-6)")
        func moves() async throws {
            try await withContainers { _, one, other in
                for number in 0..<20 { try one.write("\(number)", to: "a/b/\(number).txt") }
                try await other.until("a/b/19.txt", is: "19")
                try await other.device.until("all to come") { other.tree.count == 22 }
                try one.move("a/b", to: "c")
                try one.remove("a")
                var moved = Dictionary(uniqueKeysWithValues: (0..<20).map { ("c/\($0).txt", "\($0)") })
                moved["c"] = "/"
                try await other.until(has: moved)
                try await one.until(has: moved)
            }
        }

        @Test("a directory that is moved away and comes back is whole on the other device again (D-5, D-6)")
        func movedAway() async throws {
            try await withContainers { household, one, other in
                let outside = household.directory + "/outside"
                try one.write("text", to: "proj/src/a.txt")
                try one.write("read me", to: "proj/readme.txt")
                let tree = ["proj": "/", "proj/src": "/", "proj/src/a.txt": "text", "proj/readme.txt": "read me"]
                try await other.until(has: tree)
                try FileManager.default.moveItem(atPath: one.path("proj"), toPath: outside)
                try await other.until(has: [:])
                try FileManager.default.moveItem(atPath: outside, toPath: one.path("proj"))
                try await other.until(has: tree)
            }
        }

        @Test("a folder whose files are links to those of another one stays on both devices (D-5)")
        func linkedFolders() async throws {
            try await withContainers { _, one, other in
                var tree = ["snap1": "/", "snap2": "/"]
                for name in ["a", "b", "c"] {
                    try one.write("text \(name)", to: "snap1/\(name)")
                    (tree["snap1/\(name)"], tree["snap2/\(name)"]) = ("text \(name)", "text \(name)")
                }
                try FileManager.default.createDirectory(
                    atPath: one.path("snap2"), withIntermediateDirectories: false)
                for name in ["a", "b", "c"] {
                    try FileManager.default.linkItem(
                        atPath: one.path("snap1/\(name)"), toPath: one.path("snap2/\(name)"))
                }
                try await other.until(has: tree)
                for number in 1...3 {
                    try one.write("new", to: "snap1/new\(number)")
                    tree["snap1/new\(number)"] = "new"
                    try await other.until(has: tree)
                }
            }
        }

        @Test("a file of some megabytes comes in chunks; a change in it comes too (D-5)")
        func large() async throws {
            try await withContainers { _, one, other in
                let bytes = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
                try one.write(bytes, to: "large.bin")
                try await other.device.until("the large file to come") { other.read("large.bin") == bytes }
                var edited = bytes
                edited[3_000_000] = bytes[3_000_000] &+ 1
                try one.write(edited, to: "large.bin")
                try await other.device.until("its change to come") { [edited] in other.read("large.bin") == edited }
            }
        }

        @Test(
            "two devices edit a file while they are apart: one version is there, the other a conflict to restore (D-36)"
        )
        func conflict() async throws {
            try await withContainers { _, one, other in
                try one.write("base", to: "note.txt")
                try await other.until("note.txt", is: "base")
                try await one.untilSent("note.txt")
                try await other.device.stop()
                try one.write("from one", to: "note.txt")
                try await one.untilSent("note.txt")
                try other.write("from other", to: "note.txt")
                try await other.device.start()
                for container in [one, other] {
                    try await container.device.until("a conflict on \(container.device.name)") {
                        try await container.items()["Documents/note.txt"]?.conflicts == 1
                    }
                }
                struct Versions: Decodable {
                    struct Version: Decodable {
                        var id: String
                        var current: Bool
                        var conflict: Bool
                    }
                    var versions: [Version]
                }
                let shown = one.read("note.txt")
                try await other.device.until("both to show the same") { other.read("note.txt") == shown }
                let versions = try await one.device.baton("versions", one.path("note.txt")).decode(Versions.self)
                let conflicts = versions.versions.filter(\.conflict)
                let loser = try #require(conflicts.first)
                try await one.device.baton("versions", one.path("note.txt"), "--restore", loser.id)
                let lost = shown == Data("from one".utf8) ? "from other" : "from one"
                for container in [one, other] { try await container.until("note.txt", is: lost) }
                try await other.device.until("no conflict to be left") {
                    try await other.device.baton("conflicts").lines.joined().contains(#""conflicts":[]"#)
                }
            }
        }

        @Test("a person deletes documents, and gets them back with what is in them (D-32, D-33)")
        func deletes() async throws {
            try await withContainers { _, one, other in
                try one.write("kept", to: "folder/file.txt")
                try await other.until("folder/file.txt", is: "kept")
                try await one.untilSent("folder/file.txt")
                try await other.device.baton("documents", "delete", other.path("folder"), "--yes")
                try await one.until(has: [:])
                try await one.device.until("the deletion to be listed") {
                    try await one.items("--deleted")["Documents/folder/file.txt"] != nil
                }
                try await one.device.baton(
                    "documents", "restore", "\(TestContainer.identifier)/Documents/folder")
                for container in [one, other] { try await container.until("folder/file.txt", is: "kept") }
            }
        }

        @Test(
            "what an app keeps outside of Documents comes to its other devices too, and people are not shown it (D-32, D-34)"
        )
        func privateData() async throws {
            try await withContainers { _, one, other in
                try Data("index".utf8).write(to: URL(fileURLWithPath: one.root + "/search.index"))
                try one.write("a letter", to: "letter.txt")
                try await other.device.until("both to come") {
                    FileManager.default.contents(atPath: other.root + "/search.index") == Data("index".utf8)
                        && other.exists("letter.txt")
                }
                let shown = try await other.items().keys
                #expect(shown.contains("Documents/letter.txt") && !shown.contains { $0.contains("search.index") })
                #expect(try await other.items("--all").keys.contains("search.index"))
            }
        }

        @Test(
            "what is evicted leaves a placeholder, is listed, and is fetched again; nothing is deleted elsewhere (D-5)")
        func evicts() async throws {
            try await withContainers { _, one, other in
                let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
                try one.write(bytes, to: "picture.png")
                try await other.device.until("it to come") { other.read("picture.png") == bytes }
                try await other.device.baton("evict", other.path("picture.png"))
                try await other.device.until("the placeholder") {
                    other.exists(".picture.png.icloud") && !other.exists("picture.png")
                }
                #expect(try await other.items()["Documents/picture.png"]?.state == "not_downloaded")
                let why = try await other.device.baton("explain", "file", other.path("picture.png")).lines.joined()
                #expect(why.contains("in iCloud and not on this device") && !why.contains("failed"))
                try await other.device.baton("download", other.path("picture.png"))
                try await other.device.until("it to be here again") { other.read("picture.png") == bytes }
                #expect(one.read("picture.png") == bytes)
                try await other.device.until("the placeholder to be gone") { !other.exists(".picture.png.icloud") }
            }
        }

        @Test("a file that a program has open for writing is sent when it is closed, and “explain file” says so (D-5)")
        func openForWriting() async throws {
            try await withContainers { _, one, other in
                try one.write("begun", to: "known.txt")
                try await other.until("known.txt", is: "begun")
                try await one.untilSent("known.txt")
                for name in ["known.txt", "new.txt"] {
                    let descriptor = open(one.path(name), O_WRONLY | O_CREAT, 0o644)
                    try #require(descriptor >= 0)
                    defer { close(descriptor) }
                    try #require(write(descriptor, "whole", 5) == 5)
                    try await one.device.until("explain to say who has \(name)") {
                        try await one.device.baton("explain", "file", one.path(name), expecting: nil).lines.joined()
                            .contains("open for writing")
                    }
                    #expect(try await one.items()["Documents/\(name)"]?.uploaded != true)
                }
                for name in ["known.txt", "new.txt"] { try await other.until(name, is: "whole") }
            }
        }

        @Test(
            "daemons that are killed in the midst of it go on where they were, and lose and double nothing (D-5, D-36)")
        func killed() async throws {
            try await withContainers { _, one, other in
                var expected: [String: String] = [:]
                for round in 0..<4 {
                    for number in 0..<25 {
                        let name = "\(round)-\(number).txt"
                        let text = String(repeating: "\(round) \(number) ", count: number * 40 + 1)
                        try one.write(text, to: name)
                        expected[name] = text.utf8.count < 4096 ? text : "\(text.utf8.count) bytes"
                    }
                    let device = round % 2 == 0 ? other.device : one.device
                    let (name, size) = ("\(round)-0.txt", expected.count)
                    if round % 2 == 0 {
                        try await device.until("some of round \(round) to come") {
                            other.exists(name) || other.tree.count >= size - 20
                        }
                    }
                    try await device.kill()
                    try await device.start()
                }
                try await one.until(has: expected)
                try await other.until(has: expected)
            }
        }
    }
}
