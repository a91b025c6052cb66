import AppSessions
import BatonConcurrency
package import BatonCore
import BatonTransport
import Synchronization

/// The person's view of offers, and decisions about them.
extension HandoffService {
    package func appsChanged(_ apps: [ContinuationApp]) { note(.appsChanged(apps)) }

    /// The newest first.
    package func offers() -> [VisibleOffer] { driver.read(\.visibleOffers) }

    package func localActivities() -> [(
        app: ContinuationApp, process: Int32, activity: HandoffStateMachine.LocalActivity, isCurrent: Bool
    )] {
        driver.read(\.localActivities).map { entry in
            (entry.app, sessions.session(entry.session)?.process.processID ?? 0, entry.activity, entry.isCurrent)
        }
    }

    /// The people that each attached app shows now, the newest first.
    package func currentActivities() -> [(session: SessionID, app: ContinuationApp, activity: ActivityDescription)] {
        driver.read(\.localActivities).filter(\.isCurrent)
            .sorted { $0.activity.timestamp > $1.activity.timestamp }
            .map { ($0.session, $0.app, $0.activity.description) }
    }

    package var published: OfferSnapshot { driver.read(\.published) }

    /// An element at once and after each change of what this device offers; changes without a reader are one.
    package func publications() -> AsyncStream<Void> { publishedBroadcast.subscribe([()]) }

    /// An element at once and after each change; changes without a reader are one.
    package func offerChanges() -> AsyncStream<Void> { offerBroadcast.subscribe([()]) }

    /// Accepts an offer.
    /// - Parameters:
    ///   - selector: the offer's identifier, or a beginning of it that no other offer has; empty for the newest.
    ///   - callerOpensPage: only the page is wanted, and the caller opens it.
    ///   - site: of the page that the person was shown, which must be the offer's now; nil where they were shown none.
    /// - Returns: the steps of the continuation with the time since the acceptance, until its end. It goes on
    ///   without a reader.
    package func accept(
        _ selector: String, callerOpensPage: Bool = false, site: String? = nil
    ) throws -> (AcceptanceID, VisibleOffer, AsyncStream<(ContinuationStep, Duration)>) {
        let acceptance = AcceptanceID.random()
        // At most six steps; never more than its bound.
        let (stream, events) = AsyncStream.makeStream(
            of: (ContinuationStep, Duration).self, bufferingPolicy: .bufferingOldest(16))
        var offers = driver.read { callerOpensPage ? $0.offersForBrowsers : $0.visibleOffers }
        // An empty selector selects among offers that have a page.
        if callerOpensPage, selector.isEmpty { offers.removeAll { $0.offer.activity.webpageURL == nil } }
        let offer = try Self.select(selector, from: offers)
        let start = driver.now.monotonic
        state.withLock { $0.watchers[acceptance] = Watcher(start: start, events: events) }
        do {
            try driver.input(
                .accept(offer.offer.activity.id, as: acceptance, callerOpensPage: callerOpensPage, site: site))
        } catch {
            state.withLock { $0.watchers[acceptance] = nil }
            throw error
        }
        return (acceptance, offer, stream)
    }

    func accepted(_ acceptance: AcceptanceID, _ offer: VisibleOffer, callerOpensPage: Bool) {
        record(
            "accepted", "The offer of \(devices.name(of: offer.origin)) was accepted.", acceptance,
            [
                "activity_type": offer.offer.activity.type.rawValue,
                "activity_id": offer.offer.activity.id.rawValue,
                "device_id": offer.origin.rawValue, "route": callerOpensPage ? "caller" : offer.route.name,
            ].merging(offer.app.map { ["bundle_id": $0.identity.bundleID.rawValue] } ?? [:]) { $1 })
        // A caller that opens the page itself also informs the person.
        if !callerOpensPage { newsBroadcast.send(.accepted(acceptance, offer)) }
    }

    private static func select(_ selector: String, from offers: [VisibleOffer]) throws(BatonError) -> VisibleOffer {
        guard !selector.isEmpty else {
            guard let newest = offers.first else {
                throw BatonError(.notFound, reason: "no_offers", "No activities to continue.")
            }
            return newest
        }
        let prefix = selector.uppercased()
        let matches = offers.filter { $0.offer.activity.id.rawValue.hasPrefix(prefix) }
        guard let first = matches.first else {
            throw BatonError(
                .notFound, reason: "no_such_offer",
                "There is no offer “\(selector.prefix(40))”. “baton offers” lists what can be continued.")
        }
        guard matches.count == 1 else {
            throw BatonError(
                .invalidArgument, reason: "ambiguous_offer",
                "“\(selector.prefix(40))” is the beginning of \(matches.count) offers. Give more of it.")
        }
        return first
    }

    func progress(_ acceptance: AcceptanceID, _ step: ContinuationStep) {
        newsBroadcast.send(.step(acceptance, step))
        let watcher = state.withLock {
            step.isLast ? $0.watchers.removeValue(forKey: acceptance) : $0.watchers[acceptance]
        }
        let elapsed = watcher.map { driver.now.monotonic - $0.start } ?? .zero
        watcher?.events.yield((step, elapsed))
        if step.isLast { watcher?.events.finish() }
        var fields = ["elapsed_us": "\(Int(elapsed / .microseconds(1)))"]
        switch step {
        case .launching: record("launching", "The app is being started.", acceptance, fields)
        case .willContinue: record("will_continue", "Told the app that an activity is coming.", acceptance, fields)
        case .payloadReceived(let bytes):
            fields["bytes"] = "\(bytes)"
            record("payload_received", "The activity arrived.", acceptance, fields)
        case .continued: record("continued", "The app continued the activity.", acceptance, fields)
        case .pageOpened: record("page_opened", "The page was opened.", acceptance, fields)
        case .acknowledged:
            record(
                "acknowledged_by_origin", "The other device was notified that its activity was continued.", acceptance,
                fields)
        case .notAcknowledged:
            record("not_acknowledged", "Could not notify the other device.", acceptance, fields)
        case .failed(let failure):
            fields["code"] = "\(failure.code.rawValue)"
            record("failed", failure.message, acceptance, fields)
        }
    }
}

extension OfferRoute {
    /// In records.
    fileprivate var name: String {
        switch self {
        case .activity: "activity"
        case .pageInApp: "page_in_app"
        case .pageInBrowser: "page_in_browser"
        }
    }
}
