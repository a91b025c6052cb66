import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// The examples with documents: real processes on two devices, and a real cloud.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentExampleTests {
        private func withDevices(_ body: (TestHousehold) async throws -> Void) async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    try await body(household)
                }
            }
        }

        /// The same item of the account on the other device.
        private func counterpart(of path: String, _ household: TestHousehold) -> String {
            path.replacing(household[0].home, with: household[1].home)
        }

        @Test(
            "iCloudUIDoc: the document is made on one device, found and shown on the other, saved by itself, and what comes is shown, in place of what is being typed; a deleted one is gone (S-29, S-30, X-10, D-1, D-4, D-5, D-7, D-8, D-9, D-11, D-13, D-14 to D-17, D-18 to D-22, D-24 to D-31, D-33, D-36, D-37)"
        )
        func iCloudUIDoc() async throws {
            try await withDevices { household in
                try await household.install(.iCloudUIDoc, on: Array(household.devices.prefix(2)))
                let one = try DocumentExample(.iCloudUIDoc, on: household[0])
                let path = try #require(try await one.event("created")["path"])
                #expect(path.hasSuffix("/Documents/test.txt"))
                #expect(try await one.event("text")["text"] == "(default text)")
                let there = counterpart(of: path, household)
                try await household[1].until("the document to come") { FileManager.default.fileExists(atPath: there) }

                let other = try DocumentExample(.iCloudUIDoc, on: household[1])
                #expect(try await other.event("opened")["path"] == there)
                #expect(try await other.event("text")["text"] == "(default text)")
                one.say("type Hello from one", "update")
                try await other.event("notification")
                try await other.event("text") { $0["text"] == "Hello from one" }
                // Conflicts are not resolved: the text being typed gives way (D-25).
                other.say("type Half a sen")
                one.say("type Newer from one", "update")
                let start = try await other.lineAfter("text") { $0["text"] == "Newer from one" }
                other.say("show")
                #expect(try await other.event("text", from: start)["text"] == "Newer from one")
                other.say("type Und zurück 🐒", "update")
                try await one.event("text") { $0["text"] == "Und zurück 🐒" }
                #expect(FileManager.default.contents(atPath: path) == Data("Und zurück 🐒".utf8))

                try await household[0].baton("documents", "delete", path, "--yes")
                for example in [one, other] {
                    try await example.event("deleted")
                    await example.process.end()
                }
            }
        }

        @Test(
            "iCloudUIDoc without an account says what to check, asks again when it comes to the foreground, and goes on when there is an account (D-9, D-12, D-13, S-29)"
        )
        func noAccount() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                try await household.install(.iCloudUIDoc)
                let example = try DocumentExample(.iCloudUIDoc, on: household[0])
                #expect(try await example.event("alert")["message"]?.contains("Team ID") == true)
                let start = example.process.output.count
                let process = example.process.processID
                example.process.send(SIGTSTP)
                try await household[0].until("the example to be stopped") {
                    let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                    return status.split(separator: ")").last?.hasPrefix(" T") == true
                }
                example.process.send(SIGCONT)
                try await example.event("alert", from: start)
                _ = try await household[0].call(ControlMethods.createAccount, .with { $0.deviceName = "Device A" })
                try await example.event("created")
                await example.process.end()
            }
        }

        @Test(
            "iCloudUIDoc at a terminal shows the default text, then a notification in red when the document has changed (S-29)"
        )
        func terminal() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                let program = try Products.path("iCloudUIDoc")
                let example = try ChildProcess(
                    ["script", "--quiet", "--return", "--command", program, "/dev/null"],
                    environment: ["BATON_HOME": device.home])
                func shown(_ text: String) async throws {
                    try await within(.seconds(20), "the example to show “\(text)”") {
                        try await example.output.expect { $0.contains(text) ? $0 : nil }
                    }
                }
                let line = try await within(.seconds(20), "the container") {
                    try await example.output.expect { $0.contains("Container: /") ? $0 : nil }
                }
                let container = line.found.trimmingCharacters(in: .whitespacesAndNewlines)
                    .dropFirst("Container: ".count)
                try await shown("(default text)")
                let other = try CoordinationProbe(home: device.home)
                try await other.say("write w \(container)/Documents/test.txt", expecting: "w granted (default text)")
                #expect(!example.output.all.contains { $0.contains("\u{1B}[31m") })
                try await other.say("end w", expecting: "w ended")
                try await shown("\u{1B}[31mThe document was changed at ")
                try await shown("written by w")
                await other.process.end()
                example.write("quit")
                let status = try await within(.seconds(20), "the end") { try await example.status() }
                #expect(status == 0)
            }
        }

        @Test(
            "the editor's document is offered by itself, opened on the other device by AppKit at the same place, and the cursor is where it was (S-15, H-24, H-54 to H-60, H-61 to H-63, H-73, H-101)"
        )
        func richTextEditor() async throws {
            try await withDevices { household in
                let devices = Array(household.devices.prefix(2))
                try await household.install(.richTextEditor, on: devices)
                let editor = TestBundle.richTextEditor.identifier
                let one = try DocumentExample(.richTextEditor, on: household[0])
                try await one.event("container")
                one.say("new letter.rtfd")
                let created = try await one.event("created")
                #expect(created["activity"] == "com.myCompany.myEditor.editing")
                let path = try #require(created["path"])
                one.say("type Hello ", "bold world", "select 3")
                // The selection is a place in the text, so that comes first.
                let there = counterpart(of: path, household)
                try await devices[1].until("the text to come", limit: .seconds(40)) {
                    let files = FileManager.default.enumerator(atPath: there)?.compactMap { $0 as? String } ?? []
                    return files.contains { file in
                        FileManager.default.contents(atPath: "\(there)/\(file)").map {
                            String(decoding: $0, as: UTF8.self).contains("world")
                        } == true
                    }
                }
                let offer = try await devices[1].offer(ofType: "com.myCompany.myEditor.editing", title: "letter")
                #expect(offer.app.bundleID == editor)
                #expect(try await devices[1].baton("continue", offer.offerID).status == 0)

                let log = try devices[1].events(of: editor)
                let restored = try await log.first("restored", limit: .seconds(60))
                #expect(restored["path"] == counterpart(of: path, household))
                #expect(restored["activity"] == "com.myCompany.myEditor.editing")
                #expect(restored["selection"] == "3", "\(restored)")
                // The last words may come after the document.
                try await log.first(limit: .seconds(30), "the whole text") { $0["text"] == "Hello world" }
                // It is offered back from there.
                _ = try await devices[0].offer(ofType: "com.myCompany.myEditor.editing")
                let start = one.process.output.count
                one.say("close")
                try await one.event("closed", from: start)
                await one.process.end()
            }
        }
    }
}
