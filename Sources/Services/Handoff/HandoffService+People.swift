package import BatonCore
import BatonTransport
import Synchronization

/// What people see and decide.
extension HandoffService {
    package func appsChanged(_ apps: [ContinuationApp]) {
        input { $0.appsChanged(apps) }
    }

    /// A process of an app ended, however it had been started.
    package func appEnded(_ app: AppIdentity, message: String) {
        input { $0.appEnded(app, message: message) }
        state.withLock { perform($0.local.machine.ended(app, message: message), &$0) }
    }

    /// The newest first.
    package func offers() -> [VisibleOffer] {
        state.withLock { $0.machine.visibleOffers }
    }

    package func localActivities() -> [(
        app: ContinuationApp, process: Int32, activity: HandoffStateMachine.LocalActivity, isCurrent: Bool
    )] {
        state.withLock { state in
            state.machine.localActivities.map { entry in
                (entry.app, state.sessions[entry.session]?.process.processID ?? 0, entry.activity, entry.isCurrent)
            }
        }
    }

    package var attachedApps: [(app: ContinuationApp, process: Int32)] {
        state.withLock { $0.sessions.values.map { ($0.app, $0.process.processID) } }
    }

    package var published: OfferSnapshot { state.withLock { $0.machine.published } }

    /// An element at once and after each change; changes while nobody reads are one.
    package func offerChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextObserver += 1
            state.offerObservers[state.nextObserver] = continuation
            return state.nextObserver
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.offerObservers.removeValue(forKey: id) }
        }
        continuation.yield()
        return stream
    }

    /// Accepts an offer.
    /// - Parameters:
    ///   - selector: the offer's identifier, or a beginning of it that no other offer has; empty for the newest.
    ///   - callerOpensPage: only the page is wanted, and whoever accepts opens it.
    /// - Returns: the steps of the continuation with the time since the acceptance, until its end. It goes on when
    ///   nobody reads.
    package func accept(
        _ selector: String, callerOpensPage: Bool = false
    ) throws -> (AcceptanceID, VisibleOffer, AsyncStream<(ContinuationStep, Duration)>) {
        let acceptance = AcceptanceID.random()
        // At most six steps; never more than its bound.
        let (stream, events) = AsyncStream.makeStream(
            of: (ContinuationStep, Duration).self, bufferingPolicy: .bufferingOldest(16))
        let offer = try state.withLock { state in
            var offers = callerOpensPage ? state.machine.offersForBrowsers : state.machine.visibleOffers
            // Whoever names none means one with a page.
            if callerOpensPage, selector.isEmpty { offers.removeAll { $0.offer.activity.webpageURL == nil } }
            let offer = try Self.select(selector, from: offers)
            let start = now
            state.watchers[acceptance] = Watcher(offer: offer, start: start, events: events)
            do {
                let actions = try state.machine.accept(
                    offer.offer.activity.id, as: acceptance, callerOpensPage: callerOpensPage, now: start)
                record(
                    "accepted", "The offer of \(peers.name(of: offer.origin)) was accepted.", acceptance,
                    [
                        "activity_type": offer.offer.activity.type.rawValue,
                        "activity_id": offer.offer.activity.id.rawValue,
                        "device_id": offer.origin.rawValue, "route": callerOpensPage ? "caller" : offer.route.name,
                    ].merging(offer.app.map { ["bundle_id": $0.identity.bundleID.rawValue] } ?? [:]) { $1 })
                // Whoever opens the page itself tells the person itself.
                if !callerOpensPage { news(.accepted(acceptance, offer), &state) }
                enqueue(actions, &state)
                rearm(&state)
            } catch {
                state.watchers[acceptance] = nil
                throw error
            }
            return offer
        }
        return (acceptance, offer, stream)
    }

    private static func select(_ selector: String, from offers: [VisibleOffer]) throws(BatonError) -> VisibleOffer {
        guard !selector.isEmpty else {
            guard let newest = offers.first else {
                throw BatonError(.notFound, reason: "no_offers", "No other device offers anything now.")
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

    func progress(_ acceptance: AcceptanceID, _ step: ContinuationStep, _ state: inout State) {
        news(.step(acceptance, step), &state)
        let watcher = state.watchers[acceptance]
        let elapsed = watcher.map { now - $0.start } ?? .zero
        watcher?.events.yield((step, elapsed))
        if step.isLast {
            watcher?.events.finish()
            state.watchers[acceptance] = nil
        }
        var fields = ["elapsed_us": "\(Int(elapsed / .microseconds(1)))"]
        switch step {
        case .launching: record("launching", "The app is being started.", acceptance, fields)
        case .willContinue: record("will_continue", "The app was told that an activity comes.", acceptance, fields)
        case .payloadReceived(let bytes):
            fields["bytes"] = "\(bytes)"
            record("payload_received", "The activity arrived.", acceptance, fields)
        case .continued: record("continued", "The app continued the activity.", acceptance, fields)
        case .pageOpened: record("page_opened", "The page was opened.", acceptance, fields)
        case .acknowledged: record("acknowledged_by_origin", "The other device knows.", acceptance, fields)
        case .notAcknowledged:
            record("not_acknowledged", "The other device could not be told.", acceptance, fields)
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
