import BatonConcurrency
import BatonCore
import BatonTransport
import Synchronization

/// Asks whether a server can answer, and waits for so long only: a disk or a database that hangs is not ready.
///
/// One check at a time: concurrent callers share it, so that a check that hangs is the only one.
final class ReadinessCheck: Sendable {
    private typealias Look = Task<BatonError?, any Error>

    private let deadline: Duration
    private let check: @Sendable () async throws -> BatonError?
    private let underWay = Mutex<Look?>(nil)

    /// - Parameter check: throws when it is not ready; returns what is amiss while it is.
    init(deadline: Duration = .seconds(5), check: @escaping @Sendable () async throws -> BatonError?) {
        self.deadline = deadline
        self.check = check
    }

    func result() async throws -> BatonError? {
        let look = underWay.withLock { underWay in
            if let underWay { return underWay }
            // Unstructured, since a look that hangs cannot be ended, and nothing waits for it.
            let look = Look { [self] in
                defer { self.underWay.withLock { $0 = nil } }
                return try await check()
            }
            underWay = look
            return look
        }
        let answer = Answer()
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<BatonError?, any Error>) in
            answer.wait(continuation)
            let timer = DeadlineTimer.shared.schedule(after: deadline) { [deadline] in
                answer.give(.failure(Self.late(deadline)))
            }
            // Unstructured for the same reason.
            Task {
                let result = await look.result
                DeadlineTimer.shared.cancel(timer)
                answer.give(result)
            }
        }
    }

    private static func late(_ deadline: Duration) -> BatonError {
        BatonError(
            .unavailable, reason: "storage_slow", "The storage has not answered within \(deadline). Look at its disk.")
    }
}

/// Takes the first result and ignores the other.
private final class Answer: Sendable {
    private let continuation = Mutex<CheckedContinuation<BatonError?, any Error>?>(nil)

    func wait(_ waiting: CheckedContinuation<BatonError?, any Error>) { continuation.withLock { $0 = waiting } }

    func give(_ result: Result<BatonError?, any Error>) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: result)
    }
}
