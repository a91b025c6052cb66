import BatonCore
import Dispatch
import Synchronization

/// Runs transactions over the stores one after the other, and commits each to the disk before anybody hears of it.
///
/// Transactions that wait while the disk is written are committed together next. Bound: callers wait for their answers,
/// so no more wait than there are callers.
final class StoreCommitQueue: Sendable {
    /// Runs in a transaction; returns the closure to call once it is committed or has failed.
    private typealias Job = @Sendable (inout StoreTransaction) -> @Sendable ((any Error)?) -> Void

    private struct Waiting {
        var jobs: [Job] = []
        var isBusy = false
    }

    private struct Memory {
        var stores: [KeyValueStoreName: StoreTransaction.Kept] = [:]
        var account: KeyValueAccount?
        var left: Set<AccountID> = []
        var revision: UInt64 = 0
    }

    /// Transactions committed together. More would make the first wait for the last.
    private static let maximumJobs = 256

    private let storage: KeyValueStorage
    private let maximumStores: Int
    private let isInUse: @Sendable (KeyValueStoreName) -> Bool
    /// Called after each commit, before the callers are answered.
    private let onKept: @Sendable (StoreTransaction) -> Void
    private let waiting = Mutex(Waiting())
    /// Used on the queue only.
    private let memory = Mutex(Memory())
    private let queue = DispatchQueue(label: "development.baton.key-value", qos: .userInitiated)

    init(
        storage: KeyValueStorage, maximumStores: Int,
        isInUse: @escaping @Sendable (KeyValueStoreName) -> Bool, onKept: @escaping @Sendable (StoreTransaction) -> Void
    ) {
        self.storage = storage
        self.maximumStores = maximumStores
        self.isInUse = isInUse
        self.onKept = onKept
    }

    /// Runs the body in its turn; returns when its changes, and the state that it has seen, are on the disk. Not
    /// cancellable: a transaction that has begun is finished.
    func perform<Output: Sendable>(
        _ body: @escaping @Sendable (inout StoreTransaction) throws -> Output
    ) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { transaction in
                let result = Result { try body(&transaction) }
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
        // Moved out of memory, so that changing a store copies nothing.
        var transaction = memory.withLock { memory in
            let transaction = StoreTransaction(
                stores: memory.stores, account: memory.account, left: memory.left, revision: memory.revision,
                storage: storage, maximumStores: maximumStores, isInUse: isInUse)
            memory.stores = [:]
            return transaction
        }
        let answers = jobs.map { $0(&transaction) }
        var failure: (any Error)?
        do {
            if !transaction.changes.isEmpty { try storage.save(transaction.changes.values) }
        } catch {
            failure = Self.notKept(error)
            // Reloads them from the disk when they are needed next.
            for name in transaction.changes.keys { transaction.stores[name] = nil }
        }
        memory.withLock { memory in
            memory.stores = transaction.stores
            memory.account = transaction.account
            memory.left = transaction.left
            memory.revision = transaction.revision
        }
        if failure == nil { onKept(transaction) }
        for answer in answers { answer(failure) }
    }

    private static func notKept(_ cause: any Error) -> BatonError {
        BatonError(
            .unavailable, reason: "not_kept",
            "The key-value store could not be written to the disk. Free some space, then try again.",
            cause: cause)
    }
}
