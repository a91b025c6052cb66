import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// Packages, directories that are one document, on two real daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentPackageTests {
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

        /// As apps save a package: made beside it, then put in its place.
        private func save(_ text: String, in container: TestContainer, _ name: String = "letter.rtfd") throws {
            let temporary = ".baton-save-\(UUID().uuidString)"
            try container.write(text, to: "\(temporary)/TXT.rtf")
            try container.write(String(repeating: text, count: 3_000), to: "\(temporary)/parts/picture.png")
            let (new, old) = (container.path(temporary), container.path(name))
            let former = container.path(".baton-save-\(UUID().uuidString)")
            let hasFormer = rename(old, former) == 0
            try FileManager.default.moveItem(atPath: new, toPath: old)
            if hasFormer { try FileManager.default.removeItem(atPath: former) }
        }

        private func isWhole(_ text: String, in container: TestContainer) -> Bool {
            container.read("letter.rtfd/TXT.rtf") == Data(text.utf8)
                && container.read("letter.rtfd/parts/picture.png")
                    == Data(String(repeating: text, count: 3_000).utf8)
        }

        @Test(
            "a package is one document: one item, saved and received as a whole, renamed, and deleted as one (D-6, D-36, D-37)"
        )
        func whole() async throws {
            try await withContainers { _, one, other in
                try save("first", in: one)
                try await other.device.until("the package to come") { isWhole("first", in: other) }
                for container in [one, other] {
                    let items = try await container.items().keys.filter { $0.hasPrefix("Documents/") }
                    #expect(items == ["Documents/letter.rtfd"])
                }
                try await one.untilSent("letter.rtfd")
                // A file saved in place within it is a new version of it, as is a package put in its place.
                try one.write("inside", to: "letter.rtfd/note.txt")
                try await other.until("letter.rtfd/note.txt", is: "inside")
                #expect(isWhole("first", in: other))
                try save("second", in: other)
                try await one.device.until("the new version") {
                    isWhole("second", in: one) && !one.exists("letter.rtfd/note.txt")
                }
                try one.move("letter.rtfd", to: "moved.rtfd")
                try await other.device.until("the move") { other.exists("moved.rtfd") && !other.exists("letter.rtfd") }
                try await one.device.baton("documents", "delete", one.path("moved.rtfd"), "--yes")
                try await other.until(has: [:])
            }
        }

        @Test("two devices save a package while they are apart: each version is whole, and one is a conflict (D-36)")
        func conflict() async throws {
            try await withContainers { _, one, other in
                try save("base", in: one)
                try await other.device.until("the package to come") { isWhole("base", in: other) }
                try await one.untilSent("letter.rtfd")
                try await other.device.stop()
                try save("from one", in: one)
                try await one.untilSent("letter.rtfd")
                try save("from other", in: other)
                try await other.device.start()
                for container in [one, other] {
                    try await container.device.until("a conflict on \(container.device.name)") {
                        try await container.items()["Documents/letter.rtfd"]?.conflicts == 1
                    }
                }
                try await one.device.until("both to show the same whole version") {
                    ["from one", "from other"].contains { isWhole($0, in: one) && isWhole($0, in: other) }
                }
            }
        }

        @Test("a package leaves this device as one, with one placeholder, and is fetched again (D-5)")
        func evicts() async throws {
            try await withContainers { _, one, other in
                try save("far", in: one)
                try await other.device.until("the package to come") { isWhole("far", in: other) }
                try await other.device.baton("evict", other.path("letter.rtfd"))
                try await other.device.until("the placeholder") {
                    other.tree.keys.sorted() == [".letter.rtfd.icloud"]
                }
                try await other.device.baton("download", other.path("letter.rtfd"))
                try await other.device.until("it to be here again") { isWhole("far", in: other) }
                #expect(isWhole("far", in: one))
            }
        }
    }
}
