package import BatonCore
package import BatonWire
import SwiftProtobuf

/// What crosses a process boundary is checked here, field by field, before the state machine sees it.
extension ActivityDescription {
    /// Bytes of UTF-8.
    static let maximumTitle = 1024
    private static let maximumIdentifier = 1024

    /// A page that is none is left out: the rest of the activity is of use without it.
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

extension Offer {
    package init(_ message: Baton_Link_V1_Offer) throws(BatonError) {
        self.init(
            activity: try ActivityDescription(message.activity), app: try AppIdentity(message.app),
            timestamp: HybridTimestamp(rawValue: message.timestamp))
    }
}

extension Baton_Link_V1_Offer {
    package init(_ offer: Offer) {
        self.init()
        activity = .init(offer.activity)
        app = .init(offer.app)
        timestamp = offer.timestamp.rawValue
    }
}

extension OfferSnapshot {
    /// - Throws: `invalid_argument` when any offer breaks a rule or an activity is offered twice, `resource_exhausted`
    ///   for more offers than the limit.
    package init(_ message: Baton_Link_V1_OfferSnapshot, limit: Int) throws(BatonError) {
        guard message.offers.count <= limit else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_offers",
                "A device may offer \(limit) activities at once; it sent \(message.offers.count).")
        }
        var offers: [Offer] = []
        for offer in message.offers { offers.append(try Offer(offer)) }
        guard Set(offers.map(\.activity.id)).count == offers.count else {
            throw BatonError(.invalidArgument, reason: "double_offer", "An activity is offered twice.")
        }
        self.init(incarnation: message.incarnation, revision: message.revision, offers: offers)
    }
}

extension Baton_Link_V1_OfferSnapshot {
    package init(_ snapshot: OfferSnapshot) {
        self.init()
        incarnation = snapshot.incarnation
        revision = snapshot.revision
        offers = snapshot.offers.map(Baton_Link_V1_Offer.init)
    }
}

extension ActivityFailure {
    /// A code outside of Apple's range is taken for 4608.
    package init(_ message: Baton_Value_V1_ActivityError) {
        self.init(
            Code(rawValue: message.code) ?? .handoffFailed,
            message.message.isEmpty ? "The activity could not be continued." : String(message.message.prefix(500)))
    }

    /// Why a payload could not be fetched.
    package init(fetching error: any Error) {
        guard let error = error as? BatonError else {
            self.init(.handoffFailed, "The activity could not be fetched from the other device.")
            return
        }
        switch (error.code, error.reason) {
        case (_, "not_connected"):
            self.init(.connectionUnavailable, "There is no connection to the other device.")
        case (.deadlineExceeded, _):
            self.init(.remoteApplicationTimedOut, "The other device did not send the activity in time.")
        case (.unavailable, "connection_failed"), (.unauthenticated, _), (.permissionDenied, _):
            self.init(.connectionUnavailable, "The other device cannot be reached.")
        case (.resourceExhausted, "message_too_large"):
            self.init(.userInfoTooLarge, "The activity's data is too large to be carried.")
        case (.unavailable, _), (.canceled, _):
            self.init(.handoffFailed, "The other device went away before it sent the activity.")
        default:
            self.init(.handoffFailed, error.message)
        }
    }
}

extension Baton_Value_V1_ActivityError {
    package init(_ failure: ActivityFailure) {
        self.init()
        code = failure.code.rawValue
        message = failure.message
    }
}

/// Checks a payload that another device sent, before it reaches an app.
enum PayloadValidation {
    /// - Throws: `invalid_argument` for another activity's payload, or values that cannot be read.
    static func check(_ payload: Baton_Value_V1_ActivityPayload, activity: ActivityID) throws(BatonError) {
        let description = try ActivityDescription(payload.description_p)
        guard description.id == activity else {
            throw BatonError(
                .invalidArgument, reason: "other_activity", "The other device sent an activity that was not asked for.")
        }
        if payload.hasUserInfo {
            guard case .dictionary = try PropertyValue(payload.userInfo) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_property_value", "The activity's userInfo is not a dictionary.")
            }
        }
    }
}
