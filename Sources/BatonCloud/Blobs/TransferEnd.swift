import BatonCore
import BatonTransport
import HTTPTypes
import Synchronization

/// How a transfer of a device ends that does not belong to the account any more. An upload is answered with the reason,
/// instead of what it sends next; an answer that has begun can only be broken off.
final class TransferEnd: Sendable {
    /// For an upload that sends nothing, or waits for the disk.
    private static let patience = Duration.seconds(5)

    private let reason = Mutex<BatonError?>(nil)

    func come(to call: ResourceCall, with error: BatonError) {
        guard call.method == .put else { return call.abandon() }
        reason.withLock { $0 = error }
        // A connection that was answered meanwhile is closed by then.
        _ = DeadlineTimer.shared.schedule(after: Self.patience) { call.abandon() }
    }

    /// - Throws: the reason, once it has come.
    func check() throws(BatonError) {
        if let error = reason.withLock({ $0 }) { throw error }
    }
}
