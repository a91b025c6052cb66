/// A track: texts as they are shown, and numbers of which 0 stands for none.
package struct MediaTrack: Hashable, Sendable {
    package var title = ""
    package var artist = ""
    package var albumTitle = ""
    package var albumArtist = ""
    package var composer = ""
    package var genre = ""
    /// In seconds; nil when it is not known, or has no end.
    package var duration: Double?
    package var trackNumber = 0
    package var trackCount = 0
    package var discNumber = 0
    package var discCount = 0
    package var queueIndex = 0
    package var queueCount = 0
    package var chapterNumber = 0
    package var chapterCount = 0
    package var isLive = false
    /// None 0, audio 1, video 2.
    package var mediaType = 0
    /// The app's name for it.
    package var identifier = ""
    package var collection = ""
    package var url = ""
    /// Changes with the picture; 0 for none.
    package var artwork: UInt64 = 0

    package init(title: String = "", artist: String = "", duration: Double? = nil, identifier: String = "") {
        self.title = title
        self.artist = artist
        self.duration = duration
        self.identifier = identifier
    }

    /// Whether two descriptions are of one thing: a later one may know more of it.
    package func isSame(as other: MediaTrack) -> Bool {
        if !identifier.isEmpty, !other.identifier.isEmpty { return identifier == other.identifier }
        return title == other.title && artist == other.artist && albumTitle == other.albumTitle
            && trackNumber == other.trackNumber
    }
}
