import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A real process uses Apple's interfaces of documents in iCloud, with real daemons and a cloud.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct UbiquityProcessTests {
        private func withProbe(_ body: (DocumentPair, CoordinationProbe) async throws -> Void) async throws {
            try await DocumentPair.with { pair in
                let probe = try CoordinationProbe(home: pair.other.device.home)
                try await probe.say("app \(TestContainer.app)", expecting: "app")
                try await body(pair, probe)
                await probe.process.end()
            }
        }

        @Test(
            "a process moves a file into iCloud, evicts it, has it downloaded again, and moves it out (D-8, D-23)"
        )
        func moves() async throws {
            try await withProbe { pair, probe in
                let (one, other) = (pair.one, pair.other)
                let outside = other.device.home + "/own.txt"
                try Data("from outside".utf8).write(to: URL(fileURLWithPath: outside))
                let inside = other.path("own.txt")
                try await probe.say("upload \(outside) \(inside)", expecting: "moved")
                #expect(!FileManager.default.fileExists(atPath: outside))
                try await one.until("own.txt", is: "from outside")
                try await other.untilSent("own.txt")
                try await other.device.until("the process to know that the cloud has it") {
                    try await probe.say("standing \(inside)", expecting: "standing").hasPrefix("standing true true")
                }

                try await probe.say("evict \(inside)", expecting: "evicted")
                try await other.device.until("a placeholder") {
                    !other.exists("own.txt") && other.exists(".own.txt.icloud")
                }
                #expect(one.read("own.txt") == Data("from outside".utf8))
                try await probe.say("download \(inside)", expecting: "downloading")
                try await other.until("own.txt", is: "from outside")

                try await probe.say("withdraw \(inside) \(outside)", expecting: "moved")
                #expect(FileManager.default.contents(atPath: outside) == Data("from outside".utf8))
                try await one.device.until("it to be gone there") { !one.exists("own.txt") }
                try await probe.say("evict \(outside)", expecting: "failed NSCocoaErrorDomain")
            }
        }

        @Test("who shows a file hears of a conflict from another device")
        func conflict() async throws {
            try await withProbe { pair, probe in
                let (one, other) = (pair.one, pair.other)
                try one.write("base", to: "note.txt")
                try await other.until("note.txt", is: "base")
                let path = other.path("note.txt")
                try await probe.say("present \(path)", expecting: "presenting")
                try await pair.apart(.cutOff) {
                    try one.write("here", to: "note.txt")
                    try other.write("there", to: "note.txt")
                }
                try await other.device.until("the conflict") {
                    try await other.items()["Documents/note.txt"]?.conflicts == 1
                }
                try await probe.expect("presenter gains")
                try await probe.expect("presenter hears of NSURLUbiquitousItemHasUnresolvedConflictsKey")
            }
        }

        @Test("an item's creation is told, and what a person calls its container (D-27)")
        func metadata() async throws {
            try await withProbe { pair, probe in
                let start = Int64(Date().timeIntervalSince1970 - 60) * 1_000_000_000
                try pair.other.write("base", to: "note.txt")
                try await pair.other.untilSent("note.txt")
                let request = Baton_Control_V1_ListDocumentsRequest.with { $0.container = TestContainer.identifier }
                var created: Int64 = 0
                for try await answer in try await pair.other.device.client.serverStream(
                    DocumentsMethods.listDocuments, request)
                {
                    created = answer.news.changed.first { $0.path == "Documents/note.txt" }?.created ?? created
                }
                // A file system without times of birth says nothing.
                #expect(created == 0 || created > start)
                let path = pair.other.path("note.txt")
                let standing = try await probe.say("standing \(path)", expecting: "standing")
                #expect(standing.hasSuffix(" \(TestContainer.identifier)"), "\(standing)")
            }
        }
    }
}
