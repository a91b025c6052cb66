public import Foundation

/// How something is repeated. MediaPlayer's.
public enum MPRepeatType: Int, Sendable {
    /// Not at all.
    case off = 0
    /// The item that plays.
    case one = 1
    /// All of the queue.
    case all = 2
}

/// The shuffle mode. MediaPlayer's.
public enum MPShuffleType: Int, Sendable {
    /// Nothing.
    case off = 0
    /// Items.
    case items = 1
    /// Albums or playlists as a whole.
    case collections = 2
}

/// Changes how fast is played. MediaPlayer's.
public final class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    private let rates = UncheckedMutex<[NSNumber]>([])

    /// The rates that the app can play at; at most 32 are offered.
    public var supportedPlaybackRates: [NSNumber] {
        get { rates.withLock { $0 } }
        set {
            rates.withLock { $0 = newValue }
            noteChange()
        }
    }
}

/// Changes what is repeated. MediaPlayer's.
public final class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
    private let type = UncheckedMutex(MPRepeatType.off)

    /// The present repeat mode.
    public var currentRepeatType: MPRepeatType {
        get { type.withLock { $0 } }
        set {
            type.withLock { $0 = newValue }
            noteChange()
        }
    }
}

/// Changes what is shuffled. MediaPlayer's.
public final class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
    private let type = UncheckedMutex(MPShuffleType.off)

    /// The present shuffle mode.
    public var currentShuffleType: MPShuffleType {
        get { type.withLock { $0 } }
        set {
            type.withLock { $0 = newValue }
            noteChange()
        }
    }
}

/// Goes some seconds forward or back. MediaPlayer's.
public final class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    private let intervals = UncheckedMutex<[NSNumber]>([])

    /// In seconds, the one that is wanted most first; at most 32 are offered.
    public var preferredIntervals: [NSNumber] {
        get { intervals.withLock { $0 } }
        set {
            intervals.withLock { $0 = newValue }
            noteChange()
        }
    }
}

/// Goes to another position. MediaPlayer's.
public final class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}

/// Rates what plays. MediaPlayer's.
public final class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {
    private let range = UncheckedMutex<(minimum: Float, maximum: Float)>((0, 0))

    /// The lowest rating.
    public var minimumRating: Float {
        get { range.withLock { $0.minimum } }
        set {
            range.withLock { $0.minimum = newValue }
            noteChange()
        }
    }

    /// The highest rating.
    public var maximumRating: Float {
        get { range.withLock { $0.maximum } }
        set {
            range.withLock { $0.maximum = newValue }
            noteChange()
        }
    }
}

/// Says what a person thinks of what plays. MediaPlayer's.
public final class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {
    private struct Feedback {
        var isActive = false
        var title = ""
        var shortTitle = ""
    }

    private let feedback = UncheckedMutex(Feedback())

    /// Whether it was said of the item that plays.
    public var isActive: Bool {
        get { feedback.withLock { $0.isActive } }
        set {
            feedback.withLock { $0.isActive = newValue }
            noteChange()
        }
    }

    /// For people.
    public var localizedTitle: String {
        get { feedback.withLock { $0.title } }
        set {
            feedback.withLock { $0.title = newValue }
            noteChange()
        }
    }

    /// For people, where there is little room.
    public var localizedShortTitle: String {
        get { feedback.withLock { $0.shortTitle } }
        set {
            feedback.withLock { $0.shortTitle = newValue }
            noteChange()
        }
    }
}
