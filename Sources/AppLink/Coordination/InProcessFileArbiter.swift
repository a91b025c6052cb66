import BatonConcurrency
import Dispatch
package import FileCoordination
import Synchronization

/// Arbitrates among the coordinators of one process, for as long as there is no daemon; see ``DaemonFileArbiter``.
package final class InProcessFileArbiter: Sendable {
    private struct State {
        var machine: FileCoordinationStateMachine
        var lastClient: UInt64 = 0
        var receivers: [CoordinationClient: @Sendable (FileCoordinationNews) -> Void] = [:]
        var timer: Duration?
    }

    private let state: Mutex<State>
    /// Actions in order.
    private let queue = DispatchQueue(label: "baton.file-arbiter")
    private let report: @Sendable (CoordinationReport) -> Void
    private let epoch = ContinuousClock.now

    package init(
        limits: FileCoordinationStateMachine.Limits = .init(),
        report: @escaping @Sendable (CoordinationReport) -> Void = { _ in }
    ) {
        state = Mutex(State(machine: FileCoordinationStateMachine(limits: limits)))
        self.report = report
    }

    /// A party of its own.
    package func makeTransport() -> any FileCoordinationTransport {
        let number = state.withLock { state in
            state.lastClient += 1
            return state.lastClient
        }
        return Transport(client: CoordinationClient(number), arbiter: self)
    }

    /// As if the process of a party had ended.
    package func end(_ client: CoordinationClient) {
        try? perform { state, now throws(CoordinationRefusal) in
            state.receivers[client] = nil
            return try state.machine.handle(.clientEnded(client), now: now)
        }
    }

    private struct Transport: FileCoordinationTransport {
        let client: CoordinationClient
        let arbiter: InProcessFileArbiter

        func connect(_ receive: @escaping @Sendable (FileCoordinationNews) -> Void) {
            arbiter.state.withLock { $0.receivers[client] = receive }
        }

        func send(_ input: FileCoordinationStateMachine.Input) throws(CoordinationRefusal) {
            try arbiter.perform { state, now throws(CoordinationRefusal) in try state.machine.handle(input, now: now) }
        }
    }

    private func perform(
        _ body: (inout State, Timestamp) throws(CoordinationRefusal) -> [FileCoordinationStateMachine.Action]
    ) throws(CoordinationRefusal) {
        let result = state.withLock { state -> Result<Duration?, CoordinationRefusal> in
            let now = Timestamp(.now - epoch)
            do throws(CoordinationRefusal) {
                let actions = try body(&state, now)
                // Within the lock, so that the queue has them in the machine's order.
                if !actions.isEmpty { queue.async { [self] in for action in actions { deliver(action) } } }
                return .success(Self.delay(&state, now))
            } catch {
                return .failure(error)
            }
        }
        guard let delay = try result.get() else { return }
        let milliseconds =
            Int(delay.components.seconds) * 1000 + Int(delay.components.attoseconds / 1_000_000_000_000_000)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds + 1)) { [weak self] in self?.advance() }
    }

    private static func delay(_ state: inout State, _ now: Timestamp) -> Duration? {
        guard let deadline = state.machine.nextDeadline(now: now), state.timer.map({ $0 > deadline }) ?? true else {
            return nil
        }
        state.timer = deadline
        return max(deadline - now.monotonic, .zero)
    }

    private func advance() {
        try? perform { state, now throws(CoordinationRefusal) in
            state.timer = nil
            return state.machine.advance(now: now)
        }
    }

    private func deliver(_ action: FileCoordinationStateMachine.Action) {
        let client: CoordinationClient
        switch action {
        case .grant(let id, _), .fail(let id, _): client = id.client
        case .send(let id, _, _): client = id.client
        case .report(let text):
            report(text)
            return
        }
        state.withLock { $0.receivers[client] }?(.action(action))
    }
}
