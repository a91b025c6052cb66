// Keys of `nowPlayingInfo`, beside those of media items. MediaPlayer's, with its values.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Seconds from the beginning, when the dictionary was set. A number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The rate: 1 for normal, 0 for a pause. A number; 1 without the key.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The rate that is normal for this item. A number.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The item's place in the queue, from 0. A number.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many items the queue has. A number.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The chapter that plays, from 0. A number.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many chapters there are. A number.
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether it is a live stream. A `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// An array of ``MPNowPlayingInfoLanguageOptionGroup``. Not shown anywhere.
public let MPNowPlayingInfoPropertyAvailableLanguageOptions = "MPNowPlayingInfoPropertyAvailableLanguageOptions"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// An array of ``MPNowPlayingInfoLanguageOption``: those in use. Not shown anywhere.
public let MPNowPlayingInfoPropertyCurrentLanguageOptions = "MPNowPlayingInfoPropertyCurrentLanguageOptions"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The app's name for the item. A `String`: another device is given it when the item is moved there.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The app's name for the person's profile. Stays in the app.
public let MPNowPlayingInfoPropertyExternalUserProfileIdentifier =
    "MPNowPlayingInfoPropertyExternalUserProfileIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The service that the item is from. Stays in the app.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// From 0 to 1. Stays in the app.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The raw value of an ``MPNowPlayingInfoMediaType``. A number.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where the item's data is. A `URL`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The date in a live stream. Stays in the app.
public let MPNowPlayingInfoPropertyCurrentPlaybackDate = "MPNowPlayingInfoPropertyCurrentPlaybackDate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where there are advertisements. Stays in the app.
public let MPNowPlayingInfoPropertyAdTimeRanges = "MPNowPlayingInfoPropertyAdTimeRanges"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where the credits begin, in seconds. Stays in the app.
public let MPNowPlayingInfoPropertyCreditsStartTime = "MPNowPlayingInfoPropertyCreditsStartTime"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The app's name for the playlist or album that is played. A `String`.
public let MPNowPlayingInfoCollectionIdentifier = "MPNowPlayingInfoCollectionIdentifier"

/// The kind of media that plays. MediaPlayer's.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
    /// Nothing.
    case none = 0
    /// Something to hear.
    case audio = 1
    /// Something to see.
    case video = 2
}

/// Whether an app plays. MediaPlayer's.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    /// Not specified: the rate decides.
    case unknown = 0
    /// It plays.
    case playing = 1
    /// It goes on when it is asked.
    case paused = 2
    /// It is at its end.
    case stopped = 3
    /// Something else has taken its place for a while.
    case interrupted = 4
}
