import AppSessions
package import BatonCore

/// The receiver's half, from a person's decision to the app's answer: H-15, H-67 to H-70, H-74.
extension HandoffStateMachine {
    // MARK: Accepting

    /// The person accepts an offer.
    /// - Parameters:
    ///   - callerOpensPage: whatever the offer's route, only its page is wanted.
    ///   - site: of the page that the person was shown; nil where they were shown none.
    /// - Throws: `not_found` when it is not offered (any more), `failed_precondition` when the app is too old or there is
    ///   no page, `aborted` when it is being continued already or leads to another site by now, `resource_exhausted`.
    package mutating func accept(
        _ activity: ActivityID, as acceptance: AcceptanceID, callerOpensPage: Bool = false, site: String? = nil,
        now: Duration
    ) throws(BatonError) -> [HandoffAction] {
        let offers = callerOpensPage ? offersForBrowsers : visibleOffers
        guard let visible = offers.first(where: { $0.offer.activity.id == activity }) else {
            throw BatonError(
                .notFound, reason: "no_such_offer",
                "There is no such offer (any more). “baton offers” lists what can be continued.")
        }
        if let site, visible.offer.site != site {
            throw BatonError(
                .aborted, reason: "offer_changed",
                "The other device is at another site by now. “baton offers” shows which; continue it from there.")
        }
        let recipient = try recipient(of: visible, callerOpensPage: callerOpensPage)
        guard receiver.continuations[acceptance] == nil,
            !receiver.continuations.values.contains(where: { $0.offer.activity.id == activity })
        else {
            throw BatonError(.aborted, reason: "already_continuing", "This activity is being continued already.")
        }
        guard receiver.continuations.count < configuration.maximumContinuations else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_continuations",
                "Too many activities are being continued at once. Wait until some are done.")
        }
        var continuation = ReceiverState.Continuation(
            offer: visible.offer, origin: visible.origin,
            incarnation: receiver.remote[visible.origin]?.incarnation ?? 0, recipient: recipient,
            deadline: now + configuration.payloadDeadline, isLaunching: false,
            payloadDeadline: now + configuration.payloadDeadline)
        let actions = try begin(acceptance, &continuation, now: now)
        receiver.continuations[acceptance] = continuation
        // The payload comes while the app is notified or starts; its order is kept when it is delivered.
        let app = continuation.isPage ? nil : continuation.app?.identity
        return actions + [.fetch(acceptance, from: visible.origin, activity: activity, for: app)]
    }

    private func recipient(
        of visible: VisibleOffer, callerOpensPage: Bool
    ) throws(BatonError) -> ReceiverState.Continuation.Recipient {
        if callerOpensPage {
            guard visible.offer.activity.webpageURL != nil else {
                throw BatonError(
                    .failedPrecondition, reason: "no_page", "This activity has no web page that could be opened.")
            }
            return .caller
        }
        if let obstacle = visible.obstacle {
            throw BatonError(.failedPrecondition, reason: "app_too_old", obstacle)
        }
        return switch visible.route {
        case .activity(let app): .app(app)
        case .pageInApp(let app): .claimant(app)
        case .pageInBrowser: .browser
        }
    }

    /// Notifies the app, or has it started. The browser and a caller hear of nothing before the page is there.
    private func begin(
        _ acceptance: AcceptanceID, _ continuation: inout ReceiverState.Continuation, now: Duration
    ) throws(BatonError) -> [HandoffAction] {
        guard let app = continuation.app else { return [] }
        if let session = runningSession(of: app.identity) {
            continuation.session = session
            return [
                .willContinue(acceptance, session, continuation.type, from: continuation.origin),
                .progress(acceptance, .willContinue),
            ]
        }
        guard !sessions.values.contains(where: { $0.app.identity == app.identity }) else {
            throw BatonError(
                .failedPrecondition, reason: "app_cannot_continue",
                "\(app.name) runs here without an app delegate, so it cannot take the activity. Quit it "
                    + "(“baton quit”), then accept again.")
        }
        continuation.isLaunching = true
        continuation.deadline = now + configuration.launchDeadline
        return [
            .launch(acceptance, app.identity, for: continuation.type), .progress(acceptance, .launching),
        ]
    }

    private func runningSession(of app: AppIdentity) -> SessionID? {
        sessions.filter { $0.value.canContinue && $0.value.app.identity == app }
            .min { $0.value.number < $1.value.number }?.key
    }

    /// An app that was launched for continuations has attached.
    mutating func continueLaunched(_ session: SessionID, now: Duration) -> [HandoffAction] {
        guard let app = sessions[session]?.app.identity else { return [] }
        var actions: [HandoffAction] = []
        for (acceptance, failed) in receiver.failedLaunches.sorted(by: { $0.key < $1.key }) where failed.app == app {
            receiver.failedLaunches[acceptance] = nil
            guard failed.deadline > now else { continue }
            actions.append(.willContinue(acceptance, session, failed.type, from: failed.origin))
            actions.append(.didFail(acceptance, session, failed.type, failed.failure))
        }
        for (acceptance, var continuation) in receiver.continuations.sorted(by: { $0.key < $1.key })
        where continuation.isLaunching && continuation.app?.identity == app {
            continuation.session = session
            continuation.isLaunching = false
            continuation.deadline = max(now, continuation.payloadDeadline ?? now)
            receiver.continuations[acceptance] = continuation
            actions.append(
                .willContinue(acceptance, session, continuation.type, from: continuation.origin))
            actions.append(.progress(acceptance, .willContinue))
            actions += deliverIfReady(acceptance, now: now)
        }
        return actions
    }

    package mutating func launchFailed(_ acceptance: AcceptanceID, message: String) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.isLaunching else { return [] }
        return fail(acceptance, .init(.handoffFailed, message), isAppExpected: false)
    }

    /// A launch has started a process, or found one that runs but is not attached.
    package mutating func launched(
        _ acceptance: AcceptanceID, process: Int32, wasRunning: Bool
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.isLaunching else { return [] }
        receiver.continuations[acceptance]?.process = .init(id: process, wasRunning: wasRunning)
        let app = continuation.app?.identity
        guard let message = receiver.endedProcesses.message(app, process) else { return [] }
        return launchedProcessEnded(acceptance, message: message)
    }

    /// A process of an app ended: nothing waits for it to attach any longer.
    package mutating func appEnded(_ app: AppIdentity, process: Int32, message: String) -> [HandoffAction] {
        receiver.endedProcesses.append(app, process, message: message)
        receiver.failedLaunches = receiver.failedLaunches.filter { $0.value.app != app }
        return receiver.continuations.filter { _, continuation in
            continuation.isLaunching && continuation.app?.identity == app && continuation.process?.id == process
        }.sorted { $0.key < $1.key }.flatMap { launchedProcessEnded($0.key, message: message) }
    }

    private mutating func launchedProcessEnded(_ acceptance: AcceptanceID, message: String) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], let process = continuation.process,
            let app = continuation.app?.identity
        else { return [] }
        guard process.wasRunning else { return launchFailed(acceptance, message: message) }
        // The person accepted while a process from before was ending: the app has not been launched for this yet.
        receiver.continuations[acceptance]?.process = nil
        return [.launch(acceptance, app, for: continuation.type)]
    }

    // MARK: The payload

    /// - Parameter claims: where only a page was asked for, the apps here that the site of the page that came names.
    package mutating func payloadArrived(
        _ acceptance: AcceptanceID, _ payload: ActivityPayload, size: Int, claims: [AppIdentity] = [],
        now: Duration
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.awaitsPayload else { return [] }
        guard size <= configuration.payloadLimit else {
            return fail(
                acceptance,
                .init(
                    .userInfoTooLarge,
                    "The activity's data is \(size) bytes; at most \(configuration.payloadLimit) can be carried."))
        }
        // The app heard of this type, and may not declare another.
        guard payload.type == continuation.type.rawValue else {
            return fail(
                acceptance, .init(.handoffFailed, "The other device sent an activity of another type than it offered."))
        }
        let received = HandoffAction.progress(acceptance, .payloadReceived(bytes: size))
        if continuation.isPage {
            guard let page = payload.page else {
                return fail(acceptance, .init(.handoffFailed, "The other device sent no page that could be opened."))
            }
            // The person agreed to the site that they were shown.
            guard page.site == continuation.offer.site else {
                return fail(
                    acceptance,
                    .init(
                        .handoffFailed,
                        "The other device sent a page of “\(page.shownHost)”, which is not the site that it offered. Continue it "
                            + "again to go there."))
            }
            return [received] + pageArrived(acceptance, page, title: payload.title, claims: claims, now: now)
        }
        return [received] + prepare(acceptance, payload, now: now)
    }

    package mutating func payloadFailed(_ acceptance: AcceptanceID, _ failure: ActivityFailure) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.awaitsPayload else { return [] }
        return fail(acceptance, failure)
    }

    /// It is what the app gets, once the app is there.
    mutating func prepare(
        _ acceptance: AcceptanceID, _ payload: ActivityPayload, now: Duration
    ) -> [HandoffAction] {
        receiver.continuations[acceptance]?.stage = .preparing(payload: payload)
        receiver.continuations[acceptance]?.payloadDeadline = nil
        return deliverIfReady(acceptance, now: now)
    }

    private mutating func deliverIfReady(_ acceptance: AcceptanceID, now: Duration) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], let session = continuation.session,
            case .preparing(let payload?) = continuation.stage
        else { return [] }
        receiver.continuations[acceptance]?.stage = .delivered
        receiver.continuations[acceptance]?.deadline = now + configuration.continueDeadline
        // Streams go to the origin's app, which the app of a page is not.
        if continuation.isPage { return [.deliver(acceptance, session, payload)] }
        let grant = StreamGrant(
            acceptance: acceptance, role: .receiver, session: session, activity: continuation.offer.activity.id,
            device: continuation.origin, supportsStreams: payload.supportsContinuationStreams)
        return [.allowStreams(grant), .deliver(acceptance, session, payload)]
    }

    /// The app's answer to `continue`.
    package mutating func continueAnswered(
        _ acceptance: AcceptanceID, by session: SessionID, handled: Bool, now: Duration
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.session == session,
            case .delivered = continuation.stage
        else { return [] }
        guard handled else {
            receiver.continuations[acceptance] = nil
            let failure = ActivityFailure(.handoffFailed, "\(continuation.appName) did not take the activity.")
            return (continuation.isPage ? [] : [.revokeStreams(acceptance)]) + [.progress(acceptance, .failed(failure))]
        }
        return finish(acceptance, continuation, .continued, now: now)
    }

    // MARK: Failures

    /// - Parameter isAppExpected: false when the app itself is what failed.
    mutating func fail(
        _ acceptance: AcceptanceID, _ failure: ActivityFailure, isAppExpected: Bool = true
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations.removeValue(forKey: acceptance) else { return [] }
        return tellApp(acceptance, continuation, failure, isAppExpected: isAppExpected) + [
            .progress(acceptance, .failed(failure))
        ]
    }

    /// The app that heard of the activity, or is being launched for it, hears that nothing comes (H-74).
    mutating func tellApp(
        _ acceptance: AcceptanceID, _ continuation: ReceiverState.Continuation, _ failure: ActivityFailure,
        isAppExpected: Bool = true
    ) -> [HandoffAction] {
        var actions: [HandoffAction] = []
        if case .delivered = continuation.stage, !continuation.isPage { actions.append(.revokeStreams(acceptance)) }
        if let session = continuation.session, sessions[session] != nil {
            actions.append(.didFail(acceptance, session, continuation.type, failure))
        } else if continuation.isLaunching, isAppExpected, let app = continuation.app?.identity {
            receiver.failedLaunches[acceptance] = ReceiverState.FailedLaunch(
                app: app, type: continuation.type, origin: continuation.origin, failure: failure,
                deadline: continuation.deadline)
        }
        return actions
    }

    /// The app that was to continue ended: whatever it had been given, the origin does not hear that it was continued.
    mutating func failContinuations(of session: SessionID) -> [HandoffAction] {
        receiver.continuations.filter { $0.value.session == session }.sorted { $0.key < $1.key }
            .flatMap { acceptance, continuation in
                fail(
                    acceptance,
                    .init(.handoffFailed, "\(continuation.appName) ended before it continued the activity."))
            }
    }

    mutating func expireContinuations(now: Duration) -> [HandoffAction] {
        receiver.failedLaunches = receiver.failedLaunches.filter { $0.value.deadline > now }
        return receiver.continuations.sorted { $0.key < $1.key }.flatMap {
            acceptance, continuation -> [HandoffAction] in
            guard continuation.deadline <= now || (continuation.payloadDeadline.map { $0 <= now } ?? false) else {
                return []
            }
            switch continuation.stage {
            case .delivered:
                return fail(
                    acceptance,
                    .init(.handoffFailed, "\(continuation.appName) did not finish continuing the activity in time."))
            case .opening:
                return fail(
                    acceptance, .init(.handoffFailed, "The browser did not say in time that it has the page."))
            case .preparing(nil) where continuation.payloadDeadline.map { $0 <= now } ?? false:
                return fail(
                    acceptance,
                    .init(.remoteApplicationTimedOut, "The other device did not send the activity in time."))
            case .preparing:
                guard continuation.isLaunching, continuation.deadline <= now else { return [] }
                return fail(
                    acceptance, .init(.handoffFailed, "\(continuation.appName) did not start in time."),
                    isAppExpected: false)
            }
        }
    }
}
