import BatonCore
import BatonTestSupport
import BatonWire
import Handoff
import SwiftProtobuf
import Testing

/// Cases that schedules meet too seldom to be relied upon.
@Suite("Handoff state machine")
struct HandoffStateMachineTests {
    static let wall: UInt64 = 1_700_000_000_000
    let type = ActivityType(unchecked: "com.example.read")
    let origin = DeviceID(unchecked: String(repeating: "A", count: 26))
    let team = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
    var app: ContinuationApp { app(team) }

    func app(_ team: TeamIdentity) -> ContinuationApp {
        ContinuationApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: "com.example.app"), team: team), name: "App",
            activityTypes: [type], version: AppVersion("1"), versionText: "1")
    }

    func offer(_ activity: ActivityID, at milliseconds: UInt64 = wall) -> Offer {
        Offer(
            activity: ActivityDescription(id: activity, type: type), app: app.identity,
            timestamp: HybridTimestamp(milliseconds: milliseconds, counter: 0))
    }

    func payload(_ activity: ActivityID, _ type: ActivityType) -> ActivityPayload {
        ActivityPayload(.with { $0.description_p = .init(ActivityDescription(id: activity, type: type)) })
    }

    /// A receiver to which one activity is offered.
    func receiver(_ activity: ActivityID) -> HandoffStateMachine {
        var machine = HandoffStateMachine(incarnation: 1)
        _ = machine.appsChanged([app])
        _ = machine.deviceConnected(origin)
        _ = machine.offersReceived(
            OfferSnapshot(incarnation: 1, revision: 1, offers: [offer(activity)]), from: origin, wall: Self.wall)
        return machine
    }

    func names(_ actions: [HandoffAction]) -> [String] {
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
        #expect(machine.appEnded(other, process: 7, message: "It crashed.").isEmpty)
        #expect(machine.launched(acceptance, process: 7, wasRunning: false).isEmpty)
        #expect(machine.appEnded(app.identity, process: 6, message: "It crashed.").isEmpty)
        let actions = machine.appEnded(app.identity, process: 7, message: "It crashed.")
        guard case .progress(acceptance, .failed(let failure)) = actions.last else {
            Issue.record("not a failure: \(actions)")
            return
        }
        #expect(failure.message == "It crashed.")
    }

    // H-15
    @Test("an app that is accepted for while its process from before ends is launched again", arguments: [true, false])
    func endingWhenAccepted(isKnownFirst: Bool) throws {
        let (activity, acceptance) = (ActivityID.random(), AcceptanceID.random())
        var machine = receiver(activity)
        _ = try machine.accept(activity, as: acceptance, now: .zero)
        // Either comes first: the result of the launch, or the end of the process.
        var actions: [HandoffAction] = []
        if isKnownFirst { actions += machine.launched(acceptance, process: 7, wasRunning: true) }
        actions += machine.appEnded(app.identity, process: 7, message: "It crashed.")
        if !isKnownFirst { actions += machine.launched(acceptance, process: 7, wasRunning: true) }
        guard case .launch(acceptance, app.identity, _)? = actions.last, actions.count == 1 else {
            Issue.record("not launched again: \(actions)")
            return
        }
        #expect(machine.launched(acceptance, process: 8, wasRunning: false).isEmpty)
        guard case .progress(acceptance, .failed) = machine.appEnded(app.identity, process: 8, message: "").last else {
            Issue.record("the second one's end is a failure")
            return
        }
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
