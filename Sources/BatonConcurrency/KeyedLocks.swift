import Synchronization

/// One at a time for each key, or so many. Bound: callers.
package final class KeyedLocks<Key: Hashable & Sendable>: Sendable {
    private let atOnce: Int
    private let locks = Mutex<[Key: (lock: AsyncSemaphore, users: Int)]>([:])

    package init(atOnce: Int = 1) { self.atOnce = atOnce }

    package func contains(_ key: Key) -> Bool { locks.withLock { $0[key] != nil } }

    package func withPermit<Value>(_ key: Key, _ body: () async throws -> Value) async rethrows -> Value {
        let lock = locks.withLock { locks in
            let lock = locks[key]?.lock ?? AsyncSemaphore(atOnce)
            locks[key] = (lock, (locks[key]?.users ?? 0) + 1)
            return lock
        }
        defer {
            locks.withLock { locks in
                let users = (locks[key]?.users ?? 1) - 1
                locks[key] = users > 0 ? (lock, users) : nil
            }
        }
        return try await lock.withPermit(body)
    }
}
