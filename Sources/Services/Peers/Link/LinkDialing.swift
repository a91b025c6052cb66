import BatonClient
package import BatonCore
import BatonTransport
import BatonWire
import LinkClient

/// Dials other devices for the presence service.
package struct LinkDialing: LinkDialer {
    private let account: LinkAccount
    private let connector = LinkConnector()

    package init(account: LinkAccount) { self.account = account }

    package func connect(to address: DiscoveredAddress, serverName: String) async throws -> any LinkConnection {
        guard let tls = account.tls() else {
            throw BatonError(.failedPrecondition, reason: "no_account", "This device has no account.")
        }
        let (connection, peer) = try await connector.connect(
            host: address.host, port: address.port, serverName: serverName, tls: tls)
        return DialledConnection(peer: peer, address: address, connection: connection)
    }
}

private struct DialledConnection: LinkConnection {
    let peer: DeviceID
    let address: DiscoveredAddress
    let connection: HTTPConnection

    func openPresence() async throws -> PresenceStream {
        let (writer, responses) = connection.duplex(PresenceMethods.connect)
        return PresenceStream(
            incoming: responses, outgoing: ConnectWriter { try await writer.write($0) })
    }

    func close() { connection.close() }
}
