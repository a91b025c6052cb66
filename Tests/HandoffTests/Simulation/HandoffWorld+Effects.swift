import BatonCore
import BatonTestSupport
import BatonWire
import Handoff
import SwiftProtobuf

/// Performs the state machines' actions, and checks the invariants at each.
extension HandoffWorld {
    mutating func perform(_ actions: [HandoffAction], on device: Int) throws {
        var isShownAnew = false
        for action in actions {
            if case .offersChanged = action { isShownAnew = true }
            try perform(action, on: device)
        }
        if isShownAnew { try checkVisible(on: device) }
        if let deadline = devices[device].machine.nextDeadline(now: now, wall: wall(device)) {
            let time = now + max(.milliseconds(1), deadline - now)
            if let timer = devices[device].timer, timer <= time { return }
            devices[device].timer = time
            schedule(time - now, .timer(to: device, life: devices[device].life))
        }
    }

    private mutating func perform(_ action: HandoffAction, on device: Int) throws {
        let life = devices[device].life
        switch action {
        case .publish(let snapshot):
            for peer in devices.indices where peer != device {
                guard !isBroken(device, peer) else { continue }
                // Nothing is lost for good: TCP, or a new connection, sends the newest again.
                let isLate = faults && Int.random(in: 0..<10, using: &random) == 0
                schedule(
                    .milliseconds(isLate ? 400 : Int.random(in: 1...(faults ? 300 : 5), using: &random)),
                    .snapshot(snapshot, from: device, to: peer))
                if faults, Int.random(in: 0..<10, using: &random) == 0 {
                    schedule(.milliseconds(500), .snapshot(snapshot, from: device, to: peer))
                }
            }
        case .fetch(let acceptance, let origin, let activity, let app):
            guard let to = indexes[origin] else { return }
            send(.fetch(acceptance, activity, app, from: device, to: to), from: device, to: to)
        case .answerFetch(let acceptance, let result):
            guard let receiver = acceptances[acceptance]?.device else { return }
            if let payload = try? result.get() { try checkSent(payload, acceptance) }
            send(.fetched(acceptance, try? result.get(), to: receiver), from: device, to: receiver)
        case .acknowledge(let acceptance, let origin, let activity):
            guard let to = indexes[origin] else { return }
            send(.acknowledge(acceptance, activity, from: device, to: to), from: device, to: to)
            // The transport reports this when no answer comes.
            let failed = devices[device].machine.acknowledgementFailed(
                acceptance, isFinal: false, now: now + .seconds(1))
            try perform(failed, on: device)
        case .launch(let acceptance, let app, _):
            let luck = faults ? Int.random(in: 0..<8, using: &random) : 7
            if luck == 0 {
                schedule(.milliseconds(20), .launchFailed(acceptance, to: device, life: life))
            } else if luck > 1 {
                schedule(
                    .milliseconds(Int.random(in: 5...2000, using: &random)), .attached(app, to: device, life: life))
            }
        case .askToSave(let acceptance, _, let activity):
            guard !devices[device].silentApps else { return }
            schedule(
                .milliseconds(Int.random(in: 1...200, using: &random)),
                .saved(acceptance, activity, to: device, life: life))
        case .openPage(let acceptance, let page):
            try opened(acceptance, page.text)
            let isSuccess = faults ? Int.random(in: 0..<6, using: &random) > 0 : true
            schedule(
                .milliseconds(Int.random(in: 1...2000, using: &random)),
                .browsed(acceptance, isSuccess, to: device, life: life))
        case .willContinue, .deliver, .didFail, .wasContinued:
            try tell(action, on: device)
        case .progress(let acceptance, let step):
            if case .pageOpened(let page) = step, acceptances[acceptance]?.isCaller == true {
                try opened(acceptance, page.text)
                noteContinued(acceptance, on: device)
            }
            guard step.isLast else { return }
            acceptances[acceptance]?.ended += 1
            if case .failed = step { statistics.failed += 1 }
            guard acceptances[acceptance]?.ended == 1 else {
                throw Violation(description: "a continuation ended twice: \(acceptance)")
            }
        case .allowStreams(let grant):
            if grant.role == .receiver { acceptances[grant.acceptance]?.allowsStreams = true }
        case .revokeStreams(let acceptance):
            guard acceptances[acceptance]?.allowsStreams == true else {
                throw Violation(description: "streams were revoked that were not allowed: \(acceptance)")
            }
            acceptances[acceptance]?.allowsStreams = false
        case .offersChanged, .accepted, .becameCurrent:
            break
        }
    }

    /// Nothing of an activity leaves for another team but its page.
    private func checkSent(_ payload: ActivityPayload, _ acceptance: AcceptanceID) throws {
        guard let known = acceptances[acceptance] else { return }
        let isWhole = payload.message.userInfo.string == Self.secret
        guard isWhole != known.isPage else {
            throw Violation(description: "what was sent is not what the route is for: \(known.route)")
        }
        guard known.isPage else { return }
        let allowed = Baton_Value_V1_ActivityPayload.with {
            $0.userInfo = .with { $0.dictionary = .init() }
            $0.description_p = .with {
                $0.activityID = known.offer.activity.id.rawValue
                $0.activityType = "NSUserActivityTypeBrowsingWeb"
                $0.eligibleForHandoff = true
                if payload.message.description_p.hasTitle { $0.title = payload.message.description_p.title }
                $0.webpageURL = payload.message.description_p.webpageURL
            }
        }
        guard payload.message == allowed else { throw Violation(description: "more than a page was sent: \(payload)") }
    }

    /// A browser, or the accepting caller, is given a page.
    private mutating func opened(_ acceptance: AcceptanceID, _ page: String) throws {
        acceptances[acceptance]?.opened += 1
        guard let known = acceptances[acceptance], known.opened == 1, known.isPage, known.delivered == 0,
            known.page == page
        else { throw Violation(description: "a page was opened twice, or another one: \(acceptance)") }
        if known.isCaller { statistics.pagesOfCallers += 1 } else { statistics.pagesInBrowsers += 1 }
        guard case .pageInApp = known.route, !known.isCaller else { return }
        statistics.browsersInstead += 1
        guard !known.isNamed else {
            throw Violation(description: "the browser was given a page of an app's site: \(acceptance)")
        }
    }

    /// Checks the commands to an app: in Apple's order, each once.
    private mutating func tell(_ action: HandoffAction, on device: Int) throws {
        switch action {
        case .willContinue(let acceptance, let session, let type, _):
            guard let app = devices[device].apps[session], app.isAttached,
                app.app.identity == acceptances[acceptance]?.route.app?.identity, type == acceptances[acceptance]?.type
            else { throw Violation(description: "willContinue to an app that is not there: \(acceptance)") }
            acceptances[acceptance]?.willContinue += 1
            guard let known = acceptances[acceptance], known.willContinue == 1, known.delivered == 0, known.didFail == 0
            else { throw Violation(description: "willContinue out of order: \(acceptance)") }
        case .deliver(let acceptance, let session, let payload):
            acceptances[acceptance]?.delivered += 1
            guard let known = acceptances[acceptance], known.willContinue == 1, known.delivered == 1, known.didFail == 0
            else { throw Violation(description: "continue twice, or out of order: \(acceptance)") }
            guard known.allowsStreams != known.isPage else {
                throw Violation(description: "streams are for whoever continues the activity itself: \(acceptance)")
            }
            if known.isPage { try deliveredPage(payload, known) }
            guard !devices[device].silentApps else { return }
            let handled = Int.random(in: 0..<8, using: &random) > 0
            schedule(
                .milliseconds(Int.random(in: 1...200, using: &random)),
                .answered(acceptance, session, handled, to: device, life: devices[device].life))
        case .didFail(let acceptance, _, _, _):
            acceptances[acceptance]?.didFail += 1
            // An app that starts late hears of a page that the browser has got meanwhile.
            guard let known = acceptances[acceptance], known.willContinue == 1, known.didFail == 1,
                !known.isHandled || known.opened == 1
            else { throw Violation(description: "didFail twice, or out of order: \(acceptance)") }
            if known.ended == 1 { statistics.failedLaunchesTold += 1 }
        case .wasContinued(let session, let activity, let requester):
            try wasContinued(session, activity, by: requester, on: device)
        default:
            break
        }
    }

    private mutating func deliveredPage(
        _ payload: ActivityPayload, _ known: Acceptance
    ) throws {
        statistics.pagesInApps += 1
        guard known.isNamed else {
            throw Violation(description: "an app was given a page of a site that is not its own")
        }
        guard payload.message.userInfo == .with({ $0.dictionary = .init() }),
            payload.message.description_p.webpageURL == known.page,
            payload.message.description_p.activityType == "NSUserActivityTypeBrowsingWeb",
            !payload.message.description_p.supportsContinuationStreams
        else { throw Violation(description: "an app was given more than a page: \(payload)") }
    }

    private mutating func wasContinued(
        _ session: SessionID, _ activity: ActivityID, by requester: DeviceID, on device: Int
    ) throws {
        guard devices[device].apps[session]?.activities[activity] != nil else {
            throw Violation(description: "wasContinued to an app without the activity: \(activity)")
        }
        if devices[device].apps[session]?.current == activity {
            devices[device].apps[session]?.current = nil
            devices[device].apps[session]?.continued = activity
        }
        statistics.told += 1
        told[activity, default: [:]][requester, default: 0] += 1
        let receiver = indexes[requester]
        let handled = acceptances.values.count {
            $0.isHandled && $0.device == receiver && $0.offer.activity.id == activity
        }
        guard told[activity]?[requester] ?? 0 <= handled else {
            throw Violation(description: "wasContinued more often than continue was answered: \(activity)")
        }
    }

    private func checkVisible(on device: Int) throws {
        let hasContinued = !devices[device].continued.isEmpty
        for visible in devices[device].machine.visibleOffers {
            if case .activity(let app) = visible.route {
                guard app.identity.team == visible.offer.app.team else {
                    throw Violation(
                        description: "an offer of team \(visible.offer.app.team) shown to \(app.identity)")
                }
                guard app.activityTypes.contains(visible.offer.activity.type) else {
                    throw Violation(description: "an offer of an undeclared type is shown")
                }
            } else if visible.offer.activity.webpageURL == nil {
                throw Violation(description: "a page is shown of an activity that has none")
            }
            if hasContinued, let continued = devices[device].continued[visible.offer.activity.id],
                continued.incarnation == devices[device].machine.snapshot(of: visible.origin)?.incarnation,
                visible.offer.timestamp <= continued.timestamp
            {
                throw Violation(description: "an offer is shown that was continued here")
            }
        }
    }

    // MARK: At rest

    func checkAtRest() throws {
        for device in devices.indices { try checkPublished(device) }
        for device in devices.indices { try checkVisibleAtRest(device) }
        for (acceptance, known) in acceptances where devices[known.device].life == known.life {
            guard known.ended == 1 else { throw Violation(description: "a continuation never ended: \(acceptance)") }
        }
        try checkTold()
    }

    /// A device offers exactly the activities that its apps hold for current.
    private func checkPublished(_ device: Int) throws {
        let all = devices[device].apps.values.compactMap { app -> (AppIdentity, ActivityDescription)? in
            guard app.isAttached, let current = app.current, let description = app.activities[current] else {
                return nil
            }
            let isAlive = description.expirationTime.map { $0 > wall(device) } ?? true
            return description.isEligibleForHandoff && isAlive ? (app.app.identity, description) : nil
        }
        // With several processes of one app, the one that the person used last.
        let times = devices[device].lastChange
        let expected = Dictionary(grouping: all, by: \.0).values.compactMap { offers in
            offers.max { times[$0.1.id] ?? 0 < times[$1.1.id] ?? 0 }?.1
        }
        let published = devices[device].machine.published.offers.map(\.activity)
        guard Set(published) == Set(expected), published.count == expected.count else {
            throw Violation(description: "device \(device) offers \(published), but its apps have \(expected) current")
        }
    }

    /// A person can accept exactly the others' offers to the apps here, except those continued here.
    private func checkVisibleAtRest(_ device: Int) throws {
        var expected: [ActivityID: OfferRoute] = [:]
        for from in devices.indices where from != device {
            for offer in devices[from].machine.published.offers {
                let isNew =
                    devices[device].continued[offer.activity.id].map {
                        $0.incarnation != devices[from].machine.published.incarnation || $0.timestamp < offer.timestamp
                    } ?? true
                if isNew { expected[offer.activity.id] = expectedRoute(offer, on: device) }
            }
        }
        let visible = devices[device].machine.visibleOffers
        guard visible.count == expected.count, visible.allSatisfy({ expected[$0.offer.activity.id] == $0.route }) else {
            throw Violation(description: "device \(device) shows \(visible) instead of \(expected)")
        }
        let times = visible.map(\.offer.timestamp)
        guard times == times.sorted(by: >) else { throw Violation(description: "the newest is not first: \(visible)") }
        guard Set(visible.map { [$0.origin.rawValue, $0.offer.app.description] }).count == visible.count else {
            throw Violation(description: "two offers of one app of one device: \(visible)")
        }
    }

    /// The rules once more, in other words.
    private func expectedRoute(_ offer: Offer, on device: Int) -> OfferRoute? {
        let team = devices[device].installed.filter {
            $0.identity.team == offer.app.team && $0.activityTypes.contains(offer.activity.type)
        }.sorted { $0.identity.bundleID < $1.identity.bundleID }
        let native = team.first { $0.identity == offer.app } ?? team.first
        let isBrowsing = offer.activity.type.rawValue == "NSUserActivityTypeBrowsingWeb"
        if let native, !isBrowsing { return .activity(native) }
        guard let page = offer.activity.webpageURL else { return native.map(OfferRoute.activity) }
        let named = (devices[device].claims[page] ?? []).compactMap { identity in
            devices[device].installed.first { $0.identity == identity }
        }
        let claimant =
            named.first { $0.identity == offer.app } ?? named.first { $0.identity.team == offer.app.team }
            ?? named.first
        if let claimant { return .pageInApp(claimant) }
        if let native { return .activity(native) }
        return devices[device].hasBrowser ? .pageInBrowser : nil
    }

    /// An origin whose daemon lived through it heard of each continuation once.
    private func checkTold() throws {
        var owed: [ActivityID: [DeviceID: Int]] = [:]
        for known in acceptances.values where known.isHandled {
            let activity = known.offer.activity.id
            guard devices[known.device].life == known.life, devices[known.origin].life == known.originLife,
                devices[known.origin].apps.values.contains(where: { $0.activities[activity] != nil })
            else { continue }
            owed[activity, default: [:]][devices[known.device].id, default: 0] += 1
        }
        for (activity, devices) in owed {
            for (device, times) in devices where told[activity]?[device] ?? 0 < times {
                throw Violation(description: "the app was not told that its activity was continued: \(activity)")
            }
        }
    }
}

extension HandoffWorld {
    static let secret = "for the app of this team only"
}

extension HandoffWorld.Acceptance {
    /// Only the page was asked for.
    var isPage: Bool {
        if case .activity = route { isCaller } else { true }
    }

    /// The activity type that an app is given.
    var type: ActivityType { isPage ? .browsingWeb : offer.activity.type }
}
