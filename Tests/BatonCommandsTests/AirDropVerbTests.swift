import BatonCommands
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct AirDropVerbTests {
    private typealias Event = Baton_Control_V1_ReceivingEvent

    private static let asked = Event.with {
        $0.transferID = "T"
        $0.asked = .with { $0.sender = "So\u{1B}[2Jfa" }
    }
    private static let delivered = Event.with {
        $0.transferID = "T"
        $0.outcome = .with {
            $0.result = "delivered"
            $0.items = 1
        }
    }

    private static func progress(_ bytes: UInt64) -> Event {
        .with {
            $0.transferID = "T"
            $0.progress = .with {
                $0.bytes = bytes
                $0.total = 5000
            }
        }
    }

    private func onTerminal() -> CommandLineFixture {
        var fixture = CommandLineFixture()
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 80, isColoured: false)
        return fixture
    }

    private func receive(_ fixture: CommandLineFixture) async -> CommandStatus {
        fixture.daemon.onStream(AirDropMethods.watchReceiving) { _ in
            stream(Self.asked, Self.progress(2000), Self.progress(4000), Self.delivered)
        }
        return await fixture.run("receive", "--accept", "--once")
    }

    @Test("On a terminal a line shows how far what arrives is, and is drawn again in its place")
    func progressOnTerminal() async {
        let fixture = onTerminal()
        #expect(await receive(fixture) == .success)
        let parts = fixture.output.text.components(separatedBy: "From So\\u{1B}[2Jfa: ")
        #expect(parts.count == 3, "\(fixture.output.text)")
        #expect(parts.dropFirst().first?.hasSuffix("\u{1B}[1A\u{1B}[J") == true)
        #expect(fixture.output.text.contains("sent 1 item."))
    }

    @Test("Where the output is no terminal, only what has arrived is printed")
    func quietElsewhere() async {
        let fixture = CommandLineFixture()
        #expect(await receive(fixture) == .success)
        #expect(!fixture.output.text.contains("From "))
        #expect(fixture.output.text.contains("sent 1 item."))
    }

    @Test("A person at a terminal is told which device is looked for, when it is not there at once")
    func looking() async {
        let fixture = onTerminal()
        let errors = fixture.errors
        fixture.daemon.onStream(AirDropMethods.watchNearby) { _ in
            AsyncThrowingStream<Baton_Control_V1_NearbyPeers, any Error>(unfolding: {
                while !errors.text.contains("Looking for Kitchen …\n") { await Task.yield() }
                return Baton_Control_V1_NearbyPeers.with {
                    $0.peers = [
                        .with {
                            $0.id = "PEER"
                            $0.name = "Kitchen"
                        }
                    ]
                }
            })
        }
        fixture.daemon.onStream(AirDropMethods.sendItems) { _ in
            stream(.with { $0.outcome = .with { $0.result = "delivered" } })
        }
        #expect(await fixture.run("send", "https://example.com/page", "--to", "Kitchen") == .success)
    }
}
