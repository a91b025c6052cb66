import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Baton's input method with a real daemon, in a field of a program that knows nothing of Baton.
    @Suite(.serialized, .timeLimit(.minutes(3))) struct InputMethodTests {
        private static let phrase = "Let's meet at "

        @Test(
            "the restaurant last viewed goes into any field of the desktop with Tab, and into none while the device is locked or the person wants no offers (P-26, P-36)"
        )
        func anyField() async throws {
            let program = Products.package + "/Desktop/.build/debug/baton-ibus"
            guard FileManager.default.isExecutableFile(atPath: program) else {
                throw IntegrationFailure("baton-ibus is not built. dev/desktop builds it.")
            }
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bundle = TestBundle.restaurantReviews
                try await household.install(bundle)
                let fifo = device.container(of: bundle.identifier) + "/script"
                guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made at \(fifo).") }
                try await device.baton("launch", bundle.identifier, "--env", "BATON_SCRIPT=\(fifo)")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                try script.write(contentsOf: Data("show yank-sing\n".utf8))
                try await device.until("the place to be known") {
                    try await !device.call(SuggestionsMethods.listSuggestions).suggestions.isEmpty
                }
                let address = try #require(
                    try await device.call(SuggestionsMethods.listSuggestions, .with { $0.field = "fullStreetAddress" })
                        .suggestions.first?.text)
                try await InputMethodDesktop.with(
                    program: program, package: Products.package, socket: device.locations.socket
                ) { desktop in
                    try await desktop.windows.type(Self.phrase)
                    let shown = try await desktop.shown(from: 0)
                    #expect(shown == "\(address) (Yank Sing, seen in Restaurant Reviews). Tab inserts it.")
                    try await desktop.windows.press(["Tab"])
                    try await desktop.has(Self.phrase + address)

                    try await device.baton("settings", "set", "suggestions.fields", "off")
                    let second = try await silent(desktop, after: Self.phrase + address)
                    try await device.baton("settings", "set", "suggestions.fields", "on")
                    try await device.baton("lock")
                    _ = try await silent(desktop, after: second)
                }
            }
        }

        /// Types the phrase again, and asks, without an offer.
        /// - Returns: what is in the field.
        private func silent(_ desktop: InputMethodDesktop, after text: String) async throws -> String {
            let start = desktop.count
            try await desktop.windows.type(", \(Self.phrase)")
            try await desktop.windows.press(["ctrl+space"])
            try await Task.sleep(for: .milliseconds(300))  // sleeps: nothing says that nothing is offered
            try await desktop.windows.type("x")
            let typed = "\(text), \(Self.phrase)x"
            try await desktop.has(typed, from: start)
            #expect(!desktop.lines(from: start).contains { $0.hasPrefix("shown") })
            return typed
        }
    }
}
