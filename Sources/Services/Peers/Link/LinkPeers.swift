package import BatonClient
package import BatonCore
package import BatonWire
import LinkClient
import SwiftProtobuf
import Synchronization

/// The account's other devices: calls go over kept-alive connections beside the presence stream.
package final class LinkPeers: Sendable {
    private let account: LinkAccount
    private let presence: PresenceService
    private let naming: LinkNaming
    private let connector = LinkConnector()
    /// One pool per connected device.
    private let clients = Mutex<[DeviceID: HTTPConnectClient]>([:])

    package init(account: LinkAccount, presence: PresenceService, naming: LinkNaming) {
        self.account = account
        self.presence = presence
        self.naming = naming
    }

    /// Sends a value to every connected device, and to each that connects, see ``PresenceService/publish(_:on:)``.
    package func publish<Value>(_ value: Value, on topic: PresenceTopic<Value>) { presence.publish(value, on: topic) }

    /// Which devices are connected, and every change of that.
    package func events() -> AsyncStream<PresenceEvent> { presence.events() }

    /// This device's name for people; empty without an account.
    package func ownName() -> String { account.ownName() }

    /// Its name, or its identifier while the name is not known.
    package func name(of device: DeviceID) -> String { account.name(device) }

    /// The device that a person means.
    /// - Returns: nil for this device.
    /// - Throws: `not_found`, or `invalid_argument` when several match.
    package func device(named text: String) throws -> DeviceID? { try account.find(text) }

    /// Every device of the account but this one, and whether it is connected.
    package func devices() -> [DeviceID: Bool] {
        let others = account.others()
        let connected = presence.connections()
        var devices: [DeviceID: Bool] = [:]
        for device in others { devices[device] = connected[device] != nil }
        return devices
    }

    /// Those that are connected now: also one that has joined elsewhere and shows so just now.
    package func nearby() -> Set<DeviceID> { Set(presence.connections().keys) }

    /// Asks a device whether it is still there, see ``PresenceService/askForAnswer(of:)``. Does not block.
    package func askForAnswer(of device: DeviceID) { presence.askForAnswer(of: device) }

    /// Returns once a device has answered, or is connected no more, see ``PresenceService/confirm(_:)``.
    package func confirm(_ device: DeviceID) async { await presence.confirm(device) }

    /// Over a connection of its own, which becomes the pipe.
    /// - Throws: as ``call(_:_:_:_:)``.
    package func openPipe<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> BytePipe {
        guard presence.connections()[device] != nil else { throw notConnected(device) }
        let channel = try await connect(device) { [connector] address, serverName, tls in
            let (connection, peer) = try await connector.connectChannel(
                host: address.host, port: address.port, serverName: serverName, tls: tls)
            return (connection, peer, { connection.close() })
        }
        return try await BytePipe.open(method, request, over: channel.channel, timeout: timeout)
    }

    /// Forgets the connections to a device, which left.
    package func disconnect(_ device: DeviceID) {
        clients.withLock { $0.removeValue(forKey: device) }?.closeIdleConnections()
    }

    /// - Throws: `unavailable` with reason `not_connected` for a device that is not connected, or what the call throws.
    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        guard presence.connections()[device] != nil else { throw notConnected(device) }
        return try await member(device).unary(method, request, timeout: timeout)
    }

    /// - Throws: as ``call(_:_:_:_:)``.
    package func stream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID
    ) async throws -> ConnectResponses<Response> {
        guard presence.connections()[device] != nil else { throw notConnected(device) }
        return try await member(device).serverStream(method, request)
    }

    private func member(_ device: DeviceID) -> MemberClient {
        MemberClient(client: client(for: device)) { [self] in
            guard account.others().contains(device) else { throw notConnected(device) }
        }
    }

    private func client(for device: DeviceID) -> HTTPConnectClient {
        clients.withLock { clients in
            if let client = clients[device] { return client }
            let client = HTTPConnectClient { [weak self] in
                guard let self else {
                    throw BatonError(.unavailable, reason: "shutting_down", "The daemon is shutting down.")
                }
                return try await connect(device) { [connector] address, serverName, tls in
                    let (connection, peer) = try await connector.connect(
                        host: address.host, port: address.port, serverName: serverName, tls: tls)
                    return (connection, peer, { connection.close() })
                }
            }
            clients[device] = client
            return client
        }
    }

    private func notConnected(_ device: DeviceID) -> BatonError {
        BatonError(.unavailable, reason: "not_connected", "\(name(of: device)) is not connected now.")
    }

    private typealias Dialled<Connection> = (connection: Connection, peer: DeviceID, close: () -> Void)

    /// Tries the addresses of a device one after the other.
    private func connect<Connection>(
        _ device: DeviceID,
        _ dial: (DiscoveredAddress, _ serverName: String, LinkTLS) async throws -> Dialled<Connection>
    ) async throws -> Connection {
        guard let tls = account.tls(), let route = presence.route(to: device) else { throw notConnected(device) }
        var failure: any Error = BatonError(
            .unavailable, reason: "connection_failed", "\(name(of: device)) has no address that is known.")
        for address in route.addresses.prefix(4) {
            do {
                let dialled = try await dial(address, naming.serverName(route.instance, device), tls)
                guard dialled.peer == device else {
                    dialled.close()
                    continue
                }
                return dialled.connection
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
