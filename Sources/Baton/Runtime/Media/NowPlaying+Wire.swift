import BatonWire
import Foundation
import SwiftProtobuf

extension Baton_Value_V1_NowPlaying {
    /// Values of other types than the keys' own are passed over.
    init(_ snapshot: MPNowPlayingInfoCenter.Snapshot) {
        self.init()
        let info = snapshot.info
        item = .init(info, artwork: snapshot.artwork)
        state = .init(rawValue: Int(snapshot.state.rawValue)) ?? .unspecified
        elapsed = MediaNumber(info[MPNowPlayingInfoPropertyElapsedPlaybackTime])?.real ?? 0
        age = snapshot.age / .seconds(1)
        rate = MediaNumber(info[MPNowPlayingInfoPropertyPlaybackRate])?.real ?? 1
        defaultRate = MediaNumber(info[MPNowPlayingInfoPropertyDefaultPlaybackRate])?.real ?? 1
    }
}

extension Baton_Value_V1_MediaItem {
    fileprivate init(_ info: [String: Any], artwork: UInt64) {
        self.init()
        func text(_ key: String) -> String { String((info[key] as? String ?? "").prefix(512)) }
        func count(_ key: String) -> UInt32 { MediaNumber(info[key])?.count ?? 0 }
        title = text(MPMediaItemPropertyTitle)
        artist = text(MPMediaItemPropertyArtist)
        albumTitle = text(MPMediaItemPropertyAlbumTitle)
        albumArtist = text(MPMediaItemPropertyAlbumArtist)
        composer = text(MPMediaItemPropertyComposer)
        genre = text(MPMediaItemPropertyGenre)
        if let duration = MediaNumber(info[MPMediaItemPropertyPlaybackDuration])?.real { self.duration = duration }
        trackNumber = count(MPMediaItemPropertyAlbumTrackNumber)
        trackCount = count(MPMediaItemPropertyAlbumTrackCount)
        discNumber = count(MPMediaItemPropertyDiscNumber)
        discCount = count(MPMediaItemPropertyDiscCount)
        queueIndex = count(MPNowPlayingInfoPropertyPlaybackQueueIndex)
        queueCount = count(MPNowPlayingInfoPropertyPlaybackQueueCount)
        chapterNumber = count(MPNowPlayingInfoPropertyChapterNumber)
        chapterCount = count(MPNowPlayingInfoPropertyChapterCount)
        live = info[MPNowPlayingInfoPropertyIsLiveStream] as? Bool ?? false
        mediaType =
            (info[MPNowPlayingInfoPropertyMediaType] as? MPNowPlayingInfoMediaType).map { UInt32($0.rawValue) }
            ?? count(MPNowPlayingInfoPropertyMediaType)
        identifier = Self.identifier(info)
        collection = text(MPNowPlayingInfoCollectionIdentifier)
        let asset = info[MPNowPlayingInfoPropertyAssetURL] as? URL ?? info[MPMediaItemPropertyAssetURL] as? URL
        // A path of this device says nothing to others.
        url = asset.map { $0.isFileURL ? "" : String($0.absoluteString.prefix(1024)) } ?? ""
        self.artwork = artwork
    }

    private static func identifier(_ info: [String: Any]) -> String {
        if let text = info[MPNowPlayingInfoPropertyExternalContentIdentifier] as? String {
            return String(text.prefix(512))
        }
        let value = info[MPMediaItemPropertyPersistentID]
        if let number = value as? UInt64 { return String(number) }
        return (value as? NSNumber).map(\.stringValue) ?? (MediaNumber(value)?.integer).map { String($0) } ?? ""
    }
}

extension Baton_Value_V1_MediaCommandOffer {
    init(_ command: MPRemoteCommand) {
        self.init()
        kind = .init(rawValue: command.kind.rawValue) ?? .unspecified
        enabled = command.isEnabled
        switch command {
        case let command as MPChangePlaybackRateCommand: choices = Self.numbers(command.supportedPlaybackRates)
        case let command as MPSkipIntervalCommand: choices = Self.numbers(command.preferredIntervals)
        case let command as MPChangeRepeatModeCommand: current = Int32(command.currentRepeatType.rawValue)
        case let command as MPChangeShuffleModeCommand: current = Int32(command.currentShuffleType.rawValue)
        case let command as MPRatingCommand:
            minimum = Double(command.minimumRating)
            maximum = Double(command.maximumRating)
        case let command as MPFeedbackCommand:
            active = command.isActive
            title = String(command.localizedTitle.prefix(128))
        default: break
        }
    }

    private static func numbers(_ numbers: [NSNumber]) -> [Double] { numbers.prefix(32).map(\.doubleValue) }
}
