import BatonCore

/// Where in the queue something is to play. Intents'.
public enum INPlaybackQueueLocation: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// At once.
    case now = 1
    /// Next.
    case next = 2
    /// At the end.
    case later = 3
}

/// The repeat mode. Intents'.
public enum INPlaybackRepeatMode: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Nothing.
    case none = 1
    /// Everything.
    case all = 2
    /// One.
    case one = 3
}

/// To play a medium. Intents'.
///
/// Donate one each time that playing starts; for a playlist donate the container, and not each song. Safe to use from any
/// thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/inplaymediaintent>
public final class INPlayMediaIntent: INIntent, @unchecked Sendable {
    /// The media that play.
    public var mediaItems: [INMediaItem]? { store.objects("mediaItems") }
    /// The album or list that it is in.
    public var mediaContainer: INMediaItem? { store.object("mediaContainer") }
    /// Whether it plays in any order.
    public var playShuffled: Bool? { store.boolean("playShuffled") }
    /// The repeat mode.
    public var playbackRepeatMode: INPlaybackRepeatMode { store.option("playbackRepeatMode", .unknown) }
    /// Whether it goes on where it was.
    public var resumePlayback: Bool? { store.boolean("resumePlayback") }
    /// Where in the queue it is to play.
    public var playbackQueueLocation: INPlaybackQueueLocation { store.option("playbackQueueLocation", .unknown) }
    /// How fast; 1 is as it was recorded.
    public var playbackSpeed: Double? { store.real("playbackSpeed") }
    /// The search.
    public var mediaSearch: INMediaSearch? { store.object("mediaSearch") }

    /// A medium.
    ///
    /// - Parameters:
    ///   - mediaItems: what plays.
    ///   - mediaContainer: the album or list that it is in.
    ///   - playShuffled: whether it plays in any order.
    ///   - playbackRepeatMode: what is played again.
    ///   - resumePlayback: whether it goes on where it was.
    ///   - playbackQueueLocation: where in the queue it is to play.
    ///   - playbackSpeed: how fast; 1 is as it was recorded.
    ///   - mediaSearch: what was searched.
    public convenience init(
        mediaItems: [INMediaItem]? = nil, mediaContainer: INMediaItem? = nil, playShuffled: Bool? = nil,
        playbackRepeatMode: INPlaybackRepeatMode = .unknown, resumePlayback: Bool? = nil,
        playbackQueueLocation: INPlaybackQueueLocation = .unknown, playbackSpeed: Double? = nil,
        mediaSearch: INMediaSearch? = nil
    ) {
        self.init(values: [:])
        store.set("mediaItems", mediaItems)
        store.set("mediaContainer", mediaContainer)
        store.set("playShuffled", playShuffled)
        store.set(option: "playbackRepeatMode", playbackRepeatMode)
        store.set("resumePlayback", resumePlayback)
        store.set(option: "playbackQueueLocation", playbackQueueLocation)
        store.set("playbackSpeed", playbackSpeed)
        store.set("mediaSearch", mediaSearch)
    }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "mediaItems": mediaItems
        case "mediaContainer": mediaContainer
        case "mediaSearch": mediaSearch
        default: super.parameter(name)
        }
    }
}

/// How it went to play. Intents'.
public final class INPlayMediaIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INPlayMediaIntentResponseCode { storedCode(.unspecified) }

    /// The media that play, by the keys of the system's information about it.
    public var nowPlayingInfo: [String: Any]? {
        get {
            guard let info = store["nowPlayingInfo"]?.userInfo else { return nil }
            var named: [String: Any] = [:]
            for (key, value) in info { if let name = key as? String { named[name] = value } }
            return named
        }
        set { store["nowPlayingInfo"] = newValue.flatMap { try? PropertyValue(userInfo: $0) } }
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INPlayMediaIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .continueInApp: .deferredToApplication
        case .handleInApp: .deferredToApplication
        case .inProgress: .inProgress
        case .success: .success
        case .failureRequiringAppLaunch: .deferredToApplication
        default: .failure
        }
    }
}

/// How it went to play: Apple's numbers. Intents'.
public enum INPlayMediaIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// The app goes on.
    case continueInApp = 2
    /// It is being done.
    case inProgress = 3
    /// It plays.
    case success = 4
    /// The app is to play it in the background.
    case handleInApp = 5
    /// It does not play.
    case failure = 6
    /// The app has to be opened.
    case failureRequiringAppLaunch = 7
    /// The kind of medium is not known.
    case failureUnknownMediaType = 8
    /// Everything was played.
    case failureNoUnplayedContent = 9
    /// It is not allowed here.
    case failureRestrictedContent = 10
    /// It plays on too many devices.
    case failureMaxStreamLimitReached = 11
}
