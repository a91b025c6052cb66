import Synchronization

/// Limits the operations that each caller has under way. Policy: more are refused. It remembers callers with one under way only.
package final class CallLimit<Caller: Hashable & Sendable>: Sendable {
    private let maximum: Int
    private let counts = Mutex<[Caller: Int]>([:])

    package init(_ maximum: Int) { self.maximum = maximum }

    /// - Returns: nil where the caller has as many under way already; nothing is done then.
    package func run<Value>(for caller: Caller, _ body: () async throws -> Value) async rethrows -> Value? {
        let isFree = counts.withLock { counts in
            let count = counts[caller, default: 0]
            guard count < maximum else { return false }
            counts[caller] = count + 1
            return true
        }
        guard isFree else { return nil }
        defer {
            counts.withLock { counts in
                let rest = counts[caller, default: 1] - 1
                counts[caller] = rest > 0 ? rest : nil
            }
        }
        return try await body()
    }
}
