import BatonConcurrency
import BatonCore
import Synchronization

/// The turns of apps' queries: one of each app until it is answered, and of these one at a time in the index.
///
/// So one of the index's two readers is left to the person, an app that asks without end keeps another one waiting for one of
/// its queries, which has a bound itself, and what an app does not read is in memory once.
final class QueryTurns: Sendable {
    private struct Entry {
        let turn = AsyncSemaphore(1)
        var users = 0
    }

    /// Bound: apps with a query that is not answered.
    private let apps = Mutex<[AppIdentity: Entry]>([:])
    private let all = AsyncSemaphore(1)

    /// An app's queries that are not answered, for tests.
    func count(of app: AppIdentity) -> Int { apps.withLock { $0[app]?.users ?? 0 } }

    /// The app's own turn.
    func withTurn<Value: Sendable>(of app: AppIdentity, _ body: () async throws -> Value) async throws -> Value {
        let turn = apps.withLock { apps in
            apps[app, default: Entry()].users += 1
            return apps[app, default: Entry()].turn
        }
        defer {
            apps.withLock { apps in
                apps[app]?.users -= 1
                if apps[app]?.users == 0 { apps[app] = nil }
            }
        }
        return try await turn.withPermit {
            // A caller that has gone meanwhile needs no turn.
            try Task.checkCancellation()
            return try await body()
        }
    }

    /// The turn in the index, of an app that has its own.
    func inIndex<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await all.withPermit {
            try Task.checkCancellation()
            return try await body()
        }
    }
}

/// When a query has taken too long.
struct QueryDeadline: Sendable {
    private let end: ContinuousClock.Instant
    private let limit: Duration

    init(after limit: Duration) {
        (end, self.limit) = (.now + limit, limit)
    }

    func check() throws(BatonError) {
        guard ContinuousClock.now < end else {
            throw BatonError(
                .resourceExhausted, reason: "query_too_slow",
                "The query took longer than \(limit). Name attributes in place of “*”, and use fewer conditions.")
        }
    }
}
