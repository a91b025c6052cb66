import BatonConcurrency
package import BatonCore
import Synchronization

extension PresenceService {
    /// Sends the connected devices the membership now, e.g. since a device was revoked.
    /// - Returns: the members whose connection has taken it within the time.
    package func spreadMembership(within time: Duration) async -> [DeviceID] {
        // Not when the change is noticed, which may be a moment later: the message holds what is true now.
        membershipChanged()
        let markers = state.withLock { state in
            state.current.compactMap { device, id -> (DeviceID, OneShot)? in
                guard membership.standing(device) == .member else { return nil }
                return state.outboxes[id].map { (device, $0.mark()) }
            }
        }
        return await wait(for: markers, until: clock.now() + time).sorted()
    }

    /// The devices whose marker fires in time.
    private func wait(for markers: [(DeviceID, OneShot)], until end: Duration) async -> [DeviceID] {
        await withTaskGroup(of: DeviceID?.self) { group in
            for (device, marker) in markers {
                group.addTask { await marker.hasFired() ? device : nil }
            }
            group.addTask { [clock] in
                try? await clock.sleep(end)
                return nil
            }
            var told: [DeviceID] = []
            // Nil: the time is over.
            while told.count < markers.count, let device = await group.next() ?? nil { told.append(device) }
            group.cancelAll()
            return told
        }
    }
}
