import BatonCore
import Dispatch
import Synchronization

/// Writes batches that wait together in one transaction, so that they share two round trips and one wait for the disk.
///
/// While a group is written the next one gathers, so what a group costs is shared by as many as there are. Only while one
/// takes long, since another node has locked an account of it or the disk is slow, another is written beside it. An
/// account is in one group of a node at a time. Between nodes, the lock of the account's row decides who is first.
final class PostgreSQLWriter: Sendable {
    /// The largest group: it bounds how long the first write waits for the last. Policy: the rest is written next.
    static let maximumGroup = 256
    static let maximumBytes = 8 << 20
    /// Waiting in all. Policy: more are refused, `unavailable`.
    static let maximumWaiting = 8192
    /// How long a group takes at most before another is written beside it, in milliseconds.
    private static let patience = 20

    private struct Job: Sendable {
        var key: WriteBatchPlanner.Key
        var batch: WriteBatch
        var bytes: Int
        var continuation: CheckedContinuation<WriteOutcome, any Error>
    }

    private struct State {
        var waiting: [Job] = []
        /// Accounts of the groups that are being written.
        var busy: Set<AccountID> = []
        /// Since when each lane has been writing its group; nil for one that does nothing.
        var lanes: [ContinuousClock.Instant?]
        var isWatched = false
        var isClosed = false
    }

    private let pool: PostgreSQLPool
    private let rules: StoreRules
    private let channel: String
    private let committed: @Sendable ([NodeMessage]) -> Void
    private let state: Mutex<State>
    /// One queue for each lane; its thread while it writes.
    private let queues: [DispatchQueue]

    /// - Parameters:
    ///   - lanes: groups that are written at once, at most.
    ///   - committed: receives each group before it is answered, an account's in its order. It must not block.
    init(
        pool: PostgreSQLPool, rules: StoreRules, channel: String, lanes: Int,
        committed: @escaping @Sendable ([NodeMessage]) -> Void
    ) {
        self.pool = pool
        self.rules = rules
        self.channel = channel
        self.committed = committed
        state = Mutex(State(lanes: Array(repeating: nil, count: lanes)))
        queues = (0..<lanes).map { DispatchQueue(label: "baton.cloud.postgresql.writer-\($0)") }
    }

    func write(_ batch: WriteBatch, to key: WriteBatchPlanner.Key) async throws -> WriteOutcome {
        let bytes = batch.writes.reduce(0) { $0 + $1.cost }
        return try await withCheckedThrowingContinuation { continuation in
            enqueue(Job(key: key, batch: batch, bytes: bytes, continuation: continuation))
        }
    }

    /// Refuses what comes from now on. Blocks until the rest is written.
    func close() {
        state.withLock { $0.isClosed = true }
        for queue in queues { queue.sync {} }
    }

    private func enqueue(_ job: Job) {
        let refusal = state.withLock { state -> BatonError? in
            guard !state.isClosed else { return Self.closed }
            guard state.waiting.count < Self.maximumWaiting else { return Self.overloaded }
            state.waiting.append(job)
            // A group with the same account is followed by the next of its lane.
            if !state.busy.contains(job.key.account) { attend(&state) }
            return nil
        }
        if let refusal { job.continuation.resume(throwing: refusal) }
    }

    /// Has a lane write what waits, at once where none writes or all are late, or else when they are late.
    private func attend(_ state: inout State) {
        guard let free = state.lanes.firstIndex(of: nil) else { return }
        let now = ContinuousClock.now
        if state.lanes.allSatisfy({ $0.map { now - $0 >= .milliseconds(Self.patience) } ?? true }) {
            state.lanes[free] = now
            queues[free].async { self.drain(free) }
        } else if !state.isWatched {
            state.isWatched = true
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.patience)) { [weak self] in
                self?.watch()
            }
        }
    }

    private func watch() {
        state.withLock { state in
            state.isWatched = false
            let busy = state.busy
            guard !state.isClosed, state.waiting.contains(where: { !busy.contains($0.key.account) }) else { return }
            attend(&state)
        }
    }

    private func drain(_ lane: Int) {
        while case let group = state.withLock({ Self.take(&$0, lane) }), !group.isEmpty {
            write(group)
            state.withLock { $0.busy.subtract(group.map(\.key.account)) }
        }
    }

    /// The first that may be written now; none ends the lane.
    private static func take(_ state: inout State, _ lane: Int) -> [Job] {
        var (group, rest): ([Job], [Job]) = ([], [])
        var bytes = 0
        var isFull = false
        for job in state.waiting {
            if isFull || state.busy.contains(job.key.account) {
                rest.append(job)
            } else if group.isEmpty || (group.count < maximumGroup && bytes + job.bytes <= maximumBytes) {
                bytes += job.bytes
                group.append(job)
            } else {
                isFull = true
                rest.append(job)
            }
        }
        state.waiting = rest
        state.busy.formUnion(group.lazy.map(\.key.account))
        state.lanes[lane] = group.isEmpty ? nil : .now
        return group
    }

    /// On the lane's thread.
    private func write(_ jobs: [Job]) {
        do {
            // The answers that are remembered make it right to try again after an end of unknown outcome.
            let (outcomes, messages) = try pool.perform { try attempt(jobs, $0) }
            committed(messages)
            for (job, outcome) in zip(jobs, outcomes) { job.continuation.resume(with: outcome) }
        } catch {
            for job in jobs { job.continuation.resume(throwing: error) }
        }
    }

    private func attempt(
        _ jobs: [Job], _ connection: PostgreSQLConnection
    ) throws -> ([Result<WriteOutcome, any Error>], [NodeMessage]) {
        var group = WriteBatchPlanner(rules: rules)
        try group.load(jobs.map { ($0.key, $0.batch) }, connection)
        let verdicts = jobs.map { job in
            Result { try group.write(job.batch, to: job.key) }
        }
        let told = verdicts.flatMap { verdict -> [WriteBatchPlanner.ItemName] in
            guard case .success(.conflicts(let conflicts)) = verdict else { return [] }
            return conflicts.compactMap { conflict in
                guard case .stored(let key, let item) = conflict else { return nil }
                return WriteBatchPlanner.ItemName(key: key, item: item)
            }
        }
        let stored = try group.stored(told, connection)
        let messages = try group.store(channel: channel, connection)
        let outcomes = verdicts.map { verdict in
            verdict.map { verdict -> WriteOutcome in
                switch verdict {
                case .written(let versions): .written(versions)
                case .conflicts(let conflicts):
                    .conflicts(
                        conflicts.map { conflict in
                            switch conflict {
                            case .known(let item): item
                            case .stored(let key, let item):
                                stored[WriteBatchPlanner.ItemName(key: key, item: item)] ?? .absent(item)
                            }
                        })
                }
            }
        }
        return (outcomes, messages)
    }

    private static let closed = BatonError(
        .unavailable, reason: "shutting_down", "The server is shutting down. Try again soon.")
    private static let overloaded = BatonError(
        .unavailable, reason: "overloaded", "The server has more to write than it can. Try again later.")
}
