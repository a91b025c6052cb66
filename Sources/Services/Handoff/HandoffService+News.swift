import BatonConcurrency
package import BatonCore

/// Events of a continuation, for the part of the system that shows the person what the app does not (H-68, H-74).
package enum ContinuationNews: Hashable, Sendable {
    case accepted(AcceptanceID, VisibleOffer)
    /// The app heard that an activity is coming; it said whether it shows that itself.
    case willContinueAnswered(AcceptanceID, showsProgress: Bool)
    case step(AcceptanceID, ContinuationStep)
    /// The app is hearing that the continuation failed. Comes before that step, or after it where the app was still
    /// being launched.
    case failureTold(AcceptanceID)
    /// The app heard of the failure, and said whether it handles failures; or it ended before.
    case failureAnswered(AcceptanceID, isShown: Bool)
}

extension HandoffService {
    /// Events of every continuation here from now on. Not bounded: an observer that stops reading must cancel.
    package func continuationNews() -> AsyncStream<ContinuationNews> { newsBroadcast.subscribe() }
}
