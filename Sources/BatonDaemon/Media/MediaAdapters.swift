import AppSessions
import BatonCore
import BatonWire
import Devices
import LaunchServices
import Media
import SwiftProtobuf

/// This device's apps, for media.
struct PlayingApps: MediaApps {
    let launchServices: LaunchServices
    let sessions: AppSessions

    /// An app whose activity types have it goes on with what another app of its team played.
    private static let type = ActivityType(unchecked: "INPlayMediaIntent")

    func desktopEntry(of app: AppIdentity) -> String? {
        launchServices.app(app.bundleID)?.identity == app ? app.bundleID.rawValue : nil
    }

    func receiver(for app: AppIdentity) -> AppCaller? {
        if let installed = launchServices.app(app.bundleID), installed.identity == app {
            return AppCaller(identity: app, name: installed.name)
        }
        if let running = sessions.sessions.first(where: { $0.app.identity == app }) { return running.app }
        // Programs in development have no team.
        guard !app.team.isDevelopment else { return nil }
        return launchServices.apps().filter { $0.identity.team == app.team && $0.activityTypes.contains(Self.type) }
            .min { $0.bundleID < $1.bundleID }
            .map { AppCaller(identity: $0.identity, name: $0.name) }
    }
}

/// The account's other devices, for media.
struct PlayingDevices: MediaDevices {
    let account: AccountService
    let presence: PresenceService
    let peers: LinkPeers

    /// An app's handler may take 10 seconds there.
    private static let timeout = Duration.seconds(15)
    /// An app may have to be started.
    private static let longTimeout = Duration.seconds(90)

    func publish(_ snapshot: Baton_Link_V1_MediaSnapshot) { presence.publish(snapshot, on: PresenceTopics.media) }

    func name(of device: DeviceID) -> String { peers.name(of: device) }

    func device(named text: String) throws -> DeviceID? {
        let device = try account.device(named: text)
        return device == account.snapshot()?.deviceID ? nil : device
    }

    func control(_ request: Baton_Link_V1_ControlMediaRequest, on device: DeviceID) async throws {
        _ = try await peers.call(MediaLinkMethods.controlMedia, request, device, Self.timeout)
    }

    func give(
        _ request: Baton_Link_V1_GiveMediaRequest, from device: DeviceID
    ) async throws -> Baton_Link_V1_MovedMedia {
        try await peers.call(MediaLinkMethods.giveMedia, request, device, Self.timeout).media
    }

    func take(_ media: Baton_Link_V1_MovedMedia, on device: DeviceID) async throws -> String {
        try await peers.call(MediaLinkMethods.takeMedia, .with { $0.media = media }, device, Self.longTimeout).appName
    }
}
