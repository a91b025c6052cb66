import BatonConcurrency
import BatonCore
import BatonWire
import Dispatch
package import FileCoordination
import Logging
import Synchronization

/// Has the daemon arbitrate, so that all processes of the person take turns; without a daemon an arbiter in this process.
///
/// The first use connects. While the daemon is away for a moment, as when it is restarted, everything waits; after
/// five seconds this process goes on alone. A daemon that comes (back) gets what is held and what waits. No waiting request
/// here needs a thread of the cooperative pool.
package final class DaemonFileArbiter: FileCoordinationTransport {
    package typealias Input = FileCoordinationStateMachine.Input

    enum Mode: Equatable, Sendable {
        /// Nothing was coordinated yet.
        case idle
        /// For a daemon, for the first time or after it was lost.
        case waiting
        case daemon(session: String)
        /// There is no daemon; it is tried again.
        case alone
    }

    private struct State {
        var mode = Mode.idle
        /// Counts arbiters: what a former one says does not count.
        var generation: UInt64 = 0
        var ledger = CoordinationLedger()
        /// For the daemon. Bounded by the limits of requests and presenters, and by what the app does to files meanwhile.
        var outgoing: [Input] = []
        /// A new session is sent a message even if it is empty: the daemon waits for it.
        var isGreeted = false
        var local: (any FileCoordinationTransport)?
        var receive: (@Sendable (FileCoordinationNews) -> Void)?
        var wake: Signal?
        var subscription: DaemonSubscription?
        var isStopped = false
    }

    /// How long a process waits for a daemon that is away before it goes on alone.
    private static let patience = Duration.seconds(5)

    /// The only one that the process is, to whichever arbiter.
    package let client = CoordinationClient(1)
    let logger = Logger(label: "baton.coordination")
    private let state = Mutex(State())
    /// Every message for the app, in order, and every change of the mode.
    private let events = DispatchQueue(label: "development.baton.coordination.news", qos: .userInitiated)
    private let link: @Sendable () -> DaemonLink

    /// - Parameter link: asked for at the first use, when the app had its chance to configure.
    package init(link: @escaping @Sendable () -> DaemonLink) { self.link = link }

    package func connect(_ receive: @escaping @Sendable (FileCoordinationNews) -> Void) {
        state.withLock { $0.receive = receive }
    }

    /// For tests.
    var mode: Mode { state.withLock { $0.mode } }

    // MARK: The app

    package func send(_ input: Input) throws(CoordinationRefusal) {
        start()
        let result = state.withLock { state -> Result<Signal?, CoordinationRefusal> in
            let hasArbiter = state.mode != .waiting
            let (input, actions) = state.ledger.take(input, hasArbiter: hasArbiter)
            // Within the lock, which keeps the order.
            if !actions.isEmpty { events.async { [self] in for action in actions { tell(.action(action)) } } }
            guard let input else { return .success(nil) }
            if let local = state.local { return Self.hand(input, to: local, &state).map { nil } }
            state.outgoing.append(input)
            return .success(state.wake)
        }
        try result.get()?.send()
    }

    private static func hand(
        _ input: Input, to local: any FileCoordinationTransport, _ state: inout State
    ) -> Result<Void, CoordinationRefusal> {
        do throws(CoordinationRefusal) {
            try local.send(input)
            return .success(())
        } catch {
            if case .request(let request) = input { state.ledger.forget(request.id) }
            return .failure(error)
        }
    }

    private func tell(_ news: FileCoordinationNews) { state.withLock { $0.receive }?(news) }

    /// Takes an arbiter's message, unless it is not the arbiter any more.
    private func deliver(_ news: FileCoordinationNews, _ generation: UInt64) {
        events.async { [self] in
            let told = state.withLock { state -> FileCoordinationNews? in
                guard generation == state.generation else { return nil }
                switch news {
                case .action(let action): return state.ledger.receive(action).map { .action($0) }
                case .refused(let id, _):
                    state.ledger.forget(id)
                    return news
                }
            }
            if let told { tell(told) }
        }
    }

    // MARK: The connection

    private func start() {
        guard state.withLock({ $0.mode == .idle && !$0.isStopped }) else { return }
        let link = link()
        let generation = state.withLock { state -> UInt64? in
            guard state.mode == .idle, !state.isStopped else { return nil }
            state.mode = .waiting
            guard link.socketPath != nil else { return state.generation }
            state.subscription = link.subscribe(
                CoordinationMethods.attachCoordinator, CoordinationConnection(arbiter: self))
            return state.generation
        }
        guard let generation else { return }
        if link.socketPath == nil { events.async { [self] in fallBackToLocal(generation) } }
        startFallbackTimer(generation)
    }

    /// Detaches for good.
    package func stop() async {
        let subscription = state.withLock { state in
            state.isStopped = true
            return state.subscription
        }
        await subscription?.stop()
    }

    private func startFallbackTimer(_ generation: UInt64) {
        let milliseconds = Int(Self.patience / .milliseconds(1))
        events.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.fallBackToLocal(generation)
        }
    }

    /// The daemon takes what this process has.
    func attached(_ session: String) async {
        await onEvents { [self] in
            let actions = state.withLock { state in
                let actions = state.ledger.arbiterLost()
                state.generation += 1
                state.local = nil
                state.mode = .daemon(session: session)
                state.isGreeted = false
                state.outgoing = state.ledger.restatement()
                return actions
            }
            for action in actions { tell(.action(action)) }
        }
    }

    /// There is no connection, or none any more.
    /// - Parameter waits: whether it may come back soon.
    func ended(waits: Bool) async {
        await onEvents { [self] in
            let (actions, generation, wasAttached) = state.withLock {
                state -> ([FileCoordinationStateMachine.Action], UInt64, Bool) in
                guard case .daemon = state.mode else { return ([], state.generation, false) }
                let actions = state.ledger.arbiterLost()
                state.generation += 1
                state.mode = .waiting
                state.outgoing = []
                state.wake = nil
                return (actions, state.generation, true)
            }
            for action in actions { tell(.action(action)) }
            if !waits { fallBackToLocal(generation) } else if wasAttached { startFallbackTimer(generation) }
        }
    }

    private func onEvents(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            events.async {
                body()
                continuation.resume()
            }
        }
    }

    /// On the queue of messages.
    private func fallBackToLocal(_ generation: UInt64) {
        state.withLock { state in
            guard state.mode == .waiting, state.generation == generation else { return }
            state.generation += 1
            state.mode = .alone
            let (own, local) = (state.generation, InProcessFileArbiter().makeTransport())
            local.connect { [weak self] news in self?.deliver(news, own) }
            state.local = local
            for input in state.ledger.restatement() {
                guard case .failure(let refusal) = Self.hand(input, to: local, &state),
                    case .request(let request) = input
                else { continue }
                events.async { [self] in tell(.refused(request.id, refusal)) }
            }
        }
    }

    // MARK: For the connection

    var isAlone: Bool { state.withLock { $0.mode == .alone } }

    /// Yields when there may be something to send, and at once.
    func wakes() -> AsyncStream<Void> {
        let wake = Signal()
        state.withLock { $0.wake = wake }
        wake.send()
        return wake.stream
    }

    /// The next message to send, with the arbiter's generation; nil when there is nothing.
    func takeBatch() -> (session: String, inputs: [Input], generation: UInt64)? {
        state.withLock { state in
            guard case .daemon(let session) = state.mode, !state.outgoing.isEmpty || !state.isGreeted else {
                return nil
            }
            state.isGreeted = true
            let batch = Array(state.outgoing.prefix(Self.batch(state.outgoing)))
            state.outgoing.removeFirst(batch.count)
            return (session, batch, state.generation)
        }
    }

    var generation: UInt64 { state.withLock { $0.generation } }

    /// At least one; together well below the largest message.
    private static func batch(_ inputs: [Input]) -> Int {
        var paths = 0
        for (index, input) in inputs.enumerated() {
            switch input {
            case .request(let request): paths += request.intents.count
            case .end(_, let changes): paths += changes.count
            default: paths += 1
            }
            // Two paths of 4,096 bytes at most for each.
            if paths > 128 { return max(index, 1) }
        }
        return inputs.count
    }

    func received(_ action: FileCoordinationStateMachine.Action, generation: UInt64) {
        deliver(.action(action), generation)
    }

    func refused(_ input: Input, _ refusal: CoordinationRefusal, generation: UInt64) {
        if case .request(let request) = input { deliver(.refused(request.id, refusal), generation) }
    }
}
