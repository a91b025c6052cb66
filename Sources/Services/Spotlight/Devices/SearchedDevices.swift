package import BatonCore
package import BatonWire
package import Peers
import SwiftProtobuf

/// The account's other devices, for search.
package struct SearchedDevices: SpotlightDevices {
    private let peers: LinkPeers

    package init(peers: LinkPeers) { self.peers = peers }

    /// Members only: a device that is joining has a connection, too.
    package func connected() -> [DeviceID] { peers.devices().filter(\.value).map(\.key) }

    package func name(of device: DeviceID) -> String { peers.name(of: device) }

    package func find(
        _ request: Baton_Link_V1_FindItemsRequest, on device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FindItemsResponse {
        try await peers.call(SearchLinkMethods.findItems, request, device, timeout)
    }
}
