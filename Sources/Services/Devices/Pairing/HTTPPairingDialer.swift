import BatonClient
package import BatonCore
import BatonWire

/// Calls another device's pairing port over plain HTTP.
package struct HTTPPairingDialer: PairingDialer {
    package init() {}

    package func connect(to address: DiscoveredAddress) async throws -> PairingConnection {
        // The answer that lets this device in carries the whole membership of the account.
        let client = HTTPConnectClient(host: address.host, port: address.port, limits: .standard)
        return PairingConnection(client: client, close: { client.closeIdleConnections() })
    }
}
