import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// Problems that keep documents from being the same are named in each answer, and hold up nothing else (D-5, D-36).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentFindingsTests {
        private struct Explanations: Decodable {
            struct Explanation: Decodable {
                struct Stage: Decodable {
                    var verdict: String
                    var finding: String
                }
                var stages: [Stage]
            }
            var healthy: Bool
            var explanations: [Explanation]
        }

        private struct Containers: Decodable {
            struct Container: Decodable {
                var identifier: String
                var findings: [String]
            }
            var containers: [Container]
        }

        /// The findings of `explain sync`, `documents` and `sync status`, all of which must be the same.
        private func findings(_ container: TestContainer) async throws -> String {
            let explained = try await container.device.baton("explain", "sync", expecting: nil).decode(
                Explanations.self)
            let told = explained.explanations.flatMap(\.stages).filter { $0.verdict != "ok" }.map(\.finding)
            for verb in [["documents"], ["sync", "status"]] {
                let listed = try await container.device.baton(verb).decode(Containers.self).containers.first {
                    $0.identifier == TestContainer.identifier
                }
                for finding in listed?.findings ?? [] {
                    guard told.contains(where: { finding.hasPrefix($0) }) else { return "" }
                }
            }
            return explained.healthy ? "" : told.joined(separator: "\n")
        }

        @Test("a pipe in a document's place is named, and nothing is looked at over and over because of it")
        func obstacle() async throws {
            try await DocumentPair.with { pair in
                #expect(mkfifo(pair.other.path("p"), 0o600) == 0)
                try pair.one.write("text", to: "p")
                try await pair.other.device.until("the obstacle to be named") {
                    try await pair.other.items()["Documents/p"]?.problem == "name_taken"
                }
                let said = try await findings(pair.other)
                #expect(said.contains("Documents/p") && said.contains("has its name there"), "\(said)")
                // Other documents come, though each attempt is refused.
                for number in 0..<20 { try pair.one.write("\(number)", to: "others/\(number).txt") }
                try await pair.other.until("others/19.txt", is: "19")
                try pair.one.write("more", to: "q")
                try await pair.one.untilSent("q")
                #expect(mkfifo(pair.other.path("other"), 0o600) == 0)
                try pair.one.move("q", to: "other")
                try await pair.other.device.until("the second one to be named") {
                    try await pair.other.items()["Documents/q"]?.problem == "name_taken"
                }
                unlink(pair.other.path("p"))
                unlink(pair.other.path("other"))
                try await pair.other.until("p", is: "text")
                try await pair.other.until("other", is: "more")
                try await pair.areEqual()
            }
        }

        @Test(
            "a file that a program has open, and a folder that cannot be read, are named by every command that is asked"
        )
        func told() async throws {
            try await DocumentPair.with(
                prepare: { household in
                    household[0].heedPermissions()
                    try await household[0].restart()
                    try await CloudAccessTests.isConnected(household[0])
                },
                { pair in
                    try pair.one.write("first", to: "open.txt")
                    try await pair.areEqual()
                    let file = try #require(FileHandle(forWritingAtPath: pair.one.path("open.txt")))
                    try file.write(contentsOf: Data("second".utf8))
                    try await pair.one.device.until("the open file to be named") {
                        try await findings(pair.one).contains("“Documents/open.txt” waits: a program has it open")
                    }
                    try file.close()
                    try await pair.other.until("open.txt", is: "second")
                    try await pair.one.device.until("all to be well") { try await findings(pair.one).isEmpty }

                    try pair.one.write("in it", to: "closed/in.txt")
                    try await pair.areEqual()
                    chmod(pair.one.path("closed"), 0)
                    try await pair.one.device.until("the folder to be named") {
                        try pair.one.write("more", to: "more.txt")
                        return try await findings(pair.one).contains("cannot be read")
                    }
                    chmod(pair.one.path("closed"), 0o755)
                    try await pair.one.device.until("all to be well again") { try await findings(pair.one).isEmpty }
                })
        }

        private struct Deleted: Decodable {
            struct Document: Decodable {
                var path: String
                var size: Int
            }
            var documents: [Document]
        }

        @Test(
            "of two documents that were deleted at one path either comes back, and of a folder that is there again the rest does"
        )
        func restores() async throws {
            try await DocumentPair.with { pair in
                let (one, device) = (pair.one, pair.one.device)
                let path = "\(TestContainer.identifier)/Documents/a.txt"
                @Sendable func deleted() async throws -> [Int] {
                    try await device.baton("documents", "list", TestContainer.identifier, "--deleted")
                        .decode(Deleted.self).documents.filter { $0.path == "Documents/a.txt" }.map(\.size)
                }
                for text in ["older", "the newer one"] {
                    try one.write(text, to: "a.txt")
                    try await one.untilSent("a.txt")
                    try one.remove("a.txt")
                    try await device.until("the deletion of “\(text)”") {
                        try await deleted().first == text.utf8.count
                    }
                }
                #expect(try await deleted() == [13, 5])
                #expect(try await device.baton("documents", "restore", path, expecting: nil).status == 2)
                // A deleted file can be looked at.
                struct Versions: Decodable {
                    struct Version: Decodable { var id: String }
                    var versions: [Version]
                }
                let versions = try await device.baton("versions", path, "--deleted", "--number", "2").decode(
                    Versions.self)
                let version = try #require(versions.versions.first).id
                let shown = try await device.baton("versions", path, "--deleted", "--number", "2", "--show", version)
                struct Shown: Decodable { var base64: Data }
                #expect(try shown.decode(Shown.self).base64 == Data("older".utf8))
                try await device.baton("documents", "restore", path, "--number", "2")
                try await pair.other.until("a.txt", is: "older")

                for name in ["x", "y", "z"] { try one.write(name, to: "folder/\(name).txt") }
                try await pair.areEqual()
                try one.remove("folder")
                try await pair.other.device.until("the folder to go") { !pair.other.exists("folder") }
                try pair.other.write("new", to: "folder/new.txt")
                try await one.until("folder/new.txt", is: "new")
                try await device.baton("documents", "restore", "\(TestContainer.identifier)/Documents/folder")
                try await one.device.until("the rest of the folder") {
                    ["x", "y", "z"].allSatisfy { one.exists("folder/\($0).txt") }
                }
                try await pair.areEqual()
            }
        }
    }
}
