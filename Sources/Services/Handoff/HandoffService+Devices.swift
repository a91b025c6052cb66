package import BatonCore
package import BatonWire
import SwiftProtobuf
import Synchronization

/// What other devices of the account say and ask.
extension HandoffService {
    package func deviceConnected(_ device: DeviceID) {
        input { $0.deviceConnected(device) }
    }

    package func deviceDisconnected(_ device: DeviceID) {
        input { $0.deviceDisconnected(device) }
        state.withLock { close($0.streams.machine.deviceLost(device), &$0) }
    }

    /// A snapshot that breaks a rule is refused whole; the one before stays.
    package func offersReceived(_ message: Baton_Link_V1_OfferSnapshot, from device: DeviceID) {
        do {
            let snapshot = try OfferSnapshot(message, limit: configuration.maximumOffers)
            let change = state.withLock { $0.siteChanges }
            let claims = claims(on: snapshot.offers.compactMap(\.activity.webpageURL))
            var isNews = false
            input { machine in
                let actions = machine.offersReceived(snapshot, claims: claims, from: device, wall: wall)
                isNews = !actions.isEmpty
                return actions
            }
            // Sites changed while they were asked.
            if state.withLock({ $0.siteChanges }) != change { askSites() }
            guard isNews else { return }
            recorder.record(
                "handoff", "offers_received", "\(peers.name(of: device)) offers \(snapshot.offers.count) activities.",
                ["device_id": device.rawValue, "revision": "\(snapshot.revision)"])
        } catch {
            recorder.record(
                "handoff", "offers_refused", "What \(peers.name(of: device)) offers was refused: \(error.message)",
                ["device_id": device.rawValue, "reason": error.reason])
        }
    }

    /// Another device asks for a payload; the answer comes when the app has saved, or has failed to in time.
    package func payloadRequested(
        _ request: Baton_Link_V1_FetchPayloadRequest, by device: DeviceID
    ) async throws -> Baton_Link_V1_FetchPayloadResponse {
        let acceptance = try AcceptanceID(validating: request.acceptanceID)
        let activity = try ActivityID(validating: request.activityID)
        let app = request.pageOnly ? nil : try AppIdentity(request.app)
        record("payload_requested", "\(peers.name(of: device)) asked for an activity.", acceptance)
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Baton_Value_V1_ActivityPayload, ActivityFailure>, Never>) in
            state.withLock { state in
                // A second request for the same acceptance must not displace the first one's waiter.
                guard state.waiters[acceptance] == nil else {
                    continuation.resume(
                        returning: .failure(.init(.handoffFailed, "This continuation is being answered already.")))
                    return
                }
                state.waiters[acceptance] = continuation
                enqueue(
                    state.machine.payloadRequested(
                        acceptance, activity: activity, by: device, for: app, now: now, wall: wall), &state)
                rearm(&state)
            }
        }
        switch result {
        case .success(var payload):
            // Search metadata stays on the device (H-39), whatever the app sent.
            payload.clearContentAttributes()
            if let app { payload = await documents.outgoing(payload, of: app.team) }
            return .with { [payload] in $0.payload = payload }
        case .failure(let failure):
            return .with { $0.error = .init(failure) }
        }
    }

    package func continuedElsewhere(
        _ request: Baton_Link_V1_AcknowledgeContinuationRequest, by device: DeviceID
    ) throws {
        let acceptance = try AcceptanceID(validating: request.acceptanceID)
        let activity = try ActivityID(validating: request.activityID)
        try input { machine throws(BatonError) in
            try machine.continuedElsewhere(acceptance, activity: activity, by: device, wall: wall)
        }
        record("acknowledged", "\(peers.name(of: device)) continued the activity.", acceptance)
    }

    /// What this device makes of an activity that another one offers.
    package func explain(_ offer: Offer, of device: DeviceID) -> [Baton_Link_V1_Stage] {
        let claims = offer.activity.webpageURL.flatMap { try? WebPage($0) }.map(sites.apps) ?? []
        let (finding, isKnown, isConsumed) = state.withLock { state in
            let known = state.machine.snapshot(of: device)?.offers.first { $0.activity.id == offer.activity.id }
            return (
                state.machine.finding(on: offer, claims: claims), known != nil,
                known.map { state.machine.isConsumed($0, of: device) } ?? false
            )
        }
        return Explanations.receiving(offer, finding: finding, isKnown: isKnown, isConsumed: isConsumed)
    }

    // MARK: Pages

    /// What sites say of the installed apps may have changed: offers of pages are judged anew, at once.
    package func sitesChanged() {
        state.withLock { $0.siteChanges += 1 }
        askSites()
    }

    /// The person wants pages opened in a browser, or does not.
    package func browserChanged() {
        let isAvailable = browser.isAvailable
        input { $0.browserChanged(isAvailable: isAvailable) }
    }

    /// Outside of the lock, since matching takes a while; again, when sites change meanwhile.
    private func askSites() {
        var isDone = false
        while !isDone {
            let (change, pages) = state.withLock { ($0.siteChanges, $0.machine.pages) }
            let claims = claims(on: pages)
            isDone = state.withLock { state in
                guard state.siteChanges == change else { return false }
                enqueue(state.machine.claimsChanged(claims), &state)
                return true
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
