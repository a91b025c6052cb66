import BatonConcurrency
package import BatonCore
package import BatonWire
import Synchronization

/// Why is this activity not offered there?
extension HandoffService {
    /// The account's other devices, connected or not.
    package func otherDevices() -> [DeviceID] { devices.all.keys.sorted() }

    /// - Parameters:
    ///   - selector: an activity's identifier (or a beginning of it) or type here; empty for what is current.
    ///   - places: where it should be offered.
    package func explainActivity(
        _ selector: String, at places: [DeviceID]
    ) async throws -> [Baton_Control_V1_Explanation] {
        let (activities, published) = driver.read { ($0.localActivities, $0.published) }
        let chosen = activities.filter { entry in
            selector.isEmpty
                ? entry.isCurrent
                : entry.activity.description.id.rawValue.hasPrefix(selector.uppercased())
                    || entry.activity.description.type.rawValue == selector
        }
        guard let newest = chosen.max(by: { $0.activity.timestamp < $1.activity.timestamp }) else {
            return [Self.noActivity(selector, hasApps: !attachedApps.isEmpty)]
        }
        let offer = Offer(
            activity: newest.activity.description, app: newest.app.identity, timestamp: newest.activity.timestamp)
        let here = Explanations.offering(
            newest.activity, app: newest.app, isCurrent: newest.isCurrent,
            isPublished: published.offers.contains { $0.activity.id == offer.activity.id }, wall: driver.now.wall)
        guard !places.isEmpty else {
            return [
                Baton_Control_V1_Explanation(
                    "\(offer.activity.type)",
                    here + [
                        Baton_Link_V1_Stage(
                            "devices", .failed, "The account has no other device.",
                            "Pair one: run “baton pair” on both.")
                    ])
            ]
        }
        var explanations: [Baton_Control_V1_Explanation] = []
        for device in places {
            let stages = here + (await explain(offer, at: device))
            explanations.append(.init("\(offer.activity.type) on \(devices.name(of: device))", stages))
        }
        return explanations
    }

    private func explain(_ offer: Offer, at device: DeviceID) async -> [Baton_Link_V1_Stage] {
        let name = devices.name(of: device)
        guard devices.all[device] == true else {
            return [
                Baton_Link_V1_Stage(
                    "connection", .failed, "\(name) is not connected.",
                    "“baton explain device” says why."),
                Baton_Link_V1_Stage("team", .unknown, "Cannot be known while it is not connected."),
            ]
        }
        let connected = Baton_Link_V1_Stage("connection", .ok, "\(name) is connected.")
        do {
            return [connected] + (try await devices.explain(offer, at: device)).prefix(32)
        } catch {
            let finding = (error as? BatonError)?.message ?? "It did not answer."
            return [connected, Baton_Link_V1_Stage("answer", .unknown, "\(name) could not be asked: \(finding)")]
        }
    }

    /// Explains how this device judges an activity that another one offers.
    func explain(_ offer: Offer, of device: DeviceID) -> [Baton_Link_V1_Stage] {
        let claims = offer.activity.webpageURL.flatMap { try? WebPage($0) }.map(sites.apps) ?? []
        let (finding, isKnown, isConsumed) = driver.read { machine in
            let known = machine.snapshot(of: device)?.offers.first { $0.activity.id == offer.activity.id }
            return (
                machine.finding(on: offer, claims: claims), known != nil,
                known.map { machine.isConsumed($0, of: device) } ?? false
            )
        }
        return Explanations.receiving(offer, finding: finding, isKnown: isKnown, isConsumed: isConsumed)
    }

    private static func noActivity(_ selector: String, hasApps: Bool) -> Baton_Control_V1_Explanation {
        let advice =
            hasApps
            ? "The app must make an NSUserActivity and call becomeCurrent() on it. “baton activities” lists what there is."
            : "No app is attached to the daemon. Start one: “baton launch”, or by hand."
        let selector = selector.shortened(toBytes: 80)
        let what = selector.isEmpty ? "No activity is current here." : "There is no activity “\(selector)” here."
        return .init(
            selector.isEmpty ? "current activity" : selector,
            [Baton_Link_V1_Stage("activity", .failed, what, advice)])
    }
}
