import BatonConcurrency
import BatonCore

/// How often each of the account's devices may have something done here: it may start apps without a person. A pure value.
struct MediaRate: Sendable {
    enum Kind: Hashable, Sendable {
        /// A command for a player.
        case command
        /// Something that plays comes here, for which an app may have to be started, or leaves.
        case move

        fileprivate var bucket: (burst: Int, interval: Duration) {
            switch self {
            case .command: (40, .milliseconds(100))
            case .move: (16, .seconds(2))
            }
        }
    }

    private struct Key: Hashable {
        var device: DeviceID
        var kind: Kind
    }

    static let maximumEntries = 128

    private var buckets = TokenBuckets<Key>(maximum: Self.maximumEntries)

    var count: Int { buckets.count }

    /// - Throws: `resource_exhausted` (`too_many_commands`).
    mutating func take(_ kind: Kind, by device: DeviceID, now: Duration) throws(BatonError) {
        let (burst, interval) = kind.bucket
        guard buckets.take(Key(device: device, kind: kind), burst: burst, interval: interval, now: now) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_commands",
                "A device asked for too much in a short time. Wait some seconds.")
        }
    }
}
