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
    /// What is told of the activity before anybody accepts it: no payload (H-9).
    var wireDescription: Baton_Value_V1_ActivityDescription {
        .with {
            $0.activityID = id.rawValue
            $0.activityType = activityType
            if let title { $0.title = title }
            if let webpageURL { $0.webpageURL = webpageURL.absoluteString }
            $0.eligibleForHandoff = isEligibleForHandoff
            if let expirationDate { $0.expirationTime = Self.milliseconds(expirationDate) }
            if let minimumAppVersion { $0.minimumAppVersion = minimumAppVersion }
            $0.supportsContinuationStreams = supportsContinuationStreams
            if let targetContentIdentifier { $0.targetContentIdentifier = targetContentIdentifier }
        }
    }

    /// The whole activity, for the device that continues it. All of `userInfo` travels, whatever the required keys are:
    /// those choose what is kept for search.
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
        // What another device sent must not trap here: a page that is none is left out.
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
    }

    /// Since 1970; a date before that has long passed, one beyond the range never comes.
    private static func milliseconds(_ date: Date) -> UInt64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > 0 else { return 0 }
        return milliseconds < 0x1p63 ? UInt64(milliseconds) : UInt64(1) << 63
    }
}
