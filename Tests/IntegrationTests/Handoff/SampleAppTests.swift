import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// The examples of the chapter on Handoff: real apps on two devices, between two daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SampleAppTests {
        /// An example on two devices, of which the first gets a person's actions.
        private struct Pair {
            let household: TestHousehold
            let here: ExampleLog
            let there: ExampleLog
            let script: FileHandle

            func say(_ line: String) throws { try script.write(contentsOf: Data("\(line)\n".utf8)) }

            /// Continues on the second device, as a person does.
            func `continue`(_ type: String, title: String) async throws -> [TestDevice.ContinuationEvent] {
                let offer = try await household[1].offer(ofType: type, title: title)
                return try await household[1].continue(offer.offerID)
            }
        }

        private func with(_ bundle: TestBundle, _ body: (Pair) async throws -> Void) async throws {
            try await TestHousehold.with(2) { household in
                let device = household[0]
                try await household.install(bundle)
                let fifo = device.container(of: bundle.identifier) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await device.baton("launch", bundle.identifier, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                let here = try ExampleLog(bundle, on: device)
                let there = try ExampleLog(bundle, on: household[1])
                try await body(Pair(household: household, here: here, there: there, script: script))
            }
        }

        @Test(
            "Mail: a message that is being written goes on with every field, the cursor and the attached picture; nothing is asked but whether to continue (H-17, H-76, H-103, H-104, S-12)"
        )
        func composing() async throws {
            try await with(.mail) { mail in
                let device = mail.household[0]
                var generator = SeededGenerator(seed: 104)
                let picture = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
                try picture.write(to: URL(fileURLWithPath: device.container(of: "com.example.Mail") + "/cat.png"))
                try mail.say("to ada@example.com, grace@example.com")
                try mail.say("subject Grüße 👋")
                try mail.say("body Dear Ada,\\n\\nyours")
                try mail.say("cursor 11")
                try mail.say("attach \(device.container(of: "com.example.Mail"))/cat.png")
                try await mail.here.line("attached 3000000 bytes")
                let shown = try #require(mail.here.file.lines.all.last { $0.hasPrefix("writes to") })
                #expect(
                    shown
                        == "writes to ada@example.com, grace@example.com: “Grüße 👋”, “Dear Ada,\\n\\n|yours”, with cat.png"
                )
                let attached = try #require(mail.here.file.lines.all.last { $0.hasPrefix("attached") })

                // The person accepts the offer, and does nothing else.
                let steps = try await mail.continue("com.example.Mail.composing", title: "Grüße 👋")
                #expect(steps.steps.last == .acknowledged)
                try await mail.there.line(attached)
                // Announced before it is there, then all of it at once: no field follows another.
                let lines = mail.there.file.lines.all.filter { !$0.hasPrefix("attached") }
                #expect(
                    lines == [
                        "launched", "continuing com.example.Mail.composing", shown, "the cursor is in the field “body”",
                    ])
                // The message is in one place; the picture did not come in the activity, but over a stream.
                try await mail.here.line("put away “Grüße 👋”")
                try await mail.here.line("sent a picture of 3000000 bytes")
                #expect(picture.count > 2 * 1024 * 1024)
                // It is offered back.
                let back = try await device.offer(ofType: "com.example.Mail.composing", title: "Grüße 👋")
                #expect(back.deviceName == "Device B")
            }
        }

        @Test("Mail: reading is an activity of another type, which takes the place of writing (H-18, H-102, S-12)")
        func reading() async throws {
            try await with(.mail) { mail in
                let shown = "from Ada <ada@example.com>: “Lunch”, “At noon?\\n\\nAda”"
                for device in mail.household.devices {
                    let mailbox = device.container(of: "com.example.Mail") + "/Mailbox"
                    try FileManager.default.createDirectory(atPath: mailbox, withIntermediateDirectories: true)
                    try "From: Ada <ada@example.com>\r\nSubject: Lunch\r\n\r\nAt noon?\r\n\r\nAda\r\n"
                        .write(toFile: mailbox + "/1@example.com.eml", atomically: true, encoding: .utf8)
                }
                try mail.say("subject Draft")
                _ = try await mail.household[1].offer(ofType: "com.example.Mail.composing", title: "Draft")
                try mail.say("read <1@example.com>")
                let steps = try await mail.continue("com.example.Mail.reading", title: "Message <1@example.com>")
                #expect(steps.steps.last == .acknowledged)
                try await mail.there.line("reads <1@example.com>")
                try await mail.there.line(shown)
                try await mail.here.line(shown)
                #expect(!mail.there.file.lines.all.contains { $0.hasPrefix("writes") })
                #expect(!mail.here.file.lines.all.contains { $0.hasPrefix("put away") })
            }
        }

        @Test(
            "To-do: browsing the list and editing a task are two activities; a task is continued on the other device, which adds it, and leaves the first (H-42, H-102, S-13)"
        )
        func toDo() async throws {
            try await with(.toDo) { toDo in
                try toDo.say("browse milk")
                let browsing = try await toDo.continue("com.acme.ToDoList.browse-list", title: "To Do")
                #expect(browsing.steps.last == .acknowledged)
                try await toDo.there.line("browses “milk”: 0 of 0 tasks")
                try await toDo.here.line("browses “milk”: 0 of 0 tasks")

                try toDo.say("edit Buy milk")
                try await toDo.here.line("edits Buy milk, due ")
                let shown = try #require(toDo.here.file.lines.all.last { $0.hasPrefix("edits") })
                let editing = try await toDo.continue("com.acme.ToDoList.edit-item", title: "Buy milk")
                #expect(editing.steps.last == .acknowledged)
                try await toDo.there.line(shown)
                try await toDo.here.line("gives the task away")
                // No app has it here any more.
                try toDo.say("done")
                try await toDo.here.line("no task is open")
            }
        }

        @Test("an app has as many types of activity as it needs: each of twelve is offered and continued (H-102)")
        func manyTypes() async throws {
            let probe = "com.example.probe"
            let types = (1...12).map { "com.example.probe.kind\($0)" }
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(probe, types: types))
                let origin = try TestApp(probe, on: household[0])
                let receiver = try TestApp(probe, on: household[1])
                try await origin.launch()
                try await receiver.launch()
                for type in types {
                    try origin.make(type, type: type, title: type)
                    let offer = try await household[1].offer(ofType: type)
                    #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                    try await receiver.events.first("continue", ["type": type])
                }
            }
        }
    }
}
