import Dispatch
import Synchronization

/// The tasks that an app wants to end before the process ends or is stopped: a pure value.
struct BackgroundTaskTable: Sendable {
    typealias Expiration = @MainActor @Sendable () -> Void

    /// Policy: what is begun beyond it is refused, as `UIBackgroundTaskIdentifier.invalid`.
    static let capacity = 1000

    private var tasks: [Int: Expiration?] = [:]
    private var lastID = 0
    /// The time for tasks is over: nothing is begun any more.
    private(set) var isExpired = false

    var isEmpty: Bool { tasks.isEmpty }

    /// - Returns: nil when no task may begin.
    mutating func begin(_ expiration: Expiration?) -> Int? {
        guard !isExpired, tasks.count < Self.capacity else { return nil }
        lastID += 1
        tasks[lastID] = .some(expiration)
        return lastID
    }

    /// - Returns: whether it was the last one.
    mutating func end(_ id: Int) -> Bool { tasks.removeValue(forKey: id) != nil && tasks.isEmpty }

    /// - Returns: the handlers of what still runs, in the order in which it was begun.
    mutating func expire() -> [Expiration] {
        isExpired = true
        defer { tasks = [:] }
        return tasks.sorted { $0.key < $1.key }.compactMap { $0.value }
    }

    /// The process goes on after it was stopped.
    mutating func resume() { isExpired = false }
}

/// Holds up the end of the app while tasks run, for a time.
final class BackgroundTasks: Sendable {
    private struct State {
        var table = BackgroundTaskTable()
        var deadline: ContinuousClock.Instant?
        var completion: (@MainActor @Sendable () -> Void)?
        /// Counts the calls of `finish`: a timer of an earlier one is no more of interest.
        var round = 0
    }

    private let state = Mutex(State())

    func begin(_ expiration: BackgroundTaskTable.Expiration?) -> Int? {
        state.withLock { $0.table.begin(expiration) }
    }

    func end(_ id: Int) {
        let completion = state.withLock { state -> (@MainActor @Sendable () -> Void)? in
            guard state.table.end(id) else { return nil }
            return Self.take(&state)
        }
        if let completion { MainQueue.async(completion) }
    }

    /// Nil while nothing is about to end the tasks.
    var remaining: Duration? {
        state.withLock { state in state.deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }
    }

    /// Calls back at once when no task runs; else when the last has ended or, after the handlers of those that run, when the time
    /// is over.
    @MainActor
    func finish(within grace: Duration, then completion: @escaping @MainActor @Sendable () -> Void) {
        let round = state.withLock { state -> Int? in
            guard !state.table.isEmpty else { return nil }
            state.round += 1
            state.deadline = .now + grace
            state.completion = completion
            return state.round
        }
        guard let round else { return completion() }
        let seconds = Double(grace.components.seconds) + Double(grace.components.attoseconds) / 1e18
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
            MainActor.assumeIsolated { self.expire(round) }
        }
    }

    @MainActor
    private func expire(_ round: Int) {
        typealias Outcome = ([BackgroundTaskTable.Expiration], (@MainActor @Sendable () -> Void)?)
        let (handlers, completion) = state.withLock { state -> Outcome in
            guard state.round == round, state.completion != nil else { return ([], nil) }
            return (state.table.expire(), Self.take(&state))
        }
        for handler in handlers { handler() }
        completion?()
        state.withLock { $0.table.resume() }
    }

    private static func take(_ state: inout State) -> (@MainActor @Sendable () -> Void)? {
        defer {
            state.completion = nil
            state.deadline = nil
        }
        return state.completion
    }
}
