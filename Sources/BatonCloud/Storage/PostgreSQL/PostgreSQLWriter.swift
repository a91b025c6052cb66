import BatonCore
import Dispatch
import Synchronization

/// Writes batches that wait together in one transaction, so that they share two round trips and one wait for the disk.
///
/// There are a few lanes, each of which writes one group after the other; an account has one lane of a node. Between
/// nodes, the lock of the account's row decides who is first.
final class PostgreSQLWriter: Sendable {
    /// Of one group: how long the first waits for the last. Policy: the rest is written next.
    static let maximumGroup = 256
    static let maximumBytes = 8 << 20
    /// Waiting in one lane. Policy: more are refused, `unavailable`.
    static let maximumWaiting = 4096

    private struct Job: Sendable {
        var key: WriteGroup.Key
        var batch: WriteBatch
        var bytes: Int
        var continuation: CheckedContinuation<WriteOutcome, any Error>
    }

    private final class Lane: Sendable {
        struct State {
            var waiting: [Job] = []
            var isDraining = false
        }
        let queue: DispatchQueue
        let state = Mutex(State())
        init(_ number: Int) { queue = DispatchQueue(label: "baton.cloud.postgresql.writer-\(number)") }
    }

    private let pool: PostgreSQLPool
    private let rules: StoreRules
    private let channel: String
    private let committed: @Sendable ([NodeMessage]) -> Void
    private let lanes: [Lane]
    private let isClosed = Mutex(false)

    /// - Parameter committed: told of each group, in the lane's order, before it is answered. It must not block.
    init(
        pool: PostgreSQLPool, rules: StoreRules, channel: String, lanes: Int,
        committed: @escaping @Sendable ([NodeMessage]) -> Void
    ) {
        self.pool = pool
        self.rules = rules
        self.channel = channel
        self.committed = committed
        self.lanes = (0..<lanes).map(Lane.init)
    }

    func write(_ batch: WriteBatch, to key: WriteGroup.Key) async throws -> WriteOutcome {
        let bytes = batch.writes.reduce(0) { $0 + StoredItem.cost(of: $1.content) }
        return try await withCheckedThrowingContinuation { continuation in
            enqueue(Job(key: key, batch: batch, bytes: bytes, continuation: continuation))
        }
    }

    /// Refuses what comes from now on. Blocks until the rest is written.
    func close() {
        isClosed.withLock { $0 = true }
        for lane in lanes { lane.queue.sync {} }
    }

    private func enqueue(_ job: Job) {
        guard !isClosed.withLock({ $0 }) else { return job.continuation.resume(throwing: Self.closed) }
        let lane = lanes[Int(UInt(bitPattern: job.key.account.hashValue) % UInt(lanes.count))]
        let isTaken = lane.state.withLock { state -> Bool in
            guard state.waiting.count < Self.maximumWaiting else { return false }
            state.waiting.append(job)
            if !state.isDraining {
                state.isDraining = true
                lane.queue.async { self.drain(lane) }
            }
            return true
        }
        if !isTaken { job.continuation.resume(throwing: Self.overloaded) }
    }

    private func drain(_ lane: Lane) {
        while true {
            let group = lane.state.withLock { state in
                var bytes = 0
                let count = state.waiting.prefix(Self.maximumGroup).prefix { job in
                    defer { bytes += job.bytes }
                    return bytes == 0 || bytes + job.bytes <= Self.maximumBytes
                }.count
                let group = Array(state.waiting.prefix(count))
                state.waiting.removeFirst(count)
                if group.isEmpty { state.isDraining = false }
                return group
            }
            if group.isEmpty { return }
            write(group)
        }
    }

    /// On the lane's thread.
    private func write(_ jobs: [Job]) {
        do {
            // The answers that are remembered make it right to try again after an end that nobody knows.
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
        var group = WriteGroup(rules: rules)
        try group.load(jobs.map { ($0.key, $0.batch) }, connection)
        let verdicts = jobs.map { job in
            Result { try group.write(job.batch, to: job.key) }
        }
        let told = verdicts.flatMap { verdict -> [WriteGroup.ItemName] in
            guard case .success(.conflicts(let conflicts)) = verdict else { return [] }
            return conflicts.compactMap { conflict in
                if case .stored(let key, let item) = conflict { WriteGroup.ItemName(key: key, item: item) } else { nil }
            }
        }
        let stored = try group.stored(told, connection)
        try group.store(channel: channel, connection)
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
                                stored[WriteGroup.ItemName(key: key, item: item)] ?? .absent(item)
                            }
                        })
                }
            }
        }
        return (outcomes, group.messages)
    }

    private static let closed = BatonError(
        .unavailable, reason: "shutting_down", "The server is shutting down. Try again soon.")
    private static let overloaded = BatonError(
        .unavailable, reason: "overloaded", "The server has more to write than it can. Try again later.")
}
