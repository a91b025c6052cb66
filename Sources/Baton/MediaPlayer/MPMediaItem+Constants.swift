// Keys of media items, and of what plays. MediaPlayer's, with its values.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The title. A `String`.
public let MPMediaItemPropertyTitle = "title"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The artist. A `String`.
public let MPMediaItemPropertyArtist = "artist"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The album's title. A `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The album's artist. A `String`.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many tracks the album has. A number.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The track's number on the album. A number.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The picture. An ``MPMediaItemArtwork``.
public let MPMediaItemPropertyArtwork = "artwork"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The composer. A `String`.
public let MPMediaItemPropertyComposer = "composer"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many discs the album has. A number.
public let MPMediaItemPropertyDiscCount = "discCount"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The disc's number. A number.
public let MPMediaItemPropertyDiscNumber = "discNumber"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The genre. A `String`.
public let MPMediaItemPropertyGenre = "genre"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Its kind. A number: the raw value of an ``MPMediaType``.
public let MPMediaItemPropertyMediaType = "mediaType"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The item's lasting identifier. A number.
public let MPMediaItemPropertyPersistentID = "persistentID"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How long it plays, in seconds. A number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The album's lasting identifier. A number.
public let MPMediaItemPropertyAlbumPersistentID = "albumPersistentID"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The artist's lasting identifier. A number.
public let MPMediaItemPropertyArtistPersistentID = "artistPersistentID"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the album is of several artists. A `Bool`.
public let MPMediaItemPropertyIsCompilation = "isCompilation"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The lyrics. A `String`.
public let MPMediaItemPropertyLyrics = "lyrics"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// When it was published. A `Date`.
public let MPMediaItemPropertyReleaseDate = "releaseDate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Beats a minute. A number.
public let MPMediaItemPropertyBeatsPerMinute = "beatsPerMinute"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A comment on it. A `String`.
public let MPMediaItemPropertyComments = "comments"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where its data is. A `URL`.
public let MPMediaItemPropertyAssetURL = "assetURL"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether it is elsewhere. A `Bool`.
public let MPMediaItemPropertyIsCloudItem = "isCloudItem"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether it has an explicit text. A `Bool`.
public let MPMediaItemPropertyIsExplicit = "isExplicit"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The podcast's title. A `String`.
public let MPMediaItemPropertyPodcastTitle = "podcastTitle"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How often it was played. A number.
public let MPMediaItemPropertyPlayCount = "playCount"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How often it was skipped. A number.
public let MPMediaItemPropertySkipCount = "skipCount"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// From 0 to 5. A number.
public let MPMediaItemPropertyRating = "rating"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// When it was played last. A `Date`.
public let MPMediaItemPropertyLastPlayedDate = "lastPlayedDate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// When it was added. A `Date`.
public let MPMediaItemPropertyDateAdded = "dateAdded"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The person's own word for a group of items. A `String`.
public let MPMediaItemPropertyUserGrouping = "userGrouping"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where it was left, in seconds. A number.
public let MPMediaItemPropertyBookmarkTime = "bookmarkTime"
