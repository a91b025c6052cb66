package import BatonCore
package import BatonWire

/// An offer as a person sees it.
package struct VisibleOffer: Hashable, Sendable {
    package var offer: Offer
    package var origin: DeviceID
    package var app: ContinuationApp
    /// Why it cannot be continued though an app matches; nil when it can.
    package var obstacle: String?
}

/// The receiver's half: H-5, H-10, H-67 to H-70, H-74.
extension HandoffStateMachine {
    // MARK: Offers

    /// The installed apps changed.
    package mutating func appsChanged(_ apps: [ContinuationApp]) -> [HandoffAction] {
        receiver.apps = apps
        return rematch()
    }

    mutating func rematch() -> [HandoffAction] {
        // An unsigned app is not installed: it can continue activities while it runs.
        let development = sessions.values.filter { $0.canContinue && $0.app.identity.team.isDevelopment }
            .sorted { $0.number < $1.number }.map(\.app)
        receiver.matcher = OfferMatcher(apps: receiver.apps + development)
        return [.offersChanged]
    }

    package mutating func deviceConnected(_ peer: DeviceID) -> [HandoffAction] {
        receiver.connected.insert(peer)
        for acceptance in receiver.acknowledgements.keys where receiver.acknowledgements[acceptance]?.origin == peer {
            if receiver.acknowledgements[acceptance]?.nextAttempt != nil {
                receiver.acknowledgements[acceptance]?.nextAttempt = .zero
            }
        }
        return []
    }

    /// The device left or cannot be reached: what it offered is gone (H-11), and what was awaited of it has failed.
    package mutating func deviceDisconnected(_ peer: DeviceID) -> [HandoffAction] {
        receiver.connected.remove(peer)
        var actions: [HandoffAction] = []
        for (acceptance, continuation) in receiver.continuations.sorted(by: { $0.key < $1.key })
        where continuation.origin == peer && continuation.awaitsPayload {
            actions += fail(
                acceptance, .init(.handoffFailed, "The other device went away before it sent the activity."))
        }
        if receiver.remote.removeValue(forKey: peer) != nil { actions.append(.offersChanged) }
        return actions
    }

    package mutating func offersReceived(
        _ snapshot: OfferSnapshot, from peer: DeviceID, wall: UInt64
    ) -> [HandoffAction] {
        guard receiver.connected.contains(peer) else { return [] }
        if let seen = receiver.seen[peer] {
            let isSame = seen == (snapshot.incarnation, snapshot.revision)
            // After a reconnection the same snapshot comes again and is welcome.
            guard (snapshot.incarnation, snapshot.revision) > seen || (isSame && receiver.remote[peer] == nil) else {
                return []
            }
        }
        receiver.seen[peer] = (snapshot.incarnation, snapshot.revision)
        var snapshot = snapshot
        snapshot.offers = Array(snapshot.offers.prefix(configuration.maximumOffers))
        for offer in snapshot.offers {
            // A clock that is far ahead is passed over; it must not stop the offer.
            try? clock.observe(offer.timestamp, wall: wall)
        }
        receiver.remote[peer] = snapshot
        // What other devices offered is not judged by what this one does.
        let alive = Set(snapshot.offers.map(\.activity.id))
        receiver.consumed = receiver.consumed.filter { $0.value.origin != peer || alive.contains($0.key) }
        return [.offersChanged]
    }

    /// The offers that a person can see, the newest first.
    package var visibleOffers: [VisibleOffer] {
        receiver.remote.flatMap { origin, snapshot in
            snapshot.offers.compactMap { offer -> VisibleOffer? in
                if isConsumed(offer, of: origin) { return nil }
                switch receiver.matcher.match(offer) {
                case .match(let app):
                    return VisibleOffer(offer: offer, origin: origin, app: app, obstacle: nil)
                case .tooOld(let app, let least):
                    return VisibleOffer(
                        offer: offer, origin: origin, app: app,
                        obstacle: "\(app.name) here is version \(app.versionText); the activity needs version \(least) "
                            + "or later. Update the app on this device.")
                case .titleNotNamed, .typeNotDeclared, .noAppOfTeam:
                    return nil
                }
            }
        }.sorted { ($0.offer.timestamp, $0.offer.activity.id) > ($1.offer.timestamp, $1.offer.activity.id) }
    }

    package func verdict(on offer: Offer) -> OfferMatcher.Verdict { receiver.matcher.match(offer) }

    /// Whether the activity was continued here and has not been made current or changed since.
    package func isConsumed(_ offer: Offer, of origin: DeviceID) -> Bool {
        guard let consumed = receiver.consumed[offer.activity.id] else { return false }
        return consumed.origin == origin && consumed.incarnation == receiver.remote[origin]?.incarnation
            && offer.timestamp <= consumed.timestamp
    }

    // MARK: Accepting

    /// The person accepts an offer.
    /// - Throws: `not_found` when it is not offered (any more), `failed_precondition` when the app is too old,
    ///   `aborted` when it is being continued already, `resource_exhausted`.
    package mutating func accept(
        _ activity: ActivityID, as acceptance: AcceptanceID, now: Duration
    ) throws(BatonError) -> [HandoffAction] {
        guard let visible = visibleOffers.first(where: { $0.offer.activity.id == activity }) else {
            throw BatonError(
                .notFound, reason: "no_such_offer",
                "There is no such offer (any more). “baton offers” lists what can be continued.")
        }
        if let obstacle = visible.obstacle {
            throw BatonError(.failedPrecondition, reason: "app_too_old", obstacle)
        }
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
        let session = runningSession(of: visible.app.identity)
        guard session != nil || !sessions.values.contains(where: { $0.app.identity == visible.app.identity }) else {
            throw BatonError(
                .failedPrecondition, reason: "app_cannot_continue",
                "\(visible.app.name) runs here without an app delegate, so it cannot take the activity. Quit it "
                    + "(“baton quit”), then accept again.")
        }
        receiver.continuations[acceptance] = ReceiverState.Continuation(
            offer: visible.offer, origin: visible.origin,
            incarnation: receiver.remote[visible.origin]?.incarnation ?? 0, app: visible.app, session: session,
            deadline: now + (session == nil ? configuration.launchDeadline : configuration.payloadDeadline),
            isLaunching: session == nil, payloadDeadline: now + configuration.payloadDeadline)
        var actions: [HandoffAction] = []
        if let session {
            actions.append(.willContinue(acceptance, session, visible.offer.activity.type, from: visible.origin))
            actions.append(.progress(acceptance, .willContinue))
        } else {
            actions.append(.launch(acceptance, visible.app.identity, for: visible.offer.activity.type))
            actions.append(.progress(acceptance, .launching))
        }
        // The payload comes while the app is told or starts; its order is kept when it is delivered.
        actions.append(.fetch(acceptance, from: visible.origin, activity: activity, for: visible.app.identity))
        return actions
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
        where continuation.session == nil && continuation.app.identity == app {
            continuation.session = session
            continuation.isLaunching = false
            continuation.deadline = max(now, continuation.payloadDeadline ?? now)
            receiver.continuations[acceptance] = continuation
            actions.append(
                .willContinue(acceptance, session, continuation.offer.activity.type, from: continuation.origin))
            actions.append(.progress(acceptance, .willContinue))
            actions += deliverIfReady(acceptance, now: now)
        }
        return actions
    }

    package mutating func launchFailed(_ acceptance: AcceptanceID, message: String) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.isLaunching else { return [] }
        return fail(acceptance, .init(.handoffFailed, message), isAppExpected: false)
    }

    /// The app's process ended: if it was being launched, nobody waits for it any longer.
    package mutating func appEnded(_ app: AppIdentity, message: String) -> [HandoffAction] {
        receiver.failedLaunches = receiver.failedLaunches.filter { $0.value.app != app }
        return receiver.continuations.filter { $0.value.isLaunching && $0.value.app.identity == app }
            .sorted { $0.key < $1.key }.flatMap { launchFailed($0.key, message: message) }
    }

    // MARK: The payload

    package mutating func payloadArrived(
        _ acceptance: AcceptanceID, _ payload: Baton_Value_V1_ActivityPayload, size: Int, now: Duration
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.awaitsPayload else { return [] }
        guard size <= configuration.payloadLimit else {
            return fail(
                acceptance,
                .init(
                    .userInfoTooLarge,
                    "The activity's data is \(size) bytes; at most \(configuration.payloadLimit) can be carried."))
        }
        // The app was told of this type, and may not declare another.
        guard payload.description_p.activityType == continuation.offer.activity.type.rawValue else {
            return fail(
                acceptance, .init(.handoffFailed, "The other device sent an activity of another type than it offered."))
        }
        receiver.continuations[acceptance]?.stage = .preparing(payload: payload)
        receiver.continuations[acceptance]?.payloadDeadline = nil
        return [.progress(acceptance, .payloadReceived(bytes: size))] + deliverIfReady(acceptance, now: now)
    }

    package mutating func payloadFailed(_ acceptance: AcceptanceID, _ failure: ActivityFailure) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.awaitsPayload else { return [] }
        return fail(acceptance, failure)
    }

    private mutating func deliverIfReady(_ acceptance: AcceptanceID, now: Duration) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], let session = continuation.session,
            case .preparing(let payload?) = continuation.stage
        else { return [] }
        receiver.continuations[acceptance]?.stage = .delivered
        receiver.continuations[acceptance]?.deadline = now + configuration.continueDeadline
        let grant = StreamGrant(
            acceptance: acceptance, role: .receiver, session: session, activity: continuation.offer.activity.id,
            device: continuation.origin, supportsStreams: payload.description_p.supportsContinuationStreams)
        return [.allowStreams(grant), .deliver(acceptance, session, payload)]
    }

    /// The app's answer to `continue`.
    package mutating func continueAnswered(
        _ acceptance: AcceptanceID, by session: SessionID, handled: Bool, now: Duration
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations[acceptance], continuation.session == session,
            case .delivered = continuation.stage
        else { return [] }
        receiver.continuations[acceptance] = nil
        guard handled else {
            return [
                .revokeStreams(acceptance),
                .progress(
                    acceptance,
                    .failed(.init(.handoffFailed, "\(continuation.app.name) did not take the activity."))),
            ]
        }
        consume(continuation)
        let forgotten = remember(
            acceptance,
            ReceiverState.Acknowledgement(
                activity: continuation.offer.activity.id, origin: continuation.origin,
                deadline: now + configuration.acknowledgementDeadline))
        return forgotten + [
            .progress(acceptance, .continued), .offersChanged,
            .acknowledge(acceptance, to: continuation.origin, activity: continuation.offer.activity.id),
        ]
    }

    private mutating func consume(_ continuation: ReceiverState.Continuation) {
        receiver.consumed[continuation.offer.activity.id] = ReceiverState.Consumed(
            origin: continuation.origin, incarnation: continuation.incarnation,
            timestamp: continuation.offer.timestamp)
        guard receiver.consumed.count > configuration.maximumRemembered,
            let oldest = receiver.consumed.min(by: { $0.value.timestamp < $1.value.timestamp })
        else { return }
        receiver.consumed[oldest.key] = nil
    }

    /// - Returns: what follows for the oldest ones, where there are too many.
    private mutating func remember(
        _ acceptance: AcceptanceID, _ acknowledgement: ReceiverState.Acknowledgement
    ) -> [HandoffAction] {
        receiver.acknowledgements[acceptance] = acknowledgement
        receiver.acknowledgementOrder.append(acceptance)
        var actions: [HandoffAction] = []
        while receiver.acknowledgementOrder.count > configuration.maximumRemembered {
            let oldest = receiver.acknowledgementOrder.removeFirst()
            receiver.acknowledgements[oldest] = nil
            actions.append(.progress(oldest, .notAcknowledged))
        }
        return actions
    }

    // MARK: The acknowledgement

    package mutating func acknowledged(_ acceptance: AcceptanceID) -> [HandoffAction] {
        forget(acceptance) ? [.progress(acceptance, .acknowledged)] : []
    }

    /// - Parameter isFinal: the origin refused it for good.
    package mutating func acknowledgementFailed(
        _ acceptance: AcceptanceID, isFinal: Bool, now: Duration
    ) -> [HandoffAction] {
        guard var acknowledgement = receiver.acknowledgements[acceptance] else { return [] }
        if isFinal {
            _ = forget(acceptance)
            return [.progress(acceptance, .notAcknowledged)]
        }
        let delay = configuration.acknowledgementRetry * (1 << min(acknowledgement.attempts, 6))
        acknowledgement.attempts += 1
        acknowledgement.nextAttempt = now + min(delay, .seconds(30))
        receiver.acknowledgements[acceptance] = acknowledgement
        return []
    }

    mutating func retryAcknowledgements(now: Duration) -> [HandoffAction] {
        var actions: [HandoffAction] = []
        for (acceptance, acknowledgement) in receiver.acknowledgements.sorted(by: { $0.key < $1.key }) {
            if acknowledgement.deadline <= now {
                _ = forget(acceptance)
                actions.append(.progress(acceptance, .notAcknowledged))
            } else if let next = acknowledgement.nextAttempt, next <= now {
                receiver.acknowledgements[acceptance]?.nextAttempt = nil
                actions.append(
                    .acknowledge(acceptance, to: acknowledgement.origin, activity: acknowledgement.activity))
            }
        }
        return actions
    }

    private mutating func forget(_ acceptance: AcceptanceID) -> Bool {
        guard receiver.acknowledgements.removeValue(forKey: acceptance) != nil else { return false }
        if let index = receiver.acknowledgementOrder.firstIndex(of: acceptance) {
            receiver.acknowledgementOrder.remove(at: index)
        }
        return true
    }

    // MARK: Failures

    /// - Parameter isAppExpected: false when the app itself is what failed.
    mutating func fail(
        _ acceptance: AcceptanceID, _ failure: ActivityFailure, isAppExpected: Bool = true
    ) -> [HandoffAction] {
        guard let continuation = receiver.continuations.removeValue(forKey: acceptance) else { return [] }
        var actions: [HandoffAction] = []
        if case .delivered = continuation.stage { actions.append(.revokeStreams(acceptance)) }
        if let session = continuation.session, sessions[session] != nil {
            actions.append(.didFail(acceptance, session, continuation.offer.activity.type, failure))
        } else if continuation.isLaunching, isAppExpected {
            // It was launched for this, and hears why nothing comes.
            receiver.failedLaunches[acceptance] = ReceiverState.FailedLaunch(
                app: continuation.app.identity, type: continuation.offer.activity.type, origin: continuation.origin,
                failure: failure, deadline: continuation.deadline)
        }
        actions.append(.progress(acceptance, .failed(failure)))
        return actions
    }

    /// The app that was to continue ended: whatever it had been given, nobody is told that it was continued.
    mutating func failContinuations(of session: SessionID) -> [HandoffAction] {
        receiver.continuations.filter { $0.value.session == session }.sorted { $0.key < $1.key }
            .flatMap { acceptance, continuation in
                fail(
                    acceptance,
                    .init(.handoffFailed, "\(continuation.app.name) ended before it continued the activity."))
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
                    .init(.handoffFailed, "\(continuation.app.name) did not finish continuing the activity in time."))
            case .preparing(nil) where continuation.payloadDeadline.map { $0 <= now } ?? false:
                return fail(
                    acceptance,
                    .init(.remoteApplicationTimedOut, "The other device did not send the activity in time."))
            case .preparing:
                guard continuation.isLaunching, continuation.deadline <= now else { return [] }
                return fail(
                    acceptance, .init(.handoffFailed, "\(continuation.app.name) did not start in time."),
                    isAppExpected: false)
            }
        }
    }
}

extension HandoffStateMachine {
    /// What is known of a connected device's offers, matched or not.
    package func snapshot(of peer: DeviceID) -> OfferSnapshot? { receiver.remote[peer] }
}
