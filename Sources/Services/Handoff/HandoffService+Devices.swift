import BatonConcurrency
package import BatonCore
import Synchronization

/// Calls and messages from other devices of the account.
extension HandoffService {
    package func deviceConnected(_ device: DeviceID) { note(.deviceConnected(device)) }

    package func deviceDisconnected(_ device: DeviceID) {
        note(.deviceDisconnected(device))
        streams.input(.deviceLost(device))
    }

    func offersReceived(_ snapshot: OfferSnapshot, from device: DeviceID) {
        let change = state.withLock { $0.siteChanges }
        let claims = claims(on: snapshot.offers.compactMap(\.activity.webpageURL))
        let isNews = driver.update { machine, now in
            let actions = machine.offersReceived(snapshot, claims: claims, from: device, wall: now.wall)
            return (!actions.isEmpty, actions)
        }
        // Sites changed while they were asked.
        if state.withLock({ $0.siteChanges }) != change { askSites() }
        guard isNews else { return }
        let count = snapshot.offers.count == 1 ? "1 activity" : "\(snapshot.offers.count) activities"
        recorder.record(
            "handoff", "offers_received", "\(devices.name(of: device)) offers \(count).",
            ["device_id": device.rawValue, "revision": "\(snapshot.revision)"])
    }

    /// Another device asks for a payload; the answer comes when the app has saved, or has failed to in time.
    /// - Parameter app: the app that will continue the activity; nil when only its page is wanted.
    /// - Throws: `resource_exhausted` for a device that asks too often.
    func payloadRequested(
        _ acceptance: AcceptanceID, _ activity: ActivityID, by device: DeviceID, for app: AppIdentity?
    ) async throws(BatonError) -> Result<ActivityPayload, ActivityFailure> {
        let now = driver.now.monotonic
        guard state.withLock({ $0.fetches.take(device, now: now) }) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_fetches",
                "This device asked for too many activities. Try again in a few seconds.")
        }
        record("payload_requested", "\(devices.name(of: device)) asked for an activity.", acceptance)
        return await withCheckedContinuation { (waiter: Waiter) in
            let obstacle = state.withLock { state -> String? in
                guard !state.isOver else { return Self.shuttingDown.message }
                // A second request for the same acceptance must not displace the first one's waiter.
                guard state.waiters[acceptance] == nil else { return "This continuation is being answered already." }
                state.waiters[acceptance] = waiter
                return nil
            }
            if let obstacle { return waiter.resume(returning: .failure(.init(.handoffFailed, obstacle))) }
            note(.payloadRequested(acceptance, activity, by: device, for: app))
        }
    }

    func continuedElsewhere(
        _ acceptance: AcceptanceID, _ activity: ActivityID, by device: DeviceID
    ) throws(BatonError) {
        try driver.input(.continuedElsewhere(acceptance, activity, by: device))
        state.withLock { $0.fetches.giveBack(device) }
        record("acknowledged", "\(devices.name(of: device)) continued the activity.", acceptance)
    }

    // MARK: Pages

    /// Judges offers of pages anew, at once, since the site associations of installed apps may have changed.
    package func sitesChanged() {
        state.withLock { $0.siteChanges += 1 }
        askSites()
    }

    /// The person wants pages opened in a browser, or does not.
    package func browserChanged() { note(.browserChanged(isAvailable: browser.isAvailable)) }

    /// Without a lock, since matching takes a while; again, when sites change meanwhile.
    private func askSites() {
        var isDone = false
        while !isDone {
            let change = state.withLock { $0.siteChanges }
            let claims = claims(on: driver.read(\.pages))
            isDone = driver.update { machine, _ in
                guard state.withLock({ $0.siteChanges }) == change else { return (false, []) }
                return (true, machine.claimsChanged(claims))
            }
        }
    }

    private func claims(on pages: some Sequence<String>) -> [String: [AppIdentity]] {
        var claims: [String: [AppIdentity]] = [:]
        for text in pages {
            if let page = try? WebPage(text) { claims[text] = sites.apps(claiming: page) }
        }
        return claims
    }
}
