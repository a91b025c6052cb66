package import BatonCore

/// The activities that this device offers and has served.
struct OriginState: Sendable {
    /// A payload that another device waits for.
    struct Save: Sendable {
        var activity: ActivityID
        var session: SessionID
        var team: TeamIdentity
        var requester: DeviceID
        var deadline: Duration
        /// Only the page is wanted; it and the title were offered as these.
        var isPage: Bool
        var page: String?
        var title: String?
    }

    /// An acceptance whose payload was sent; its acknowledgement may come.
    struct Served: Sendable {
        var activity: ActivityID
        var team: TeamIdentity
        var requester: DeviceID
        var since: Duration
        var isAcknowledged = false
    }

    /// An activity that was continued while its app was not attached: it is notified when it has attached again.
    struct Untold: Sendable {
        var activity: ActivityID
        var team: TeamIdentity
        var requester: DeviceID
        var since: Duration
    }

    var published: OfferSnapshot
    var saves: [AcceptanceID: Save] = [:]
    var served: [AcceptanceID: Served] = [:]
    /// In the order in which they were served, to forget the oldest first.
    var servedOrder: [AcceptanceID] = []
    var untold: [AcceptanceID: Untold] = [:]

    init(incarnation: UInt64) {
        published = OfferSnapshot(incarnation: incarnation, revision: 0, offers: [])
    }
}

/// The origin's half: H-16 to H-18, H-28 to H-31, H-41.
extension HandoffStateMachine {
    // MARK: Activities

    /// An app reports an activity, new or changed.
    /// - Throws: `not_found` for a session that is not attached, `resource_exhausted` for one activity too many,
    ///   `already_exists` for an activity of another process.
    package mutating func update(
        _ session: SessionID, _ description: ActivityDescription, makeCurrent: Bool, wall: UInt64
    ) throws(BatonError) -> [HandoffAction] {
        guard var entry = sessions[session] else { throw Self.unknownSession }
        guard
            entry.activities[description.id] != nil
                || entry.activities.count < configuration.maximumActivitiesPerApp
        else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_activities",
                "The app has \(configuration.maximumActivitiesPerApp) activities already. Invalidate those that have ended."
            )
        }
        // Identifiers are random: only who means to gets another process's.
        guard !sessions.contains(where: { $0.key != session && $0.value.activities[description.id] != nil }) else {
            throw BatonError(
                .alreadyExists, reason: "activity_of_another_app",
                "Another process has an activity with this identifier.")
        }
        let told = tellNow(description.id, of: entry.app.identity.team, session)
        // The app sent this before it heard of the continuation.
        let makeCurrent = makeCurrent && told.isEmpty
        let previous = entry.activities[description.id]
        let changes = makeCurrent || previous?.description != description
        entry.activities[description.id] = LocalActivity(
            description: description,
            timestamp: changes ? clock.now(wall: wall) : (previous?.timestamp ?? clock.now(wall: wall)))
        if makeCurrent { entry.current = description.id }
        sessions[session] = entry
        return told + publishIfChanged(wall: wall)
    }

    /// No longer offered, still valid.
    package mutating func resign(
        _ session: SessionID, _ activity: ActivityID, wall: UInt64
    ) throws(BatonError) -> [HandoffAction] {
        guard var entry = sessions[session] else { throw Self.unknownSession }
        if entry.current == activity { entry.current = nil }
        sessions[session] = entry
        return publishIfChanged(wall: wall)
    }

    /// Gone for good.
    package mutating func invalidate(
        _ session: SessionID, _ activity: ActivityID, wall: UInt64
    ) throws(BatonError) -> [HandoffAction] {
        guard var entry = sessions[session] else { throw Self.unknownSession }
        entry.activities[activity] = nil
        if entry.current == activity { entry.current = nil }
        sessions[session] = entry
        return failSaves(of: activity) + publishIfChanged(wall: wall)
    }

    static var unknownSession: BatonError {
        BatonError(.notFound, reason: "unknown_session", "The app is not attached. Attach again.")
    }

    /// One offer per app: its current activity, if it may be handed off and has not expired; of several processes of one
    /// app the newest. Newest first.
    private func offers(wall: UInt64) -> [Offer] {
        var all: [Offer] = []
        for session in sessions.values {
            guard let current = session.current, let activity = session.activities[current] else { continue }
            let description = activity.description
            guard description.isEligibleForHandoff, description.expirationTime.map({ $0 > wall }) ?? true else {
                continue
            }
            all.append(Offer(activity: description, app: session.app.identity, timestamp: activity.timestamp))
        }
        var offers = OfferSnapshot(incarnation: 0, revision: 0, offers: all).newestOfEachApp
        if offers.count > 1 { offers.sort { $0.isNewer(than: $1) } }
        offers.removeLast(max(0, offers.count - configuration.maximumOffers))
        return offers
    }

    mutating func publishIfChanged(wall: UInt64) -> [HandoffAction] {
        let offers = offers(wall: wall)
        guard offers != origin.published.offers else { return [] }
        origin.published.offers = offers
        origin.published.revision += 1
        return [.publish(origin.published)]
    }

    // MARK: Payloads

    /// Another device asks for the payload of an activity that its person accepted.
    ///
    /// The answer comes as an `answerFetch` action, at once or when the app has saved.
    /// - Parameter app: the app that will continue it; nil when only the page is wanted, which every team may have.
    package mutating func payloadRequested(
        _ acceptance: AcceptanceID, activity: ActivityID, by requester: DeviceID, for app: AppIdentity?, now: Duration,
        wall: UInt64
    ) -> [HandoffAction] {
        func refuse(_ failure: ActivityFailure) -> [HandoffAction] { [.answerFetch(acceptance, .failure(failure))] }
        guard origin.saves[acceptance] == nil, origin.served[acceptance] == nil else {
            return refuse(.init(.handoffFailed, "This continuation was answered already. Accept the offer again."))
        }
        guard origin.saves.count < configuration.maximumContinuations else {
            return refuse(.init(.handoffFailed, "The other device is busy with too many continuations. Try again."))
        }
        // The team counts here too: the identifier alone says nothing of whose activity it is.
        func isMeant(_ offered: AppIdentity) -> Bool { app.map { $0.team == offered.team } ?? true }
        let offer = offers(wall: wall).first { $0.activity.id == activity && isMeant($0.app) }
        let owner = sessions.first { $0.value.current == activity && isMeant($0.value.app.identity) }
        guard let offer, let session = owner?.key else {
            return refuse(.init(.handoffFailed, "The activity is no longer offered by the other device."))
        }
        origin.saves[acceptance] = OriginState.Save(
            activity: activity, session: session, team: offer.app.team, requester: requester,
            deadline: now + configuration.saveDeadline, isPage: app == nil, page: offer.activity.webpageURL,
            title: offer.activity.title)
        return [.askToSave(acceptance, session, activity)]
    }

    /// The app's answer to `askToSave`.
    package mutating func saved(
        _ acceptance: AcceptanceID, _ result: Result<ActivityPayload, ActivityFailure>, size: Int,
        now: Duration
    ) -> [HandoffAction] {
        guard let save = origin.saves.removeValue(forKey: acceptance) else { return [] }
        if save.isPage { return savedPage(acceptance, save, result, now: now) }
        guard case .success(let payload) = result else { return [.answerFetch(acceptance, result)] }
        guard size <= configuration.payloadLimit else {
            return [
                .answerFetch(
                    acceptance,
                    .failure(
                        .init(
                            .userInfoTooLarge,
                            "The activity's data is \(size) bytes; at most \(configuration.payloadLimit) can be carried."
                        )))
            ]
        }
        remember(
            acceptance,
            OriginState.Served(activity: save.activity, team: save.team, requester: save.requester, since: now))
        let grant = StreamGrant(
            acceptance: acceptance, role: .origin, session: save.session, activity: save.activity,
            device: save.requester, supportsStreams: payload.supportsContinuationStreams)
        return [.allowStreams(grant), .answerFetch(acceptance, result)]
    }

    mutating func remember(_ acceptance: AcceptanceID, _ served: OriginState.Served) {
        origin.served[acceptance] = served
        origin.servedOrder.append(acceptance)
        let oldest = served.since - configuration.servedLifetime
        while let first = origin.servedOrder.first,
            origin.servedOrder.count > configuration.maximumRemembered
                || (origin.served[first].map { $0.since < oldest } ?? true)
        {
            origin.served[first] = nil
            origin.servedOrder.removeFirst()
        }
    }

    /// The receiver says that it continued the activity. The app is notified once per acceptance; the activity is no
    /// longer offered until the app makes it current again (H-41).
    /// - Throws: `failed_precondition` when that device was not given the payload for this acceptance: consent cannot
    ///   be claimed out of order.
    package mutating func continuedElsewhere(
        _ acceptance: AcceptanceID, activity: ActivityID, by requester: DeviceID, wall: UInt64
    ) throws(BatonError) -> [HandoffAction] {
        guard var served = origin.served[acceptance], served.requester == requester, served.activity == activity else {
            throw BatonError(
                .failedPrecondition, reason: "not_served",
                "The activity was not handed over for this acceptance, or too long ago.")
        }
        guard !served.isAcknowledged else { return [] }
        served.isAcknowledged = true
        origin.served[acceptance] = served
        let owner = sessions.first {
            $0.value.activities[activity] != nil && $0.value.app.identity.team == served.team
        }
        guard let session = owner?.key else {
            tellLater(
                acceptance,
                OriginState.Untold(activity: activity, team: served.team, requester: requester, since: served.since))
            return []
        }
        if sessions[session]?.current == activity { sessions[session]?.current = nil }
        return [.wasContinued(session, activity, by: requester)] + publishIfChanged(wall: wall)
    }

    private mutating func tellNow(
        _ activity: ActivityID, of team: TeamIdentity, _ session: SessionID
    ) -> [HandoffAction] {
        guard !origin.untold.isEmpty else { return [] }
        return origin.untold.filter { $0.value.activity == activity && $0.value.team == team }.sorted {
            $0.key < $1.key
        }
        .map { acceptance, untold in
            origin.untold[acceptance] = nil
            return .wasContinued(session, activity, by: untold.requester)
        }
    }

    private mutating func tellLater(_ acceptance: AcceptanceID, _ untold: OriginState.Untold) {
        origin.untold[acceptance] = untold
        guard origin.untold.count > configuration.maximumRemembered,
            let oldest = origin.untold.min(by: { $0.value.since < $1.value.since })
        else { return }
        origin.untold[oldest.key] = nil
    }

    // MARK: Failures

    mutating func failSaves(of session: SessionID) -> [HandoffAction] {
        failSaves { $0.session == session }
    }

    mutating func failSaves(of activity: ActivityID) -> [HandoffAction] {
        failSaves { $0.activity == activity }
    }

    private mutating func failSaves(where isAffected: (OriginState.Save) -> Bool) -> [HandoffAction] {
        guard !origin.saves.isEmpty else { return [] }
        return origin.saves.filter { isAffected($0.value) }.sorted { $0.key < $1.key }.map { acceptance, _ in
            origin.saves[acceptance] = nil
            return .answerFetch(
                acceptance,
                .failure(.init(.handoffFailed, "The app on the other device ended before it sent the activity.")))
        }
    }

    mutating func expireSaves(now: Duration) -> [HandoffAction] {
        guard !origin.saves.isEmpty else { return [] }
        let failure = ActivityFailure(
            .remoteApplicationTimedOut, "The app on the other device did not send the activity in time.")
        return origin.saves.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }.flatMap { acceptance, _ in
            saved(acceptance, .failure(failure), size: 0, now: now)
        }
    }
}
