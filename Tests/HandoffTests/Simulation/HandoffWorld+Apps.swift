import BatonCore
import BatonTestSupport
import BatonWire
import Handoff
import SwiftProtobuf

/// The reactions of apps to commands.
extension HandoffWorld {
    mutating func handleApp(_ event: Event) throws {
        switch event {
        case .saved(let acceptance, let activity, let to, let life):
            guard devices[to].life == life else { return }
            try saved(acceptance, activity, on: to)
        case .attached(let identity, let to, let life):
            guard devices[to].life == life, let app = devices[to].installed.first(where: { $0.identity == identity })
            else { return }
            try attach(App(app: app), on: to)
        case .attachedAgain(let session, let to):
            guard let app = devices[to].apps.removeValue(forKey: session) else { return }
            try attach(app, on: to)
        case .launchFailed(let acceptance, let to, let life):
            guard devices[to].life == life else { return }
            try perform(devices[to].machine.launchFailed(acceptance, message: "It cannot be started."), on: to)
        case .answered(let acceptance, let session, let handled, let to, let life):
            guard devices[to].life == life, devices[to].apps[session]?.isAttached == true else { return }
            let actions = devices[to].machine.continueAnswered(acceptance, by: session, handled: handled, now: now)
            if handled, !actions.isEmpty {
                statistics.continued += 1
                noteContinued(acceptance, on: to)
            }
            try perform(actions, on: to)
        case .browsed(let acceptance, let isSuccess, let to, let life):
            guard devices[to].life == life else { return }
            let actions =
                isSuccess
                ? devices[to].machine.pageOpened(acceptance, now: now)
                : devices[to].machine.pageNotOpened(acceptance, message: "No window.")
            if isSuccess, !actions.isEmpty { noteContinued(acceptance, on: to) }
            try perform(actions, on: to)
        default:
            break
        }
    }

    mutating func noteContinued(_ acceptance: AcceptanceID, on device: Int) {
        acceptances[acceptance]?.isHandled = true
        if let known = acceptances[acceptance] {
            devices[device].continued[known.offer.activity.id] = (known.incarnation, known.offer.timestamp)
        }
    }

    /// An app's answer to the request for its payload: mostly what was asked for.
    private mutating func saved(_ acceptance: AcceptanceID, _ activity: ActivityID, on device: Int) throws {
        let description = devices[device].apps.values.lazy.compactMap { $0.activities[activity] }.first
        let kind = faults ? Int.random(in: 0..<12, using: &random) : 5
        let payload = ActivityPayload(
            .with {
                guard let description else { return }
                $0.description_p = .init(description)
                // No other team may see this.
                $0.userInfo = .with { $0.string = Self.secret }
            })
        let limit = devices[device].machine.configuration.payloadLimit
        let actions: [HandoffAction] =
            kind == 0 || description == nil
            ? devices[device].machine.saved(acceptance, .failure(.init(.handoffFailed, "no")), size: 0, now: now)
            : devices[device].machine.saved(acceptance, .success(payload), size: kind == 1 ? limit + 1 : 10, now: now)
        if kind <= 1 {
            // Where only the page is asked for, it is known without the app.
            for case .answerFetch(_, .success) in actions where acceptances[acceptance]?.isPage != true {
                throw Violation(description: "a payload was sent that the app had not given or that is too large")
            }
        }
        try perform(actions, on: device)
    }

    /// With the activities that it has, as the library announces them.
    mutating func attach(_ app: App, on device: Int) throws {
        let session = SessionID.random(using: &random)
        var app = app
        app.isAttached = true
        devices[device].apps[session] = app
        try perform(
            devices[device].machine.attach(session, app: app.app, canContinue: true, now: now, wall: wall(device)),
            on: device)
        for description in app.activities.values.sorted(by: { $0.id < $1.id }) {
            let isCurrent = devices[device].apps[session]?.current == description.id
            noteChange(of: description.id, on: device)
            try perform(
                devices[device].machine.update(session, description, makeCurrent: isCurrent, wall: wall(device)),
                on: device)
        }
    }

    private mutating func noteChange(of activity: ActivityID, on device: Int) {
        changes += 1
        devices[device].lastChange[activity] = changes
    }

    // MARK: Actions of people and apps, and accidents

    mutating func act() throws {
        let device = Int.random(in: devices.indices, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0...1:
            if let app = devices[device].installed.randomElement(using: &random),
                !devices[device].apps.values.contains(where: { $0.app == app })
            {
                try attach(App(app: app), on: device)
            }
        case 2...6: try update(on: device)
        case 7: try resign(on: device)
        case 8: try invalidate(on: device)
        case 9...15: try accept()
        case 16: try crashApp(on: device)
        case 17: try losesAttachment(on: device)
        case 18:
            if Bool.random(using: &random) {
                try changeSites(on: device)
            } else if faults {
                try crashDaemon(device)
            }
        case 19...20: if faults { try toggleLink(device) }
        case 21...22: try trespass()
        default: if faults { devices[device].silentApps.toggle() }
        }
    }

    private mutating func anySession(_ device: Int) -> SessionID? {
        var sessions: [SessionID] = []
        for (session, app) in devices[device].apps where app.isAttached { sessions.append(session) }
        if sessions.count > 1 { sessions.sort() }
        return sessions.randomElement(using: &random)
    }

    private mutating func anyActivity(_ device: Int, _ session: SessionID) -> ActivityDescription? {
        guard let activities = devices[device].apps[session]?.activities else { return nil }
        return activities.keys.sorted().randomElement(using: &random).flatMap { activities[$0] }
    }

    mutating func update(on device: Int) throws {
        guard let session = anySession(device) else { return }
        let known = Bool.random(using: &random) ? anyActivity(device, session) : nil
        var description =
            known
            ?? ActivityDescription(
                id: .random(using: &random), type: Self.types[Int.random(in: 0..<3, using: &random)])
        description.title = "\(Int.random(in: 0..<100, using: &random))"
        description.isEligibleForHandoff = Int.random(in: 0..<8, using: &random) > 0
        description.expirationTime =
            Int.random(in: 0..<4, using: &random) == 0
            ? wall(device) + UInt64.random(in: 1...3000, using: &random) : nil
        description.webpageURL = Bool.random(using: &random) ? Self.pages.randomElement(using: &random) : nil
        // A change of what was continued elsewhere makes it current again, as the library has it.
        let isRenewed = devices[device].apps[session]?.continued == description.id && known != description
        let makeCurrent = Int.random(in: 0..<4, using: &random) > 0 || isRenewed
        if isRenewed { statistics.renewed += 1 }
        let previous = devices[device].apps[session]?.activities.updateValue(description, forKey: description.id)
        if makeCurrent || previous != description { noteChange(of: description.id, on: device) }
        if makeCurrent {
            devices[device].apps[session]?.current = description.id
            devices[device].apps[session]?.continued = nil
        }
        try perform(
            devices[device].machine.update(session, description, makeCurrent: makeCurrent, wall: wall(device)),
            on: device)
    }

    private mutating func resign(on device: Int) throws {
        guard let session = anySession(device), let activity = anyActivity(device, session) else { return }
        if devices[device].apps[session]?.current == activity.id { devices[device].apps[session]?.current = nil }
        try perform(devices[device].machine.resign(session, activity.id, wall: wall(device)), on: device)
    }

    private mutating func invalidate(on device: Int) throws {
        guard let session = anySession(device), let activity = anyActivity(device, session) else { return }
        devices[device].apps[session]?.activities[activity.id] = nil
        if devices[device].apps[session]?.current == activity.id { devices[device].apps[session]?.current = nil }
        try perform(devices[device].machine.invalidate(session, activity.id, wall: wall(device)), on: device)
    }

    private mutating func accept() throws {
        var order = Array(devices.indices)
        order.shuffle(using: &random)
        let isCaller = Int.random(in: 0..<8, using: &random) == 0
        func offers(_ device: Int) -> [VisibleOffer] {
            isCaller ? devices[device].machine.offersForBrowsers : devices[device].machine.visibleOffers
        }
        var chosen: (device: Int, visible: VisibleOffer)?
        for device in order where chosen == nil {
            chosen = offers(device).randomElement(using: &random).map { (device, $0) }
        }
        guard let (device, visible) = chosen, let origin = indexes[visible.origin] else { return }
        let acceptance = AcceptanceID.random(using: &random)
        do {
            let actions = try devices[device].machine.accept(
                visible.offer.activity.id, as: acceptance, callerOpensPage: isCaller, now: now)
            statistics.accepted += 1
            acceptances[acceptance] = Acceptance(
                device: device, life: devices[device].life, origin: origin, originLife: devices[origin].life,
                incarnation: devices[device].machine.snapshot(of: visible.origin)?.incarnation ?? 0,
                offer: visible.offer, route: visible.route, isCaller: isCaller)
            try perform(actions, on: device)
        } catch let error as BatonError where error.code == .aborted || error.reason == "no_page" {
            // It is being continued already; or there is nothing to open.
        }
    }

    private mutating func crashApp(on device: Int) throws {
        guard let session = anySession(device) else { return }
        devices[device].apps[session] = nil
        try perform(devices[device].machine.detach(session, now: now, wall: wall(device)), on: device)
    }

    /// The connection of an app breaks, and it attaches again a little later with what it has.
    private mutating func losesAttachment(on device: Int) throws {
        guard let session = anySession(device) else { return }
        devices[device].apps[session]?.isAttached = false
        try perform(devices[device].machine.detach(session, now: now, wall: wall(device)), on: device)
        schedule(.milliseconds(Int.random(in: 1...600, using: &random)), .attachedAgain(session, to: device))
    }

    /// Everything of the daemon is gone; its apps live on and attach again, with their activities.
    private mutating func crashDaemon(_ device: Int) throws {
        let incarnation = devices[device].machine.published.incarnation + 1
        devices[device].life += 1
        devices[device].timer = nil
        devices[device].heard = [:]
        devices[device].continued = [:]
        for peer in devices.indices where peer != device {
            try perform(devices[peer].machine.deviceDisconnected(devices[device].id), on: peer)
        }
        devices[device].machine = HandoffStateMachine(incarnation: incarnation)
        try perform(devices[device].machine.appsChanged(devices[device].installed), on: device)
        try perform(devices[device].machine.browserChanged(isAvailable: devices[device].hasBrowser), on: device)
        for (session, app) in devices[device].apps.sorted(by: { $0.key < $1.key }) where app.isAttached {
            devices[device].apps[session] = nil
            try attach(app, on: device)
        }
        for peer in devices.indices where peer != device && !isBroken(device, peer) { link(device, peer) }
    }

    /// Sites name other apps than before, or the person sets a browser or none.
    mutating func changeSites(on device: Int) throws {
        if Bool.random(using: &random) {
            devices[device].hasBrowser.toggle()
            try perform(devices[device].machine.browserChanged(isAvailable: devices[device].hasBrowser), on: device)
            return
        }
        for page in Self.pages { devices[device].claims[page] = randomClaims(devices[device].installed) }
        try perform(devices[device].machine.claimsChanged(devices[device].claims), on: device)
    }

    private mutating func toggleLink(_ device: Int) throws {
        let other = Int.random(in: devices.indices, using: &random)
        guard other != device else { return }
        let pair = min(device, other) * 8 + max(device, other)
        if broken.contains(pair) {
            broken.remove(pair)
            link(device, other)
        } else {
            broken.insert(pair)
            try perform(devices[device].machine.deviceDisconnected(devices[other].id), on: device)
            try perform(devices[other].machine.deviceDisconnected(devices[device].id), on: other)
        }
    }

    /// A device of the account that does not keep to the rules: asks in the name of another team's app, and says that it
    /// continued what it was never given.
    private mutating func trespass() throws {
        let places = devices.indices.filter { !devices[$0].machine.published.offers.isEmpty }
        let intruder = Int.random(in: devices.indices, using: &random)
        guard let device = places.randomElement(using: &random), intruder != device,
            let offer = devices[device].machine.published.offers.randomElement(using: &random)
        else { return }
        let other = offer.app.team == Self.teamA ? Self.teamB : Self.teamA
        let actions = devices[device].machine.payloadRequested(
            .random(using: &random), activity: offer.activity.id, by: devices[intruder].id,
            for: AppIdentity(bundleID: offer.app.bundleID, team: other), now: now, wall: wall(device))
        for action in actions {
            guard case .answerFetch(_, .failure) = action else {
                throw Violation(description: "another team's app was given an activity")
            }
            statistics.refusedRequests += 1
        }
        let claims = acceptances.filter { $0.value.origin == device && $0.value.device != intruder }.keys.sorted()
        let claimed = claims.randomElement(using: &random) ?? .random(using: &random)
        let activity = acceptances[claimed]?.offer.activity.id ?? offer.activity.id
        do {
            _ = try devices[device].machine.continuedElsewhere(
                claimed, activity: activity, by: devices[intruder].id, wall: wall(device))
            throw Violation(description: "a device claimed a continuation of another's")
        } catch is BatonError {
            statistics.refusedRequests += 1
        }
    }
}
