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

    /// Policy: beyond it, the one that asked longest ago is forgotten, which by then has all its tokens again.
    static let maximumEntries = 128

    private var buckets: [Key: (bucket: TokenBucket, used: Duration)] = [:]

    var count: Int { buckets.count }

    /// - Throws: `resource_exhausted` (`too_many_commands`).
    mutating func take(_ kind: Kind, by device: DeviceID, now: Duration) throws(BatonError) {
        let key = Key(device: device, kind: kind)
        let (burst, interval) = kind.bucket
        var bucket = buckets[key]?.bucket ?? TokenBucket(burst: burst, interval: interval, now: now)
        let isAllowed = bucket.take(now: now)
        buckets[key] = (bucket, now)
        if buckets.count > Self.maximumEntries, let oldest = buckets.min(by: { $0.value.used < $1.value.used }) {
            buckets[oldest.key] = nil
        }
        guard isAllowed else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_commands",
                "A device asked for too much in a short time. Wait some seconds.")
        }
    }
}
