package import BatonCore
package import BatonWire
import SwiftProtobuf

extension Offer {
    /// Reads an offer of another device. A page on a local host, which would lead to the opener's own machine, is left
    /// out.
    package init(_ message: Baton_Link_V1_Offer) throws(BatonError) {
        var activity = try ActivityDescription(message.activity)
        activity.webpageURL = activity.webpageURL.flatMap(WebPage.fromOtherDevice)?.text
        self.init(
            activity: activity, app: try AppIdentity(message.app),
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
