import BatonConcurrency
import BatonCore

/// Accounts of which other nodes have changed something, each once, however often. One reader.
final class ChangedAccounts: Sendable {
    private let waiting = Mailbox<Set<AccountID>>([])

    func add(_ accounts: Set<AccountID>) {
        guard !accounts.isEmpty else { return }
        waiting.post { $0.formUnion(accounts) }
    }

    /// - Throws: `CancellationError`.
    func next() async throws -> Set<AccountID> {
        for await _ in waiting.changes {
            let accounts = waiting.take(leaving: [])
            if !accounts.isEmpty { return accounts }
        }
        throw CancellationError()
    }
}
