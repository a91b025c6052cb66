import BatonCore

/// The kind of a medium. Intents'.
public enum INMediaItemType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// A song.
    case song = 1
    /// An album.
    case album = 2
    /// An artist.
    case artist = 3
    /// A genre.
    case genre = 4
    /// A playlist.
    case playlist = 5
    /// A podcast.
    case podcastShow = 6
    /// An episode of a podcast.
    case podcastEpisode = 7
    /// A list of podcasts.
    case podcastPlaylist = 8
    /// A station of music.
    case musicStation = 9
    /// An audiobook.
    case audioBook = 10
    /// A movie.
    case movie = 11
    /// A TV show.
    case tvShow = 12
    /// An episode of a TV show.
    case tvShowEpisode = 13
    /// A music video.
    case musicVideo = 14
    /// A station of podcasts.
    case podcastStation = 15
    /// A radio station.
    case radioStation = 16
    /// A station.
    case station = 17
    /// Music.
    case music = 18
    /// A radio station that is composed for the person.
    case algorithmicRadioStation = 19
    /// A broadcast of current events.
    case news = 20
}

/// Something that can be played. Intents'.
public final class INMediaItem: INIntentValue, @unchecked Sendable {
    /// The app's own identifier.
    public var identifier: String? { store.string("identifier") }
    /// The name.
    public var title: String? { store.string("title") }
    /// Its kind.
    public var type: INMediaItemType { store.option("type", .unknown) }
    /// Its picture.
    public var artwork: INImage? { store.object("artwork") }
    /// The artist.
    public var artist: String? { store.string("artist") }

    /// Something that can be played.
    public convenience init(
        identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?, artist: String?
    ) {
        self.init(values: [:])
        store.set("identifier", identifier)
        store.set("title", title)
        store.set(option: "type", type)
        store.set("artwork", artwork)
        store.set("artist", artist)
    }

    /// Something that can be played, without its maker.
    public convenience init(identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?) {
        self.init(identifier: identifier, title: title, type: type, artwork: artwork, artist: nil)
    }
}
