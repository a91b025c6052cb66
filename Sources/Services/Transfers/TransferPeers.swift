package import BatonClient
package import BatonCore
package import BatonWire
package import Peers

/// The account's other devices, as transfers need them.
package protocol TransferPeers: Sendable {
    /// - Throws: `unavailable` for a device that is not connected.
    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response
    /// - Throws: as ``call(_:_:_:_:)``.
    func stream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID
    ) async throws -> ConnectResponses<Response>
}

extension LinkPeers: TransferPeers {}
