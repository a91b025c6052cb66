import BatonCommands
import BatonWire
import SwiftProtobuf
import Testing

struct NoticesVerbTests {
    private static let notices: [Baton_Control_V1_Notice] = [
        .with {
            $0.noticeID = 1
            $0.kind = .offer
            $0.title = "Reader from Desk"
            $0.body = "A page\u{1B}[31m\nReader continues it here."
            $0.offerID = "ABCDEFGHIJKL"
        },
        .with {
            $0.noticeID = 2
            $0.kind = .failed
            $0.title = "Could not continue from Desk"
            $0.body = "It went away."
            $0.acceptanceID = "XYZ"
        },
        .with {
            $0.noticeID = 1
            $0.kind = .withdrawn
        },
        .with {
            $0.noticeID = 9
            $0.kind = .withdrawn
        },
    ]

    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.watchNotices) { _ in
            stream(Self.notices[0], Self.notices[1], Self.notices[2], Self.notices[3])
        }
        return fixture
    }

    @Test(
        "notices are told with what continues them, and when they are over; nothing in them steers the terminal (H-10, H-74)"
    )
    func text() async {
        let fixture = fixture()
        #expect(await fixture.run("notices") == .unreachable)
        #expect(
            fixture.output.text == """
                Reader from Desk
                  A page\\u{1B}[31m
                  Reader continues it here.
                  baton continue ABCDEFGH
                Could not continue from Desk
                  It went away.
                gone: Reader from Desk

                """)
    }

    @Test("each notice is an object of a line with --json")
    func json() async {
        let fixture = fixture()
        #expect(await fixture.run("notices", "--json") == .unreachable)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].contains(#""notice_id":2,"kind":"failed""#))
        #expect(lines[1].contains(#""offer_id":null,"acceptance_id":"XYZ""#))
        #expect(lines[3].contains(#""kind":"withdrawn","title":null"#))
    }
}
