package import BatonClient
package import BatonCore
package import BatonTransport
package import BatonWire

/// Makes authenticated connections to other devices of the account.
package protocol LinkDialer: Sendable {
    /// Connects and finishes TLS. Cancelling the task ends the attempt.
    /// - Parameter serverName: for the TLS server name, without which the other side does not answer.
    /// - Throws: ``BatonError``: `unauthenticated` or `permission_denied` when TLS refused (here or there),
    ///   `unavailable` or `deadline_exceeded` when no device could be reached.
    func connect(to address: DiscoveredAddress, serverName: String) async throws -> any LinkConnection
}

/// A connection on which TLS has proved who is there.
package protocol LinkConnection: Sendable {
    /// By the certificate.
    var peer: DeviceID { get }
    var address: DiscoveredAddress { get }
    /// The presence stream of the pair; once per connection.
    func openPresence() async throws -> PresenceStream
    /// Ends the connection and what runs on it; at once, any number of times.
    func close()
}

/// Both directions of a presence stream.
package struct PresenceStream: Sendable {
    package let incoming: ConnectResponses<Baton_Link_V1_PresenceFrame>
    /// Returns once the transport can take more.
    package let outgoing: ConnectWriter<Baton_Link_V1_PresenceFrame>

    package init(
        incoming: ConnectResponses<Baton_Link_V1_PresenceFrame>,
        outgoing: ConnectWriter<Baton_Link_V1_PresenceFrame>
    ) {
        self.incoming = incoming
        self.outgoing = outgoing
    }
}

/// How a connected device can be called: further connections go to one of these addresses.
package struct LinkRoute: Hashable, Sendable {
    package var device: DeviceID
    /// The one that is known to work first.
    package var addresses: [DiscoveredAddress]
    /// The instance name that it announces, from which the TLS server name of each connection is made.
    package var instance: String

    package init(device: DeviceID, addresses: [DiscoveredAddress], instance: String) {
        self.device = device
        self.addresses = addresses
        self.instance = instance
    }
}
