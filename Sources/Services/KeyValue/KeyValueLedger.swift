import BatonCore
import Dispatch
import Synchronization

/// Changes stores one after the other, and keeps what has changed before anybody hears of it.
///
/// What waits while the disk is written is written together the next time. Bound: callers wait for their answers, so no
/// more waits than there are callers.
final class KeyValueLedger: Sendable {
    /// Done in a round; gives what is called when the round was kept, or could not be.
    private typealias Job = @Sendable (inout KeyValueRound) -> @Sendable ((any Error)?) -> Void

    private struct Waiting {
        var jobs: [Job] = []
        var isBusy = false
    }

    private struct Memory {
        var stores: [KeyValueStoreName: KeyValueRound.Kept] = [:]
        var account: KeyValueAccount?
        var left: Set<AccountID> = []
        var revision: UInt64 = 0
    }

    /// Together on the disk. More would make the first wait for the last.
    private static let maximumJobs = 256

    private let storage: KeyValueStorage
    private let maximumStores: Int
    private let isInUse: @Sendable (KeyValueStoreName) -> Bool
    /// Called after each round that was kept, before its callers are answered.
    private let onKept: @Sendable (KeyValueRound) -> Void
    private let waiting = Mutex(Waiting())
    /// Of the queue's.
    private let memory = Mutex(Memory())
    private let queue = DispatchQueue(label: "development.baton.key-value", qos: .userInitiated)

    init(
        storage: KeyValueStorage, maximumStores: Int,
        isInUse: @escaping @Sendable (KeyValueStoreName) -> Bool, onKept: @escaping @Sendable (KeyValueRound) -> Void
    ) {
        self.storage = storage
        self.maximumStores = maximumStores
        self.isInUse = isInUse
        self.onKept = onKept
    }

    /// Runs the body in its turn; returns when everything that it has changed, and what it has seen, is on the disk.
    /// Not cancellable: what was begun is finished.
    func perform<Output: Sendable>(
        _ body: @escaping @Sendable (inout KeyValueRound) throws -> Output
    ) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { round in
                let result = Result { try body(&round) }
                return { failure in
                    if let failure { continuation.resume(throwing: failure) } else { continuation.resume(with: result) }
                }
            }
        }
    }

    private func enqueue(_ job: @escaping Job) {
        let isFirst = waiting.withLock { waiting in
            waiting.jobs.append(job)
            defer { waiting.isBusy = true }
            return !waiting.isBusy
        }
        if isFirst { queue.async { [self] in drain() } }
    }

    private func drain() {
        while let jobs = takeJobs() { run(jobs) }
    }

    private func takeJobs() -> ArraySlice<Job>? {
        waiting.withLock { waiting in
            guard !waiting.jobs.isEmpty else {
                waiting.isBusy = false
                return nil
            }
            let jobs = waiting.jobs.prefix(Self.maximumJobs)
            waiting.jobs.removeFirst(jobs.count)
            return jobs
        }
    }

    private func run(_ jobs: ArraySlice<Job>) {
        // Taken out, so that changing a store copies nothing.
        var round = memory.withLock { memory in
            let round = KeyValueRound(
                stores: memory.stores, account: memory.account, left: memory.left, revision: memory.revision,
                storage: storage, maximumStores: maximumStores, isInUse: isInUse)
            memory.stores = [:]
            return round
        }
        let answers = jobs.map { $0(&round) }
        var failure: (any Error)?
        do {
            if !round.changes.isEmpty { try storage.save(round.changes.values) }
        } catch {
            failure = Self.notKept(error)
            // As they are on the disk, the next time that they are needed.
            for name in round.changes.keys { round.stores[name] = nil }
        }
        memory.withLock { memory in
            memory.stores = round.stores
            memory.account = round.account
            memory.left = round.left
            memory.revision = round.revision
        }
        if failure == nil { onKept(round) }
        for answer in answers { answer(failure) }
    }

    private static func notKept(_ cause: any Error) -> BatonError {
        BatonError(
            .unavailable, reason: "not_kept",
            "What was written to the key-value store could not be put on the disk. Free some space, then try again.",
            cause: cause)
    }
}
