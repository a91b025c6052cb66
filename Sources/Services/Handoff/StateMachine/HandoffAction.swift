package import BatonCore

/// An action of the state machine. Actions are performed in order, outside of the machine's lock.
package enum HandoffAction: Hashable, Sendable {
    // To other devices
    /// Replaces the offers sent to the account's devices; only the newest matter.
    case publish(OfferSnapshot)
    /// Ask the origin for the payload; the answer is `payloadArrived` or `payloadFailed`. For no app: only for the page.
    case fetch(AcceptanceID, from: DeviceID, activity: ActivityID, for: AppIdentity?)
    /// Answer the device that asked for a payload.
    case answerFetch(AcceptanceID, Result<ActivityPayload, ActivityFailure>)
    /// Notify the origin that its activity was continued; the answer is `acknowledged` or `acknowledgementFailed`.
    case acknowledge(AcceptanceID, to: DeviceID, activity: ActivityID)

    // To apps
    case launch(AcceptanceID, AppIdentity, for: ActivityType)
    case askToSave(AcceptanceID, SessionID, ActivityID)
    case willContinue(AcceptanceID, SessionID, ActivityType, from: DeviceID)
    case deliver(AcceptanceID, SessionID, ActivityPayload)
    case didFail(AcceptanceID, SessionID, ActivityType, ActivityFailure)
    case wasContinued(SessionID, ActivityID, by: DeviceID)

    // Continuation streams
    /// Comes before the payload is handed over.
    case allowStreams(StreamGrant)
    /// The receiving app did not continue the activity.
    case revokeStreams(AcceptanceID)

    // To the browser
    /// The answer is `pageOpened` or `pageNotOpened`.
    case openPage(AcceptanceID, WebPage)

    // To people
    case offersChanged
    case accepted(AcceptanceID, VisibleOffer, callerOpensPage: Bool)
    case progress(AcceptanceID, ContinuationStep)

    // To the log
    case becameCurrent(ActivityID, ActivityType)
}

/// The steps of a continuation, for the person who accepted it.
package enum ContinuationStep: Hashable, Sendable {
    case launching
    case willContinue
    case payloadReceived(bytes: Int)
    case continued
    /// The browser, or the caller that accepted the offer, has the page; in place of `continued`.
    case pageOpened(WebPage)
    /// The origin knows. The last step of a continuation that succeeded.
    case acknowledged
    /// The activity was continued but the origin could not be notified within the time allowed.
    case notAcknowledged
    case failed(ActivityFailure)

    package var isLast: Bool {
        switch self {
        case .acknowledged, .notAcknowledged, .failed: true
        default: false
        }
    }
}
