import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// The chain of the chapter on proactive suggestions: a place is looked at in one app, and is offered in others.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct TextFieldTests {
        private struct Told: Decodable {
            var kind: String
            var title: String?
            var body: String?
        }

        private static func launch(
            _ bundle: TestBundle, in household: TestHousehold
        ) async throws -> (log: ExampleLog, script: FileHandle) {
            let device = household[0]
            try await household.install(bundle)
            let fifo = device.container(of: bundle.identifier) + "/script"
            guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made at \(fifo).") }
            try await device.baton("launch", bundle.identifier, "--env", "BATON_SCRIPT=\(fifo)")
            let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
            return (try ExampleLog(bundle, on: device), script)
        }

        @Test(
            "the restaurant last viewed is offered in a field for an address and after “Let's meet at”, then as a ride when its app is left, to an app for rides alone (P-25, P-26, P-28, P-36, P-37, P-39, P-46, P-47, S-26)"
        )
        func chain() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.monkeyChat)
                let (reviews, restaurant) = try await Self.launch(.restaurantReviews, in: household)
                let (form, field) = try await Self.launch(.addressField, in: household)
                defer {
                    try? restaurant.close()
                    try? field.close()
                }
                func type(_ line: String, _ script: FileHandle) throws {
                    try script.write(contentsOf: Data((line + "\n").utf8))
                }
                try await form.line("launched")
                try type("show yank-sing", restaurant)
                try await reviews.line("shows Yank Sing: Dumplings from carts, and a queue at noon.")
                try await device.until("the place to be known") {
                    try await !device.call(SuggestionsMethods.listSuggestions).suggestions.isEmpty
                }

                // In a field, by what the field is for.
                let address = try #require(
                    try await device.call(SuggestionsMethods.listSuggestions, .with { $0.field = "fullStreetAddress" })
                        .suggestions.first?.text)
                #expect(address.hasPrefix("101 Spear St, San Francisco, CA 94105"))
                let offer = "1: \(address) (Yank Sing, seen in Restaurant Reviews)"
                try type("address", field)
                try await form.line(offer)
                try type("take 1", field)
                try await form.line("address: \(address)")
                // In a message, by what was written.
                let start = form.count
                try type("message Let's meet at ", field)
                try await form.line(offer, from: start)
                try type("take 1", field)
                try await form.line("message: Let's meet at \(address)", from: start)

                // The person leaves the app, and wants to go there.
                let notices = try device.startBaton(["notices"])
                try type("leave", restaurant)
                let line = try await within(.seconds(20), "a notice of the place") {
                    try await notices.output.first { $0.contains("suggestion") ? $0 : nil }
                }
                let told = try JSONDecoder().decode(Told.self, from: Data(try #require(line).found.utf8))
                #expect(told.title == "Get a ride to Yank Sing")
                #expect(told.body == "You saw it in Restaurant Reviews.")
                let rides = try ExampleLog(.monkeyChat, on: device)
                let answer = try await device.call(
                    SuggestionsMethods.getDirections, .with { $0.place = "Yank Sing" }, timeout: .seconds(60))
                #expect(answer.bundleID == TestBundle.monkeyChat.identifier && answer.handled)
                try await rides.line("ride to Yank Sing at 37.7926, -122.393")
            }
        }

        @Test(
            "a page with the sample's data fills a field of an app, and no field where the person does not want it (P-31)"
        )
        func pageFills() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let (form, field) = try await Self.launch(.addressField, in: household)
                defer { try? field.close() }
                try await form.line("launched")
                // While the person does not want it, nothing is offered.
                try await device.baton("settings", "set", "suggestions.fields", "off")
                try field.write(contentsOf: Data("address\n".utf8))
                try await Self.visit(device)
                try await device.baton("settings", "set", "suggestions.fields", "on")
                try await Self.visit(device)
                let offer = "1: 101 Spear St, San Francisco (Yank Sing, seen in a web page)"
                try await form.line(offer)
                #expect(form.file.lines.all.filter { $0.contains(offer) }.count == 1)
                try await expectRefusal(device)
            }
        }

        @Test(
            "a field of GTK is offered the place last viewed, with where it was seen, and has it when the person takes it (P-26, P-36, P-37, P-39)"
        )
        func window() async throws {
            let programs = Products.package + "/Desktop/.build/debug"
            guard FileManager.default.isExecutableFile(atPath: programs + "/addressfield-window") else {
                throw IntegrationFailure("addressfield-window is not built. dev/desktop builds it.")
            }
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await Self.visit(device)
                let screen = try await VirtualScreen()
                let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                // A program that a person starts holds its lines back while they go into a pipe.
                let app = try ChildProcess(
                    ["stdbuf", "--output=L", try Products.path("AddressField")],
                    environment: [
                        "BATON_SOCKET": device.locations.socket, "DISPLAY": screen.display, "WAYLAND_DISPLAY": "",
                        "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "PATH": "\(programs):\(path)",
                    ])
                @Sendable func line(_ beginning: String) async throws -> String? {
                    try await within(.seconds(20), beginning) {
                        try await app.output.first { $0.hasPrefix(beginning) ? $0 : nil }?.found
                    }
                }
                let outcome: Result<Void, any Error>
                do {
                    let windows = ScreenWindows(on: screen)
                    let shown = try await windows.shown("Address Field")
                    try await windows.press(["Home"], in: shown)
                    let text = "101 Spear St, San Francisco"
                    #expect(try await line("1: ") == "1: \(text) (Yank Sing, seen in a web page)")
                    // Below the field.
                    try await Task.sleep(for: .seconds(1))  // sleeps: the keyboard reaches what is drawn
                    try await windows.press(["Tab", "Return"], in: shown)
                    #expect(try await line("address: ") == "address: \(text)")
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await app.end()
                await screen.end()
                try outcome.get()
            }
        }

        private static func visit(_ device: TestDevice) async throws {
            _ = try await device.call(
                SuggestionsMethods.rememberPage,
                .with {
                    $0.url = "https://www.yanksing.com/find"
                    $0.title = "Yank Sing"
                    $0.browser = "Chromium"
                    $0.scripts = [
                        #"{"@context":"http://schema.org","@type":"Restaurant","name":"Yank Sing","address":"#
                            + #"{"@type":"PostalAddress","streetAddress":"101 Spear St","addressLocality":"San Francisco"}}"#
                    ]
                })
        }

        /// A program that is not attached is in no field, and gets nothing.
        private func expectRefusal(_ device: TestDevice) async throws {
            let refusal = await #expect(throws: BatonError.self) {
                let answers = try await device.app("com.example.Form").serverStream(
                    TextFieldMethods.suggestForField, .with { $0.contentType = "street-address" })
                for try await _ in answers { break }
            }
            #expect(refusal?.reason == "unknown_session")
        }
    }
}
