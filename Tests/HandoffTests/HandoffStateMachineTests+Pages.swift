import BatonCore
import BatonWire
import Handoff
import SwiftProtobuf
import Testing

/// Pages, for the browser or for the app that their site names.
extension HandoffStateMachineTests {
    func page(_ activity: ActivityID, _ text: String) -> ActivityPayload {
        ActivityPayload(
            .with {
                $0.description_p = .init(ActivityDescription(id: activity, type: .browsingWeb, webpageURL: text))
                $0.userInfo = .with { $0.string = "secret" }
            })
    }

    /// A receiver without apps to which an activity with a page is offered.
    func browsingReceiver(
        _ activity: ActivityID, page: String? = "https://example.org/", claims: [AppIdentity] = [], browser: Bool = true
    ) -> HandoffStateMachine {
        var machine = HandoffStateMachine(incarnation: 1)
        _ = machine.browserChanged(isAvailable: browser)
        _ = machine.deviceConnected(origin)
        var offer = offer(activity)
        offer.activity.webpageURL = page
        _ = machine.offersReceived(
            OfferSnapshot(incarnation: 1, revision: 1, offers: [offer]), claims: page.map { [$0: claims] } ?? [:],
            from: origin, wall: Self.wall)
        return machine
    }

    // H-33 H-84
    @Test("without an app the browser is given the page that came, and the origin hears of it once it has it")
    func browser() throws {
        let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
        var machine = browsingReceiver(activity)
        #expect(machine.visibleOffers.map(\.route) == [.pageInBrowser])
        let accepted = try machine.accept(activity, as: acceptance, now: .zero)
        guard case .fetch(acceptance, origin, activity, nil)? = accepted.first, accepted.count == 1 else {
            Issue.record("more than the page is asked for: \(accepted)")
            return
        }
        // Filled in late, so another one than was offered.
        let arrived = machine.payloadArrived(
            acceptance, page(activity, "https://example.org/late"), size: 9, now: .zero)
        guard case .openPage(acceptance, let page)? = arrived.last else {
            Issue.record("not opened: \(arrived)")
            return
        }
        #expect(page.text == "https://example.org/late")
        #expect(names(machine.pageOpened(acceptance, now: .zero)) == ["progress", "offersChanged", "acknowledge"])
        #expect(machine.visibleOffers.isEmpty)
        #expect(machine.pageOpened(acceptance, now: .zero).isEmpty)
    }

    // H-84
    @Test("a browser that fails, or says nothing in time, fails the continuation, and the offer stands")
    func browserFails() throws {
        for isSilent in [true, false] {
            let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
            var machine = browsingReceiver(activity)
            _ = try machine.accept(activity, as: acceptance, now: .zero)
            _ = machine.payloadArrived(acceptance, page(activity, "https://example.org/"), size: 9, now: .zero)
            let deadline = try #require(machine.nextDeadline(now: .zero, wall: Self.wall))
            let actions =
                isSilent
                ? machine.advance(now: deadline, wall: Self.wall)
                : machine.pageNotOpened(acceptance, message: "No window.")
            guard case .progress(acceptance, .failed(let failure)) = actions.first, actions.count == 1 else {
                Issue.record("not a failure: \(actions)")
                return
            }
            #expect(isSilent || failure.message == "No window.")
            #expect(machine.visibleOffers.count == 1)
        }
    }

    // H-85 H-86 H-95
    @Test("the app that the page's site names is given the page and nothing else, whatever came")
    func claimant() throws {
        let (activity, acceptance, session) = (ActivityID.random(), AcceptanceID.random(), SessionID.random())
        let stranger = app(TeamIdentity(fingerprint: Array(repeating: 2, count: 32)))
        var machine = browsingReceiver(activity, claims: [stranger.identity])
        _ = machine.appsChanged([stranger])
        #expect(machine.visibleOffers.map(\.route) == [.pageInApp(stranger)])
        _ = try machine.attach(session, app: stranger, canContinue: true, now: .zero, wall: Self.wall)
        let accepted = try machine.accept(activity, as: acceptance, now: .zero)
        guard case .willContinue(acceptance, session, .browsingWeb, origin)? = accepted.first else {
            Issue.record("not told of a page: \(accepted)")
            return
        }
        let sent = page(activity, "https://example.org/")
        let arrived = machine.payloadArrived(acceptance, sent, size: 9, claims: [stranger.identity], now: .zero)
        guard case .deliver(acceptance, session, let payload)? = arrived.last else {
            Issue.record("not delivered: \(arrived)")
            return
        }
        #expect(payload.message.userInfo == .with { $0.dictionary = .init() })
        #expect(payload.message.description_p.webpageURL == "https://example.org/")
        #expect(names(arrived) == ["progress", "deliver"])
        let answered = machine.continueAnswered(acceptance, by: session, handled: true, now: .zero)
        #expect(names(answered) == ["progress", "offersChanged", "acknowledge"])
    }

    // H-95
    @Test("a page that turns out not to be of the app's site goes to the browser, and the app hears that nothing comes")
    func otherSite() throws {
        for hasBrowser in [true, false] {
            let (activity, acceptance, session) = (ActivityID.random(), AcceptanceID.random(), SessionID.random())
            var machine = browsingReceiver(activity, claims: [app.identity], browser: hasBrowser)
            _ = machine.appsChanged([app(TeamIdentity(fingerprint: Array(repeating: 2, count: 32))), app])
            // The team's own app does not take the type.
            var other = app
            other.activityTypes = []
            _ = machine.appsChanged([other])
            _ = try machine.attach(session, app: other, canContinue: true, now: .zero, wall: Self.wall)
            _ = try machine.accept(activity, as: acceptance, now: .zero)
            let arrived = machine.payloadArrived(
                acceptance, page(activity, "https://example.org/other"), size: 9, claims: [], now: .zero)
            #expect(names(arrived) == ["progress", "didFail", hasBrowser ? "openPage" : "progress"])
        }
    }

    // H-10 H-84
    @Test(
        "a page of another site than the person agreed to is not opened",
        arguments: [
            ("https://evil.example/", false), ("https://example.org.evil.example/", false),
            ("https://sub.example.org/", false), ("https://www.EXAMPLE.org./late", true),
            ("http://example.org:8080/", true),
        ])
    func anotherSite(_ text: String, _ isOpened: Bool) throws {
        for isCaller in [false, true] {
            let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
            var machine = browsingReceiver(activity)
            _ = try machine.accept(activity, as: acceptance, callerOpensPage: isCaller, now: .zero)
            let arrived = machine.payloadArrived(acceptance, page(activity, text), size: 9, now: .zero)
            let hasFailed = arrived.contains {
                if case .progress(acceptance, .failed) = $0 { true } else { false }
            }
            #expect(hasFailed == !isOpened)
            #expect(names(arrived).contains("openPage") == (isOpened && !isCaller))
        }
    }

    // H-10 H-84
    @Test("an offer that leads to another site than the person was shown is not accepted")
    func changedMeanwhile() throws {
        let activity = ActivityID.random()
        var machine = browsingReceiver(activity, page: "https://evil.example/")
        let error = #expect(throws: BatonError.self) {
            try machine.accept(activity, as: .random(), site: "example.org", now: .zero)
        }
        #expect(error?.reason == "offer_changed")
        #expect(try names(machine.accept(activity, as: .random(), site: "evil.example", now: .zero)) == ["fetch"])
    }

    // H-96
    @Test("an answer without a page that could be opened is a failure")
    func noPage() throws {
        for text in ["javascript:alert(1)", "https://a:b@example.org/", ""] {
            let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
            var machine = browsingReceiver(activity)
            _ = try machine.accept(activity, as: acceptance, now: .zero)
            let actions = machine.payloadArrived(acceptance, page(activity, text), size: 9, now: .zero)
            guard case .progress(acceptance, .failed)? = actions.last else {
                Issue.record("not a failure: \(actions)")
                return
            }
        }
    }

    @Test("whoever opens pages itself gets the page, whatever the route, and nothing where there is none")
    func caller() throws {
        let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
        // Without a browser and without an app, the offer is not shown; the caller is the browser.
        var machine = browsingReceiver(activity, browser: false)
        #expect(machine.visibleOffers.isEmpty)
        #expect(throws: BatonError.self) { try machine.accept(activity, as: acceptance, now: .zero) }
        let accepted = try machine.accept(activity, as: acceptance, callerOpensPage: true, now: .zero)
        #expect(names(accepted) == ["fetch"])
        let arrived = machine.payloadArrived(acceptance, page(activity, "https://example.org/"), size: 9, now: .zero)
        #expect(names(arrived) == ["progress", "progress", "offersChanged", "acknowledge"])
        guard case .progress(acceptance, .pageOpened(let page)) = arrived[1] else {
            Issue.record("no page: \(arrived)")
            return
        }
        #expect(page.text == "https://example.org/")

        var native = receiver(activity)
        let error = #expect(throws: BatonError.self) {
            try native.accept(activity, as: .random(), callerOpensPage: true, now: .zero)
        }
        #expect(error?.reason == "no_page")
    }

    /// An origin whose current activity has a page, and the answer to a request for only that.
    func servedPage(
        page: String?, saving result: Result<ActivityPayload, ActivityFailure>
    ) throws -> (HandoffStateMachine, Result<ActivityPayload, ActivityFailure>?, SessionID) {
        let (activity, acceptance, session) = (ActivityID.random(), AcceptanceID.random(), SessionID.random())
        var machine = HandoffStateMachine(incarnation: 1)
        _ = try machine.attach(session, app: app, canContinue: true, now: .zero, wall: Self.wall)
        _ = try machine.update(
            session, ActivityDescription(id: activity, type: type, title: "Note", webpageURL: page), makeCurrent: true,
            wall: Self.wall)
        let requested = machine.payloadRequested(
            acceptance, activity: activity, by: origin, for: nil, now: .zero, wall: Self.wall)
        #expect(names(requested) == ["askToSave"])
        let actions = machine.saved(acceptance, result, size: 5_000_000, now: .zero)
        guard case .answerFetch(acceptance, let answer)? = actions.first, actions.count == 1 else {
            return (machine, nil, session)
        }
        if case .success(let payload) = answer {
            #expect(payload.message.userInfo == .with { $0.dictionary = .init() })
            #expect(payload.message.description_p.activityType == "NSUserActivityTypeBrowsingWeb")
            let told = try machine.continuedElsewhere(acceptance, activity: activity, by: origin, wall: Self.wall)
            #expect(names(told) == ["wasContinued", "publish"])
        }
        return (machine, answer, session)
    }

    // H-33 H-41 H-86
    @Test(
        "whoever wants only the page gets that and nothing else of the activity, as the app saved it or as it was offered"
    )
    func pageOnly() throws {
        func url(_ page: String?, _ saved: Result<ActivityPayload, ActivityFailure>) throws -> String? {
            try servedPage(page: page, saving: saved).1.flatMap { try? $0.get().message.description_p.webpageURL }
        }
        let late = page(.random(), "https://example.org/late")
        #expect(try url(nil, .success(late)) == "https://example.org/late")
        #expect(try url("https://example.org/", .success(late)) == "https://example.org/late")
        #expect(try url("https://example.org/", .success(payload(.random(), type))) == nil)
        let failure = ActivityFailure(.userInfoTooLarge, "Too large.")
        #expect(try url("https://example.org/", .failure(failure)) == "https://example.org/")
        #expect(try url(nil, .failure(failure)) == nil)
    }
}
