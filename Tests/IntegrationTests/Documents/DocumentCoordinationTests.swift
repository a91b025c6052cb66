import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// The sync takes turns with real processes at the files that it reads and replaces.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentCoordinationTests {
        private func withContainers(
            _ body: (TestHousehold, TestContainer, TestContainer, CoordinationProbe) async throws -> Void
        ) async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    let probe = try CoordinationProbe(home: household[1].home)
                    try await body(
                        household, try await TestContainer(household[0]), try await TestContainer(household[1]), probe)
                    await probe.process.end()
                }
            }
        }

        @Test(
            "a file that an app keeps is not replaced meanwhile, other files go on, “explain file” says who has it, and what both saved is kept (D-6)"
        )
        func keeps() async throws {
            try await withContainers { _, one, other, probe in
                try one.write("base", to: "note.txt")
                try await other.until("note.txt", is: "base")
                try await one.untilSent("note.txt")
                try await probe.say("write w \(other.path("note.txt"))", expecting: "w granted base")
                try one.write("newer", to: "note.txt")
                try await one.untilSent("note.txt")
                try one.write("goes on", to: "other.txt")
                try await other.until("other.txt", is: "goes on")
                try await other.device.until("explain to name what keeps the file for long") {
                    let result = try await other.device.baton(
                        "explain", "file", other.path("note.txt"), expecting: nil
                    ).lines.joined()
                    return result.contains("\"failed\"") && result.contains("has been using it")
                }
                let log = try await other.device.baton("log").lines
                #expect(log.contains { $0.contains("file_in_use") })
                #expect(other.read("note.txt") == Data("base".utf8))
                try await probe.say("end w", expecting: "w ended")
                for container in [one, other] {
                    try await container.device.until("both versions on \(container.device.name)") {
                        try await container.items()["Documents/note.txt"]?.conflicts == 1
                    }
                }
            }
        }

        @Test("what an app is writing is sent when it lets go of it, and not before (D-6)")
        func waits() async throws {
            try await withContainers { _, one, other, probe in
                try await probe.say("write w \(other.path("draft.txt"))", expecting: "w granted")
                try other.write("half", to: "draft.txt")
                try other.write("whole", to: "sent.txt")
                try await one.until("sent.txt", is: "whole")
                #expect(!one.exists("draft.txt"))
                try await probe.say("end w", expecting: "w ended")
                try await one.until("draft.txt", is: "written by w")
            }
        }

        @Test("who shows a file makes way for what comes, and hears of changes, moves and deletions (D-6)")
        func presents() async throws {
            try await withContainers { _, one, other, probe in
                try one.write("base", to: "note.txt")
                try await other.until("note.txt", is: "base")
                try await probe.say("present \(other.path("note.txt"))", expecting: "presenting")
                // The daemon hears of the presenter before this.
                try await probe.say("read marker \(other.path("other.txt"))", expecting: "marker granted")
                try one.write("newer", to: "note.txt")
                try await probe.expect("presenter relinquishes to writer")
                try await probe.expect("presenter sees a change")
                #expect(other.read("note.txt") == Data("newer".utf8))
                try one.move("note.txt", to: "renamed.txt")
                try await probe.expect("presenter moves to renamed.txt")
                try one.remove("renamed.txt")
                try await probe.expect("presenter makes way for a deletion")
                try await other.device.until("it to be gone") { !other.exists("renamed.txt") }
            }
        }
    }
}
