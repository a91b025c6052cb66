import AppSessions
import BatonCore

/// The offers of other devices, and the continuations in progress here.
struct ReceiverState: Sendable {
    /// One acceptance, from the person's decision to the end.
    struct Continuation: Sendable {
        /// The recipient of the activity that the origin sends.
        enum Recipient: Sendable {
            case app(ContinuationApp)
            /// The app that claims the page's site.
            case claimant(ContinuationApp)
            case browser
            /// The caller that accepted the offer opens the page.
            case caller
        }
        enum Stage: Sendable {
            /// Waiting for the app, the payload, or both.
            case preparing(payload: ActivityPayload?)
            /// The browser was given the page; waiting for it to say so.
            case opening(WebPage)
            /// `continue` was delivered; waiting for the app's answer.
            case delivered
        }
        var offer: Offer
        var origin: DeviceID
        /// The incarnation of the origin's daemon when the offer was accepted.
        var incarnation: UInt64
        var recipient: Recipient
        var session: SessionID?
        var stage = Stage.preparing(payload: nil)
        var deadline: Duration
        /// While a launch is awaited its own, longer deadline counts.
        var isLaunching: Bool
        /// That which is to attach; nil until the launch has said so.
        var process: LaunchedProcess?
        var payloadDeadline: Duration?
    }

    /// A continuation that failed while its app was being launched: the app hears of it once it has attached (H-74).
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

    /// The origin still has to hear that its activity was continued.
    struct Acknowledgement: Sendable {
        var activity: ActivityID
        var origin: DeviceID
        var deadline: Duration
        var attempts = 0
        /// Nil while an attempt is in progress.
        var nextAttempt: Duration?
    }

    var apps: [ContinuationApp] = []
    var router = OfferRouter()
    /// For each page that another device offers, the apps here that its site names.
    var claims: [String: [AppIdentity]] = [:]
    var hasBrowser = false
    var remote: [DeviceID: OfferSnapshot] = [:]
    /// The newest snapshot seen of each device, also after it left: an older one must not come back to life.
    var seen: [DeviceID: (incarnation: UInt64, revision: UInt64)] = [:]
    var connected: Set<DeviceID> = []
    /// Activities continued here, until their origin withdraws or renews them. Bound: the oldest of the origin that
    /// offers least recently are forgotten beyond the configuration's number.
    var consumed: [ActivityID: Consumed] = [:]
    var continuations: [AcceptanceID: Continuation] = [:]
    var failedLaunches: [AcceptanceID: FailedLaunch] = [:]
    var endedProcesses = EndedProcesses()
    var acknowledgements: [AcceptanceID: Acknowledgement] = [:]
    var acknowledgementOrder: [AcceptanceID] = []
}

extension ReceiverState.Continuation {
    var app: ContinuationApp? {
        switch recipient {
        case .app(let app), .claimant(let app): app
        case .browser, .caller: nil
        }
    }

    /// Only the page is wanted, and nothing else of the activity.
    var isPage: Bool {
        if case .app = recipient { false } else { true }
    }

    /// The activity type that the app is given.
    var type: ActivityType { isPage ? .browsingWeb : offer.activity.type }

    var appName: String { app?.name ?? "The browser" }

    var awaitsPayload: Bool {
        if case .preparing(nil) = stage { true } else { false }
    }
}
