import BatonCore
import BatonWire

/// What other devices offer, and what is being continued here.
struct ReceiverState: Sendable {
    /// One acceptance, from the person's decision to the end.
    struct Continuation: Sendable {
        enum Stage: Sendable {
            /// Waiting for the app, the payload, or both.
            case preparing(payload: Baton_Value_V1_ActivityPayload?)
            /// `continue` was delivered; waiting for the app's answer.
            case delivered
        }
        var offer: Offer
        var origin: DeviceID
        /// Of the origin's daemon when the offer was accepted.
        var incarnation: UInt64
        var app: ContinuationApp
        var session: SessionID?
        var stage = Stage.preparing(payload: nil)
        var deadline: Duration
        /// While a launch is awaited its own, longer deadline counts.
        var isLaunching: Bool
        var payloadDeadline: Duration?
    }

    /// A continuation that failed while its app was being launched: the app is told once it has attached (H-74).
    struct FailedLaunch: Sendable {
        var app: AppIdentity
        var type: ActivityType
        var origin: DeviceID
        var failure: ActivityFailure
        /// When the app is no longer expected.
        var deadline: Duration
    }

    /// An activity continued here, as it was offered then. Times are comparable within one incarnation of the origin's
    /// daemon only: its clock may have been set ahead by another device's before.
    struct Consumed: Sendable {
        var origin: DeviceID
        var incarnation: UInt64
        var timestamp: HybridTimestamp
    }

    /// The origin is still to be told that its activity was continued.
    struct Acknowledgement: Sendable {
        var activity: ActivityID
        var origin: DeviceID
        var deadline: Duration
        var attempts = 0
        /// Nil while an attempt is under way.
        var nextAttempt: Duration?
    }

    var apps: [ContinuationApp] = []
    var matcher = OfferMatcher(apps: [])
    var remote: [DeviceID: OfferSnapshot] = [:]
    /// The newest snapshot seen of each device, also after it left: an older one must not come back to life.
    var seen: [DeviceID: (incarnation: UInt64, revision: UInt64)] = [:]
    var connected: Set<DeviceID> = []
    /// Activities continued here, until their origin withdraws or renews them. Bound: the oldest of the origin that
    /// offers least recently are forgotten beyond the configuration's number.
    var consumed: [ActivityID: Consumed] = [:]
    var continuations: [AcceptanceID: Continuation] = [:]
    var failedLaunches: [AcceptanceID: FailedLaunch] = [:]
    var acknowledgements: [AcceptanceID: Acknowledgement] = [:]
    var acknowledgementOrder: [AcceptanceID] = []
}

extension ReceiverState.Continuation {
    var awaitsPayload: Bool {
        if case .preparing(nil) = stage { true } else { false }
    }
}
