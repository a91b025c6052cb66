import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

struct ActivityVerbTests {
    private typealias Step = Baton_Control_V1_ContinuationEvent

    private static func offers(
        _ identifiers: String..., obstacle: String = "", route: Baton_Control_V1_OfferItem.Route = .activity,
        page: String = ""
    ) -> Baton_Control_V1_WatchOffersResponse {
        .with {
            $0.offers = identifiers.map { identifier in
                .with {
                    $0.offerID = identifier
                    $0.deviceName = "Desk"
                    $0.offer = .with {
                        $0.activity = .with {
                            $0.activityType = "com.example.reading"
                            $0.title = "A page"
                            if !page.isEmpty { $0.webpageURL = page }
                        }
                    }
                    if route != .pageInBrowser {
                        $0.app = .with { $0.bundleID = "com.example.Reader" }
                        $0.appName = "Reader"
                    }
                    $0.route = route
                    $0.obstacle = obstacle
                }
            }
        }
    }

    @Test("Offers are listed with the app that will continue them, or what is in the way")
    func lists() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.watchOffers) { request in
            #expect(!request.watch)
            return stream(Self.offers("ABCDEFGH"))
        }
        #expect(await fixture.run("offers") == .success)
        #expect(
            fixture.output.text == """
                OFFER     ACTIVITY  FROM  CONTINUES
                ABCDEFGH  A page    Desk  in Reader

                """)

        let obstructed = CommandLineFixture()
        obstructed.daemon.onStream(ControlMethods.watchOffers) { _ in
            stream(Self.offers("ABCDEFGH", obstacle: "Reader 1 is too old"))
        }
        await obstructed.run("offers")
        #expect(obstructed.output.text.contains("cannot: Reader 1 is too old"))
    }

    // H-84 H-85
    @Test(
        "Offers say whether an app continues them, is given their page, or the browser opens it",
        arguments: [
            (.activity, "in Reader", "activity"), (.pageInApp, "page in Reader", "page_in_app"),
            (.pageInBrowser, "page in the browser", "page_in_browser"),
        ] as [(Baton_Control_V1_OfferItem.Route, String, String)])
    func routes(_ route: Baton_Control_V1_OfferItem.Route, _ text: String, _ name: String) async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in stream(Self.offers("ABCDEFGH", route: route)) }
        await fixture.run("offers")
        #expect(fixture.output.text.contains("  \(text)\n"))
        await fixture.run("offers", "--json")
        let offers = try fixture.json(fixture.output)["offers"] as? [[String: Any]]
        #expect(offers?.first?["route"] as? String == name)
        #expect((offers?.first?["continues_in"] is String) == (route != .pageInBrowser))
    }

    // H-10: a person sees where a page leads before it is opened.
    @Test(
        "Offers say at which host a page is",
        arguments: [(.pageInApp, "in Reader"), (.pageInBrowser, "in the browser")]
            as [(Baton_Control_V1_OfferItem.Route, String)])
    func hosts(_ route: Baton_Control_V1_OfferItem.Route, _ place: String) async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in
            stream(Self.offers("ABCDEFGH", route: route, page: "https://www.example.org:8443/path"))
        }
        await fixture.run("offers")
        #expect(fixture.output.text.contains("  www.example.org \(place)\n"))
        await fixture.run("offers", "--json")
        let offers = try fixture.json(fixture.output)["offers"] as? [[String: Any]]
        #expect(offers?.first?["page_host"] as? String == "www.example.org")
    }

    @Test("A page that the browser was given is a continuation that succeeded, and its address is told")
    func opensPage() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.continueOffer) { request in
            #expect(!request.callerOpensPage)
            return stream(
                Step.with { $0.step = .accepted },
                .with {
                    $0.step = .pageOpened
                    $0.message = "The browser has the page."
                    $0.pageURL = "https://example.org/"
                },
                .with { $0.step = .acknowledged })
        }
        #expect(await fixture.run("continue") == .success)
        #expect(fixture.output.text == "example.org is open here; the other device knows.\n")
        #expect(await fixture.run("continue", "--verbose") == .success)
        #expect(fixture.output.text.contains("page opened       The browser has the page."))
        #expect(await fixture.run("continue", "--json") == .success)
        #expect(fixture.output.text.contains(#""page_url":"https://example.org/""#))
    }

    @Test("As much of an offer's identifier is shown as tells it apart")
    func prefixes() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in
            stream(Self.offers("AAAAAAAAB", "AAAAAAAAC"))
        }
        await fixture.run("offers")
        #expect(fixture.output.text.contains("AAAAAAAAB "))
        #expect(fixture.output.text.contains("AAAAAAAAC "))
    }

    @Test("Watching prints a JSON line per change where there is no terminal")
    func watchesAsLines() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.watchOffers) { request in
            #expect(request.watch)
            return stream(Self.offers(), Self.offers("ABCDEFGH"), Self.offers())
        }
        #expect(await fixture.run("offers", "--watch") == .unreachable)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == "{\"offers\":[]}")
        #expect(lines[1].contains("\"continues_in\":\"com.example.Reader\""))
    }

    @Test("Watching prints a list again only when it has changed", arguments: [true, false])
    func watchesChanges(isOnTerminal: Bool) async {
        var fixture = CommandLineFixture()
        fixture.terminal.isOutputInteractive = isOnTerminal
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in
            stream(
                Self.offers(), Self.offers(), Self.offers("ABCDEFGH"), Self.offers("ABCDEFGH"), Self.offers())
        }
        await fixture.run("offers", "--watch")
        let lists = fixture.output.text.split(separator: isOnTerminal ? "\u{1B}[J" : "\n")
        #expect(lists.count == 3)
    }

    @Test("Watching on a terminal draws the list anew in its place")
    func watchesOnTerminal() async {
        var fixture = CommandLineFixture()
        fixture.terminal.isOutputInteractive = true
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in
            stream(Self.offers("ABCDEFGH"), Self.offers())
        }
        await fixture.run("offers", "--watch")
        #expect(fixture.output.text.contains("Reader\n\u{1B}[2A\u{1B}[JNothing is offered."))
    }

    @Test("Watching on a narrow terminal goes back over the rows that wrapped")
    func watchesOnNarrowTerminal() async {
        var fixture = CommandLineFixture()
        fixture.terminal.isOutputInteractive = true
        fixture.terminal.width = 20
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in stream(Self.offers(), Self.offers("ABCDEFGH")) }
        await fixture.run("offers", "--watch")
        let line = fixture.output.text.split(separator: "\n").first ?? ""
        #expect(fixture.output.text.contains("\u{1B}[\((line.count + 19) / 20)A\u{1B}[J"))
    }

    @Test("Continuing says in one line where it is now; --verbose shows each step with its time")
    func continues() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.continueOffer) { request in
            #expect(request.offerID == "ABCD")
            return stream(
                Step.with { $0.step = .accepted },
                .with {
                    $0.step = .continued
                    $0.elapsed = 12_345
                    $0.message = "Reader has it."
                    $0.appName = "Reader"
                    $0.deviceName = "Desk"
                },
                .with { $0.step = .acknowledged })
        }
        #expect(await fixture.run("continue", "ABCD") == .success)
        #expect(fixture.output.text == "Reader has it here; Desk knows.\n")
        #expect(await fixture.run("continue", "ABCD", "--verbose") == .success)
        #expect(fixture.output.text.contains("     12.3 ms  continued         Reader has it.\n"))
    }

    // H-15: a failure at any stage is shown to the person.
    @Test("A failed continuation ends with 8, Apple's number and the sentence for a person")
    func fails() async throws {
        for arguments in [["continue"], ["continue", "--json"]] {
            let fixture = CommandLineFixture()
            fixture.daemon.onStream(ControlMethods.continueOffer) { _ in
                stream(
                    Step.with { $0.step = .accepted },
                    .with {
                        $0.step = .failed
                        $0.error = .with {
                            $0.code = 4609
                            $0.message = "Desk cannot be reached."
                        }
                    })
            }
            #expect(await fixture.run(arguments) == .notContinued)
            #expect(fixture.errors.text.contains("Desk cannot be reached."))
            if arguments.contains("--json") {
                let error = try #require(try fixture.json(fixture.errors)["error"] as? [String: Any])
                #expect(error["activity_error"] as? Int == 4609)
            }
        }
    }

    @Test("Once the app has it, the command succeeds even if the other device cannot be told, now or ever")
    func notAcknowledged() async {
        let continued = Step.with { $0.step = .continued }
        var silent = CommandLineFixture()
        silent.acknowledgementPatience = .zero
        silent.daemon.onStream(ControlMethods.continueOffer) { _ in
            // Never ends.
            AsyncThrowingStream { $0.yield(continued) }
        }
        #expect(await silent.run("continue") == .success)
        #expect(silent.output.text.contains("the other device has not confirmed it yet"))
        #expect(await silent.run("continue", "--verbose") == .success)
        #expect(silent.errors.text.contains("not confirmed"))

        let failing = CommandLineFixture()
        failing.daemon.onStream(ControlMethods.continueOffer) { _ in
            stream(
                continued,
                .with {
                    $0.step = .notAcknowledged
                    $0.message = "It could not be told."
                })
        }
        #expect(await failing.run("continue") == .success)
        #expect(failing.output.text == "The app has it here; the other device could not be notified.\n")
        #expect(await failing.run("continue", "--verbose") == .success)
        #expect(failing.output.text.contains("not acknowledged  It could not be told."))
        // No sentence says that it goes on, since it does not.
        #expect(failing.errors.text.isEmpty)
        #expect(await failing.run("continue", "--json") == .success)
        #expect(failing.output.text.contains("\"step\":\"not_acknowledged\""))
    }

    @Test("A continuation that just ends is not taken for a success")
    func endsEarly() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.continueOffer) { _ in stream(Step.with { $0.step = .accepted }) }
        #expect(await fixture.run("continue") == .forbiddenByState)
    }

    @Test("An activity whose date has passed is expired, and not current")
    func expired() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listActivities) { _ in
            .with {
                $0.activities = [UInt64(1_800_000_000_000), 1_800_000_000_001].map { time in
                    .with {
                        $0.activity.activityType = "com.example.reading"
                        $0.activity.title = "Until \(time)"
                        $0.activity.expirationTime = time
                        $0.app.bundleID = "com.example.Reader"
                        $0.current = true
                    }
                }
            }
        }
        #expect(await fixture.run("activities") == .success)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("expired") && !lines[1].contains("current"))
        #expect(lines.last?.contains("current") == true && lines.last?.contains("expired") == false)
        #expect(await fixture.run("activities", "--json") == .success)
        let list = try fixture.json(fixture.output)["activities"] as? [[String: Any]]
        #expect(list?.map { $0["expired"] as? Bool } == [true, false])
        #expect(list?.map { $0["current"] as? Bool } == [false, true])
    }

    @Test("A command stops when nobody reads its output any more")
    func outputClosed() async {
        var fixture = CommandLineFixture()
        fixture.isOutputClosed = true
        fixture.daemon.onStream(ControlMethods.watchOffers) { _ in stream(Self.offers(), Self.offers()) }
        #expect(await fixture.run("offers", "--watch") == .outputClosed)
        #expect(fixture.errors.text.isEmpty)
    }
}
