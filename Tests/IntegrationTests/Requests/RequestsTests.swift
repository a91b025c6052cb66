import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// `baton ask`, with a real daemon, the restaurant app, a routing app, and a handler of telephone numbers.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct RequestsTests {
        private struct Answer: Decodable {
            struct Action: Decodable {
                var action: String
                var sentence: String
                var subject: String?
                var when: String?
                var telephone: String?
                var bundleId: String?
                var activityId: String?
            }
            struct Result: Decodable { var title: String }
            var outcome: String
            var actions: [Action]
            var message: String?
            var examples: [String]
            var results: [Result]
        }

        private static func ask(
            _ device: TestDevice, _ text: String, isDryRun: Bool = false, isConfirmed: Bool = false,
            expecting status: Int32 = 0
        ) async throws -> Answer {
            let options = (isDryRun ? ["--dry-run"] : []) + (isConfirmed ? ["--yes"] : [])
            return try await device.baton(
                ["ask"] + options + text.split(separator: " ").map(String.init), expecting: status
            )
            .decode(Answer.self)
        }

        @Test(
            "in the restaurant app “call this place” calls its number, “directions” lead to it, and “remind me about this when I get home” is about its restaurant (P-15, P-23, P-29, S-21)"
        )
        func restaurant() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let handler = try SystemHandler(in: household.directory, for: ["tel"])
                device.use(handler.environment)
                try await device.restart()
                try await household.install(.directions)
                let app = try await AskedExample(.restaurantReviews, in: household, on: device)
                try app.type("show yank-sing")
                try await app.log.line("shows Yank Sing")
                try await device.until("the restaurant to be in front, with its number") {
                    // Until then it is refused.
                    (try? await Self.ask(device, "call this place", isDryRun: true))?.actions.first?.telephone
                        == "4157811111"
                }

                // It is the app that says which number: no call is made before the person has seen it.
                let shown = try await Self.ask(device, "call this place", expecting: 2)
                #expect(shown.outcome == "choices" && shown.actions.map(\.telephone) == ["4157811111"])
                #expect(shown.message?.hasPrefix("Restaurant Reviews names the person meant.") == true)
                #expect(handler.urls.isEmpty)
                let called = try await Self.ask(device, "call this place", isConfirmed: true)
                #expect(called.outcome == "done" && called.actions.map(\.subject) == ["Yank Sing"])
                try await device.until("the number to be called") { handler.urls == ["tel:4157811111"] }

                for text in ["directions", "directions to this place", "directions to Yank Sing"] {
                    let led = try await Self.ask(device, text)
                    #expect(led.message == "Directions leads to Yank Sing.", "\(text)")
                }
                let map = try ExampleLog(.directions, on: device)
                try await map.line("directions to Yank Sing at 37.7926, -122.393")

                // The same by its name, and in two other languages.
                #expect(
                    try await Self.ask(device, "ruf hier an", isDryRun: true).actions.first?.telephone == "4157811111")
                #expect(
                    try await Self.ask(device, "call Yank Sing", isDryRun: true).actions.first?.telephone
                        == "4157811111")
                for text in ["remind me about this when I get home", "Eve geldiğimde bana bunu anımsat"] {
                    let reminder = try #require(try await Self.ask(device, text, isDryRun: true).actions.first)
                    #expect(reminder.action == "remind" && reminder.subject == "Yank Sing")
                    #expect(reminder.when == "when you arrive at home")
                    #expect(reminder.bundleId == app.identifier && reminder.activityId?.isEmpty == false)
                }

                // It is in front no longer: nothing is meant, and no call is made.
                try app.type("leave")
                try await device.until("the app to have left") {
                    let result = try await device.baton(["ask", "call", "this", "place"], expecting: nil)
                    // With 2 it would still be confirmed.
                    guard result.status == 1 else { return false }
                    return try result.failure().reason == "nothing_in_front"
                }
            }
        }

        @Test(
            "where nothing is in front, “this” is what the account's other device shows, while it is in use (P-23, P-29)"
        )
        func elsewhere() async throws {
            try await TestHousehold.with(2) { household in
                let (here, there) = (household[0], household[1])
                let handler = try SystemHandler(in: household.directory, for: ["tel"])
                there.use(handler.environment)
                try await there.restart()
                try await here.isConnected(to: there)
                let app = try await AskedExample(.restaurantReviews, in: household, on: here)
                try app.type("show yank-sing")
                try await app.log.line("shows Yank Sing")
                try await there.until("the other device to know what is in front") {
                    (try? await Self.ask(there, "call this place", isDryRun: true))?.actions.first?.telephone
                        == "4157811111"
                }
                let shown = try await Self.ask(there, "call this place", expecting: 2)
                #expect(shown.message?.hasPrefix("Restaurant Reviews on \(here.name) names the person meant.") == true)
                #expect(handler.urls.isEmpty)
                _ = try await Self.ask(there, "call this place", isConfirmed: true)
                try await there.until("the number to be called") { handler.urls == ["tel:4157811111"] }
                let reminder = try await Self.ask(there, "remind me about this tomorrow at 9", isDryRun: true)
                #expect(reminder.actions.first?.subject == "Yank Sing")
                _ = try await Self.ask(there, "remind me about this tomorrow at 9")

                try app.type("leave")
                try await there.until("nothing to be meant any more") {
                    let result = try await there.baton(["ask", "call", "this", "place"], expecting: nil)
                    guard result.status == 1 else { return false }
                    return try result.failure().reason == "nothing_in_front"
                }
            }
        }

        @Test(
            "“them” are the people of the activity in front, here or on the other device: written to once that is confirmed, and remembered by name (P-15, P-23)"
        )
        func them() async throws {
            try await TestHousehold.with(2) { household in
                let (here, there) = (household[0], household[1])
                try await household.install(.monkeyChat)
                try await there.isConnected(to: here)
                let log = try ExampleLog(.monkeyChat, on: here)
                try await here.baton("open", "monkeychat://send?to=Anna&handle=anna@example.org&text=Hello")
                try await log.line("donated “Hello”")
                try await here.baton("people", "message", "Anna", "Hi", "--with", "MonkeyChat")
                let sentence = "Message Anna (from MonkeyChat, anna@example.org): “I am late”"
                try await here.until("the people in front to be known") {
                    (try? await Self.ask(here, "tell them I am late", isDryRun: true))?.actions.first?.sentence
                        == sentence
                }
                let shown = try await Self.ask(here, "tell them I am late", expecting: 2)
                #expect(shown.message?.hasPrefix("MonkeyChat names the person meant.") == true)
                let start = log.count
                _ = try await Self.ask(here, "tell them I am late", isConfirmed: true)
                try await log.line("com.xamarin.message: a message to Anna: “I am late”", from: start)
                let reminder = try await Self.ask(here, "remind me to thank them tomorrow", isDryRun: true)
                #expect(reminder.actions.first?.subject == "thank them (Anna)")
                #expect(reminder.actions.first?.bundleId == "com.xamarin.monkeychat")

                // There Anna is not known, but from the app here.
                let elsewhere = "Message Anna (from MonkeyChat on \(here.name), anna@example.org): “I am late”"
                try await there.until("the other device to know who is in front") {
                    (try? await Self.ask(there, "tell them I am late", isDryRun: true))?.actions.first?.sentence
                        == elsewhere
                }
            }
        }

        @Test(
            "an app is opened by its name, words are searched for, two meanings are listed and not done (2), no meaning is answered with what would work (1)"
        )
        func others() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await AskedExample(.restaurantReviews, in: household, on: device)
                try app.type("index")
                try await app.log.line("indexed 2 restaurants")
                try await device.until("the restaurant to be found") {
                    try await Self.ask(device, "search for dumplings").results.first?.title == "Yank Sing"
                }
                try await device.baton("quit", app.identifier)
                let start = app.log.count
                #expect(try await Self.ask(device, "open restaurant reviews").message == "Restaurant Reviews is open.")
                try await app.log.line("launched", from: start)

                let choices = try await Self.ask(device, "remind me on 5/6 to book a table", expecting: 2)
                #expect(choices.outcome == "choices" && choices.actions.count == 2)
                let none = try await Self.ask(device, "the weather is nice", expecting: 1)
                #expect(none.outcome == "not_understood" && none.examples.count == 8)
                let unknown = try await device.baton(["ask", "open", "nothing"], expecting: 1)
                #expect(try unknown.failure().reason == "app_not_found")
                let long = try await Self.ask(device, String(repeating: "a", count: 2000), expecting: 1)
                #expect(long.message?.contains("1000 characters") == true)
            }
        }
    }
}

/// An example that is installed, runs, and does what a test types.
private struct AskedExample {
    let identifier: String
    let log: ExampleLog
    private let script: FileHandle

    init(_ bundle: TestBundle, in household: TestHousehold, on device: TestDevice) async throws {
        try await household.install(bundle)
        identifier = bundle.identifier
        let fifo = device.container(of: identifier) + "/script"
        guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made at \(fifo).") }
        try await device.baton("launch", identifier, "--env", "BATON_SCRIPT=\(fifo)")
        script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
        log = try ExampleLog(bundle, on: device)
    }

    func type(_ line: String) throws { try script.write(contentsOf: Data((line + "\n").utf8)) }
}
