import Synchronization

/// Lines of text as they come, all of them kept; any number of tasks can wait for one.
package final class Lines: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var all: [String] { state.withLock { $0.lines } }
    package var count: Int { state.withLock { $0.lines.count } }

    /// The first line from `index` on for which `matches` gives something, and where the next search begins.
    /// - Returns: nil when no more lines come.
    package func first<Found>(
        from index: Int = 0, _ matches: (String) throws -> Found?
    ) async throws -> (found: Found, next: Int)? {
        var index = index
        while true {
            try Task.checkCancellation()
            let (lines, hasEnded) = state.withLock { ($0.lines.dropFirst(index), $0.hasEnded) }
            for line in lines {
                index += 1
                if let found = try matches(line) { return (found, index) }
            }
            if hasEnded { return nil }
            await more(than: index)
        }
    }

    /// As ``first(from:_:)``, for a line that must come.
    /// - Throws: when no more lines come, with the last ones.
    @discardableResult
    package func expect<Found>(
        from index: Int = 0, _ matches: (String) throws -> Found?
    ) async throws -> (found: Found, next: Int) {
        guard let found = try await first(from: index, matches) else {
            let last = all.suffix(5).joined(separator: "\n")
            throw IntegrationFailure("The output ended before the line that was expected. Its last lines:\n\(last)")
        }
        return found
    }

    /// Returns when there are no more to come.
    package func waitForEnd() async throws {
        _ = try await first { _ in nil as Void? }
    }

    package func add(_ line: String) { append(line) }

    func append(_ line: String) {
        let waiters = state.withLock { state in
            state.lines.append(line)
            return Self.takeWaiters(&state)
        }
        for waiter in waiters { waiter.resume() }
    }

    func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            return Self.takeWaiters(&state)
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.waiters = [:] }
        return Array(state.waiters.values)
    }

    /// Returns when there are more lines than `count`, at the end, or when the task is cancelled.
    private func more(than count: Int) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.lines.count > count || state.hasEnded || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
