import BatonCore
import Foundation
import Requests
import Testing

/// Titles that no card has are left out, and what is left is a name (P-23).
@Suite struct RequestedKinTests {
    @Test("whose uncle Bea is her name does not say: the person sees it first, and confirms it (P-23)")
    func kin() async throws {
        let double = PortsDouble(content: nil)
        let shown = try await double.service().ask("call uncle Bea", isDryRun: false, timeZone: .gmt)
        #expect(shown.outcome == .choices && double.done.isEmpty && !shown.confirmation.isEmpty)
        #expect(shown.message == "No card says “uncle Bea”. Is this the person meant? Nothing was done yet.")
        #expect(shown.plans.map { $0.sentence(in: .gmt) } == ["Call Bea"])
        #expect(try await double.confirmed("call uncle Bea").outcome == .done)
        // A title is no other person's.
        #expect(try await double.service().ask("call Dr Bea", isDryRun: false, timeZone: .gmt).outcome == .done)
        #expect(double.done == ["call Bea", "call Bea"])
        // Both are said where only an app knows the person.
        let both = try await double.service().ask("call aunt Mum", isDryRun: false, timeZone: .gmt)
        #expect(both.message.hasPrefix("Chat names the person meant. No card says “aunt Mum”."))
    }

    @Test("a wife whom a card names is shown first with the label, and confirmed; of two brothers one is chosen (P-23)")
    func relations() async throws {
        let double = PortsDouble(content: nil)
        let shown = try await double.service().ask("text my wife I'm late", isDryRun: false, timeZone: .gmt)
        #expect(shown.outcome == .choices && double.done.isEmpty && !shown.confirmation.isEmpty)
        #expect(
            shown.message
                == "The card of Max Bell says “spouse” of this person. Is it the one meant? Nothing was done yet.")
        #expect(try await double.confirmed("text my wife I'm late").outcome == .done)
        #expect(double.done == ["message Bea: I'm late"])
        let both = try await double.service().ask("call my brother", isDryRun: false, timeZone: .gmt)
        #expect(both.outcome == .choices && both.plans.count == 2 && both.confirmation.isEmpty)
        await #expect(throws: BatonError.self) {
            _ = try await double.service().ask("call my sister", isDryRun: false, timeZone: .gmt)
        }
        #expect(double.done.count == 1)
    }

    @Test(
        "behind a title no word that names no person is looked up as the beginning of a name (P-23)",
        arguments: ["call doctor office", "call cousin home", "ring doctor again"])
    func nameless(text: String) async throws {
        let double = PortsDouble(content: nil)
        let error = await #expect(throws: BatonError.self) {
            _ = try await double.service().ask(text, isDryRun: false, timeZone: .gmt)
        }
        #expect(error?.reason == "unknown_person" && double.done.isEmpty)
    }
}
