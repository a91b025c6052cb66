import Synchronization

/// Caches verified tokens, so that each is parsed once instead of with each call. A token's meaning never changes; its
/// expiry is checked at every use.
final class KnownTokens: Sendable {
    struct Known: Sendable {
        var caller: CloudCaller
        /// In milliseconds since 1970.
        var expires: UInt64
    }

    /// Policy: at the bound all are forgotten, and taken apart again.
    private static let maximum = 20_000
    private let known = Mutex<[String: Known]>([:])

    func find(_ authorization: String) -> Known? { known.withLock { $0[authorization] } }

    func add(_ authorization: String, _ token: Known) {
        known.withLock { known in
            if known.count >= Self.maximum { known = [:] }
            known[authorization] = token
        }
    }
}
