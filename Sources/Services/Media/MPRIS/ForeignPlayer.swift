import BatonCore
import Foundation
package import SessionBus

/// A player of another program, by its properties. They are untrusted: a value of the wrong type is left out.
package struct ForeignPlayer: Hashable, Sendable {
    /// On the bus.
    package let busName: String
    package let name: String
    package let track: MediaTrack
    package let playback: Playback
    package let commands: Set<MediaCommand.Kind>
    /// The path of the track, for moving in it.
    package let trackID: String?

    private static let maximumText = 512
    /// Artists of one track.
    private static let maximumNames = 256

    package init(
        busName: String, root: [String: BusValue], player: [String: BusValue], now: Duration
    ) {
        self.busName = busName
        let short = String(busName.dropFirst(MPRISName.prefix.count))
        let identity = root["Identity"]?.text ?? ""
        name = (identity.isEmpty ? short : identity).shownLine(toBytes: Self.maximumText)
        let metadata: [String: BusValue] = if case .dictionary(let values)? = player["Metadata"] { values } else { [:] }
        func text(_ key: String) -> String { Self.joined(metadata[key]).shownLine(toBytes: Self.maximumText) }
        func number(_ key: String) -> Int { Int(clamping: Int64(min(max(metadata[key]?.number ?? 0, 0), 1e6))) }
        var track = MediaTrack(title: text("xesam:title"), artist: text("xesam:artist"))
        if track.title.isEmpty { track.title = Self.fileName(metadata["xesam:url"]?.text ?? "") }
        track.albumTitle = text("xesam:album")
        track.genre = text("xesam:genre")
        track.trackNumber = number("xesam:trackNumber")
        track.discNumber = number("xesam:discNumber")
        let length = (metadata["mpris:length"]?.number ?? 0) / 1_000_000
        if length > 0, length <= Playback.maximumSeconds { track.duration = length }
        trackID = if case .path(let path)? = metadata["mpris:trackid"] { path } else { nil }
        // Names a track of this player only, and Firefox has one name for all: it distinguishes those without a title.
        if track.title.isEmpty { track.identifier = (trackID ?? "").shownLine(toBytes: Self.maximumText) }
        self.track = track
        let state: Playback.State =
            switch player["PlaybackStatus"]?.text {
            case "Playing": .playing
            case "Paused": .paused
            default: .stopped
            }
        playback = Playback(
            state: state, elapsed: (player["Position"]?.number ?? 0) / 1_000_000, rate: player["Rate"]?.number ?? 1,
            measured: now)
        commands = Self.commands(player)
    }

    /// A text, or the first names of a list of artists, whatever the type of the list. Files without tags have empty names in it.
    private static func joined(_ value: BusValue?) -> String {
        guard let list = value?.list else { return value?.text ?? "" }
        return list.prefix(maximumNames).compactMap(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The name of a file without tags; of an address elsewhere nothing is shown, as it may hold secrets.
    private static func fileName(_ url: String) -> String {
        let scheme = "file://"
        guard url.hasPrefix(scheme),
            let name = url.dropFirst(scheme.count).split(separator: "/").last?.prefix(maximumText * 3)
        else { return "" }
        let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? name[..<$0] : name } ?? name
        return (String(stem).removingPercentEncoding ?? String(stem)).shownLine(toBytes: maximumText)
    }

    private static func commands(_ player: [String: BusValue]) -> Set<MediaCommand.Kind> {
        guard player["CanControl"]?.boolean ?? true else { return [] }
        var commands: Set<MediaCommand.Kind> = [.stop]
        let (canPlay, canPause) = (player["CanPlay"]?.boolean == true, player["CanPause"]?.boolean == true)
        if canPlay { commands.insert(.play) }
        if canPause { commands.insert(.pause) }
        if canPlay || canPause { commands.insert(.togglePlayPause) }
        if player["CanGoNext"]?.boolean == true { commands.insert(.nextTrack) }
        if player["CanGoPrevious"]?.boolean == true { commands.insert(.previousTrack) }
        if player["CanSeek"]?.boolean == true { commands.insert(.changePlaybackPosition) }
        return commands
    }
}
