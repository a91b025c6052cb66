import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// The data of one `NSUserActivity`: a value, so that a snapshot of it is consistent.
struct UserActivityState: Sendable, Equatable {
    let id: ActivityID
    let activityType: String
    var title: String?
    var userInfo: [PropertyValue: PropertyValue]?
    var requiredUserInfoKeys: Set<String>?
    var needsSave = false
    var webpageURL: URL?
    var referrerURL: URL?
    var expirationDate: Date?
    var keywords: Set<String> = []
    var supportsContinuationStreams = false
    var targetContentIdentifier: String?
    var isEligibleForHandoff = true
    var isEligibleForSearch = false
    var isEligibleForPublicIndexing = false
    var isEligibleForPrediction = false
    var suggestedInvocationPhrase: String?
    var persistentIdentifier: String?
    var minimumAppVersion: String?
    /// An object, since Apple's property hands out the one that the activity holds: what is read of it is read when it is
    /// encoded.
    var contentAttributeSet: CSSearchableItemAttributeSet?
    var mapItem: MKMapItem?
    /// The interaction that led here from a person's card.
    var interaction: INInteraction?
    /// The people of the interaction that the app has donated with this activity.
    var donatedPeople: [ShownPerson] = []
    var shortcutAvailability: INShortcutAvailabilityOptions = []
    var isValid = true

    init(id: ActivityID, activityType: String) {
        self.id = id
        self.activityType = activityType
    }

    /// Only these schemes may stand in `webpageURL` (H-96).
    static func isWebPage(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased())
    }
}

extension UserActivityState {
    /// The part of the activity that is sent before it is accepted: no payload (H-9).
    var wireDescription: Baton_Value_V1_ActivityDescription {
        .with {
            $0.activityID = id.rawValue
            $0.activityType = activityType
            if let title { $0.title = title.shortened(toBytes: 1024) }
            if let webpageURL { $0.webpageURL = webpageURL.absoluteString }
            $0.eligibleForHandoff = isEligibleForHandoff
            if let expirationDate { $0.expirationTime = Self.milliseconds(expirationDate) }
            if let minimumAppVersion { $0.minimumAppVersion = minimumAppVersion }
            $0.supportsContinuationStreams = supportsContinuationStreams
            if let targetContentIdentifier { $0.targetContentIdentifier = targetContentIdentifier }
        }
    }

    /// The part of the activity that may be kept on this device, and for what (H-37).
    var isSavable: Bool { isValid && (isEligibleForSearch || isEligibleForPrediction) }

    /// The activity as it is kept on this device: of `userInfo` what is required, and the search metadata (H-39).
    var savedPayload: Baton_Value_V1_ActivityPayload {
        var payload = wirePayload
        if let userInfo, let requiredUserInfoKeys {
            let required = userInfo.filter { key, _ in
                if case .string(let name) = key { requiredUserInfoKeys.contains(name) } else { false }
            }
            payload.userInfo = .init(.dictionary(required))
        }
        if let contentAttributeSet { payload.contentAttributes = .init(attributes: contentAttributeSet.store.values) }
        return payload
    }

    /// The whole activity, for the device that continues it. All of `userInfo` travels, whatever the required keys are:
    /// those choose what is kept for search. The map item travels, the search metadata does not.
    var wirePayload: Baton_Value_V1_ActivityPayload {
        .with {
            $0.description_p = wireDescription
            if let userInfo { $0.userInfo = .init(.dictionary(userInfo)) }
            if let requiredUserInfoKeys {
                $0.requiredUserInfoKeys = .with { $0.values = requiredUserInfoKeys.sorted() }
            }
            $0.keywords = keywords.sorted()
            if let referrerURL { $0.referrerURL = referrerURL.absoluteString }
            if let persistentIdentifier { $0.persistentIdentifier = persistentIdentifier }
            if let mapItem, !mapItem.isCurrentLocation { $0.mapItem = .init(attributes: mapItem.values) }
        }
    }

    /// A received activity: a new object with an identifier of its own.
    /// - Throws: `invalid_argument` for a type or a `userInfo` that cannot be.
    init(received payload: Baton_Value_V1_ActivityPayload, id: ActivityID) throws(BatonError) {
        let description = payload.description_p
        self.init(id: id, activityType: try ActivityType(validating: description.activityType).rawValue)
        if payload.hasUserInfo {
            guard case .dictionary(let entries) = try PropertyValue(payload.userInfo) else {
                throw BatonError(
                    .invalidArgument, reason: "user_info_not_dictionary",
                    "The activity's userInfo is not a dictionary. Update Baton on the device that sent it.")
            }
            userInfo = entries
        }
        title = description.hasTitle ? description.title : nil
        // Data of another device must not trap here: an invalid page is left out.
        if description.hasWebpageURL, let url = URL(string: description.webpageURL), Self.isWebPage(url) {
            webpageURL = url
        }
        expirationDate =
            description.hasExpirationTime ? Date(timeIntervalSince1970: Double(description.expirationTime) / 1000) : nil
        isEligibleForHandoff = description.eligibleForHandoff
        minimumAppVersion = description.hasMinimumAppVersion ? description.minimumAppVersion : nil
        supportsContinuationStreams = description.supportsContinuationStreams
        targetContentIdentifier = description.hasTargetContentIdentifier ? description.targetContentIdentifier : nil
        requiredUserInfoKeys = payload.hasRequiredUserInfoKeys ? Set(payload.requiredUserInfoKeys.values) : nil
        keywords = Set(payload.keywords)
        referrerURL = payload.hasReferrerURL ? URL(string: payload.referrerURL) : nil
        persistentIdentifier = payload.hasPersistentIdentifier ? payload.persistentIdentifier : nil
        // Data that cannot be read is left out, for the activity can be continued without.
        if payload.hasContentAttributes, let values = try? payload.contentAttributes.attributes() {
            contentAttributeSet = CSSearchableItemAttributeSet(values: values)
        }
        if payload.hasMapItem, let values = try? payload.mapItem.attributes() {
            mapItem = MKMapItem(values: values)
        }
    }

    /// Since 1970; a date before that has long passed, one beyond the range never comes.
    private static func milliseconds(_ date: Date) -> UInt64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > 0 else { return 0 }
        return milliseconds < 0x1p63 ? UInt64(milliseconds) : UInt64(1) << 63
    }
}
