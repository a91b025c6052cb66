import BatonCore
import BatonWire
import Spotlight
import SwiftProtobuf

/// The account's other devices, for search.
struct SearchedDevices: SpotlightDevices {
    let peers: LinkPeers

    /// Members only: a device that is joining has a connection, too.
    func connected() -> [DeviceID] { peers.devices().filter(\.value).map(\.key) }

    func name(of device: DeviceID) -> String { peers.name(of: device) }

    func find(
        _ request: Baton_Link_V1_FindItemsRequest, on device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FindItemsResponse {
        try await peers.call(SearchLinkMethods.findItems, request, device, timeout)
    }
}
