import Synchronization

/// Tokens that were found right, so that each is taken apart once and not with each call. What a token stands for never
/// changes; until when it is good is looked at each time.
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
