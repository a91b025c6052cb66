import ServiceLifecycle
import Synchronization

/// Runs a ``StateMachine`` in a process: holds it under a lock, performs its actions in order outside of the lock, and
/// owns its one timer.
///
/// Actions are performed one at a time, by the thread whose input caused them, or by the thread that is already
/// performing, after the earlier actions. So an action may give the machine inputs, and two threads cannot change the
/// order. An action must not block; long work goes to ``start(_:)``.
package final class StateMachineDriver<Machine: StateMachine>: Service {
    package typealias Performer = @Sendable (Machine.Action) -> Void

    private struct State {
        var machine: Machine
        /// Bounded by what the machine decides at once: they are performed before anything waits.
        var actions: [Machine.Action] = []
        var isPerforming = false
        var perform: Performer?
        var timer: (deadline: Duration, entry: DeadlineTimer.Entry)?
    }

    private let state: Mutex<State>
    private let clock: MomentClock
    private let deadlines: DeadlineTimer
    /// Bounded by the machine, whose actions in progress are limited.
    private let work: AsyncStream<@Sendable () async -> Void>
    private let workQueue: AsyncStream<@Sendable () async -> Void>.Continuation

    package init(_ machine: Machine, clock: MomentClock, deadlines: DeadlineTimer = .shared) {
        state = Mutex(State(machine: machine))
        self.clock = clock
        self.deadlines = deadlines
        (work, workQueue) = AsyncStream.makeStream()
    }

    /// Sets the performer of actions and performs the waiting ones first. The closure should hold its owner weakly.
    package func connect(_ perform: @escaping Performer) {
        state.withLock { $0.perform = perform }
        drain()
    }

    // MARK: Inputs

    package func input(_ input: Machine.Input) throws(Machine.Refusal) {
        try update { machine, now throws(Machine.Refusal) in ((), try machine.handle(input, now: now)) }
    }

    /// Applies one input that has a result in addition to its actions.
    package func update<Result: Sendable, Failure: Error>(
        _ apply: (inout Machine, Timestamp) throws(Failure) -> (Result, [Machine.Action])
    ) throws(Failure) -> Result {
        let now = clock.now
        let result = state.withLock { state -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                let (result, actions) = try apply(&state.machine, now)
                state.actions += actions
                rearm(&state, now)
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        drain()
        return try result.get()
    }

    /// Reads the machine. Actions of earlier inputs may be in progress.
    package func read<Result: Sendable>(_ body: (Machine) -> Result) -> Result {
        state.withLock { body($0.machine) }
    }

    package var now: Timestamp { clock.now }

    // MARK: Actions

    private func drain() {
        var isMine = false
        while let (actions, perform) = next(&isMine) {
            for action in actions { perform(action) }
        }
    }

    /// - Parameter isMine: whether this thread is the one that performs.
    private func next(_ isMine: inout Bool) -> (actions: [Machine.Action], perform: Performer)? {
        let wasMine = isMine
        let next = state.withLock { state -> (actions: [Machine.Action], perform: Performer)? in
            guard wasMine || !state.isPerforming else { return nil }
            guard let perform = state.perform, !state.actions.isEmpty else {
                state.isPerforming = false
                return nil
            }
            state.isPerforming = true
            defer { state.actions = [] }
            return (state.actions, perform)
        }
        isMine = next != nil
        return next
    }

    /// Does something that waits, in ``run()``.
    package func start(_ body: @escaping @Sendable () async -> Void) { workQueue.yield(body) }

    /// Does what waits until it is cancelled or shut down gracefully; then the timer is taken back.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [work] in
            await withDiscardingTaskGroup { group in
                for await body in work { group.addTask { await body() } }
                group.cancelAll()
            }
        }
        let timer = state.withLock { state in
            defer { state.timer = nil }
            return state.timer?.entry
        }
        if let timer { deadlines.cancel(timer) }
    }

    // MARK: Time

    private func rearm(_ state: inout State, _ now: Timestamp) {
        guard let deadline = state.machine.nextDeadline(now: now) else {
            if let timer = state.timer { deadlines.cancel(timer.entry) }
            state.timer = nil
            return
        }
        // At least 10 ms ahead, so that no deadline can turn the timer into a loop. A timer that comes early enough is
        // left alone: else inputs that come more often could put it off for ever.
        let delay = max(deadline - now.monotonic, .milliseconds(10))
        if let timer = state.timer {
            if timer.deadline <= now.monotonic + delay { return }
            deadlines.cancel(timer.entry)
        }
        let entry = deadlines.schedule(after: delay) { [weak self] in self?.advance() }
        state.timer = (now.monotonic + delay, entry)
    }

    private func advance() {
        let now = clock.now
        state.withLock { state in
            state.timer = nil
            state.actions += state.machine.advance(now: now)
            rearm(&state, now)
        }
        drain()
    }
}
