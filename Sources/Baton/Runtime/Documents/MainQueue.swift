import Foundation
import Synchronization

/// From any thread to the main actor, in order.
enum MainQueue {
    typealias Job = @MainActor @Sendable () -> Void

    private struct State {
        /// As many as the main queue would hold: each has a block there, which runs the first one that is left.
        var jobs: [Job] = []
        /// The main actor's thread waits for them, one call within the other.
        var waiters: [DispatchSemaphore] = []
    }

    private static let state = Mutex(State())

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main actor's thread: the main thread, or the one that runs the main queue in a program without a main
    /// loop.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

    static func async(_ body: @escaping Job) {
        let waiters = state.withLock { state in
            state.jobs.append(body)
            return state.waiters
        }
        for waiter in waiters { waiter.signal() }
        DispatchQueue.main.async { MainActor.assumeIsolated { _ = runFirst() } }
    }

    /// Waits for the main actor. Never while it waits for this thread, unless by ``wait(for:until:)``.
    static func sync<Value>(_ body: @escaping @MainActor () throws -> Value) throws -> Value {
        // Crosses over while one thread waits for the other.
        nonisolated(unsafe) var result: Result<Value, any Error>?
        if isCurrent {
            MainActor.assumeIsolated { result = Result { try body() } }
        } else {
            let done = DispatchSemaphore(value: 0)
            async {
                result = Result { try body() }
                done.signal()
            }
            done.wait()
        }
        guard let result else { throw CocoaError(.userCancelled) }
        return try result.get()
    }

    /// Waits for other threads. On the main actor's thread it runs the jobs meanwhile: what is waited for may wait for one of them.
    /// - Parameters:
    ///   - semaphore: signalled when it is over.
    ///   - isOver: whether it is.
    static func wait(for semaphore: DispatchSemaphore, until isOver: () -> Bool) {
        guard isCurrent else { return semaphore.wait() }
        state.withLock { $0.waiters.append(semaphore) }
        defer { state.withLock { $0.waiters.removeAll { $0 === semaphore } } }
        while !isOver() {
            if !MainActor.assumeIsolated({ runFirst() }) { semaphore.wait() }
        }
    }

    /// - Returns: false if there was none.
    @MainActor private static func runFirst() -> Bool {
        guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { return false }
        job()
        return true
    }
}
