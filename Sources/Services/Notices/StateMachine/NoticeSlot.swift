import BatonCore
import OrderedCollections

/// The place of at most one notice: an app of this device, and the device whose activity it would continue.
struct NoticeSlot: Hashable, Comparable, Sendable {
    var origin: DeviceID
    /// Empty for the browser.
    var app: String

    init(_ offer: NoticeOffer) {
        origin = offer.origin
        app = offer.app.map { "\($0.bundleID) \($0.team)" } ?? ""
    }

    static func < (left: Self, right: Self) -> Bool { (left.origin, left.app) < (right.origin, right.app) }

    struct State: Sendable {
        /// The offer to show; nil for nothing.
        var wanted: NoticeOffer?
        /// The notice that is shown.
        var notice: Notice?
        /// Not before this.
        var due = Duration.zero
        var lastShown: Duration?
        var interval = Duration.zero

        /// Whether something is still to be shown.
        var isBehind: Bool {
            guard let wanted else { return false }
            guard let notice else { return true }
            return !Notice.offer(wanted, id: notice.id).saysTheSame(as: notice)
        }
    }
}

/// Activities whose offer the person has seen, and closed or accepted. They are shown again when they become current
/// anew: when they are offered with a newer timestamp after they were not.
struct SettledOffers: Sendable {
    /// The oldest first.
    private var seen: OrderedDictionary<ActivityID, HybridTimestamp> = [:]

    var count: Int { seen.count }

    func contains(_ activity: ActivityID) -> Bool { seen[activity] != nil }

    mutating func insert(_ activity: ActivityID, _ timestamp: HybridTimestamp, limit: Int) {
        seen[activity] = timestamp
        while seen.count > limit { seen.removeFirst() }
    }

    /// - Parameter wasOffered: until now, without a break.
    mutating func offered(_ activity: ActivityID, _ timestamp: HybridTimestamp, wasOffered: Bool) {
        guard let last = seen[activity], timestamp > last else { return }
        // Until now: it only changed.
        seen[activity] = wasOffered ? timestamp : nil
    }
}
