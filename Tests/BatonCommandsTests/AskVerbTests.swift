import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

/// A call that an app in front gives the number of (P-23).
struct AskVerbTests {
    /// A daemon that calls once it gets what it said is the confirmation.
    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(RequestsMethods.ask) { request in
            .with {
                $0.actions = [
                    .with {
                        $0.action = "call"
                        $0.sentence = "Call Yank Sing, (415) 781-1111"
                    }
                ]
                if request.confirmation == "seen" {
                    $0.outcome = .done
                    $0.message = "Phone calls Yank Sing, (415) 781-1111."
                } else {
                    $0.outcome = .choices
                    $0.message = "Reviews names the person meant. Nothing was done yet."
                    $0.confirmation = "seen"
                }
            }
        }
        return fixture
    }

    private func confirmations(_ fixture: CommandLineFixture) -> [String] {
        fixture.daemon.requests(of: Baton_Control_V1_AskRequest.self).map(\.confirmation)
    }

    @Test("Where nobody can be asked it is shown and not done; with --yes it is done")
    func unattended() async throws {
        let fixture = fixture()
        #expect(await fixture.run("ask", "call", "this", "place") == .usage)
        #expect(
            fixture.output.text == """
                Reviews names the person meant. Nothing was done yet.
                  Call Yank Sing, (415) 781-1111
                To do it, repeat the command with --yes.

                """)
        #expect(await fixture.run("ask", "call", "this", "place", "--json") == .usage)
        #expect(confirmations(fixture) == ["", ""])
        #expect(await fixture.run("ask", "--yes", "call", "this", "place") == .success)
        #expect(confirmations(fixture) == ["", "", "", "seen"])
    }

    @Test("At a terminal the person sees who says which number, and is asked")
    func asked() async {
        var fixture = fixture()
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 100, isColoured: false)
        fixture.input = ["n"]
        #expect(await fixture.run("ask", "call", "this", "place") == .canceled)
        #expect(confirmations(fixture) == [""])
        #expect(fixture.errors.text.contains("Reviews names the person meant."))
        #expect(fixture.errors.text.contains("Call Yank Sing, (415) 781-1111?"))
        fixture.input = ["y"]
        #expect(await fixture.run("ask", "call", "this", "place") == .success)
        #expect(confirmations(fixture) == ["", "", "seen"])
    }
}
