import BatonCore
package import SessionBus

/// A player's properties as MPRIS 2.2 has them. Pure.
package enum MPRISProperties {
    package static func root(_ picture: PlayerPicture) -> [String: BusValue] {
        var properties: [String: BusValue] = [
            "CanQuit": .boolean(false), "CanRaise": .boolean(false), "HasTrackList": .boolean(false),
            "Fullscreen": .boolean(false), "CanSetFullscreen": .boolean(false),
            "Identity": .string(picture.name), "SupportedUriSchemes": .strings([]),
            "SupportedMimeTypes": .strings([]),
        ]
        if let entry = picture.desktopEntry { properties["DesktopEntry"] = .string(entry) }
        return properties
    }

    /// All but `Position`, which is never signalled as a change.
    package static func player(_ picture: PlayerPicture, track number: UInt64) -> [String: BusValue] {
        let rates = picture.offers[.changePlaybackRate]?.choices.filter { $0 > 0 && $0.isFinite } ?? []
        let canChangeRate = picture.can(.changePlaybackRate) && !rates.isEmpty
        let rate = picture.playback.rate > 0 ? picture.playback.rate : 1
        var properties: [String: BusValue] = [
            "PlaybackStatus": .string(status(picture.playback)),
            "Rate": .real(rate),
            "MinimumRate": .real(canChangeRate ? min(rates.min() ?? 1, 1) : rate),
            "MaximumRate": .real(canChangeRate ? max(rates.max() ?? 1, 1) : rate),
            "Metadata": .dictionary(metadata(picture, track: number)),
            "Volume": .real(1),
            "CanGoNext": .boolean(picture.can(.nextTrack)),
            "CanGoPrevious": .boolean(picture.can(.previousTrack)),
            "CanPlay": .boolean(picture.can(.play) || picture.can(.togglePlayPause)),
            "CanPause": .boolean(picture.can(.pause) || picture.can(.togglePlayPause)),
            "CanSeek": .boolean(picture.can(.changePlaybackPosition)),
            "CanControl": .boolean(!picture.offers.isEmpty),
        ]
        if let offer = picture.offers[.changeRepeatMode] { properties["LoopStatus"] = .string(loop(offer.current)) }
        if let offer = picture.offers[.changeShuffleMode] { properties["Shuffle"] = .boolean(offer.current > 0) }
        return properties
    }

    package static func position(_ picture: PlayerPicture, now: Duration) -> Int64 {
        microseconds(picture.playback.position(now: now, duration: picture.track.duration))
    }

    package static func microseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64(min(max(seconds, 0), Playback.maximumSeconds) * 1_000_000)
    }

    /// Readers name a track by it.
    package static func trackPath(_ number: UInt64) -> String { "/development/baton/media/track/\(number)" }

    private static func status(_ playback: Playback) -> String {
        switch playback.state {
        case .playing: playback.rate == 0 ? "Paused" : "Playing"
        case .paused, .interrupted: "Paused"
        case .stopped, .unknown: "Stopped"
        }
    }

    package static func loop(_ type: Int) -> String {
        switch type {
        case 1: "Track"
        case 2: "Playlist"
        default: "None"
        }
    }

    private static func metadata(_ picture: PlayerPicture, track number: UInt64) -> [String: BusValue] {
        let track = picture.track
        var values: [String: BusValue] = ["mpris:trackid": .path(trackPath(number))]
        if let duration = track.duration, !track.isLive { values["mpris:length"] = .integer64(microseconds(duration)) }
        if let path = picture.artworkPath { values["mpris:artUrl"] = .string(fileURL(path)) }
        for (key, text) in [
            ("xesam:title", track.title), ("xesam:album", track.albumTitle), ("xesam:url", page(track.url)),
        ] where !text.isEmpty {
            values[key] = .string(text)
        }
        for (key, text) in [
            ("xesam:artist", track.artist), ("xesam:albumArtist", track.albumArtist), ("xesam:genre", track.genre),
            ("xesam:composer", track.composer),
        ] where !text.isEmpty {
            values[key] = .strings([text])
        }
        for (key, number) in [("xesam:trackNumber", track.trackNumber), ("xesam:discNumber", track.discNumber)]
        where number > 0 {
            values[key] = .integer32(Int32(clamping: number))
        }
        return values
    }

    /// Programs of the desktop load what is at the address, as the person: an app names no file for them, which it may not read itself.
    private static func page(_ address: String) -> String { (try? WebPage(address))?.text ?? "" }

    private static func fileURL(_ path: String) -> String {
        var url = "file://"
        for byte in path.utf8 {
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-._~/".utf8.contains(byte)
            if isPlain {
                url.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                url += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return url
    }
}
