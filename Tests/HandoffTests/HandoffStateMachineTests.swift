import BatonCore
import BatonTestSupport
import BatonWire
import Handoff
import SwiftProtobuf
import Testing

/// Cases that schedules meet too seldom to be relied upon.
@Suite("Handoff state machine")
struct HandoffStateMachineTests {
    private static let wall: UInt64 = 1_700_000_000_000
    private let type = ActivityType(unchecked: "com.example.read")
    private let origin = DeviceID(unchecked: String(repeating: "A", count: 26))
    private let team = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
    private var app: ContinuationApp { app(team) }

    private func app(_ team: TeamIdentity) -> ContinuationApp {
        ContinuationApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: "com.example.app"), team: team), name: "App",
            activityTypes: [type], version: AppVersion("1"), versionText: "1")
    }

    private func offer(_ activity: ActivityID, at milliseconds: UInt64 = wall) -> Offer {
        Offer(
            activity: ActivityDescription(id: activity, type: type), app: app.identity,
            timestamp: HybridTimestamp(milliseconds: milliseconds, counter: 0))
    }

    private func payload(_ activity: ActivityID, _ type: ActivityType) -> Baton_Value_V1_ActivityPayload {
        .with { $0.description_p = .init(ActivityDescription(id: activity, type: type)) }
    }

    /// A receiver to which one activity is offered.
    private func receiver(_ activity: ActivityID) -> HandoffStateMachine {
        var machine = HandoffStateMachine(incarnation: 1)
        _ = machine.appsChanged([app])
        _ = machine.deviceConnected(origin)
        _ = machine.offersReceived(
            OfferSnapshot(incarnation: 1, revision: 1, offers: [offer(activity)]), from: origin, wall: Self.wall)
        return machine
    }

    private func names(_ actions: [HandoffAction]) -> [String] {
        actions.map { String("\($0)".prefix { $0 != "(" }) }
    }

    // H-15 H-67 H-74
    @Test("an app that is launched for an activity which then cannot be had is told so when it has started")
    func failedWhileLaunching() throws {
        let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
        var machine = receiver(activity)
        #expect(
            names(try machine.accept(activity, as: acceptance, now: .zero)) == ["launch", "progress", "fetch"])
        let failed = machine.payloadFailed(acceptance, .init(.connectionUnavailable, "No route."))
        #expect(names(failed) == ["progress"])
        let attached = try machine.attach(
            SessionID.random(), app: app, canContinue: true, now: .seconds(2), wall: Self.wall)
        #expect(names(attached) == ["willContinue", "didFail"])
        guard case .didFail(acceptance, _, type, let failure) = attached.last else {
            Issue.record("not a failure: \(attached)")
            return
        }
        #expect(failure.code == .connectionUnavailable)
        // Once.
        let again = try machine.attach(
            SessionID.random(), app: app, canContinue: true, now: .seconds(3), wall: Self.wall)
        #expect(again.isEmpty)
    }

    // H-15
    @Test("an app that starts long after nobody expected it any more is not told of what failed")
    func failedLongAgo() throws {
        let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
        var machine = receiver(activity)
        _ = try machine.accept(activity, as: acceptance, now: .zero)
        _ = machine.payloadFailed(acceptance, .init(.connectionUnavailable, "No route."))
        let deadline = try #require(machine.nextDeadline(now: .zero, wall: Self.wall))
        _ = machine.advance(now: deadline, wall: Self.wall)
        #expect(machine.nextDeadline(now: deadline, wall: Self.wall) == nil)
        let attached = try machine.attach(
            SessionID.random(), app: app, canContinue: true, now: deadline, wall: Self.wall)
        #expect(attached.isEmpty)
    }

    // H-15
    @Test("an app that ends while it is launched fails the continuation at once")
    func endedWhileLaunching() throws {
        let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
        var machine = receiver(activity)
        _ = try machine.accept(activity, as: acceptance, now: .zero)
        let other = AppIdentity(bundleID: BundleID(unchecked: "com.example.other"), team: team)
        #expect(machine.appEnded(other, message: "It crashed.").isEmpty)
        let actions = machine.appEnded(app.identity, message: "It crashed.")
        guard case .progress(acceptance, .failed(let failure)) = actions.last else {
            Issue.record("not a failure: \(actions)")
            return
        }
        #expect(failure.message == "It crashed.")
    }

    // H-15
    @Test("an app that runs but cannot continue anything is named as the obstacle, at once")
    func cannotContinue() throws {
        let activity = ActivityID.random()
        var machine = receiver(activity)
        _ = try machine.attach(SessionID.random(), app: app, canContinue: false, now: .zero, wall: Self.wall)
        let error = #expect(throws: BatonError.self) {
            try machine.accept(activity, as: .random(), now: .zero)
        }
        #expect(error?.reason == "app_cannot_continue")
    }

    // H-5 H-6
    @Test("a payload of another type than was offered is not delivered")
    func otherType() throws {
        let (activity, acceptance, session) = (ActivityID.random(), AcceptanceID.random(), SessionID.random())
        var machine = receiver(activity)
        _ = try machine.attach(session, app: app, canContinue: true, now: .zero, wall: Self.wall)
        _ = try machine.accept(activity, as: acceptance, now: .zero)
        let actions = machine.payloadArrived(
            acceptance, payload(activity, ActivityType(unchecked: "com.example.write")), size: 10, now: .zero)
        #expect(names(actions) == ["didFail", "progress"])
    }

    // H-3
    @Test("another process cannot take an activity's identifier, to be asked or told in its place")
    func stolenIdentifier() throws {
        let activity = ActivityID.random()
        var machine = HandoffStateMachine(incarnation: 1)
        let (owner, thief) = (SessionID.random(), SessionID.random())
        _ = try machine.attach(owner, app: app, canContinue: true, now: .zero, wall: Self.wall)
        let stranger = app(TeamIdentity(fingerprint: Array(repeating: 2, count: 32)))
        _ = try machine.attach(thief, app: stranger, canContinue: true, now: .zero, wall: Self.wall)
        let description = ActivityDescription(id: activity, type: type)
        _ = try machine.update(owner, description, makeCurrent: true, wall: Self.wall)
        let error = #expect(throws: BatonError.self) {
            try machine.update(thief, description, makeCurrent: true, wall: Self.wall)
        }
        #expect(error?.reason == "activity_of_another_app")
        #expect(machine.published.offers.map(\.app) == [app.identity])
    }

    // H-41
    @Test("an app that was away when its activity was continued is told when it is back, and the offer stays withdrawn")
    func toldLater() throws {
        let (activity, acceptance, session) = (ActivityID.random(), AcceptanceID.random(), SessionID.random())
        let requester = DeviceID(unchecked: String(repeating: "B", count: 26))
        var machine = HandoffStateMachine(incarnation: 1)
        let description = ActivityDescription(id: activity, type: type)
        _ = try machine.attach(session, app: app, canContinue: true, now: .zero, wall: Self.wall)
        _ = try machine.update(session, description, makeCurrent: true, wall: Self.wall)
        _ = machine.payloadRequested(
            acceptance, activity: activity, by: requester, for: app.identity, now: .zero, wall: Self.wall)
        _ = machine.saved(acceptance, .success(payload(activity, type)), size: 10, now: .zero)
        _ = machine.detach(session, now: .zero, wall: Self.wall)
        let claimed = try machine.continuedElsewhere(acceptance, activity: activity, by: requester, wall: Self.wall)
        #expect(names(claimed).isEmpty)
        let back = SessionID.random()
        _ = try machine.attach(back, app: app, canContinue: true, now: .seconds(1), wall: Self.wall)
        let actions = try machine.update(back, description, makeCurrent: true, wall: Self.wall)
        #expect(names(actions) == ["wasContinued"])
        #expect(machine.published.offers.isEmpty)
        let renewed = try machine.update(back, description, makeCurrent: true, wall: Self.wall)
        #expect(names(renewed) == ["publish"])
    }

    private func page(_ activity: ActivityID, _ text: String) -> Baton_Value_V1_ActivityPayload {
        .with {
            $0.description_p = .init(ActivityDescription(id: activity, type: .browsingWeb, webpageURL: text))
            $0.userInfo = .with { $0.string = "secret" }
        }
    }

    /// A receiver without apps to which an activity with a page is offered.
    private func browsingReceiver(
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
        #expect(payload.userInfo == .with { $0.dictionary = .init() })
        #expect(payload.description_p.webpageURL == "https://example.org/")
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
                acceptance, page(activity, "https://evil.example/"), size: 9, claims: [], now: .zero)
            #expect(names(arrived) == ["progress", "didFail", hasBrowser ? "openPage" : "progress"])
        }
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
        #expect(error?.reason == "no_page" || error?.reason == "no_such_offer")
    }

    /// An origin whose current activity has a page, and the answer to whoever wants only that.
    private func servedPage(
        page: String?, saving result: Result<Baton_Value_V1_ActivityPayload, ActivityFailure>
    ) throws -> (HandoffStateMachine, Result<Baton_Value_V1_ActivityPayload, ActivityFailure>?, SessionID) {
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
            #expect(payload.userInfo == .with { $0.dictionary = .init() })
            #expect(payload.description_p.activityType == "NSUserActivityTypeBrowsingWeb")
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
        func url(_ page: String?, _ saved: Result<Baton_Value_V1_ActivityPayload, ActivityFailure>) throws -> String? {
            try servedPage(page: page, saving: saved).1.flatMap { try? $0.get().description_p.webpageURL }
        }
        let late = page(.random(), "https://example.org/late")
        #expect(try url(nil, .success(late)) == "https://example.org/late")
        #expect(try url("https://example.org/", .success(late)) == "https://example.org/late")
        #expect(try url("https://example.org/", .success(payload(.random(), type))) == nil)
        let failure = ActivityFailure(.userInfoTooLarge, "Too large.")
        #expect(try url("https://example.org/", .failure(failure)) == "https://example.org/")
        #expect(try url(nil, .failure(failure)) == nil)
    }

    // H-18
    @Test("of two processes of one app the one used last is offered, here and on a device that was told of both")
    func onePerApp() throws {
        let (first, second) = (SessionID.random(), SessionID.random())
        let descriptions = (0..<2).map { _ in ActivityDescription(id: .random(), type: type) }
        var machine = HandoffStateMachine(incarnation: 1)
        for (session, description) in zip([first, second], descriptions) {
            _ = try machine.attach(session, app: app, canContinue: true, now: .zero, wall: Self.wall)
            _ = try machine.update(session, description, makeCurrent: true, wall: Self.wall)
        }
        #expect(machine.published.offers.map(\.activity.id) == [descriptions[1].id])
        _ = try machine.update(first, descriptions[0], makeCurrent: true, wall: Self.wall)
        #expect(machine.published.offers.map(\.activity.id) == [descriptions[0].id])
        _ = machine.detach(first, now: .zero, wall: Self.wall)
        #expect(machine.published.offers.map(\.activity.id) == [descriptions[1].id])

        let ids = (0..<3).map { _ in ActivityID.random() }
        var receiver = receiver(ids[0])
        let other = DeviceID(unchecked: String(repeating: "C", count: 26))
        _ = receiver.deviceConnected(other)
        _ = receiver.offersReceived(
            OfferSnapshot(
                incarnation: 1, revision: 1,
                offers: [offer(ids[1], at: Self.wall + 1), offer(ids[2], at: Self.wall + 2)]),
            from: other, wall: Self.wall)
        #expect(receiver.visibleOffers.map(\.offer.activity.id) == [ids[2], ids[0]])
    }

    // H-18
    @Test("a device whose clock was set back offers again what was continued before its daemon was restarted")
    func clockSetBack() throws {
        let (activity, acceptance, session) = (ActivityID.random(), AcceptanceID.random(), SessionID.random())
        var machine = receiver(activity)
        _ = try machine.attach(session, app: app, canContinue: true, now: .zero, wall: Self.wall)
        _ = try machine.accept(activity, as: acceptance, now: .zero)
        _ = machine.payloadArrived(acceptance, payload(activity, type), size: 10, now: .zero)
        _ = machine.continueAnswered(acceptance, by: session, handled: true, now: .zero)
        #expect(machine.visibleOffers.isEmpty)
        let earlier = [offer(activity, at: Self.wall - 600_000)]
        _ = machine.offersReceived(
            OfferSnapshot(incarnation: 2, revision: 1, offers: earlier), from: origin, wall: Self.wall)
        #expect(machine.visibleOffers.count == 1)
    }
}
