/// The description of an activity before it is accepted (H-9, H-20): everything except its payload.
package struct ActivityDescription: Hashable, Sendable {
    package var id: ActivityID
    package var type: ActivityType
    package var title: String?
    /// As ``WebPage`` has it: one that could not be opened elsewhere is left out.
    package var webpageURL: String?
    package var isEligibleForHandoff: Bool
    /// Milliseconds since 1970 by the origin's clock, which alone judges it.
    package var expirationTime: UInt64?
    /// The least `CFBundleVersion` of a receiver that understands the activity.
    package var minimumAppVersion: AppVersion?
    package var supportsContinuationStreams: Bool
    package var targetContentIdentifier: String?

    package init(
        id: ActivityID, type: ActivityType, title: String? = nil, webpageURL: String? = nil,
        isEligibleForHandoff: Bool = true, expirationTime: UInt64? = nil, minimumAppVersion: AppVersion? = nil,
        supportsContinuationStreams: Bool = false, targetContentIdentifier: String? = nil
    ) {
        self.id = id
        self.type = type
        self.title = title
        self.webpageURL = webpageURL
        self.isEligibleForHandoff = isEligibleForHandoff
        self.expirationTime = expirationTime
        self.minimumAppVersion = minimumAppVersion
        self.supportsContinuationStreams = supportsContinuationStreams
        self.targetContentIdentifier = targetContentIdentifier
    }
}
