import BatonCore
import Synchronization

/// Accounts of which other nodes have changed something, each once, however often. One reader.
final class ChangedAccounts: Sendable {
    private let waiting = Mutex<Set<AccountID>>([])
    /// One signal is enough: the reader takes all there are.
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func add(_ accounts: Set<AccountID>) {
        guard !accounts.isEmpty else { return }
        waiting.withLock { $0.formUnion(accounts) }
        signal.continuation.yield()
    }

    /// - Throws: `CancellationError`.
    func next() async throws -> Set<AccountID> {
        for await _ in signal.stream {
            let accounts = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            if !accounts.isEmpty { return accounts }
        }
        throw CancellationError()
    }
}
