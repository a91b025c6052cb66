import BatonCore
import Dispatch
import GRDB
import Synchronization

/// Writes what many callers ask for in one transaction, so that they share one wait for the disk. One that fails undoes
/// nothing of the others. All are answered after the commit.
///
/// A savepoint for each would cost two statements, and hardly any job fails after it has changed something. So they run
/// without; when one does fail so, the transaction is undone and done again with savepoints. Jobs can run twice, therefore.
final class GroupCommit: Sendable {
    /// The largest transaction, which bounds how long its first job waits for the last.
    static let maximumGroup = 256
    /// Waiting for their turn. Policy: more are refused, `unavailable`.
    static let maximumWaiting = 4096

    private struct Job: Sendable {
        /// It makes room, or must not wait until there is some: it may use what is kept for that.
        var mayUseReserve: Bool
        var perform: @Sendable (Database) throws -> Void
        /// On the writing thread, in the order of the commits.
        var finish: @Sendable (BatonError?) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isDraining = false
        var isClosed = false
    }

    private let pool: DatabasePool
    private let reserve: DiskReserve?
    private let queue = DispatchQueue(label: "baton.cloud.writer", qos: .userInitiated)
    private let state = Mutex(State())

    /// - Parameter reserve: used by nothing else.
    init(pool: DatabasePool, reserve: DiskReserve? = nil) {
        self.pool = pool
        self.reserve = reserve
    }

    /// - Parameters:
    ///   - mayUseReserve: whether it continues while the disk is full.
    ///   - committed: receives the value on the writing thread, in the order of the commits. It must not block.
    func write<Value: Sendable>(
        mayUseReserve: Bool = false, _ body: @escaping @Sendable (Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            let made = Mutex<Value?>(nil)
            let holder = Holder(value: made)
            enqueue(
                Job(
                    mayUseReserve: mayUseReserve,
                    perform: { database in
                        let value = try body(database)
                        holder.value.withLock { $0 = value }
                    },
                    finish: { error in
                        let value = holder.value.withLock { $0 }
                        guard error == nil, let value else {
                            continuation.resume(throwing: error ?? Self.closed)
                            return
                        }
                        committed(value)
                        continuation.resume(returning: value)
                    }))
        }
    }

    /// Writes the log into the database, as far as no reader reads from before. A full disk is no error: the log has it all.
    func checkpoint() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                _ = try? self.pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
                continuation.resume()
            }
        }
    }

    /// Refuses what comes from now on. Blocks until the rest is written.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync {}
    }

    private func enqueue(_ job: Job) {
        enum Verdict {
            case drain, wait
            case refuse(BatonError)
        }
        let verdict = state.withLock { state -> Verdict in
            guard !state.isClosed else { return .refuse(Self.closed) }
            guard state.waiting.count < Self.maximumWaiting else { return .refuse(Self.overloaded) }
            state.waiting.append(job)
            defer { state.isDraining = true }
            return state.isDraining ? .wait : .drain
        }
        switch verdict {
        case .drain: queue.async { self.drain() }
        case .wait: break
        case .refuse(let error): job.finish(error)
        }
    }

    private func drain() {
        while true {
            let group = state.withLock { state in
                let group = Array(state.waiting.prefix(Self.maximumGroup))
                state.waiting.removeFirst(group.count)
                if group.isEmpty { state.isDraining = false }
                return group
            }
            if group.isEmpty { return }
            for (job, failure) in zip(group, commit(group)) { job.finish(failure) }
        }
    }

    /// - Returns: the outcome of each.
    private func commit(_ group: [Job]) -> [BatonError?] {
        guard let reserve else { return attempt(group) }
        if reserve.isDue { takeReserve(reserve) }
        // Other writes would now use up the rest of the reserve.
        var failures =
            reserve.isHeld ? attempt(group) : group.map { $0.mayUseReserve ? nil : CloudDatabase.diskFull(nil) }
        let rest = group.indices.filter { index in
            group[index].mayUseReserve
                && (!reserve.isHeld || failures[index]?.reason == CloudDatabase.diskFull(nil).reason)
        }
        guard !rest.isEmpty else { return failures }
        reserve.release()
        for (index, failure) in zip(rest, attempt(rest.map { group[$0] })) { failures[index] = failure }
        takeReserve(reserve)
        return failures
    }

    /// With the room that the log had, once what is in it is in the database. That needs as much: where the reserve is
    /// smaller it is taken first, or the half of it would be lost, being in both.
    private func takeReserve(_ reserve: DiskReserve) {
        let size = FileSize.of(pool.path + "-wal")
        if size > reserve.wanted / 2 { reserve.take() } else { reserve.release() }
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        reserve.take()
    }

    private func attempt(_ group: [Job]) -> [BatonError?] {
        do {
            return try pool.writeWithoutTransaction { database in
                do {
                    return try Self.run(group, database, Self.attempt)
                } catch is FailedHalfway {
                    return try Self.run(group, database, Self.attemptInSavepoint)
                }
            }
        } catch {
            return group.map { _ in CloudDatabase.meaning(error) }
        }
    }

    private static func run(
        _ group: [Job], _ database: Database, _ attempt: (Job, Database) throws -> BatonError?
    ) throws -> [BatonError?] {
        var failures: [BatonError?] = []
        try database.inTransaction(.immediate) {
            for job in group { failures.append(try attempt(job, database)) }
            return .commit
        }
        return failures
    }

    /// A job that failed had changed something before.
    private struct FailedHalfway: Error {}

    private static func attempt(_ job: Job, _ database: Database) throws -> BatonError? {
        let changes = database.totalChangesCount
        do {
            try job.perform(database)
            return nil
        } catch {
            // A full disk may have undone the whole transaction, what came before this job too.
            guard database.isInsideTransaction else { throw error }
            guard database.totalChangesCount == changes else { throw FailedHalfway() }
            return CloudDatabase.meaning(error)
        }
    }

    private static func attemptInSavepoint(_ job: Job, _ database: Database) throws -> BatonError? {
        do {
            try database.inSavepoint {
                try job.perform(database)
                return .commit
            }
            return nil
        } catch {
            guard database.isInsideTransaction else { throw error }
            return CloudDatabase.meaning(error)
        }
    }

    private static let closed = BatonError(
        .unavailable, reason: "shutting_down", "The server is shutting down. Try again soon.")
    private static let overloaded = BatonError(
        .unavailable, reason: "overloaded", "The server has more to write than it can. Try again later.")
}

/// The result of a job, on its way from the transaction to its waiter.
private final class Holder<Value: Sendable>: Sendable {
    let value: Mutex<Value?>
    init(value: consuming Mutex<Value?>) { self.value = value }
}
