package import BatonConcurrency
package import BatonCore

/// An input from apps, devices, sites or people.
package enum HandoffInput: Hashable, Sendable {
    /// An activity that an app has when it attaches.
    package struct Announced: Hashable, Sendable {
        package var activity: ActivityDescription
        package var isCurrent: Bool

        package init(activity: ActivityDescription, isCurrent: Bool) {
            self.activity = activity
            self.isCurrent = isCurrent
        }
    }

    // Apps
    case attached(SessionID, ContinuationApp, canContinue: Bool, activities: [Announced])
    case detached(SessionID)
    case updated(SessionID, ActivityDescription, makeCurrent: Bool)
    case resigned(SessionID, ActivityID)
    case invalidated(SessionID, ActivityID)
    case saved(AcceptanceID, Result<ActivityPayload, ActivityFailure>, size: Int)
    case continueAnswered(AcceptanceID, by: SessionID, handled: Bool)
    case launched(AcceptanceID, process: Int32, wasRunning: Bool)
    case launchFailed(AcceptanceID, message: String)
    case appEnded(AppIdentity, process: Int32, message: String)

    // Other devices
    case deviceConnected(DeviceID)
    case deviceDisconnected(DeviceID)
    case offersReceived(OfferSnapshot, claims: [String: [AppIdentity]], from: DeviceID)
    case payloadRequested(AcceptanceID, ActivityID, by: DeviceID, for: AppIdentity?)
    case payloadArrived(AcceptanceID, ActivityPayload, size: Int, claims: [AppIdentity])
    case payloadFailed(AcceptanceID, ActivityFailure)
    case continuedElsewhere(AcceptanceID, ActivityID, by: DeviceID)
    case acknowledged(AcceptanceID)
    case acknowledgementFailed(AcceptanceID, isFinal: Bool)

    // Inputs that decide the routes
    case appsChanged([ContinuationApp])
    case claimsChanged([String: [AppIdentity]])
    case browserChanged(isAvailable: Bool)
    case pageOpened(AcceptanceID)
    case pageNotOpened(AcceptanceID, message: String)

    // People
    /// The site is that of the page that the person was shown; nil where they were shown none.
    case accept(ActivityID, as: AcceptanceID, callerOpensPage: Bool, site: String?)
}

extension HandoffStateMachine: StateMachine {
    /// - Throws: for what an app, a device or a person asks that cannot be.
    package mutating func handle(_ input: HandoffInput, now moment: Timestamp) throws(BatonError) -> [HandoffAction] {
        let (now, wall) = (moment.monotonic, moment.wall)
        switch input {
        case .attached(let session, let app, let canContinue, let activities):
            return try attach(session, app: app, canContinue: canContinue, activities: activities, now: moment)
        case .detached(let session): return detach(session, now: now, wall: wall)
        case .updated(let session, let activity, let makeCurrent):
            let wasCurrent = isCurrent(activity.id, in: session)
            let actions = try update(session, activity, makeCurrent: makeCurrent, wall: wall)
            let isNews = !wasCurrent && isCurrent(activity.id, in: session)
            return actions + (isNews ? [.becameCurrent(activity.id, activity.type)] : [])
        case .resigned(let session, let activity): return try resign(session, activity, wall: wall)
        case .invalidated(let session, let activity): return try invalidate(session, activity, wall: wall)
        case .saved(let acceptance, let result, let size): return saved(acceptance, result, size: size, now: now)
        case .continueAnswered(let acceptance, let session, let handled):
            return continueAnswered(acceptance, by: session, handled: handled, now: now)
        case .launched(let acceptance, let process, let wasRunning):
            return launched(acceptance, process: process, wasRunning: wasRunning)
        case .launchFailed(let acceptance, let message): return launchFailed(acceptance, message: message)
        case .appEnded(let app, let process, let message): return appEnded(app, process: process, message: message)
        case .deviceConnected(let device): return deviceConnected(device)
        case .deviceDisconnected(let device): return deviceDisconnected(device)
        case .offersReceived(let snapshot, let claims, let device):
            return offersReceived(snapshot, claims: claims, from: device, wall: wall)
        case .payloadRequested(let acceptance, let activity, let device, let app):
            return payloadRequested(acceptance, activity: activity, by: device, for: app, now: now, wall: wall)
        case .payloadArrived(let acceptance, let payload, let size, let claims):
            return payloadArrived(acceptance, payload, size: size, claims: claims, now: now)
        case .payloadFailed(let acceptance, let failure): return payloadFailed(acceptance, failure)
        case .continuedElsewhere(let acceptance, let activity, let device):
            return try continuedElsewhere(acceptance, activity: activity, by: device, wall: wall)
        case .acknowledged(let acceptance): return acknowledged(acceptance)
        case .acknowledgementFailed(let acceptance, let isFinal):
            return acknowledgementFailed(acceptance, isFinal: isFinal, now: now)
        case .appsChanged(let apps): return appsChanged(apps)
        case .claimsChanged(let claims): return claimsChanged(claims)
        case .browserChanged(let isAvailable): return browserChanged(isAvailable: isAvailable)
        case .pageOpened(let acceptance): return pageOpened(acceptance, now: now)
        case .pageNotOpened(let acceptance, let message): return pageNotOpened(acceptance, message: message)
        case .accept(let activity, let acceptance, let callerOpensPage, let site):
            return try accept(activity, as: acceptance, isForCaller: callerOpensPage, site: site, now: now)
        }
    }

    package func nextDeadline(now: Timestamp) -> Duration? { nextDeadline(now: now.monotonic, wall: now.wall) }

    package mutating func advance(now: Timestamp) -> [HandoffAction] { advance(now: now.monotonic, wall: now.wall) }

    /// With the activities that it has; one that breaks a rule refuses the attachment, and nothing has happened.
    private mutating func attach(
        _ session: SessionID, app: ContinuationApp, canContinue: Bool, activities: [HandoffInput.Announced],
        now: Timestamp
    ) throws(BatonError) -> [HandoffAction] {
        var attached = self
        var actions = try attached.attach(
            session, app: app, canContinue: canContinue, now: now.monotonic, wall: now.wall)
        for announced in activities {
            actions += try attached.update(
                session, announced.activity, makeCurrent: announced.isCurrent, wall: now.wall)
        }
        self = attached
        return actions
    }

    private mutating func accept(
        _ activity: ActivityID, as acceptance: AcceptanceID, isForCaller: Bool, site: String?, now: Duration
    ) throws(BatonError) -> [HandoffAction] {
        let offers = isForCaller ? offersForBrowsers : visibleOffers
        let offer = offers.first { $0.offer.activity.id == activity }
        let actions = try accept(activity, as: acceptance, callerOpensPage: isForCaller, site: site, now: now)
        return (offer.map { [.accepted(acceptance, $0, callerOpensPage: isForCaller)] } ?? []) + actions
    }
}
