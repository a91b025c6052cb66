package import BatonCore
package import Foundation

/// Which devices of the account are connected now, and every change of that.
package protocol PresenceSource: Sendable {
    /// The devices that said hello and are still heard.
    func connections() -> [DeviceID: PresenceConnection]
    /// From now on. Bounded: a slow reader misses the oldest events and should look at ``connections()`` at each one.
    func events() -> AsyncStream<PresenceEvent>
}

/// One connected device.
package struct PresenceConnection: Hashable, Sendable {
    package var device: DeviceID
    /// Where it was reached, or where it called from; nil when the transport did not say.
    package var address: DiscoveredAddress?
    /// The interface of this machine; empty when it is not known.
    package var interface: String
    package var since: Date
    /// When a frame last came from it.
    package var lastSeen: Date
    /// The version of its software, for people.
    package var softwareVersion: String
    /// Whether this device dialled.
    package var dialledHere: Bool

    package init(
        device: DeviceID, address: DiscoveredAddress?, interface: String, since: Date, lastSeen: Date,
        softwareVersion: String, dialledHere: Bool
    ) {
        self.device = device
        self.address = address
        self.interface = interface
        self.since = since
        self.lastSeen = lastSeen
        self.softwareVersion = softwareVersion
        self.dialledHere = dialledHere
    }
}

package enum PresenceEvent: Hashable, Sendable {
    case connected(DeviceID)
    case disconnected(DeviceID, reason: String)
}
