public import Foundation

/// What the sources name of media.
extension CSSearchableItemAttributeSet {
    /// When the content was made.
    public var contentCreationDate: Date? {
        get { store.date("contentCreationDate") }
        set { store.set("contentCreationDate", newValue) }
    }

    /// When the content last changed.
    public var contentModificationDate: Date? {
        get { store.date("contentModificationDate") }
        set { store.set("contentModificationDate", newValue) }
    }

    /// When it was last used.
    public var lastUsedDate: Date? {
        get { store.date("lastUsedDate") }
        set { store.set("lastUsedDate", newValue) }
    }

    /// When it was added.
    public var addedDate: Date? {
        get { store.date("addedDate") }
        set { store.set("addedDate", newValue) }
    }

    /// When it was downloaded.
    public var downloadedDate: Date? {
        get { store.date("downloadedDate") }
        set { store.set("downloadedDate", newValue) }
    }

    /// How long it lasts, in seconds.
    public var duration: NSNumber? {
        get { store.number("duration") }
        set { store.set("duration", newValue) }
    }

    /// The album.
    public var album: String? {
        get { store.string("album") }
        set { store.set("album", newValue) }
    }

    /// The artist.
    public var artist: String? {
        get { store.string("artist") }
        set { store.set("artist", newValue) }
    }

    /// The composer.
    public var composer: String? {
        get { store.string("composer") }
        set { store.set("composer", newValue) }
    }

    /// The genre.
    public var genre: String? {
        get { store.string("genre") }
        set { store.set("genre", newValue) }
    }

    /// From 0 to 5.
    public var rating: NSNumber? {
        get { store.number("rating") }
        set { store.set("rating", newValue) }
    }

    /// How often it was played.
    public var playCount: NSNumber? {
        get { store.number("playCount") }
        set { store.set("playCount", newValue) }
    }

    /// The languages of the content.
    public var languages: [String]? {
        get { store.strings("languages") }
        set { store.set("languages", newValue) }
    }

    /// Where it can be had.
    public var url: URL? {
        get { store.url("url") }
        set { store.set("url", newValue) }
    }
}
