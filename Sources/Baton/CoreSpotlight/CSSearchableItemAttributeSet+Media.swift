public import Foundation

/// The metadata of media.
extension CSSearchableItemAttributeSet {
    /// The editors.
    public var editors: [String]? {
        get { store.strings("editors") }
        set { store.set("editors", newValue) }
    }

    /// The participants, as in a call that was recorded.
    public var participants: [String]? {
        get { store.strings("participants") }
        set { store.set("participants", newValue) }
    }

    /// The projects that it belongs to.
    public var projects: [String]? {
        get { store.strings("projects") }
        set { store.set("projects", newValue) }
    }

    /// When it was downloaded.
    public var downloadedDate: Date? {
        get { store.date("downloadedDate") }
        set { store.set("downloadedDate", newValue) }
    }

    /// Where it came from.
    public var contentSources: [String]? {
        get { store.strings("contentSources") }
        set { store.set("contentSources", newValue) }
    }

    /// A remark on it.
    public var comment: String? {
        get { store.string("comment") }
        set { store.set("comment", newValue) }
    }

    /// The owner of the copyright.
    public var copyright: String? {
        get { store.string("copyright") }
        set { store.set("copyright", newValue) }
    }

    /// When it was last used.
    public var lastUsedDate: Date? {
        get { store.date("lastUsedDate") }
        set { store.set("lastUsedDate", newValue) }
    }

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

    /// When it was added.
    public var addedDate: Date? {
        get { store.date("addedDate") }
        set { store.set("addedDate", newValue) }
    }

    /// How long it lasts, in seconds.
    public var duration: NSNumber? {
        get { store.number("duration") }
        set { store.set("duration", newValue) }
    }

    /// Contacts that have to do with it.
    public var contactKeywords: [String]? {
        get { store.strings("contactKeywords") }
        set { store.set("contactKeywords", newValue) }
    }

    /// The codecs that it is encoded with.
    public var codecs: [String]? {
        get { store.strings("codecs") }
        set { store.set("codecs", newValue) }
    }

    /// The kinds of media in it, as video and sound.
    public var mediaTypes: [String]? {
        get { store.strings("mediaTypes") }
        set { store.set("mediaTypes", newValue) }
    }

    /// Whether it is made to be played while it arrives.
    public var streamable: NSNumber? {
        get { store.number("streamable") }
        set { store.set("streamable", newValue) }
    }

    /// Bits per second of everything.
    public var totalBitRate: NSNumber? {
        get { store.number("totalBitRate") }
        set { store.set("totalBitRate", newValue) }
    }

    /// Bits per second of the pictures.
    public var videoBitRate: NSNumber? {
        get { store.number("videoBitRate") }
        set { store.set("videoBitRate", newValue) }
    }

    /// Bits per second of the sound.
    public var audioBitRate: NSNumber? {
        get { store.number("audioBitRate") }
        set { store.set("audioBitRate", newValue) }
    }

    /// 0 if it is played while it arrives, 1 if it has to be there whole.
    public var deliveryType: NSNumber? {
        get { store.number("deliveryType") }
        set { store.set("deliveryType", newValue) }
    }

    /// The organizations that have to do with it.
    public var organizations: [String]? {
        get { store.strings("organizations") }
        set { store.set("organizations", newValue) }
    }

    /// The role of the person who made it.
    public var role: String? {
        get { store.string("role") }
        set { store.set("role", newValue) }
    }

    /// The languages of the content.
    public var languages: [String]? {
        get { store.strings("languages") }
        set { store.set("languages", newValue) }
    }

    /// The rights to it, as in a licence.
    public var rights: String? {
        get { store.string("rights") }
        set { store.set("rights", newValue) }
    }

    /// The publishers.
    public var publishers: [String]? {
        get { store.strings("publishers") }
        set { store.set("publishers", newValue) }
    }

    /// The contributors.
    public var contributors: [String]? {
        get { store.strings("contributors") }
        set { store.set("contributors", newValue) }
    }

    /// The places and times that it is about.
    public var coverage: [String]? {
        get { store.strings("coverage") }
        set { store.set("coverage", newValue) }
    }

    /// From 0 to 5.
    public var rating: NSNumber? {
        get { store.number("rating") }
        set { store.set("rating", newValue) }
    }

    /// The rating, for people.
    public var ratingDescription: String? {
        get { store.string("ratingDescription") }
        set { store.set("ratingDescription", newValue) }
    }

    /// How often it was played.
    public var playCount: NSNumber? {
        get { store.number("playCount") }
        set { store.set("playCount", newValue) }
    }

    /// Its description.
    public var information: String? {
        get { store.string("information") }
        set { store.set("information", newValue) }
    }

    /// The director.
    public var director: String? {
        get { store.string("director") }
        set { store.set("director", newValue) }
    }

    /// The producer.
    public var producer: String? {
        get { store.string("producer") }
        set { store.set("producer", newValue) }
    }

    /// The genre.
    public var genre: String? {
        get { store.string("genre") }
        set { store.set("genre", newValue) }
    }

    /// The performers.
    public var performers: [String]? {
        get { store.strings("performers") }
        set { store.set("performers", newValue) }
    }

    /// The form that it had first.
    public var originalFormat: String? {
        get { store.string("originalFormat") }
        set { store.set("originalFormat", newValue) }
    }

    /// The source that it was made of.
    public var originalSource: String? {
        get { store.string("originalSource") }
        set { store.set("originalSource", newValue) }
    }

    /// Whether it is on the device.
    public var local: NSNumber? {
        get { store.number("local") }
        set { store.set("local", newValue) }
    }

    /// 1 if it has content for adults, 0 if it has none.
    public var contentRating: NSNumber? {
        get { store.number("contentRating") }
        set { store.set("contentRating", newValue) }
    }

    /// Where it can be had.
    public var url: URL? {
        get { store.url("url") }
        set { store.set("url", newValue) }
    }
}
