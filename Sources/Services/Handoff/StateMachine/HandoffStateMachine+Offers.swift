package import BatonCore

/// An offer as a person sees it.
package struct VisibleOffer: Hashable, Sendable {
    package var offer: Offer
    package var origin: DeviceID
    package var route: OfferRoute
    /// Why it cannot be continued though there is a route; nil when it can.
    package var obstacle: String?
    /// The app that continues it or is given its page; nil for the browser.
    package var app: ContinuationApp? { route.app }
}

/// The offers of other devices, and their routes on this one: H-5, H-10, H-11, H-33, H-84, H-85.
extension HandoffStateMachine {
    // MARK: Inputs that decide the routes

    /// The installed apps changed.
    package mutating func appsChanged(_ apps: [ContinuationApp]) -> [HandoffAction] {
        receiver.apps = apps
        return reroute()
    }

    /// The person wants pages opened in a browser, or does not.
    package mutating func browserChanged(isAvailable: Bool) -> [HandoffAction] {
        guard receiver.hasBrowser != isAvailable else { return [] }
        receiver.hasBrowser = isAvailable
        return reroute()
    }

    /// Updates the site associations of offered pages. Pages that are not named keep theirs.
    package mutating func claimsChanged(_ claims: [String: [AppIdentity]]) -> [HandoffAction] {
        let pages = pages
        let merged = receiver.claims.merging(claims) { $1 }.filter { pages.contains($0.key) }
        guard merged != receiver.claims else { return [] }
        receiver.claims = merged
        return [.offersChanged]
    }

    /// Every page that another device offers.
    package var pages: Set<String> {
        var pages: Set<String> = []
        for snapshot in receiver.remote.values {
            for offer in snapshot.offers {
                if let page = offer.activity.webpageURL { pages.insert(page) }
            }
        }
        return pages
    }

    mutating func reroute() -> [HandoffAction] {
        // An unsigned app is not installed: it can continue activities while it runs.
        let development = sessions.values.filter { $0.canContinue && $0.app.identity.team.isDevelopment }
            .sorted { $0.number < $1.number }.map(\.app)
        receiver.router = OfferRouter(
            installed: receiver.apps, development: development, hasBrowser: receiver.hasBrowser)
        return [.offersChanged]
    }

    // MARK: Offers of other devices

    package mutating func deviceConnected(_ peer: DeviceID) -> [HandoffAction] {
        receiver.connected.insert(peer)
        for acceptance in receiver.acknowledgements.keys where receiver.acknowledgements[acceptance]?.origin == peer {
            if receiver.acknowledgements[acceptance]?.nextAttempt != nil {
                receiver.acknowledgements[acceptance]?.nextAttempt = .zero
            }
        }
        return []
    }

    /// The device left or cannot be reached: its offers are gone (H-11), and pending fetches from it have failed.
    package mutating func deviceDisconnected(_ peer: DeviceID) -> [HandoffAction] {
        receiver.connected.remove(peer)
        var actions: [HandoffAction] = []
        for (acceptance, continuation) in receiver.continuations.sorted(by: { $0.key < $1.key })
        where continuation.origin == peer && continuation.awaitsPayload {
            actions += fail(
                acceptance, .init(.handoffFailed, "The other device went away before it sent the activity."))
        }
        if receiver.remote.removeValue(forKey: peer) != nil { actions.append(.offersChanged) }
        forgetClaims()
        return actions
    }

    /// - Parameter claims: the apps here that the sites of the snapshot's pages name.
    package mutating func offersReceived(
        _ snapshot: OfferSnapshot, claims: [String: [AppIdentity]] = [:], from peer: DeviceID, wall: UInt64
    ) -> [HandoffAction] {
        guard receiver.connected.contains(peer) else { return [] }
        if let seen = receiver.seen[peer] {
            let isSame = seen.incarnation == snapshot.incarnation && seen.revision == snapshot.revision
            // After a reconnection the same snapshot comes again and is welcome.
            guard isSame ? receiver.remote[peer] == nil : snapshot.isNewer(than: seen) else { return [] }
        }
        receiver.seen[peer] = (snapshot.incarnation, snapshot.revision)
        var snapshot = snapshot
        snapshot.offers.removeLast(max(0, snapshot.offers.count - configuration.maximumOffers))
        for offer in snapshot.offers {
            // A clock that is far ahead is ignored; it must not stop the offer.
            try? clock.observe(offer.timestamp, wall: wall)
        }
        receiver.remote[peer] = snapshot
        for (page, apps) in claims { receiver.claims[page] = apps }
        forgetClaims()
        if !receiver.consumed.isEmpty {
            // Only the origin's own snapshot decides whether a consumed offer is over.
            let alive = Set(snapshot.offers.map(\.activity.id))
            receiver.consumed = receiver.consumed.filter { $0.value.origin != peer || alive.contains($0.key) }
        }
        return [.offersChanged]
    }

    private mutating func forgetClaims() {
        guard !receiver.claims.isEmpty else { return }
        let pages = pages
        for page in receiver.claims.keys where !pages.contains(page) { receiver.claims[page] = nil }
    }

    /// The last snapshot of a connected device's offers, shown or not.
    package func snapshot(of peer: DeviceID) -> OfferSnapshot? { receiver.remote[peer] }

    // MARK: Visible offers

    /// The offers that a person can see: of each origin and app the newest, all of them newest first.
    package var visibleOffers: [VisibleOffer] { shown { _ in nil } }

    /// The offers for a caller that opens pages itself, including those whose pages have no other route here.
    package var offersForBrowsers: [VisibleOffer] {
        shown { $0.activity.webpageURL == nil ? nil : .pageInBrowser }
    }

    /// - Parameter instead: the route of an offer that has none that can be gone.
    private func shown(_ instead: (Offer) -> OfferRoute?) -> [VisibleOffer] {
        var shown: [VisibleOffer] = []
        for (origin, snapshot) in receiver.remote {
            for offer in snapshot.newestOfEachApp where !isConsumed(offer, of: origin) {
                let finding = finding(on: offer)
                if finding.route == nil || finding.obstacle != nil, let route = instead(offer) {
                    shown.append(VisibleOffer(offer: offer, origin: origin, route: route))
                } else if let route = finding.route {
                    shown.append(
                        VisibleOffer(offer: offer, origin: origin, route: route, obstacle: finding.obstacle))
                }
            }
        }
        if shown.count > 1 { shown.sort { $0.offer.isNewer(than: $1.offer) } }
        return shown
    }

    /// - Parameter claims: the apps that the site of the offer's page names; nil for those that are known.
    package func finding(on offer: Offer, claims: [AppIdentity]? = nil) -> OfferRouter.Finding {
        var claims = claims
        if claims == nil, let page = offer.activity.webpageURL { claims = receiver.claims[page] }
        return receiver.router.finding(on: offer, claims: claims ?? [])
    }

    /// Whether the activity was continued here and has not been made current or changed since.
    package func isConsumed(_ offer: Offer, of origin: DeviceID) -> Bool {
        guard !receiver.consumed.isEmpty, let consumed = receiver.consumed[offer.activity.id] else { return false }
        return consumed.origin == origin && consumed.incarnation == receiver.remote[origin]?.incarnation
            && offer.timestamp <= consumed.timestamp
    }
}

extension Offer {
    func isNewer(than other: Offer) -> Bool {
        timestamp == other.timestamp ? activity.id > other.activity.id : timestamp > other.timestamp
    }
}

extension OfferSnapshot {
    /// An app has one current activity; of several processes of one app the person last used one.
    var newestOfEachApp: [Offer] {
        guard offers.count > 1 else { return offers }
        var newest: [AppIdentity: Offer] = [:]
        for offer in offers {
            if let other = newest[offer.app], other.isNewer(than: offer) { continue }
            newest[offer.app] = offer
        }
        return Array(newest.values)
    }
}
