import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
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

        @Test(
            "a process reads the versions of a conflict, and settles it on every device: by leaving the current version, by replacing it, by removing the other (D-6)"
        )
        func versions() async throws {
            try await withProbe { pair, probe in
                let names = ["left", "replaced", "removed"]
                for name in names { try pair.one.write("base", to: name) }
                for name in names { try await pair.other.until(name, is: "base") }
                try await pair.apart(.cutOff) {
                    for name in names {
                        try pair.one.write("\(name) here", to: name)
                        try pair.other.write("\(name) there", to: name)
                    }
                }
                for container in pair.both {
                    try await container.device.until("the conflicts on \(container.device.name)") {
                        let items = try await container.items()
                        return names.allSatisfy { items["Documents/\($0)"]?.conflicts == 1 }
                    }
                }
                for (name, command) in zip(names, ["resolve", "replace", "remove"]) {
                    let path = pair.other.path(name)
                    let shown = String(decoding: try #require(pair.other.read(name)), as: UTF8.self)
                    let lost = shown == "\(name) here" ? "\(name) there" : "\(name) here"
                    let told = try await probe.say("versions \(path)", expecting: "versions")
                    #expect(told.hasPrefix("versions now \(shown), unresolved \(lost) of "), "\(told)")
                    let kept = command == "replace" ? lost : shown
                    try await probe.say("\(command) \(path)", expecting: "changed, then \(kept), left 0")
                    for container in pair.both {
                        try await container.until(name, is: kept)
                        try await container.device.until("no conflict of \(name) on \(container.device.name)") {
                            try await container.items()["Documents/\(name)"]?.conflicts == 0
                        }
                    }
                }
                // A version that the process keeps itself.
                let old = pair.other.device.home + "/old.txt"
                try Data("older".utf8).write(to: URL(fileURLWithPath: old))
                try await probe.say("keep \(pair.other.path("left")) \(old)", expecting: "kept older")
            }
        }

        @Test(
            "an item provider gives a copy of a document, and the document itself, which goes to the other device when it is written (D-5)"
        )
        func provider() async throws {
            try await withProbe { pair, probe in
                try pair.one.write("base", to: "note.txt")
                try await pair.other.until("note.txt", is: "base")
                let path = pair.other.path("note.txt")
                let start = probe.say("provide \(path)")
                let copy = try await probe.expect("copy ", from: start).dropFirst("copy ".count)
                #expect(copy != path && copy.hasSuffix(".txt"))
                // A change of the copy is not synced.
                try await probe.expect("file true base true", from: start)
                try await pair.one.until("note.txt", is: "written by the taker")
                try await pair.other.device.until("the copy to be gone") {
                    !FileManager.default.fileExists(atPath: String(copy))
                }
            }
        }

        @Test("the call for a container waits for the daemon, while the process's main thread goes on (D-8, D-10)")
        func blocks() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                let file = household.directory + "/file"
                try Data("four".utf8).write(to: URL(fileURLWithPath: file))
                let probe = try CoordinationProbe(home: device.home)
                try await probe.say("app \(TestContainer.app)", expecting: "app")
                let daemon = try #require(device.daemon)
                daemon.send(SIGSTOP)
                let start = probe.say("container")
                try await probe.say("load \(file)", expecting: "loaded 4")
                #expect(!probe.hasSaid("container"))
                daemon.send(SIGCONT)
                let found = try await probe.expect("container /", from: start)
                #expect(FileManager.default.fileExists(atPath: found.dropFirst("container ".count) + "/Documents"))
                await probe.process.end()
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
                // The daemon hears of the presenter before this.
                try await probe.say("read marker \(other.path("other.txt"))", expecting: "marker granted")
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
