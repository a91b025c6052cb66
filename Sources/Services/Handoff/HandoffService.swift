package import BatonCore
import BatonTransport
import BatonWire
import Foundation
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SwiftProtobuf
import Synchronization

/// Runs the Handoff state machine: takes what apps, devices, people and time bring, and performs its actions.
///
/// Safe to use from any task. Inputs are applied one at a time under a lock; the commands that they cause for an app
/// are queued for it in that order, and everything else is performed in order by ``run``. Nothing is kept on disk:
/// after a crash apps attach again and tell of their activities, and a continuation that was under way has failed
/// without the origin being told that it was continued.
package final class HandoffService: Service {
    struct State: Sendable {
        var machine: HandoffStateMachine
        var sessions: [SessionID: AppSession] = [:]
        /// Devices that wait for a payload of ours.
        var waiters:
            [AcceptanceID: CheckedContinuation<Result<Baton_Value_V1_ActivityPayload, ActivityFailure>, Never>] =
                [:]
        /// People who watch a continuation of theirs.
        var watchers: [AcceptanceID: Watcher] = [:]
        var offerObservers: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var newsObservers: [UInt64: AsyncStream<ContinuationNews>.Continuation] = [:]
        var nextObserver: UInt64 = 0
        /// Grows when what sites say may have changed, so that an answer from before is asked for again.
        var siteChanges: UInt64 = 0
        var streams: StreamTraffic
        var local: LocalTraffic
        var timer: (deadline: Duration, task: Scheduled<Void>)?
    }

    struct Watcher: Sendable {
        var offer: VisibleOffer
        var start: Duration
        var events: AsyncStream<(ContinuationStep, Duration)>.Continuation
    }

    let state: Mutex<State>
    let configuration: HandoffConfiguration
    let deviceName: @Sendable () -> String
    let peers: any HandoffPeers
    let apps: any HandoffApps
    let sites: any HandoffSites
    let browser: any HandoffBrowser
    let documents: DocumentRoots
    let recorder: any EventRecorder
    let wallClock: WallClock
    private let logger: Logger
    private let jobs: AsyncStream<HandoffAction>
    private let jobQueue: AsyncStream<HandoffAction>.Continuation
    let eventLoop: any EventLoop
    private let epoch = ContinuousClock.now

    /// - Parameter incarnation: greater at each start of the daemon on this device.
    package init(
        incarnation: UInt64, deviceName: @escaping @Sendable () -> String, peers: any HandoffPeers,
        apps: any HandoffApps, sites: any HandoffSites, browser: any HandoffBrowser,
        documents: DocumentRoots = .init(), recorder: any EventRecorder,
        configuration: HandoffConfiguration = .init(),
        wallClock: WallClock = .system, logger: Logger
    ) {
        state = Mutex(
            State(
                machine: HandoffStateMachine(incarnation: incarnation, configuration: configuration),
                streams: StreamTraffic(configuration: configuration),
                local: LocalTraffic(configuration: configuration)))
        self.configuration = configuration
        self.deviceName = deviceName
        self.peers = peers
        self.apps = apps
        self.sites = sites
        self.browser = browser
        self.documents = documents
        self.recorder = recorder
        self.wallClock = wallClock
        self.logger = logger
        // Bounded by the machine, which has only so many continuations and acknowledgements under way; publications
        // are many only when apps change their activities as fast as they can, and each is small.
        (jobs, jobQueue) = AsyncStream.makeStream()
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        browserChanged()
    }

    /// Performs actions until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                for await action in jobs {
                    perform(action, in: &group)
                }
                group.cancelAll()
            }
        }
        let (timer, waiters, sessions, streamWaiters, openings) = state.withLock { state in
            defer {
                state.timer = nil
                state.waiters = [:]
                state.streams.waiters = [:]
                state.local.waiters = [:]
            }
            return (
                state.timer, state.waiters.values, state.sessions.values.map(\.commands), state.streams.waiters.values,
                state.local.waiters.values
            )
        }
        timer?.task.cancel()
        for opening in openings {
            opening.resume(throwing: BatonError(.unavailable, reason: "shutting_down", "The daemon is shutting down."))
        }
        for waiter in streamWaiters {
            waiter.resume(
                throwing: BatonError(.unavailable, reason: "shutting_down", "The other device is shutting down."))
        }
        for waiter in waiters {
            waiter.resume(returning: .failure(.init(.handoffFailed, "The other device is shutting down.")))
        }
        for session in sessions { session.finish() }
    }

    // MARK: Time

    var now: Duration { .now - epoch }
    var wall: UInt64 { wallClock.milliseconds }

    // MARK: Inputs

    /// Applies one input and sees to what follows from it.
    func input<Failure: Error>(
        _ apply: (inout HandoffStateMachine) throws(Failure) -> [HandoffAction]
    ) throws(Failure) {
        let result = state.withLock { state -> Result<Void, Failure> in
            do throws(Failure) {
                enqueue(try apply(&state.machine), &state)
                rearm(&state)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Puts actions where they keep their order: an app's in its queue, a person's in theirs, the rest in `jobs`.
    func enqueue(_ actions: [HandoffAction], _ state: inout State) {
        for action in actions {
            switch action {
            case .askToSave, .willContinue, .deliver, .didFail, .wasContinued:
                tell(action, &state)
            case .progress(let acceptance, let step):
                progress(acceptance, step, &state)
            case .allowStreams(let grant):
                state.streams.machine.allow(grant, now: now)
            case .revokeStreams(let acceptance):
                close(state.streams.machine.revoke(acceptance), &state)
            case .offersChanged:
                for observer in state.offerObservers.values { observer.yield() }
            case .answerFetch(let acceptance, let result):
                state.waiters.removeValue(forKey: acceptance)?.resume(returning: result)
                recordAnswer(acceptance, result)
            case .publish, .fetch, .acknowledge, .launch, .launchLocally, .openPage:
                jobQueue.yield(action)
            }
        }
    }

    func rearm(_ state: inout State) {
        let now = now
        let deadlines = [
            state.machine.nextDeadline(now: now, wall: wall), state.streams.machine.nextDeadline,
            state.local.machine.nextDeadline,
        ]
        guard let deadline = deadlines.compactMap({ $0 }).min() else {
            state.timer?.task.cancel()
            state.timer = nil
            return
        }
        // At least 10 ms ahead, so that no deadline can turn the timer into a loop. A timer that comes early enough is
        // left alone: moved at each input, it would never fire while inputs come one after the other.
        let delay = max(deadline - now, .milliseconds(10))
        if let timer = state.timer, timer.deadline <= now + delay { return }
        state.timer?.task.cancel()
        let task = eventLoop.scheduleTask(in: TimeAmount(delay)) { [weak self] in
            guard let self else { return }
            advance()
        }
        state.timer = (now + delay, task)
    }

    private func advance() {
        state.withLock { state in
            state.timer = nil
            enqueue(state.machine.advance(now: now, wall: wall), &state)
            close(state.streams.machine.advance(now: now), &state)
            perform(state.local.machine.advance(now: now), &state)
            rearm(&state)
        }
    }

    // MARK: Actions

    private func perform(_ action: HandoffAction, in group: inout DiscardingTaskGroup) {
        switch action {
        case .publish(let snapshot):
            peers.publish(Baton_Link_V1_OfferSnapshot(snapshot))
            recorder.record(
                "handoff", "published", snapshot.offers.isEmpty ? "Nothing is offered." : "An offer was published.",
                ["revision": "\(snapshot.revision)", "offers": "\(snapshot.offers.count)"])
        case .fetch(let acceptance, let device, let activity, let app):
            group.addTask { [self] in await fetch(acceptance, from: device, activity: activity, for: app) }
        case .acknowledge(let acceptance, let device, let activity):
            group.addTask { [self] in await acknowledge(acceptance, to: device, activity: activity) }
        case .launch(let acceptance, let app, let type):
            group.addTask { [self] in await launch(acceptance, app, for: type) }
        case .launchLocally(let acceptance, let app, let type):
            group.addTask { [self] in await launchLocally(acceptance, app, for: type) }
        case .openPage(let acceptance, let page):
            group.addTask { [self] in await open(page, for: acceptance) }
        default:
            break  // performed when they were enqueued
        }
    }

    private func fetch(
        _ acceptance: AcceptanceID, from device: DeviceID, activity: ActivityID, for app: AppIdentity?
    ) async {
        let request = Baton_Link_V1_FetchPayloadRequest.with {
            $0.activityID = activity.rawValue
            $0.acceptanceID = acceptance.rawValue
            if let app { $0.app = .init(app) } else { $0.pageOnly = true }
        }
        do {
            let response = try await peers.fetchPayload(request, from: device, timeout: configuration.payloadDeadline)
            switch response.result {
            case .payload(let payload):
                let size = (try payload.serializedBytes() as [UInt8]).count
                let payload = await received(payload, for: app)
                try PayloadValidation.check(payload, activity: activity)
                // Asked when the page is there: it may be another one than was offered.
                let claims = app == nil ? PagePayload.page(of: payload).map(sites.apps) ?? [] : []
                input { $0.payloadArrived(acceptance, payload, size: size, claims: claims, now: now) }
            case .error(let error):
                input { $0.payloadFailed(acceptance, ActivityFailure(error)) }
            case nil:
                input {
                    $0.payloadFailed(
                        acceptance, .init(.handoffFailed, "The other device sent nothing that this one knows."))
                }
            }
        } catch {
            input { $0.payloadFailed(acceptance, ActivityFailure(fetching: error)) }
        }
    }

    /// With the URLs of this device, and without what should never have left the other one.
    private func received(
        _ payload: Baton_Value_V1_ActivityPayload, for app: AppIdentity?
    ) async -> Baton_Value_V1_ActivityPayload {
        var payload = payload
        payload.clearContentAttributes()
        // Of a page nothing else is taken, whatever came.
        guard let app else { return payload }
        return await documents.incoming(payload, for: app.team)
    }

    private func acknowledge(_ acceptance: AcceptanceID, to device: DeviceID, activity: ActivityID) async {
        let request = Baton_Link_V1_AcknowledgeContinuationRequest.with {
            $0.activityID = activity.rawValue
            $0.acceptanceID = acceptance.rawValue
        }
        do {
            try await peers.acknowledge(request, to: device, timeout: .seconds(10))
            input { $0.acknowledged(acceptance) }
        } catch {
            let refusal = (error as? BatonError)?.code
            let isFinal = refusal == .failedPrecondition && (error as? BatonError)?.reason == "not_served"
            input { $0.acknowledgementFailed(acceptance, isFinal: isFinal, now: now) }
        }
    }

    private func open(_ page: WebPage, for acceptance: AcceptanceID) async {
        do {
            try await browser.open(page)
            input { $0.pageOpened(acceptance, now: now) }
        } catch {
            let message = (error as? BatonError)?.message ?? "The browser could not be started."
            input { $0.pageNotOpened(acceptance, message: message) }
        }
    }

    private func launch(_ acceptance: AcceptanceID, _ app: AppIdentity, for type: ActivityType) async {
        do {
            try await apps.launch(app, for: type)
        } catch {
            let message = (error as? BatonError)?.message ?? "The app could not be started."
            input { $0.launchFailed(acceptance, message: message) }
        }
    }
}
