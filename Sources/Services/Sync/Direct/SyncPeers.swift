package import BatonCore
package import BatonWire
package import Peers

/// The account's devices that are near.
package protocol SyncPeers: Sendable {
    /// Those that are connected now.
    func nearby() -> Set<DeviceID>
    /// - Throws: `unavailable` for a device that is not connected.
    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response
}

extension LinkPeers: SyncPeers {}
