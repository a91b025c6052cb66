package import AppSessions
import BatonConcurrency
package import BatonCore
import ServiceLifecycle
import Synchronization

/// Runs the Handoff state machine: takes what apps, devices, people and time bring, and performs its actions.
///
/// Safe to use from any task. Inputs are applied one at a time, and their actions performed in that order. Nothing is kept
/// on disk: after a crash apps attach again and report their activities, and a continuation that was under way has failed
/// without the origin having heard that it was continued.
package final class HandoffService: Service {
    typealias Waiter = CheckedContinuation<Result<ActivityPayload, ActivityFailure>, Never>

    /// Where actions meet those who wait for them.
    struct State: Sendable {
        /// Devices that wait for a payload of ours.
        var waiters: [AcceptanceID: Waiter] = [:]
        /// People who watch a continuation of theirs.
        var watchers: [AcceptanceID: Watcher] = [:]
        /// Grows when what sites say may have changed, so that an answer from before is asked for again.
        var siteChanges: UInt64 = 0
        var fetches = FetchLimiter()
        var streams = StreamTraffic()
        /// ``run()`` has ended: no caller waits any more.
        var isOver = false
    }

    struct Watcher: Sendable {
        var start: Duration
        var events: AsyncStream<(ContinuationStep, Duration)>.Continuation
    }

    let driver: StateMachineDriver<HandoffStateMachine>
    let streams: StateMachineDriver<StreamStateMachine>
    let state = Mutex(State())
    let configuration: HandoffConfiguration
    let sessions: AppSessions
    let commands: HandoffCommands
    let devices: HandoffDevices
    let apps: any HandoffApps
    let sites: any HandoffSites
    let browser: any HandoffBrowser
    let recorder: any EventRecorder
    let offerBroadcast = Broadcaster<Void>(.newest)
    let publishedBroadcast = Broadcaster<Void>(.newest)
    /// Each continuation sends at most ten, and the machine bounds continuations.
    let newsBroadcast = Broadcaster<ContinuationNews>(.unbounded)

    /// - Parameter incarnation: greater at each start of the daemon on this device.
    package init(
        incarnation: UInt64, sessions: AppSessions, peers: any HandoffPeers,
        apps: any HandoffApps, sites: any HandoffSites, browser: any HandoffBrowser,
        documents: DocumentRoots = .init(), recorder: any EventRecorder,
        configuration: HandoffConfiguration = .init(), wallClock: WallClock = .system
    ) {
        let clock = MomentClock(wall: wallClock)
        driver = StateMachineDriver(
            HandoffStateMachine(incarnation: incarnation, configuration: configuration), clock: clock)
        streams = StateMachineDriver(StreamStateMachine(configuration: configuration), clock: clock)
        self.configuration = configuration
        self.sessions = sessions
        self.apps = apps
        self.sites = sites
        self.browser = browser
        self.recorder = recorder
        commands = HandoffCommands(sessions: sessions)
        devices = HandoffDevices(peers: peers, documents: documents, configuration: configuration)
        driver.connect { [weak self] action in self?.perform(action) }
        streams.connect { [weak self] closing in self?.close(closing) }
        sessions.register(HandoffParticipant(service: self))
        browserChanged()
    }

    /// Performs what takes long until it is cancelled or shut down gracefully.
    package func run() async throws {
        try await driver.run()
        let (waiters, streamWaiters) = state.withLock { state in
            state.isOver = true
            defer {
                state.waiters = [:]
                state.streams.waiters = [:]
            }
            return (Array(state.waiters.values), Array(state.streams.waiters.values))
        }
        for waiter in streamWaiters { waiter.resume(throwing: Self.shuttingDown) }
        for waiter in waiters {
            waiter.resume(returning: .failure(.init(.handoffFailed, Self.shuttingDown.message)))
        }
    }

    /// As the other device's person reads it.
    static let shuttingDown = BatonError(
        .unavailable, reason: "shutting_down", "The other device is shutting down.")

    /// For inputs that are never refused: those that only say what has happened.
    func note(_ input: HandoffInput) { try? driver.input(input) }

    // MARK: Actions

    private func perform(_ action: HandoffAction) {
        switch action {
        case .publish(let snapshot):
            devices.publish(snapshot)
            publishedBroadcast.send(())
            recorder.record(
                "handoff", "published", snapshot.offers.isEmpty ? "Nothing is offered." : "An offer was published.",
                ["revision": "\(snapshot.revision)", "offers": "\(snapshot.offers.count)"])
        case .fetch(let acceptance, let device, let activity, let app):
            driver.start { [self] in await fetch(acceptance, from: device, activity: activity, for: app) }
        case .answerFetch(let acceptance, let result):
            state.withLock { $0.waiters.removeValue(forKey: acceptance) }?.resume(returning: result)
            recordAnswer(acceptance, result)
        case .acknowledge(let acceptance, let device, let activity):
            driver.start { [self] in await acknowledge(acceptance, to: device, activity: activity) }
        case .launch(let acceptance, let app, let type):
            driver.start { [self] in await launch(acceptance, app, for: type) }
        case .askToSave(let acceptance, let session, let activity):
            record("save_requested", "The app was asked for its activity.", acceptance)
            askToSave(acceptance, session, activity)
        case .willContinue(let acceptance, let session, let type, let origin):
            willContinue(acceptance, session, type, from: origin)
        case .deliver(let acceptance, let session, let payload):
            record("delivered", "The activity was delivered to the app.", acceptance)
            deliver(acceptance, session, payload)
        case .didFail(let acceptance, let session, let type, let failure):
            newsBroadcast.send(.failureTold(acceptance))
            didFail(acceptance, session, type, failure)
        case .wasContinued(let session, let activity, let device):
            wasContinued(session, activity, by: device)
        case .allowStreams(let grant):
            streams.input(.allow(grant))
        case .revokeStreams(let acceptance):
            streams.input(.revoke(acceptance))
        case .openPage(let acceptance, let page):
            driver.start { [self] in await open(page, for: acceptance) }
        case .offersChanged:
            offerBroadcast.send(())
        case .accepted(let acceptance, let offer, let callerOpensPage):
            accepted(acceptance, offer, callerOpensPage: callerOpensPage)
        case .progress(let acceptance, let step):
            progress(acceptance, step)
        case .becameCurrent(let activity, let type):
            recorder.record(
                "handoff", "became_current", "An activity became current.",
                ["activity_id": activity.rawValue, "activity_type": type.rawValue])
        }
    }

    private func fetch(
        _ acceptance: AcceptanceID, from device: DeviceID, activity: ActivityID, for app: AppIdentity?
    ) async {
        do {
            switch try await devices.fetchPayload(acceptance, activity, for: app, from: device) {
            case .success(let arrived):
                // Asked when the page is there: it may be another one than was offered.
                let claims = app == nil ? arrived.payload.page.map(sites.apps) ?? [] : []
                note(.payloadArrived(acceptance, arrived.payload, size: arrived.size, claims: claims))
            case .failure(let failure):
                note(.payloadFailed(acceptance, failure))
            }
        } catch {
            note(.payloadFailed(acceptance, ActivityFailure(fetching: error)))
        }
    }

    private func acknowledge(_ acceptance: AcceptanceID, to device: DeviceID, activity: ActivityID) async {
        do {
            try await devices.acknowledge(acceptance, activity, to: device)
            note(.acknowledged(acceptance))
        } catch {
            let error = error as? BatonError
            let isFinal = error?.code == .failedPrecondition && error?.reason == "not_served"
            note(.acknowledgementFailed(acceptance, isFinal: isFinal))
        }
    }

    private func open(_ page: WebPage, for acceptance: AcceptanceID) async {
        do {
            try await browser.open(page)
            note(.pageOpened(acceptance))
        } catch {
            let message = (error as? BatonError)?.message ?? "The browser could not be started."
            note(.pageNotOpened(acceptance, message: message))
        }
    }

    private func launch(_ acceptance: AcceptanceID, _ app: AppIdentity, for type: ActivityType) async {
        do {
            let (process, wasRunning) = try await sessions.launch(app, for: type)
            note(.launched(acceptance, process: process, wasRunning: wasRunning))
        } catch {
            let message = (error as? BatonError)?.message ?? "The app could not be started."
            note(.launchFailed(acceptance, message: message))
        }
    }

    // MARK: The log

    func record(_ event: String, _ message: String, _ acceptance: AcceptanceID, _ fields: [String: String] = [:]) {
        var fields = fields
        fields["acceptance_id"] = acceptance.rawValue
        recorder.record("handoff", event, message, fields)
    }

    private func recordAnswer(_ acceptance: AcceptanceID, _ result: Result<ActivityPayload, ActivityFailure>) {
        switch result {
        case .success: record("payload_sent", "The activity was sent to the other device.", acceptance)
        case .failure(let failure):
            record("payload_refused", failure.message, acceptance, ["code": "\(failure.code.rawValue)"])
        }
    }
}
