import BatonConcurrency
import Dispatch
import Foundation
import MetadataQuery
import Synchronization

/// Runs the state machine of one query: observes the source, owns the timer, and delivers on the observers' queue.
final class MetadataQueryDriver: Sendable {
    private struct State {
        var machine = QueryStateMachine()
        var source: any MetadataSource
        var scopes: [MetadataScope] = []
        var observation: (any MetadataObservation)?
        /// Which start the observation belongs to: reports of an earlier one are ignored.
        var generation = 0
        var queue: OperationQueue?
        var timer: Duration?
        var isDelivering = false
        var hasDeliveryWaiting = false
    }

    private let state: Mutex<State>
    /// Posts one notification on the observers' queue.
    private let post: @Sendable (QueryNotification) -> Void
    /// Hands the results over, before they are announced.
    private let publish: @Sendable ([MetadataRecord]) -> Void
    private let epoch = ContinuousClock.now

    init(
        source: any MetadataSource, publish: @escaping @Sendable ([MetadataRecord]) -> Void,
        post: @escaping @Sendable (QueryNotification) -> Void
    ) {
        state = Mutex(State(source: source))
        self.publish = publish
        self.post = post
    }

    deinit { state.withLock { $0.observation }?.cancel() }

    private var now: Timestamp { Timestamp(.now - epoch) }

    var phase: QueryStateMachine.Phase { state.withLock { $0.machine.phase } }

    // MARK: Inputs

    func start(_ configuration: QueryStateMachine.Configuration, scopes: [MetadataScope], queue: OperationQueue?) {
        state.withLock { state in
            guard state.machine.phase == .stopped else { return }
            state.scopes = scopes
            state.queue = queue
            state.generation += 1
        }
        handle(.start(configuration))
    }

    /// A reader of the results sees all that was reported before.
    func stop() {
        let results = state.withLock { state -> [MetadataRecord]? in
            guard state.machine.phase != .stopped else { return nil }
            let actions = state.machine.handle(.stop, now: now)
            state.generation += 1
            guard actions.contains(.cancelObservation) else { return nil }
            return state.machine.results
        }
        guard let results else { return }
        publish(results)
        state.withLock { state in
            defer { state.observation = nil }
            return state.observation
        }?.cancel()
    }

    func handle(_ input: QueryStateMachine.Input) { perform { $0.machine.handle(input, now: $1) } }

    private func perform(_ body: (inout State, Timestamp) -> [QueryStateMachine.Action]) {
        let (actions, delay) = state.withLock { state in
            let now = now
            let actions = body(&state, now)
            return (actions, Self.timerDelay(&state, now))
        }
        if let delay { arm(after: delay) }
        for action in actions {
            switch action {
            case .observe: observe()
            case .requestDelivery: requestDelivery()
            // Stopping and delivering do these themselves.
            case .cancelObservation, .notify: break
            }
        }
    }

    private func observe() {
        let (source, scopes, generation) = state.withLock { ($0.source, $0.scopes, $0.generation) }
        let observation = source.observe(scopes) { [weak self] report in self?.receive(report, generation) }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.observation = observation
            return true
        }
        if !isCurrent { observation.cancel() }
    }

    private func receive(_ report: MetadataReport, _ generation: Int) {
        perform { state, now in
            state.generation == generation ? state.machine.handle(.report(report), now: now) : []
        }
    }

    // MARK: Time

    private static func timerDelay(_ state: inout State, _ now: Timestamp) -> Duration? {
        guard let deadline = state.machine.nextDeadline(now: now), state.timer.map({ $0 > deadline }) ?? true else {
            return nil
        }
        state.timer = deadline
        return max(deadline - now.monotonic, .zero)
    }

    private func arm(after delay: Duration) {
        let (seconds, attoseconds) = delay.components
        let interval = DispatchTimeInterval.nanoseconds(
            Int(clamping: min(seconds, 1_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000 + 1))
        DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.perform { state, now in
                if let timer = state.timer, timer <= now.monotonic { state.timer = nil }
                return state.machine.advance(now: now)
            }
        }
    }

    // MARK: Deliveries

    private func requestDelivery() {
        let queue = state.withLock { $0.queue } ?? .main
        queue.addOperation { [weak self] in self?.deliver() }
    }

    /// One at a time, also on a queue that runs several operations at once.
    private func deliver() {
        let isMine = state.withLock { state in
            state.hasDeliveryWaiting = state.isDelivering
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isMine else { return }
        repeat {
            deliverOnce()
        } while state.withLock { state in
            defer { state.hasDeliveryWaiting = false }
            state.isDelivering = state.hasDeliveryWaiting
            return state.isDelivering
        }
    }

    private func deliverOnce() {
        let (actions, results, generation, delay) = state.withLock { state in
            let now = now
            let actions = state.machine.handle(.deliver, now: now)
            return (actions, state.machine.results, state.generation, Self.timerDelay(&state, now))
        }
        if let delay { arm(after: delay) }
        guard !actions.isEmpty else { return }
        publish(results)
        for case .notify(let notification) in actions {
            // The handler of the one before may have stopped the query.
            guard state.withLock({ $0.generation == generation }) else { return }
            post(notification)
        }
    }
}
