package import AppSessions
package import BatonCore
package import BatonWire

/// The account's other devices, as media needs them.
package protocol MediaDevices: Sendable {
    /// Sends every connected device the players of this one.
    func publish(_ snapshot: Baton_Link_V1_MediaSnapshot)
    func name(of device: DeviceID) -> String
    /// - Returns: nil for this device.
    func device(named text: String) throws -> DeviceID?
    func control(_ request: Baton_Link_V1_ControlMediaRequest, on device: DeviceID) async throws
    func give(_ request: Baton_Link_V1_GiveMediaRequest, from device: DeviceID) async throws -> Baton_Link_V1_MovedMedia
    /// - Returns: the app's name there.
    func take(_ media: Baton_Link_V1_MovedMedia, on device: DeviceID) async throws -> String
}

/// This device's apps, as media needs them.
package protocol MediaApps: Sendable {
    /// The name of the app's entry of the desktop; nil for a program that is not installed.
    func desktopEntry(of app: AppIdentity) -> String?
    /// The app that goes on with media that an app of another device played: the same app, else one of its team that says so
    /// (`INPlayMediaIntent` among its activity types).
    func receiver(for app: AppIdentity) -> AppCaller?
}

/// Something that is played, for services that learn from it.
package struct PlayingItem: Hashable, Sendable {
    /// Names the player.
    package var player: String
    package var bundleID: BundleID?
    /// The app's or program's name, for people.
    package var app: String
    package var identifier: String
    package var title: String
    package var artist: String
    package var isPlaying: Bool
    /// On this device.
    package var isHere: Bool

    package init(_ player: MediaPlayer) {
        self.player = player.id
        bundleID = player.app?.bundleID
        app = player.name
        identifier = player.track.identifier
        title = player.track.title
        artist = player.track.artist
        isPlaying = player.isPlaying
        isHere = player.isHere
    }
}
