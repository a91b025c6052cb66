import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// The results of one activity of a real app, and where a person meets them, on the real path.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ProactiveTests {
        private struct Answer: Decodable {
            struct Action: Decodable {
                var action: String
                var telephone: String?
            }
            var actions: [Action]
        }
        private struct Reminders: Decodable {
            struct Item: Decodable {
                var subject: String
                var activityTitle: String?
            }
            var reminders: [Item]
        }
        private struct Found: Decodable {
            struct Item: Decodable { var title: String }
            var results: [Item]
        }
        private struct Told: Decodable {
            var kind: String
            var title: String?
        }

        private static func ask(_ device: TestDevice, _ words: String...) async throws -> Answer {
            try await device.baton(["ask", "--dry-run"] + words).decode(Answer.self)
        }

        @Test(
            "one activity of the restaurant app is handed off, found, reminded of, suggested as a place, and asked about; a message's activity brings its app onto a person's card; the technologies that feed it are the app's own (P-2, P-3, P-4, P-14)"
        )
        func features() async throws {
            try await TestHousehold.with(2) { household in
                let (here, there) = (household[0], household[1])
                let bundle = TestBundle.restaurantReviews
                try await household.install(bundle)
                try await household.install(.monkeyChat)
                let fifo = here.container(of: bundle.identifier) + "/script"
                guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made at \(fifo).") }
                try await here.baton("launch", bundle.identifier, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                let log = try ExampleLog(bundle, on: here)
                try script.write(contentsOf: Data("index\nshow yank-sing\n".utf8))
                try await log.line("shows Yank Sing")
                let type = "\(bundle.identifier).restaurant"

                // Handoff: the other device's line of the app switcher, and it goes on there, with the payload that is made then.
                let offer = try await there.offer(ofType: type, title: "Yank Sing")
                _ = try await there.continue(offer.offerID)
                let other = try ExampleLog(bundle, on: there)
                try await other.line("shows Yank Sing")
                try await there.baton("quit", bundle.identifier)

                // Search, of the activity and of what Core Spotlight was given.
                try await here.until("the activity to be saved") {
                    try await here.call(ControlMethods.listSavedActivities).activities.contains {
                        $0.activity.activityType == type && $0.activity.title == "Yank Sing"
                    }
                }
                try await here.until("it to be found") {
                    try await here.baton("search", "dumplings").decode(Found.self).results.contains {
                        $0.title == "Yank Sing"
                    }
                }
                // The place, by the activity's map item.
                try await here.until("the place to be suggested") {
                    try await here.call(SuggestionsMethods.listSuggestions).suggestions.contains {
                        $0.name == "Yank Sing"
                    }
                }
                // Reminders and requests of what is on the screen: it went on elsewhere, so the person looks at it here again.
                try script.write(contentsOf: Data("show yank-sing\n".utf8))
                try await here.until("it to be on the screen again") {
                    try await here.call(ControlMethods.listActivities).activities.contains {
                        $0.activity.title == "Yank Sing" && $0.current
                    }
                }
                try await here.baton("reminders", "add", "--this", "Book a table", "--when", "in 2 hours")
                let reminder = try await here.baton("reminders", "list").decode(Reminders.self).reminders.first
                #expect(reminder?.subject == "Book a table" && reminder?.activityTitle == "Yank Sing")
                let call = try #require(try await Self.ask(here, "call", "this", "place").actions.first)
                #expect(call.telephone == "4157811111")

                // Contact interactions: the donated message leads back by its activity.
                let chat = try ExampleLog(.monkeyChat, on: here)
                try await here.baton("open", "monkeychat://send?to=Anna&handle=anna@example.org&text=Hello")
                try await chat.line("donated “Hello”")
                try await here.baton("people", "message", "Anna", "See you", "--with", "MonkeyChat")
                try await chat.line("com.xamarin.message: a message to Anna: “See you”")
            }
        }

        @Test(
            "after unlocking and in the car what came then before is offered, beside offers, requests, maps and fields (P-1)"
        )
        func surfaces() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (mail, player) = ("com.example.mail", "com.example.player")
                for app in [mail, player] {
                    try await household.install(.probe(app, types: ["\(app).item"]))
                }
                // The lock screen of one device, and the car of another: notices are half an hour apart.
                let (locked, driven) = (household[0], household[1])
                let buses = (try await SessionBus(), try await SessionBus())
                let login = try await LoginService(on: buses.0)
                let bluetooth = try await BluetoothService(on: buses.1)
                locked.use(["DBUS_SYSTEM_BUS_ADDRESS": buses.0.address])
                driven.use(["DBUS_SYSTEM_BUS_ADDRESS": buses.1.address])
                for device in [locked, driven] { try await device.restart() }
                try await Self.follows(locked, "session")
                try await Self.follows(driven, "bluetooth")
                let notices = (try locked.startBaton(["notices"]), try driven.startBaton(["notices"]))
                for round in 1...3 {
                    for device in household.devices.prefix(2) { try await Self.use(player, on: device) }
                    login.say("lock")
                    login.say("unlock")
                    bluetooth.say("connect car")
                    try await Self.until(round, "Unlocked.", on: locked)
                    try await Self.until(round, "Car “Test Car” connected.", on: driven)
                    if round < 3 {
                        for device in household.devices.prefix(2) { try await Self.use(mail, on: device) }
                    }
                    bluetooth.say("disconnect car")
                }
                for (output, title) in [
                    (notices.0.output, "Welcome back: mail"), (notices.1.output, "Car connected: mail"),
                ] {
                    let line = try await within(.seconds(20), "the notice “\(title)”") {
                        try await output.first { $0.contains("\"prediction\"") ? $0 : nil }
                    }
                    let told = try JSONDecoder().decode(Told.self, from: Data(try #require(line).found.utf8))
                    #expect(told.title == title)
                }
                await login.end()
                await bluetooth.end()
                await buses.0.end()
                await buses.1.end()
            }
        }

        private struct Context: Decodable {
            struct Input: Decodable {
                var name: String
                var state: String
            }
            struct Event: Decodable { var text: String }
            var inputs: [Input]
            var events: [Event]
        }

        private static func context(_ device: TestDevice) async throws -> Context {
            try await device.baton("context").decode(Context.self)
        }

        private static func follows(_ device: TestDevice, _ input: String) async throws {
            try await device.until("\(input) to be followed") {
                try await context(device).inputs.first { $0.name == input }?.state == "followed"
            }
        }

        private static func until(_ count: Int, _ text: String, on device: TestDevice) async throws {
            try await device.until("“\(text)”, \(count) times") {
                try await context(device).events.count { $0.text == text } == count
            }
        }

        private static func use(_ app: String, on device: TestDevice) async throws {
            try await device.baton("launch", app)
            try await device.baton("quit", app)
        }
    }
}
