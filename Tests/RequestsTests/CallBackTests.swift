import BatonCore
import Foundation
import Requests
import Testing

/// “Call back” and “call her back”: an app says who called, so the person sees the name first.
@Suite struct CallBackTests {
    private func ask(_ double: PortsDouble, _ text: String, _ confirmation: String = "") async throws -> RequestAnswer {
        try await double.service().ask(text, isDryRun: false, timeZone: .gmt, confirmation: confirmation)
    }

    private static func content(showing people: [ShownPerson]) throws -> RequestedContent {
        RequestedContent(
            app: AppIdentity(bundleID: try BundleID(validating: "com.example.Chat"), team: .development),
            appName: "Chat", activity: .random(), type: try ActivityType(validating: "com.example.Chat.talk"),
            people: people)
    }

    @Test(
        "the person of the last call is called back, once it was confirmed (P-23)",
        arguments: ["call back", "call her back", "Call him back.", "ruf zurück", "geri ara"])
    func last(text: String) async throws {
        let double = PortsDouble(content: nil, lastApp: "Phone")
        let shown = try await ask(double, text)
        #expect(shown.outcome == .choices && shown.message == "Phone names the person meant. Nothing was done yet.")
        #expect(shown.plans.map { $0.sentence(in: .gmt) } == ["Call Bea"] && double.done.isEmpty)
        #expect(try await ask(double, text, shown.confirmation).outcome == .done)
        #expect(double.done == ["call Bea"])
    }

    @Test("the people whom the app in front shows come before the last call; a place is none of them (P-23)")
    func inFront() async throws {
        let carl = try #require(ShownPerson(name: "Carl", addresses: ["carl@example.org"]))
        let double = PortsDouble(content: try Self.content(showing: [carl]), lastApp: "Phone")
        let shown = try await ask(double, "call him back")
        #expect(shown.message == "Chat names the person meant. Nothing was done yet.")
        #expect(shown.plans.map(\.subject) == ["Carl"])
        let empty = PortsDouble(content: try Self.content(showing: []), lastApp: "Phone")
        #expect(try await ask(empty, "call him back").plans.map(\.subject) == ["Bea"])
    }

    @Test("where no app has reported a call, it says what would work (P-23)")
    func nothing() async throws {
        let double = PortsDouble(content: nil)
        let error = await #expect(throws: BatonError.self) { _ = try await ask(double, "call back") }
        #expect(error?.reason == "no_last_contact" && error?.message.contains("“call Anna”") == true)
        #expect(double.done.isEmpty)
    }
}
