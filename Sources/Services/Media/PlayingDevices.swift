package import BatonCore
package import BatonWire
package import Peers
import SwiftProtobuf

/// The account's other devices, for media.
package struct PlayingDevices: MediaDevices {
    private let peers: LinkPeers

    /// An app's handler may take 10 seconds there.
    private static let timeout = Duration.seconds(15)
    /// An app may have to be started.
    private static let longTimeout = Duration.seconds(90)

    package init(peers: LinkPeers) { self.peers = peers }

    package func publish(_ snapshot: Baton_Link_V1_MediaSnapshot) { peers.publish(snapshot, on: PresenceTopics.media) }

    package func name(of device: DeviceID) -> String { peers.name(of: device) }

    package func device(named text: String) throws -> DeviceID? { try peers.device(named: text) }

    package func control(_ request: Baton_Link_V1_ControlMediaRequest, on device: DeviceID) async throws {
        _ = try await peers.call(MediaLinkMethods.controlMedia, request, device, Self.timeout)
    }

    package func give(
        _ request: Baton_Link_V1_GiveMediaRequest, from device: DeviceID
    ) async throws -> Baton_Link_V1_MovedMedia {
        try await peers.call(MediaLinkMethods.giveMedia, request, device, Self.timeout).media
    }

    package func take(_ media: Baton_Link_V1_MovedMedia, on device: DeviceID) async throws -> String {
        try await peers.call(MediaLinkMethods.takeMedia, .with { $0.media = media }, device, Self.longTimeout).appName
    }
}
