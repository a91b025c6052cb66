package import BatonCore

/// An activity that a device offers to the others of its account.
package struct Offer: Hashable, Sendable {
    package var activity: ActivityDescription
    package var app: AppIdentity
    /// When the activity became current or last changed, by the origin's hybrid logical clock.
    package var timestamp: HybridTimestamp

    package init(activity: ActivityDescription, app: AppIdentity, timestamp: HybridTimestamp) {
        self.activity = activity
        self.app = app
        self.timestamp = timestamp
    }

    /// The site of its page; nil where it has none.
    var site: String? { activity.webpageURL.flatMap { try? WebPage($0) }?.site }
}

/// All that a device offers, as of one revision. A snapshot replaces the one before, so that lost, doubled and
/// reordered ones do no harm.
package struct OfferSnapshot: Hashable, Sendable {
    /// The incarnation of the sender's daemon, greater at each start.
    package var incarnation: UInt64
    package var revision: UInt64
    /// The newest first.
    package var offers: [Offer]

    package init(incarnation: UInt64, revision: UInt64, offers: [Offer]) {
        self.incarnation = incarnation
        self.revision = revision
        self.offers = offers
    }

    package func isNewer(than other: OfferSnapshot) -> Bool { isNewer(than: (other.incarnation, other.revision)) }

    func isNewer(than other: (incarnation: UInt64, revision: UInt64)) -> Bool {
        incarnation == other.incarnation ? revision > other.revision : incarnation > other.incarnation
    }
}

/// An app that could continue activities on this device.
package struct ContinuationApp: Hashable, Sendable {
    package var identity: AppIdentity
    package var name: String
    package var activityTypes: Set<ActivityType>
    /// Titles by type: activities of these types need one of these titles; other types accept any (H-5, H-20).
    package var activityTitles: [ActivityType: Set<String>]
    /// Nil when its version is not made of numbers: then only activities without a least version can be continued.
    package var version: AppVersion?
    package var versionText: String

    package init(
        identity: AppIdentity, name: String, activityTypes: Set<ActivityType>,
        activityTitles: [ActivityType: Set<String>] = [:], version: AppVersion?, versionText: String
    ) {
        self.identity = identity
        self.name = name
        self.activityTypes = activityTypes
        self.activityTitles = activityTitles
        self.version = version
        self.versionText = versionText
    }
}
