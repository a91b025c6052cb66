package import BatonCore

/// Decides everything about Handoff on one device, as the origin of activities and as their receiver.
///
/// A value without I/O and without a clock: each input returns the actions to perform, in order. Time comes in as a
/// monotonic `now` (since any fixed moment) and as `wall` milliseconds since 1970; the caller invokes ``advance`` at
/// ``nextDeadline``.
///
/// Invariants (simulated): an acceptance delivers `continue` at most once; the origin hears that its activity was
/// continued only after `continue` was delivered and answered, or its page opened; another team receives nothing of an
/// activity but its page; after the network heals, each device lists exactly the offers of the others.
package struct HandoffStateMachine: Sendable {
    package let configuration: HandoffConfiguration

    var clock: HybridLogicalClock
    var origin: OriginState
    var receiver: ReceiverState
    var sessions: [SessionID: Session] = [:]

    /// An app process that is attached.
    struct Session: Sendable {
        var app: ContinuationApp
        var canContinue: Bool
        var activities: [ActivityID: LocalActivity] = [:]
        var current: ActivityID?
        /// Attachments are numbered, so that of two processes of one app the older one is preferred always.
        var number: UInt64
    }

    /// An activity of an app here.
    package struct LocalActivity: Hashable, Sendable {
        package var description: ActivityDescription
        package var timestamp: HybridTimestamp
    }

    private var attachments: UInt64 = 0

    /// - Parameter incarnation: greater at each start of the daemon on this device.
    package init(incarnation: UInt64, configuration: HandoffConfiguration = .init()) {
        self.configuration = configuration
        clock = HybridLogicalClock()
        origin = OriginState(incarnation: incarnation)
        receiver = ReceiverState()
    }

    // MARK: Apps come and go

    /// A process attached.
    /// - Throws: `resource_exhausted` when too many apps are attached.
    package mutating func attach(
        _ session: SessionID, app: ContinuationApp, canContinue: Bool, now: Duration, wall: UInt64
    ) throws(BatonError) -> [HandoffAction] {
        guard sessions.count < configuration.maximumSessions else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_apps",
                "More than \(configuration.maximumSessions) apps are attached. Quit some.")
        }
        attachments += 1
        sessions[session] = Session(app: app, canContinue: canContinue, number: attachments)
        var actions: [HandoffAction] = []
        if app.identity.team.isDevelopment { actions += reroute() }
        if canContinue { actions += continueLaunched(session, now: now) }
        return actions
    }

    /// The process ended or its connection broke.
    package mutating func detach(_ session: SessionID, now: Duration, wall: UInt64) -> [HandoffAction] {
        guard let gone = sessions.removeValue(forKey: session) else { return [] }
        var actions = failContinuations(of: session)
        actions += failSaves(of: session)
        actions += publishIfChanged(wall: wall)
        if gone.app.identity.team.isDevelopment { actions += reroute() }
        return actions
    }

    // MARK: Time

    /// When ``advance`` must be called next; nil when nothing is waited for.
    package func nextDeadline(now: Duration, wall: UInt64) -> Duration? {
        // After every input: loops, since a debug build makes a collection and a closure of each step of a chain.
        var next: Duration?
        func note(_ deadline: Duration?) {
            if let deadline, next.map({ deadline < $0 }) ?? true { next = deadline }
        }
        for continuation in receiver.continuations.values {
            note(continuation.deadline)
            note(continuation.payloadDeadline)
        }
        for acknowledgement in receiver.acknowledgements.values {
            note(acknowledgement.nextAttempt)
            note(acknowledgement.deadline)
        }
        for save in origin.saves.values { note(save.deadline) }
        for failed in receiver.failedLaunches.values { note(failed.deadline) }
        if let expiration = nextExpiration(wall: wall) {
            note(now + .milliseconds(Int64(min(expiration - wall, 86_400_000))))
        }
        return next
    }

    /// Performs everything that is due. Idempotent.
    package mutating func advance(now: Duration, wall: UInt64) -> [HandoffAction] {
        expireSaves(now: now) + expireContinuations(now: now) + retryAcknowledgements(now: now)
            + publishIfChanged(wall: wall)
    }

    private func nextExpiration(wall: UInt64) -> UInt64? {
        var next: UInt64?
        for session in sessions.values {
            guard let current = session.current, let time = session.activities[current]?.description.expirationTime,
                time > wall
            else { continue }
            next = min(time, next ?? time)
        }
        return next
    }

    // MARK: Present state

    /// Every activity alive here, with its app, and whether it is its app's current one.
    package var localActivities: [(session: SessionID, app: ContinuationApp, activity: LocalActivity, isCurrent: Bool)]
    {
        sessions.sorted { $0.value.number < $1.value.number }.flatMap { id, session in
            session.activities.values.sorted { $0.timestamp > $1.timestamp }.map {
                (id, session.app, $0, session.current == $0.description.id)
            }
        }
    }

    /// Every attached app, the oldest first.
    package var attachedApps: [(session: SessionID, app: ContinuationApp)] {
        sessions.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.app) }
    }

    package func isCurrent(_ activity: ActivityID, in session: SessionID) -> Bool {
        sessions[session]?.current == activity
    }

    package var published: OfferSnapshot { origin.published }
}
