public import Foundation

/// A song, an episode, or anything else that is played. MediaPlayer's. May be used from any thread.
///
/// There is no library of music here: an app makes its items itself, with ``init(properties:)``.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpmediaitem>
public final class MPMediaItem: MPMediaEntity, @unchecked Sendable {
    /// An item with these values, by the keys `MPMediaItemProperty…`. Baton's own: Apple's items come out of the person's library.
    public override init(properties: [String: Any]) { super.init(properties: properties) }

    /// An item without any value.
    public convenience init() { self.init(properties: [:]) }

    private func text(_ key: String) -> String? { properties[key] as? String }
    private func integer(_ key: String) -> Int { (MediaNumber(properties[key])?.integer).map { Int($0) } ?? 0 }
    private func truth(_ key: String) -> Bool { properties[key] as? Bool ?? false }

    /// The title.
    public var title: String? { text(MPMediaItemPropertyTitle) }
    /// The artist.
    public var artist: String? { text(MPMediaItemPropertyArtist) }
    /// The album's title.
    public var albumTitle: String? { text(MPMediaItemPropertyAlbumTitle) }
    /// The album's artist.
    public var albumArtist: String? { text(MPMediaItemPropertyAlbumArtist) }
    /// The genre.
    public var genre: String? { text(MPMediaItemPropertyGenre) }
    /// The composer.
    public var composer: String? { text(MPMediaItemPropertyComposer) }
    /// How long it plays, in seconds.
    public var playbackDuration: TimeInterval {
        MediaNumber(properties[MPMediaItemPropertyPlaybackDuration])?.real ?? 0
    }
    /// The track's number on the album; 0 for none.
    public var albumTrackNumber: Int { integer(MPMediaItemPropertyAlbumTrackNumber) }
    /// How many tracks the album has; 0 when it is not known.
    public var albumTrackCount: Int { integer(MPMediaItemPropertyAlbumTrackCount) }
    /// The disc's number; 0 for none.
    public var discNumber: Int { integer(MPMediaItemPropertyDiscNumber) }
    /// How many discs the album has; 0 when it is not known.
    public var discCount: Int { integer(MPMediaItemPropertyDiscCount) }
    /// The picture; nil for none.
    public var artwork: MPMediaItemArtwork? { properties[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork }
    /// The lyrics.
    public var lyrics: String? { text(MPMediaItemPropertyLyrics) }
    /// Whether its album is of several artists.
    public var isCompilation: Bool { truth(MPMediaItemPropertyIsCompilation) }
    /// When it was published.
    public var releaseDate: Date? { properties[MPMediaItemPropertyReleaseDate] as? Date }
    /// Beats a minute; 0 when they are not known.
    public var beatsPerMinute: Int { integer(MPMediaItemPropertyBeatsPerMinute) }
    /// A comment on it.
    public var comments: String? { text(MPMediaItemPropertyComments) }
    /// Where its data is.
    public var assetURL: URL? { properties[MPMediaItemPropertyAssetURL] as? URL }
    /// Whether it is elsewhere.
    public var isCloudItem: Bool { truth(MPMediaItemPropertyIsCloudItem) }
    /// Whether it has an explicit text.
    public var isExplicitItem: Bool { truth(MPMediaItemPropertyIsExplicit) }
    /// The podcast's title.
    public var podcastTitle: String? { text(MPMediaItemPropertyPodcastTitle) }
    /// How often it was played.
    public var playCount: Int { integer(MPMediaItemPropertyPlayCount) }
    /// How often it was skipped.
    public var skipCount: Int { integer(MPMediaItemPropertySkipCount) }
    /// From 0 to 5.
    public var rating: Int { integer(MPMediaItemPropertyRating) }
    /// When it was played last.
    public var lastPlayedDate: Date? { properties[MPMediaItemPropertyLastPlayedDate] as? Date }
    /// When it was added; the distant past if not specified.
    public var dateAdded: Date { properties[MPMediaItemPropertyDateAdded] as? Date ?? .distantPast }
    /// The person's own word for a group of items.
    public var userGrouping: String? { text(MPMediaItemPropertyUserGrouping) }
    /// Where it was left, in seconds.
    public var bookmarkTime: TimeInterval { MediaNumber(properties[MPMediaItemPropertyBookmarkTime])?.real ?? 0 }
    /// The album's lasting identifier; 0 for none.
    public var albumPersistentID: MPMediaEntityPersistentID { lasting(MPMediaItemPropertyAlbumPersistentID) }
    /// The artist's lasting identifier; 0 for none.
    public var artistPersistentID: MPMediaEntityPersistentID { lasting(MPMediaItemPropertyArtistPersistentID) }
    /// Its kind.
    public var mediaType: MPMediaType {
        MPMediaType(rawValue: UInt(clamping: integer(MPMediaItemPropertyMediaType)))
    }

    private func lasting(_ key: String) -> UInt64 {
        properties[key] as? UInt64 ?? (MediaNumber(properties[key])?.integer).map { UInt64(clamping: $0) } ?? 0
    }
}
