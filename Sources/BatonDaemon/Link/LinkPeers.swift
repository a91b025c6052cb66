import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Devices
import Handoff
import SwiftProtobuf
import Synchronization

/// The account's other devices, for Handoff: calls go over kept-alive connections beside the presence stream.
final class LinkPeers: HandoffPeers {
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

    func publish(_ snapshot: Baton_Link_V1_OfferSnapshot) { presence.setOffers(snapshot) }

    func name(of device: DeviceID) -> String { account.snapshot()?.name(of: device) ?? device.rawValue }

    func devices() -> [DeviceID: Bool] {
        guard let snapshot = account.snapshot() else { return [:] }
        let connected = presence.connections()
        var devices: [DeviceID: Bool] = [:]
        for device in snapshot.membership.members().keys where device != snapshot.deviceID {
            devices[device] = connected[device] != nil
        }
        return devices
    }

    func fetchPayload(
        _ request: Baton_Link_V1_FetchPayloadRequest, from device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FetchPayloadResponse {
        try await call(LinkMethods.fetchPayload, request, device, timeout)
    }

    func acknowledge(
        _ request: Baton_Link_V1_AcknowledgeContinuationRequest, to device: DeviceID, timeout: Duration
    ) async throws {
        _ = try await call(LinkMethods.acknowledgeContinuation, request, device, timeout)
    }

    func explain(
        _ request: Baton_Link_V1_ExplainActivityRequest, at device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_ExplainActivityResponse {
        try await call(LinkMethods.explainActivity, request, device, timeout)
    }

    /// Forgets the connections to a device, which left.
    func disconnect(_ device: DeviceID) {
        clients.withLock { $0.removeValue(forKey: device) }?.closeIdleConnections()
    }

    private func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        guard presence.connections()[device] != nil else {
            throw BatonError(
                .unavailable, reason: "not_connected", "\(name(of: device)) is not connected now.")
        }
        return try await client(for: device).unary(method, request, timeout: timeout)
    }

    private func client(for device: DeviceID) -> HTTPConnectClient {
        clients.withLock { clients in
            if let client = clients[device] { return client }
            let client = HTTPConnectClient { [weak self] in
                guard let self else {
                    throw BatonError(.unavailable, reason: "shutting_down", "The daemon is shutting down.")
                }
                return try await connect(device)
            }
            clients[device] = client
            return client
        }
    }

    private func connect(_ device: DeviceID) async throws -> HTTPConnection {
        guard let tls = authority.tls(), let route = presence.route(to: device) else {
            throw BatonError(.unavailable, reason: "not_connected", "\(name(of: device)) is not connected now.")
        }
        var failure: any Error = BatonError(
            .unavailable, reason: "connection_failed", "\(name(of: device)) has no address that is known.")
        for address in route.addresses.prefix(4) {
            do {
                let (connection, peer) = try await connector.connect(
                    host: address.host, port: address.port, serverName: naming.serverName(route.instance), tls: tls)
                guard peer == device else {
                    connection.close()
                    continue
                }
                return connection
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
