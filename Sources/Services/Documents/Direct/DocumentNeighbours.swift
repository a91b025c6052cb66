import BatonClient
import BatonConcurrency
package import BatonCore
package import BatonWire
package import Peers

/// The account's other devices, for contents of documents.
package struct DocumentNeighbours: DocumentPeers {
    private let peers: LinkPeers
    /// Fewer than one device answers (``DocumentLinkHarness/readings``), so that it refuses none.
    private let readings = KeyedLocks<DeviceID>(atOnce: DocumentLinkHarness.readings / 2)

    package init(peers: LinkPeers) { self.peers = peers }

    package func nearby() -> Set<DeviceID> { peers.nearby() }

    package func others() -> Set<DeviceID> { Set(peers.devices().keys) }

    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        try await peers.call(method, request, device, timeout)
    }

    package func read(
        _ request: Baton_Link_V1_ReadContentRequest, from device: DeviceID,
        take: (Baton_Link_V1_ReadContentPart) async throws -> Void
    ) async throws {
        try await readings.withPermit(device) {
            for try await part in try await peers.stream(DocumentLinkMethods.readContent, request, device) {
                try await take(part)
            }
        }
    }
}
