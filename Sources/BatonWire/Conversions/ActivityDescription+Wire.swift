package import BatonCore

/// Input from another process is checked here, field by field, before anything decides about it.
extension ActivityDescription {
    /// Bytes of UTF-8.
    package static let maximumTitle = 1024
    private static let maximumIdentifier = 1024

    /// An invalid page is left out: the rest of the activity is of use without it.
    /// - Throws: `invalid_argument` with the field that breaks its rule.
    package init(_ message: Baton_Value_V1_ActivityDescription) throws(BatonError) {
        var minimumVersion: AppVersion?
        if message.hasMinimumAppVersion {
            guard let version = AppVersion(message.minimumAppVersion) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_version",
                    "The least app version of an activity must be numbers separated by periods, as in 1.4.2.")
            }
            minimumVersion = version
        }
        self.init(
            id: try ActivityID(validating: message.activityID),
            type: try ActivityType(validating: message.activityType),
            title: message.hasTitle ? try Self.bounded(message.title, Self.maximumTitle, "title") : nil,
            webpageURL: message.hasWebpageURL ? (try? WebPage(message.webpageURL))?.text : nil,
            isEligibleForHandoff: message.eligibleForHandoff,
            expirationTime: message.hasExpirationTime ? message.expirationTime : nil, minimumAppVersion: minimumVersion,
            supportsContinuationStreams: message.supportsContinuationStreams,
            targetContentIdentifier: message.hasTargetContentIdentifier
                ? try Self.bounded(
                    message.targetContentIdentifier, Self.maximumIdentifier, "target content identifier") : nil)
    }

    private static func bounded(_ text: String, _ limit: Int, _ name: String) throws(BatonError) -> String {
        guard text.utf8.count <= limit else {
            throw BatonError(
                .invalidArgument, reason: "text_too_long", "The \(name) of an activity may have \(limit) bytes at most."
            )
        }
        return text
    }
}

extension Baton_Value_V1_ActivityDescription {
    package init(_ description: ActivityDescription) {
        self.init()
        activityID = description.id.rawValue
        activityType = description.type.rawValue
        if let title = description.title { self.title = title }
        if let webpageURL = description.webpageURL { self.webpageURL = webpageURL }
        eligibleForHandoff = description.isEligibleForHandoff
        if let expirationTime = description.expirationTime { self.expirationTime = expirationTime }
        if let version = description.minimumAppVersion { minimumAppVersion = version.description }
        supportsContinuationStreams = description.supportsContinuationStreams
        if let identifier = description.targetContentIdentifier { targetContentIdentifier = identifier }
    }
}
