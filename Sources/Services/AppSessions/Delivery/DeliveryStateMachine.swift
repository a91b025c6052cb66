package import BatonConcurrency
package import BatonCore

/// Decides which session of an app gets a delivery, and when the delivery ends.
///
/// Invariants (simulated): a delivery is given to at most one session, which is attached at that time; it ends once; it
/// does not wait for a session that has ended.
package struct DeliveryStateMachine: StateMachine {
    package enum Input: Sendable {
        case deliver(DeliveryID, AppIdentity)
        case attached(SessionID, AppIdentity, takesDeliveries: Bool)
        case detached(SessionID)
        /// The app's answer; it counts once.
        case answered(DeliveryID, by: SessionID)
        /// A launch has started a process, or found one that runs but is not attached.
        case launched(DeliveryID, process: Int32, wasRunning: Bool)
        case launchFailed(DeliveryID, BatonError)
        case processEnded(AppIdentity, process: Int32, message: String)
    }

    package enum Action: Sendable {
        /// The answer is `launched` or `launchFailed`.
        case launch(DeliveryID, AppIdentity)
        case give(DeliveryID, to: SessionID)
        /// The session was given it, and has not answered in time.
        case withdraw(DeliveryID, from: SessionID, message: String)
        /// Without an error: the app has answered.
        case finished(DeliveryID, BatonError?)
    }

    private struct Session: Sendable {
        var app: AppIdentity
        var takesDeliveries: Bool
        /// The oldest of an app's processes is always preferred.
        var number: UInt64
    }

    private struct Open: Sendable {
        var app: AppIdentity
        /// Nil until it was given to one.
        var session: SessionID?
        /// That which is to attach; nil until the launch has said so.
        var process: LaunchedProcess?
        var deadline: Duration
    }

    private let configuration: AppSessionsConfiguration
    private var sessions: [SessionID: Session] = [:]
    private var attachments: UInt64 = 0
    private var deliveries: [DeliveryID: Open] = [:]
    private var endedProcesses = EndedProcesses()

    package init(configuration: AppSessionsConfiguration = .init()) { self.configuration = configuration }

    /// - Throws: for a delivery: `resource_exhausted` when too many are under way, `failed_precondition` when the app runs
    ///   but has no delegate.
    package mutating func handle(_ input: Input, now: Timestamp) throws(BatonError) -> [Action] {
        switch input {
        case .deliver(let id, let app): try deliver(id, to: app, now: now)
        case .attached(let session, let app, let takesDeliveries):
            attached(session, Session(app: app, takesDeliveries: takesDeliveries, number: attachments), now: now)
        case .detached(let session): detached(session)
        case .answered(let id, let session): answered(id, by: session)
        case .launched(let id, let process, let wasRunning):
            launched(id, LaunchedProcess(id: process, wasRunning: wasRunning))
        case .launchFailed(let id, let error): deliveries[id].map { $0.session == nil } == true ? end(id, error) : []
        case .processEnded(let app, let process, let message): processEnded(app, process, message)
        }
    }

    // MARK: Sessions

    private mutating func deliver(
        _ id: DeliveryID, to app: AppIdentity, now: Timestamp
    ) throws(BatonError) -> [Action] {
        guard deliveries[id] == nil, deliveries.count < configuration.maximumDeliveries else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_deliveries",
                "Too much is being given to apps at once. Wait until some of it is done.")
        }
        let own = sessions.filter { $0.value.app == app }
        let able = own.filter(\.value.takesDeliveries).min { $0.value.number < $1.value.number }?.key
        guard able != nil || own.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "app_cannot_continue",
                "The app runs here without an app delegate, so it cannot take what it is given. Quit it "
                    + "(“baton quit”), then open it again.")
        }
        deliveries[id] = Open(app: app, deadline: now.monotonic + configuration.launchDeadline)
        guard let able else { return [.launch(id, app)] }
        return give(id, to: able, now: now)
    }

    private mutating func give(_ id: DeliveryID, to session: SessionID, now: Timestamp) -> [Action] {
        deliveries[id]?.session = session
        deliveries[id]?.deadline = now.monotonic + configuration.answerDeadline
        return [.give(id, to: session)]
    }

    private mutating func attached(_ id: SessionID, _ session: Session, now: Timestamp) -> [Action] {
        attachments += 1
        sessions[id] = session
        guard session.takesDeliveries else { return [] }
        return sorted.filter { $0.value.session == nil && $0.value.app == session.app }
            .flatMap { give($0.key, to: id, now: now) }
    }

    private mutating func detached(_ session: SessionID) -> [Action] {
        sessions[session] = nil
        return sorted.filter { $0.value.session == session }.flatMap {
            end($0.key, Self.ended("The app ended before it answered."))
        }
    }

    private mutating func answered(_ id: DeliveryID, by session: SessionID) -> [Action] {
        deliveries[id]?.session == session ? end(id, nil) : []
    }

    // MARK: Processes

    private mutating func launched(_ id: DeliveryID, _ process: LaunchedProcess) -> [Action] {
        guard let delivery = deliveries[id], delivery.session == nil else { return [] }
        deliveries[id]?.process = process
        guard let message = endedProcesses.message(delivery.app, process.id) else { return [] }
        return launchedProcessEnded(id, message: message)
    }

    /// Ends every delivery that waits for the process to attach.
    private mutating func processEnded(_ app: AppIdentity, _ process: Int32, _ message: String) -> [Action] {
        endedProcesses.append(app, process, message: message)
        return sorted.filter { $0.value.app == app && $0.value.session == nil && $0.value.process?.id == process }
            .flatMap { launchedProcessEnded($0.key, message: message) }
    }

    private mutating func launchedProcessEnded(_ id: DeliveryID, message: String) -> [Action] {
        guard let delivery = deliveries[id], let process = delivery.process else { return [] }
        guard process.wasRunning else { return end(id, Self.ended(message)) }
        // It ran already and was ending: the app has not been launched for this yet.
        deliveries[id]?.process = nil
        return [.launch(id, delivery.app)]
    }

    private static func ended(_ message: String) -> BatonError { BatonError(.aborted, reason: "app_ended", message) }

    // MARK: Time

    package func nextDeadline(now: Timestamp) -> Duration? { deliveries.values.map(\.deadline).min() }

    package mutating func advance(now: Timestamp) -> [Action] {
        sorted.filter { $0.value.deadline <= now.monotonic }.flatMap { id, delivery -> [Action] in
            let message =
                delivery.session == nil
                ? "The app did not start in time." : "The app did not answer in time."
            let told = delivery.session.map { [Action.withdraw(id, from: $0, message: message)] } ?? []
            return told + end(id, BatonError(.deadlineExceeded, reason: "app_too_slow", message))
        }
    }

    private mutating func end(_ id: DeliveryID, _ error: BatonError?) -> [Action] {
        deliveries.removeValue(forKey: id) == nil ? [] : [.finished(id, error)]
    }

    /// In an order that is the same each time.
    private var sorted: [(key: DeliveryID, value: Open)] { deliveries.sorted { $0.key < $1.key } }
}
