import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Messages that an app has donated, and the way back into it, with the real sample, a daemon and the command line.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct PeopleTests {
        private struct People: Decodable {
            struct Person: Decodable {
                var name: String
                var fromApp: String?
                var ways: [Way]
            }
            struct Way: Decodable {
                var action: String
                var way: String
                var `default`: Bool
            }
            var people: [Person]
        }

        private static func people(_ device: TestDevice) async throws -> [People.Person] {
            try await device.baton("people").decode(People.self).people
        }

        private static func state(
            of subject: String, on device: TestDevice
        ) async throws -> Baton_Control_V1_Reminder.State? {
            let listed = try await device.call(RemindersMethods.listReminders, .init()).reminders
            return listed.first { $0.subject == subject }?.state
        }

        @Test(
            "a message of MonkeyChat puts it on the person's card, and acting on the card leads back into it, started if need be, with the interaction (P-48, P-50, P-54 to P-58, S-22)"
        )
        func message() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.monkeyChat)
                #expect(try await Self.people(device).isEmpty)
                let log = try ExampleLog(.monkeyChat, on: device)
                try await device.baton(
                    "open", "monkeychat://send?to=Anna&handle=anna@example.org&text=Hello%20there")
                try await log.line("sends “Hello there” to Anna")
                try await log.line("donated “Hello there”")
                let anna = try #require(try await Self.people(device).first)
                #expect(anna.name == "Anna" && anna.fromApp == "MonkeyChat")
                #expect(anna.ways.contains { $0.action == "message" && $0.way == "com.xamarin.monkeychat" })

                // The activity is as in the sample: its type, title and text, and it may be found and continued.
                try await device.until("the activity to be saved") {
                    try await device.call(ControlMethods.listSavedActivities).activities.count == 1
                }
                let saved = try #require(
                    try await device.call(ControlMethods.listSavedActivities).activities.first)
                #expect(saved.activity.activityType == "com.xamarin.message")
                #expect(saved.activity.title == "Sent MonkeyChat Message")
                // Without required keys or a page, the public index gets nothing, as Apple says.
                #expect(saved.search && saved.activity.eligibleForHandoff && !saved.publicIndexing)
                try await device.baton("activities", "open", saved.savedID)
                try await log.line("shows the message “Hello there”")

                // While it runs.
                var start = log.count
                try await device.baton("people", "message", "Anna", "See you", "--with", "MonkeyChat")
                try await log.line("com.xamarin.message: a message to Anna: “See you”", from: start)
                #expect(
                    try await Self.people(device).first?.ways.first { $0.action == "message" }?.default == true)

                // It survives the daemon, and the app is started for it.
                try await device.baton("quit", "com.xamarin.monkeychat")
                try await device.restart()
                start = log.count
                try await device.baton("people", "message", "anna@example.org", "Still there?")
                try await log.line("com.xamarin.message: a message to Anna: “Still there?”", from: start)
                #expect(log.file.lines.all[start...].filter { $0.contains("a message to Anna") }.count == 1)
            }
        }

        @Test("a reminder for a message comes with one, one for a call not, one for the app as it is opened (P-15)")
        func contact() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.monkeyChat)
                let log = try ExampleLog(.monkeyChat, on: device)
                try await device.baton("reminders", "add", "Ring", "--when", "called:anna@example.org")
                try await device.baton("reminders", "add", "Write", "--when", "messaged:anna@example.org")
                try await device.baton("reminders", "add", "Look", "--when", "opened:com.xamarin.monkeychat")
                try await device.baton("open", "monkeychat://send?to=Anna&handle=anna@example.org&text=Hello")
                try await log.line("donated “Hello”")
                try await device.until("the reminder for the app") {
                    try await Self.state(of: "Look", on: device) == .shown
                }
                try await device.until("the reminder for a message") {
                    try await Self.state(of: "Write", on: device) == .shown
                }
                #expect(try await Self.state(of: "Ring", on: device) == .scheduled)
            }
        }

        @Test("donations are forgotten with what search knows, and go with the app (P-49, P-54)")
        func forgotten() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.monkeyChat)
                let log = try ExampleLog(.monkeyChat, on: device)
                for text in ["One", "Two"] {
                    try await device.baton("open", "monkeychat://send?to=Ben&text=\(text)")
                    try await log.line("donated “\(text)”")
                }
                try await device.baton("people", "message", "Ben", "x", "--with", "com.xamarin.monkeychat")
                let reset = try await device.baton("people", "default", "Ben", "--reset")
                #expect(reset.lines.joined().contains(#""reset":1"#))
                let forgotten = try await device.baton("forget", "--app", "com.xamarin.monkeychat")
                #expect(forgotten.lines.joined().contains(#""interactions":2"#))
                #expect(try await Self.people(device).isEmpty)

                // As at Apple, with everything that the app has had indexed.
                try await device.baton("open", "monkeychat://send?to=Carl&text=Four")
                try await log.line("donated “Four”")
                #expect(try await Self.people(device).map(\.name) == ["Carl"])
                try await device.baton("open", "monkeychat://signout")
                try await log.line("signed out")
                #expect(try await Self.people(device).isEmpty)

                try await device.baton("open", "monkeychat://send?to=Ben&text=Three")
                try await log.line("donated “Three”")
                #expect(try await Self.people(device).map(\.name) == ["Ben"])
                try await device.baton("uninstall", "com.xamarin.monkeychat", "--yes")
                #expect(try await Self.people(device).isEmpty)
            }
        }
    }
}
