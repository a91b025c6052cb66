package import BatonCore
package import BatonWire

/// Activities that an app continues on the device where it made them, because a person opened what it had saved (H-14):
/// a pure value, as ``HandoffStateMachine`` is.
///
/// The app meets the same callbacks in the same order as for an activity of another device. Nobody is told that it was
/// continued, and there are no streams.
package struct LocalContinuations: Sendable {
    package enum Action: Sendable {
        case launch(AcceptanceID, AppIdentity, for: ActivityType)
        case willContinue(AcceptanceID, SessionID, ActivityType)
        case deliver(AcceptanceID, SessionID, Baton_Value_V1_ActivityPayload)
        case didFail(AcceptanceID, SessionID, ActivityType, ActivityFailure)
        /// The end: whether the app handled it.
        case finished(AcceptanceID, Result<Bool, BatonError>)
    }

    private struct Opening: Sendable {
        var app: AppIdentity
        var type: ActivityType
        var payload: Baton_Value_V1_ActivityPayload
        /// Nil while the app is being launched.
        var session: SessionID?
        var deadline: Duration
    }

    private let configuration: HandoffConfiguration
    private var openings: [AcceptanceID: Opening] = [:]

    package init(configuration: HandoffConfiguration = .init()) { self.configuration = configuration }

    package var nextDeadline: Duration? { openings.values.map(\.deadline).min() }

    /// - Parameter session: of the app, if it runs and can continue activities; nil to launch it.
    /// - Throws: `resource_exhausted` when too many are under way.
    package mutating func open(
        _ acceptance: AcceptanceID, _ app: AppIdentity, _ type: ActivityType,
        _ payload: Baton_Value_V1_ActivityPayload, session: SessionID?, now: Duration
    ) throws(BatonError) -> [Action] {
        guard openings.count < configuration.maximumContinuations else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_continuations",
                "Too many activities are being continued at once. Wait until some are done.")
        }
        openings[acceptance] = Opening(
            app: app, type: type, payload: payload, session: nil, deadline: now + configuration.launchDeadline)
        guard let session else { return [.launch(acceptance, app, for: type)] }
        return attached(session, of: app, now: now)
    }

    /// A process of the app can be told now.
    package mutating func attached(_ session: SessionID, of app: AppIdentity, now: Duration) -> [Action] {
        var actions: [Action] = []
        for (acceptance, opening) in sorted where opening.session == nil && opening.app == app {
            openings[acceptance]?.session = session
            openings[acceptance]?.deadline = now + configuration.continueDeadline
            actions.append(.willContinue(acceptance, session, opening.type))
            actions.append(.deliver(acceptance, session, opening.payload))
        }
        return actions
    }

    /// The app's answer; of use once.
    package mutating func answered(_ acceptance: AcceptanceID, by session: SessionID, isHandled: Bool) -> [Action] {
        guard openings[acceptance]?.session == session else { return [] }
        openings[acceptance] = nil
        return [.finished(acceptance, .success(isHandled))]
    }

    package mutating func launchFailed(_ acceptance: AcceptanceID, _ error: BatonError) -> [Action] {
        guard openings[acceptance]?.session == nil else { return [] }
        return fail(acceptance, error)
    }

    /// A process of the app ended; if it was the one that was being launched, nobody waits for it any longer.
    package mutating func ended(_ app: AppIdentity, message: String) -> [Action] {
        sorted.filter { $0.value.app == app && $0.value.session == nil }.flatMap {
            fail($0.key, BatonError(.aborted, reason: "app_ended", message))
        }
    }

    package mutating func detached(_ session: SessionID) -> [Action] {
        sorted.filter { $0.value.session == session }.flatMap {
            fail(
                $0.key,
                BatonError(.aborted, reason: "app_ended", "The app ended before it continued the activity."))
        }
    }

    package mutating func advance(now: Duration) -> [Action] {
        sorted.filter { $0.value.deadline <= now }.flatMap { acceptance, opening -> [Action] in
            let error = BatonError(
                .deadlineExceeded, reason: "app_too_slow",
                opening.session == nil
                    ? "The app did not start in time." : "The app did not finish continuing the activity in time.")
            let told: [Action] =
                opening.session.map {
                    [.didFail(acceptance, $0, opening.type, .init(.handoffFailed, error.message))]
                } ?? []
            return told + fail(acceptance, error)
        }
    }

    private mutating func fail(_ acceptance: AcceptanceID, _ error: BatonError) -> [Action] {
        guard openings.removeValue(forKey: acceptance) != nil else { return [] }
        return [.finished(acceptance, .failure(error))]
    }

    /// In an order that is the same each time.
    private var sorted: [(key: AcceptanceID, value: Opening)] { openings.sorted { $0.key < $1.key } }
}

extension HandoffStateMachine {
    /// The process of an app that can continue activities: the oldest.
    func continuingSession(of app: AppIdentity) -> SessionID? {
        sessions.filter { $0.value.canContinue && $0.value.app.identity == app }
            .min { $0.value.number < $1.value.number }?.key
    }

    func isAttached(_ app: AppIdentity) -> Bool { sessions.values.contains { $0.app.identity == app } }
}
