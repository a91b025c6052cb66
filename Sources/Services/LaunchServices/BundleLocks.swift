import BatonCore
import Synchronization

/// Lets one operation at a time happen to each app, in the order of asking.
///
/// Without it, two launches could each see that the app does not run; an actor would not do, since its methods
/// interleave wherever they wait.
final class BundleLocks: Sendable {
    /// Waiting for one app. Policy: more are refused.
    private static let limit = 64

    /// Present for each app that something is happening to; holds those that wait.
    private let waiting = Mutex<[BundleID: [CheckedContinuation<Void, any Error>]]>([:])

    func perform<Value>(_ bundleID: BundleID, _ body: () async throws -> Value) async throws -> Value {
        try await begin(bundleID)
        defer { end(bundleID) }
        try Task.checkCancellation()
        return try await body()
    }

    private func begin(_ bundleID: BundleID) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let answer = waiting.withLock { waiting -> Result<Void, any Error>? in
                guard let queue = waiting[bundleID] else {
                    waiting[bundleID] = []
                    return .success(())
                }
                guard queue.count < Self.limit else { return .failure(Self.busy(bundleID)) }
                waiting[bundleID]?.append(continuation)
                return nil
            }
            if let answer { continuation.resume(with: answer) }
        }
    }

    private static func busy(_ bundleID: BundleID) -> BatonError {
        BatonError(.resourceExhausted, reason: "app_busy", "Too much is asked of \(bundleID) at once. Try again.")
    }

    private func end(_ bundleID: BundleID) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, any Error>? in
            guard waiting[bundleID]?.isEmpty == false else {
                waiting[bundleID] = nil
                return nil
            }
            return waiting[bundleID]?.removeFirst()
        }
        next?.resume()
    }
}
