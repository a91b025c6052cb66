package import BatonClient
package import BatonCore
package import BatonDiscovery
package import BatonTransport

/// Serves the pairing methods to anybody on the network, while a person pairs.
///
/// Callers are strangers: at most ``BatonWire/ConnectLimits/unauthenticated`` bytes a message, few connections, a
/// deadline for each request; a slow or idle one must not hold up another.
package protocol PairingListener: Sendable {
    /// Listens on a port of its own until the endpoint is closed.
    func serve(_ router: ConnectRouter) async throws -> PairingEndpoint
}

package struct PairingEndpoint: Sendable {
    package var port: Int
    /// `host:port` for each address of this machine, to be shown to a person.
    package var addresses: [String]
    /// Accepts no more, lets calls that are being answered finish (briefly: a slow reader is cut off), and closes.
    package var close: @Sendable () async -> Void

    package init(port: Int, addresses: [String], close: @escaping @Sendable () async -> Void) {
        self.port = port
        self.addresses = addresses
        self.close = close
    }
}

/// Connects to another device's pairing port, without TLS: what is said needs none, or is sealed.
package protocol PairingDialer: Sendable {
    func connect(to address: DiscoveredAddress) async throws -> PairingConnection
}

package struct PairingConnection: Sendable {
    package var client: any ConnectClient
    package var close: @Sendable () async -> Void

    package init(client: any ConnectClient, close: @escaping @Sendable () async -> Void) {
        self.client = client
        self.close = close
    }
}

/// The listener, dialer and discovery that pairing uses.
package struct PairingPorts: Sendable {
    package static let serviceType = "_baton-pair._tcp"

    package var listener: any PairingListener
    package var dialer: any PairingDialer
    package var discovery: any Discovery
    /// A parameter, so that tests own time.
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        listener: any PairingListener, dialer: any PairingDialer, discovery: any Discovery,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.listener = listener
        self.dialer = dialer
        self.discovery = discovery
        self.sleep = sleep
    }
}
