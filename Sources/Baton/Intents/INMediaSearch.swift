/// The order of the media that are found. Intents', with Apple's numbers.
public enum INMediaSortOrder: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The newest.
    case newest = 1
    /// The oldest.
    case oldest = 2
    /// The best.
    case best = 3
    /// The worst.
    case worst = 4
    /// Those that many like.
    case popular = 5
    /// Those that few like.
    case unpopular = 6
    /// Those that many play now.
    case trending = 7
    /// Those that the app recommends.
    case recommended = 8
}

/// A medium that a person means without its name. Intents', with Apple's numbers.
public enum INMediaReference: Int, Sendable {
    /// None.
    case unknown = 0
    /// The one that plays now.
    case currentlyPlaying = 1
    /// One of the person's own.
    case my = 2
}

/// The meaning of a medium's name. Intents'.
public final class INMediaSearch: INIntentValue, @unchecked Sendable {
    /// The subject of a search.
    public var mediaType: INMediaItemType { store.option("mediaType", .unknown) }
    /// Their order.
    public var sortOrder: INMediaSortOrder { store.option("sortOrder", .unknown) }
    /// Its name.
    public var mediaName: String? { store.string("mediaName") }
    /// The artist.
    public var artistName: String? { store.string("artistName") }
    /// The album that it is on.
    public var albumName: String? { store.string("albumName") }
    /// Its genres.
    public var genreNames: [String]? { store.strings("genreNames") }
    /// Its moods.
    public var moodNames: [String]? { store.strings("moodNames") }
    /// The time when it came out.
    public var releaseDate: INDateComponentsRange? { store.object("releaseDate") }
    /// A medium that the person means without its name.
    public var reference: INMediaReference { store.option("reference", .unknown) }
    /// An identifier of the app's.
    public var mediaIdentifier: String? { store.string("mediaIdentifier") }

    /// A search.
    public convenience init(
        mediaType: INMediaItemType = .unknown, sortOrder: INMediaSortOrder = .unknown, mediaName: String? = nil,
        artistName: String? = nil, albumName: String? = nil, genreNames: [String]? = nil, moodNames: [String]? = nil,
        releaseDate: INDateComponentsRange? = nil, reference: INMediaReference = .unknown,
        mediaIdentifier: String? = nil
    ) {
        self.init(values: [:])
        store.set(option: "mediaType", mediaType)
        store.set(option: "sortOrder", sortOrder)
        store.set("mediaName", mediaName)
        store.set("artistName", artistName)
        store.set("albumName", albumName)
        store.set("genreNames", genreNames)
        store.set("moodNames", moodNames)
        store.set("releaseDate", releaseDate)
        store.set(option: "reference", reference)
        store.set("mediaIdentifier", mediaIdentifier)
    }
}
