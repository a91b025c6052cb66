package import BatonCore
package import BatonWire
import SwiftProtobuf

extension Baton_Value_V1_MediaCommandKind {
    package init(_ kind: MediaCommand.Kind) { self = .init(rawValue: kind.rawValue) ?? .unspecified }
}

extension MediaCommand.Kind {
    /// - Returns: nil for a kind that is not known here.
    package init?(_ kind: Baton_Value_V1_MediaCommandKind) { self.init(rawValue: kind.rawValue) }
}

extension Baton_Value_V1_MediaCommand {
    package init(_ command: MediaCommand) {
        self.init()
        kind = .init(command.kind)
        value = command.value
        flag = command.flag
        text = command.text
    }
}

extension MediaCommand {
    /// - Throws: `invalid_argument` for a kind that is not known, and for an invalid number.
    package init(_ message: Baton_Value_V1_MediaCommand) throws(BatonError) {
        guard let kind = Kind(message.kind) else {
            throw BatonError(.invalidArgument, reason: "unknown_command", "There is no such command.")
        }
        guard message.value.isFinite, abs(message.value) <= Playback.maximumSeconds else {
            throw BatonError(.invalidArgument, reason: "invalid_value", "The command's number is out of range.")
        }
        self.init(kind, value: message.value, flag: message.flag, text: message.text.shownLine(toBytes: 512))
    }
}

extension Baton_Value_V1_MediaItem {
    package init(_ track: MediaTrack) {
        self.init()
        title = track.title
        artist = track.artist
        albumTitle = track.albumTitle
        albumArtist = track.albumArtist
        composer = track.composer
        genre = track.genre
        if let duration = track.duration { self.duration = duration }
        trackNumber = UInt32(clamping: track.trackNumber)
        trackCount = UInt32(clamping: track.trackCount)
        discNumber = UInt32(clamping: track.discNumber)
        discCount = UInt32(clamping: track.discCount)
        queueIndex = UInt32(clamping: track.queueIndex)
        queueCount = UInt32(clamping: track.queueCount)
        chapterNumber = UInt32(clamping: track.chapterNumber)
        chapterCount = UInt32(clamping: track.chapterCount)
        live = track.isLive
        mediaType = UInt32(clamping: track.mediaType)
        identifier = track.identifier
        collection = track.collection
        url = track.url
        artwork = track.artwork
    }
}

extension MediaTrack {
    /// Texts are cut, invalid numbers are left out.
    package init(_ message: Baton_Value_V1_MediaItem, _ limits: MediaLimits) {
        let limit = limits.maximumText
        self.init(
            title: message.title.shownLine(toBytes: limit), artist: message.artist.shownLine(toBytes: limit),
            identifier: message.identifier.shownLine(toBytes: limit))
        albumTitle = message.albumTitle.shownLine(toBytes: limit)
        albumArtist = message.albumArtist.shownLine(toBytes: limit)
        composer = message.composer.shownLine(toBytes: limit)
        genre = message.genre.shownLine(toBytes: limit)
        if message.hasDuration, message.duration.isFinite, message.duration > 0 {
            duration = min(message.duration, Playback.maximumSeconds)
        }
        trackNumber = Int(message.trackNumber)
        trackCount = Int(message.trackCount)
        discNumber = Int(message.discNumber)
        discCount = Int(message.discCount)
        queueIndex = Int(message.queueIndex)
        queueCount = Int(message.queueCount)
        chapterNumber = Int(message.chapterNumber)
        chapterCount = Int(message.chapterCount)
        isLive = message.live
        mediaType = Int(message.mediaType)
        collection = message.collection.shownLine(toBytes: limit)
        url = message.url.shownLine(toBytes: 1024)
        artwork = message.artwork
    }

    /// For the topic, which has a bound: what a list and a lock screen show.
    func shortened(to limit: Int) -> MediaTrack {
        var track = self
        track.title = title.shownLine(toBytes: limit)
        track.artist = artist.shownLine(toBytes: limit)
        track.albumTitle = albumTitle.shownLine(toBytes: limit)
        track.identifier = identifier.shownLine(toBytes: limit)
        track.collection = collection.shownLine(toBytes: limit)
        (track.albumArtist, track.composer, track.genre, track.url) = ("", "", "", "")
        track.artwork = 0
        return track
    }
}

extension Baton_Value_V1_NowPlaying {
    init(_ track: MediaTrack, _ playback: Playback) {
        self.init()
        item = .init(track)
        state = .init(rawValue: playback.state.rawValue) ?? .unspecified
        elapsed = playback.elapsed
        rate = playback.rate
        defaultRate = 1
    }

    /// - Returns: nil without an item.
    func taken(_ limits: MediaLimits, now: Duration) -> (MediaTrack, Playback)? {
        guard hasItem else { return nil }
        let age = age.isFinite ? min(max(age, 0), 3600) : 0
        return (
            MediaTrack(item, limits),
            Playback(
                state: Playback.State(rawValue: state.rawValue) ?? .unknown, elapsed: elapsed, rate: rate,
                measured: now - .seconds(age))
        )
    }
}

extension AppUpdate {
    init(_ message: Baton_App_V1_UpdateNowPlayingRequest, _ limits: MediaLimits, now: Duration) {
        var offers: [MediaCommand.Kind: MediaCommandOffer] = [:]
        for offer in message.commands {
            guard let kind = MediaCommand.Kind(offer.kind) else { continue }
            offers[kind] = MediaCommandOffer(
                isEnabled: offer.enabled, choices: offer.choices.prefix(32).filter(\.isFinite),
                current: Int(offer.current), minimum: offer.minimum, maximum: offer.maximum, isActive: offer.active,
                title: offer.title.shownLine(toBytes: 128))
        }
        let taken = message.hasNowPlaying ? message.nowPlaying.taken(limits, now: now) : nil
        self.init(
            playing: taken.map { Playing(track: $0.0, playback: $0.1) }, offers: offers,
            hasContentDelegate: message.hasContentDelegate_p, hasContentDataSource: message.hasContentDataSource_p,
            identifiers: message.nowPlayingIdentifiers.prefix(16).map { $0.shownLine(toBytes: limits.maximumText) })
    }
}

extension Baton_App_V1_ContentPath {
    init(_ path: [Int]) {
        self.init()
        indexes = path.prefix(16).map { UInt32(clamping: $0) }
    }
}
