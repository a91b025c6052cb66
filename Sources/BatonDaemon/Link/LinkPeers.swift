import BatonClient
import BatonCore
import BatonTrust
import BatonWire
import Devices
import Handoff
import LinkClient
import SwiftProtobuf
import Sync
import Synchronization

/// The account's other devices, for Handoff: calls go over kept-alive connections beside the presence stream.
final class LinkPeers: HandoffPeers, SyncPeers {
    private let account: AccountService
    private let presence: PresenceService
    private let authority: LinkAuthority
    private let naming: LinkNaming
    private let connector = LinkConnector()
    /// One pool per connected device.
    private let clients = Mutex<[DeviceID: HTTPConnectClient]>([:])

    init(account: AccountService, presence: PresenceService, authority: LinkAuthority) {
        self.account = account
        self.presence = presence
        self.authority = authority
        naming = authority.admission.naming
    }

    func publish(_ snapshot: Baton_Link_V1_OfferSnapshot) { presence.publish(snapshot, on: PresenceTopics.offers) }

    func name(of device: DeviceID) -> String { account.snapshot()?.name(of: device) ?? device.rawValue }

    func devices() -> [DeviceID: Bool] {
        guard let snapshot = account.snapshot() else { return [:] }
        let connected = presence.connections()
        var devices: [DeviceID: Bool] = [:]
        for device in snapshot.otherDevices { devices[device] = connected[device] != nil }
        return devices
    }

    func nearby() -> Set<DeviceID> { Set(presence.connections().keys) }

    func fetchPayload(
        _ request: Baton_Link_V1_FetchPayloadRequest, from device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FetchPayloadResponse {
        try await call(HandoffMethods.fetchPayload, request, device, timeout)
    }

    func acknowledge(
        _ request: Baton_Link_V1_AcknowledgeContinuationRequest, to device: DeviceID, timeout: Duration
    ) async throws {
        _ = try await call(HandoffMethods.acknowledgeContinuation, request, device, timeout)
    }

    /// Over a connection of its own, which becomes the pipe.
    func openStream(
        _ request: Baton_Link_V1_OpenStreamRequest, to device: DeviceID, timeout: Duration
    ) async throws -> BytePipe {
        guard presence.connections()[device] != nil else { throw notConnected(device) }
        let channel = try await connect(device) { [connector] address, serverName, tls in
            let (connection, peer) = try await connector.connectChannel(
                host: address.host, port: address.port, serverName: serverName, tls: tls)
            return (connection, peer, { connection.close() })
        }
        return try await BytePipe.open(HandoffMethods.openStream, request, over: channel.channel, timeout: timeout)
    }

    func explain(
        _ request: Baton_Link_V1_ExplainActivityRequest, at device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_ExplainActivityResponse {
        try await call(HandoffMethods.explainActivity, request, device, timeout)
    }

    /// Forgets the connections to a device, which left.
    func disconnect(_ device: DeviceID) {
        clients.withLock { $0.removeValue(forKey: device) }?.closeIdleConnections()
    }

    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        guard presence.connections()[device] != nil else { throw notConnected(device) }
        return try await client(for: device).unary(method, request, timeout: timeout)
    }

    func stream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID
    ) async throws -> ConnectResponses<Response> {
        guard presence.connections()[device] != nil else { throw notConnected(device) }
        return try await client(for: device).serverStream(method, request)
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
        guard let tls = authority.tls(), let route = presence.route(to: device) else { throw notConnected(device) }
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
