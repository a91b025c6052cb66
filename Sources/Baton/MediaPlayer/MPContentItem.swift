public import Foundation

/// Something that an app has to play, or a container of such. MediaPlayer's. To be used by one thread at a time.
///
/// Two with one identifier are the same item.
public final class MPContentItem: NSObject {
    /// Names it within the app.
    public let identifier: String
    /// The title.
    public var title: String?
    /// A line below the title.
    public var subtitle: String?
    /// The picture.
    public var artwork: MPMediaItemArtwork?
    /// How much of it was played, from 0 to 1; negative when nothing is shown of that.
    public var playbackProgress: Float = -1
    /// Whether it is streamed.
    public var isStreamingContent = false
    /// Whether it has an explicit text.
    public var isExplicitContent = false
    /// Whether it has items below it.
    public var isContainer = false
    /// Whether it can be played.
    public var isPlayable = false

    /// An item of this name.
    public init(identifier: String) {
        self.identifier = identifier
        super.init()
    }
}
