import BatonCore
import Synchronization

/// Challenges that were used while the disk was full, when they cannot be written down: who has an account must be able to
/// read it and to remove something then.
///
/// Lost when the server ends, and not known to other nodes: a challenge is good for a minute, and only the device and the
/// server have what was signed.
final class ReplayCache: Sendable {
    /// Policy: more are refused; the oldest are used up after a minute.
    private static let maximum = 10_000
    private let used = Mutex<Set<OneUse>>([])

    /// - Throws: `permission_denied` `used_already`.
    func check(_ challenge: OneUse) throws(BatonError) {
        guard !used.withLock({ $0.contains(challenge) }) else { throw StoreRules.usedUp }
    }

    /// - Returns: false when there is no room.
    /// - Throws: `permission_denied` `used_already`.
    func add(_ challenge: OneUse, now: UInt64) throws(BatonError) -> Bool {
        try used.withLock { used throws(BatonError) in
            guard !used.contains(challenge) else { throw StoreRules.usedUp }
            if used.count >= Self.maximum { used = used.filter { $0.expires >= now } }
            guard used.count < Self.maximum else { return false }
            used.insert(challenge)
            return true
        }
    }
}
