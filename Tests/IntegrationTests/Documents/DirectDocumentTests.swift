import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Documents and folders of two real daemons over the link, without a cloud and beside one.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DirectDocumentTests {
        private struct Folders: Decodable {
            struct Folder: Decodable {
                var name: String
                var state: String
            }
            var folders: [Folder]
        }

        private static func random(_ count: Int) throws -> Data {
            let file = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
            return try #require(try file.read(upToCount: count))
        }

        private static func write(_ bytes: Data, _ path: String) throws {
            let file = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }

        private static func read(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

        private static func listing(_ folder: String) -> [String: String] {
            TestContainer.listing(of: folder).filter { !$0.key.hasPrefix(".baton-folder") }
        }

        /// A folder that two devices keep equal, in an account without a cloud.
        private static func withFolder(
            _ body: (TestHousehold, _ one: String, _ other: String) async throws -> Void
        ) async throws {
            try await TestHousehold.with(2) { household in
                let (one, other) = (household[0].home + "/work", household[1].home + "/elsewhere/work")
                try write(Data("begin".utf8), one + "/begin.txt")
                try await household[0].baton("folder", "add", one)
                try await household[1].until("the folder to be known") {
                    try await household[1].baton("folder", "list").decode(Folders.self).folders
                        .contains { $0.name == "work" && $0.state == "elsewhere" }
                }
                try await household[1].baton("folder", "join", "work", other)
                try await household[1].until("the first file to come") {
                    read(other + "/begin.txt") == Data("begin".utf8)
                }
                try await body(household, one, other)
            }
        }

        // In the quiet lane, since it measures time.
        @Test("without a cloud a folder is the same on devices that are near, at once, and both ways (D-5, D-36)")
        func folder() async throws {
            try await Self.withFolder { household, one, other in
                let begin = ContinuousClock.now
                try Self.write(Data("small".utf8), one + "/small.txt")
                while Self.read(other + "/small.txt") != Data("small".utf8), begin.duration(to: .now) < .seconds(20) {
                    try await Task.sleep(for: .milliseconds(5))  // sleeps: how soon it comes is what is measured
                }
                let took = begin.duration(to: .now)
                // About 200 ms where nothing else runs.
                #expect(took < .seconds(2), "a small file took \(took)")

                let medium = try Self.random(40_000)
                try Self.write(medium, other + "/a/b/medium.bin")
                try await household[0].until("what is in chunks to come") {
                    Self.read(one + "/a/b/medium.bin") == medium
                }
                try FileManager.default.moveItem(atPath: one + "/a/b", toPath: one + "/c")
                try await household[1].until("the folder to be moved") {
                    Self.read(other + "/c/medium.bin") == medium && access(other + "/a/b", F_OK) != 0
                }
                try FileManager.default.removeItem(atPath: other + "/small.txt")
                try await household[0].until("the deletion to come") { access(one + "/small.txt", F_OK) != 0 }
                try await household[0].until("both to be equal") { Self.listing(one) == Self.listing(other) }
            }
        }

        @Test("a file of 30 MB goes on where it was when the link is cut, and a change in it sends little (D-5, D-36)")
        func large() async throws {
            try await Self.withFolder { household, one, other in
                let bytes = try Self.random(30_000_000)
                let parts = other + "/.baton-folder/staging/contents"
                try Self.write(bytes, one + "/large.bin")
                try await household[1].until("some of it to come") {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []
                    return names.contains { $0.hasSuffix(".part") } || Self.read(other + "/large.bin") == bytes
                }
                try await household.cut(household[1])
                try await household[1].isDisconnected(from: household[0])
                try await household.restore(household[1])
                try await household[1].until("all of it to come", limit: .seconds(60)) {
                    Self.read(other + "/large.bin") == bytes
                }
                // Both ways: the change is made where the file came to.
                var changed = bytes
                changed[15_000_000] &+= 1
                try Self.write(changed, other + "/large.bin")
                try await household[0].until("the change to come") { [changed] in
                    Self.read(one + "/large.bin") == changed
                }
                try await household[1].until("nothing to wait") {
                    ((try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []).isEmpty
                }
            }
        }

        @Test(
            "without a cloud a container is the same on both devices, and a content stays where it is the only one (D-5, D-36)"
        )
        func container() async throws {
            try await TestHousehold.with(2) { household in
                let (one, other) = (try await TestContainer(household[0]), try await TestContainer(household[1]))
                let picture = try Self.random(300_000)
                try one.write(picture, to: "picture.png")
                try other.write("a letter", to: "folder/letter.txt")
                try await one.until("folder/letter.txt", is: "a letter")
                try await other.device.until("the picture to come") { other.read("picture.png") == picture }
                for container in [one, other] {
                    try await container.untilSent("picture.png")
                    try await container.untilSent("folder/letter.txt")
                }
                try await other.device.baton("evict", other.path("picture.png"))
                try await other.device.until("the placeholder") { !other.exists("picture.png") }
                // It is nowhere else now.
                try await one.device.baton("evict", one.path("picture.png"))
                try await one.device.until("the refusal to be told") {
                    try await one.items()["Documents/picture.png"]?.problem == "not_stored_elsewhere"
                }
                #expect(one.read("picture.png") == picture)
                try await other.device.baton("download", other.path("picture.png"))
                try await other.device.until("the picture to be here again") { other.read("picture.png") == picture }
                try await one.device.until("it to go where it is not wanted") { !one.exists("picture.png") }

                // Two contents of one file.
                try await household.cut(household[1])
                try await other.device.isDisconnected(from: one.device)
                try one.write("from one", to: "folder/letter.txt")
                try other.write("from other", to: "folder/letter.txt")
                try await household.restore(household[1])
                for container in [one, other] {
                    try await container.device.until("a conflict on \(container.device.name)") {
                        try await container.items()["Documents/folder/letter.txt"]?.conflicts == 1
                    }
                }
                #expect(one.read("folder/letter.txt") == other.read("folder/letter.txt"))
            }
        }

        @Test("a container that the account did not have before its cloud went away begins between near devices (D-5)")
        func beginsWithoutCloud() async throws {
            try await DocumentPair.with { pair in
                try pair.one.write("with the cloud", to: "note.txt")
                try await pair.areEqual()
                await pair.cloud.process.kill()
                let (one, other) = (pair.one.device, pair.other.device)
                func open(_ device: TestDevice) async throws -> String {
                    try await device.call(
                        as: TestContainer.app, ContainerMethods.openContainer,
                        .with { $0.identifier = "iCloud.com.example.Letters" }
                    ).path
                }
                let (here, there) = (try await open(one), try await open(other))
                try Self.write(Data("a letter".utf8), here + "/Documents/letter.txt")
                try await other.until("a new container to begin without the cloud") {
                    Self.read(there + "/Documents/letter.txt") == Data("a letter".utf8)
                }
                try Self.write(Data("an answer".utf8), there + "/Documents/answer.txt")
                try await one.until("the answer to come") {
                    Self.read(here + "/Documents/answer.txt") == Data("an answer".utf8)
                }
            }
        }

        @Test("beside a cloud contents come from the device that is near, also while the cloud is away (D-5, D-36)")
        func besideCloud() async throws {
            try await DocumentPair.with { pair in
                let (one, other) = (pair.one, pair.other)
                let picture = try Self.random(2_000_000)
                try one.write(picture, to: "picture.png")
                try await other.device.until("the picture to come") { other.read("picture.png") == picture }
                try other.write("back", to: "back.txt")
                try await one.until("back.txt", is: "back")
                try await pair.areEqual()
                try await other.device.baton("evict", other.path("picture.png"))
                try await other.device.until("the placeholder") { !other.exists("picture.png") }
                try await pair.household.cut(pair.household[2])
                try await other.device.baton("download", other.path("picture.png"))
                try await other.device.until("the picture to come over the link") {
                    other.read("picture.png") == picture
                }
                try one.write("without the cloud", to: "note.txt")
                try await other.until("note.txt", is: "without the cloud")
                let film = try Self.random(3_000_000)
                try one.write(film, to: "film.mp4")
                try await other.device.until("a new file to come over the link", limit: .seconds(60)) {
                    other.read("film.mp4") == film
                }
                try await pair.household.restore(pair.household[2])
                try await pair.areEqual(limit: .seconds(60))
                // The cloud has it too now.
                try await other.device.baton("evict", other.path("film.mp4"))
                try await other.device.until("the placeholder of the film") { !other.exists("film.mp4") }
                try await one.device.stop()
                try await other.device.baton("download", other.path("film.mp4"))
                try await other.device.until("the film to come from the cloud", limit: .seconds(60)) {
                    other.read("film.mp4") == film
                }
                try await one.device.start()
            }
        }
    }
}
