import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

/// On a terminal of 80 columns.
struct WidthTests {
    private static let long = String(repeating: "a very long name ", count: 6)
    private static let device = "Anna-Katharina's computer in the kitchen upstairs"

    private var fixture: CommandLineFixture {
        var fixture = CommandLineFixture()
        fixture.terminal = Terminal(
            isOutputInteractive: false, isInputInteractive: false, width: 80, isColoured: false)
        return fixture
    }

    private func fits(_ fixture: CommandLineFixture) -> Bool {
        fixture.output.text.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) <= 80 }
    }

    @Test("Offers fit 80 columns, and what is in the way of one stays whole")
    func offers() async {
        let fixture = fixture
        let obstacle = "Reader there is version 1.2; the activity needs version 2.10 or later. Update the app there."
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in
            stream(
                .with {
                    $0.offers = [
                        .with {
                            $0.offerID = "ABCDEFGHIJKLMNOP"
                            $0.deviceName = Self.device
                            $0.appName = "Reader"
                            $0.offer = .with { $0.activity = .with { $0.title = Self.long } }
                        },
                        .with {
                            $0.offerID = "BCDEFGHIJKLMNOPQ"
                            $0.deviceName = "Desk"
                            $0.obstacle = obstacle
                        },
                    ]
                })
        }
        #expect(await fixture.run("offers") == .success)
        #expect(fits(fixture))
        let words = fixture.output.text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("cannot: \(obstacle)"))
        #expect(words.contains("in Reader"))
        #expect(words.contains("Anna-Katharina"))
    }

    @Test("Settings, devices, apps, explanations and the status fit 80 columns, and keep what commands take")
    func others() async {
        let fixture = fixture
        let purpose = "The command that opens pages that no app here takes; %u is the URL. “none” for no command."
        fixture.daemon.on(ControlMethods.listSettings) { _ in
            .with {
                $0.settings = [
                    .with {
                        $0.name = "browser"
                        $0.value = "xdg-open %u"
                        $0.purpose = purpose
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = [
                    .with {
                        $0.name = Self.device
                        $0.deviceID = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        $0.addresses = ["[2001:db8:1234:5678:9abc:def0:1234:5678]:47110"]
                        $0.lastSeen = 1_799_999_000_000
                    }
                ]
            }
        }
        let bundle = "com.example.company.department.product.Reader"
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.name = Self.long
                        $0.version = "2026.11.22-nightly"
                        $0.lastExit = "Ended when asked to (SIGTERM)."
                        $0.identity = .with {
                            $0.bundleID = bundle
                            $0.teamID = "ABCDEFGHIJ"
                        }
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.explain) { _ in
            .with {
                $0.explanations = [
                    .with {
                        $0.subject = "Desk"
                        $0.stages = [
                            .with {
                                $0.name = "network"
                                $0.finding = Self.long
                                $0.advice = Self.long
                            }
                        ]
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.accountID = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                $0.deviceName = Self.device
                $0.deviceID = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                $0.discovery = Self.long
                $0.home = "/home/" + String(repeating: "directory/", count: 9)
            }
        }
        await fixture.run("settings", "list")
        await fixture.run("devices")
        await fixture.run("apps")
        await fixture.run("explain", "device", "Desk")
        await fixture.run("status")
        #expect(fits(fixture), "\(fixture.output.text)")
        let words = fixture.output.text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for part in [purpose, "ABCDEFGH", bundle, Self.long.dropLast().description] { #expect(words.contains(part)) }
    }

    @Test("A text is wrapped at spaces, with what stands before its first line")
    func wraps() {
        #expect(
            TerminalText.wrap("one two three four five six", to: 24, indentation: 4, first: "  - ")
                == ["  - one two three four", "    five six"])
        #expect(
            TerminalText.wrap(String(repeating: "x", count: 45), to: 24, indentation: 4).map(\.count) == [24, 24, 9])
        #expect(TerminalText.wrap("a b", to: nil, indentation: 2) == ["  a b"])
        #expect(TerminalText.wrap("", to: 80, indentation: 2, first: "x:") == ["x:"])
    }

    @Test("Quotations, and a command behind a colon, are never broken, however long they are: people copy them")
    func keepsWhole() {
        func wrap(_ text: String) -> [String] { TerminalText.wrap(text, to: 24, indentation: 0) }
        #expect(
            wrap("To go on run “baton account leave”, then wait.") == [
                "To go on run", "“baton account leave”,", "then wait.",
            ])
        #expect(wrap("See `/a long/path/of  a folder/here` now") == ["See", "`/a long/path/of  a folder/here`", "now"])
        let command = "systemctl --user restart batond"
        #expect(wrap("Start it again: \(command)") == ["Start it again:", command])
        // Neither a mark that is not closed nor a word before which no colon stands keeps anything together.
        #expect(wrap("“a mark that nobody has closed at all") == ["“a mark that nobody has", "closed at all"])
        #expect(wrap("All that baton devices shows is here") == ["All that baton devices", "shows is here"])
    }

    @Test("An error is wrapped where standard error is a terminal, and is one line elsewhere")
    func errors() async {
        var fixture = fixture
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            throw BatonError(
                .notFound, reason: "x",
                "Something that has a rather long name is not there at all. Run “baton account leave” on one of them.")
        }
        await fixture.run("status")
        #expect(fixture.errors.text.split(separator: "\n").count == 1)
        fixture.terminal.errorWidth = 80
        await fixture.run("status")
        let lines = fixture.errors.text.split(separator: "\n").dropFirst().map(String.init)
        #expect(
            lines == [
                "baton: Something that has a rather long name is not there at all. Run",
                "       “baton account leave” on one of them.",
            ])
    }
}
