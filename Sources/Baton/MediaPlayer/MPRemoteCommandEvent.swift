public import Foundation

/// The system asks the app for something. MediaPlayer's.
public class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
    // Never changed once it was made; subclasses neither.

    /// The command that is to be performed.
    public let command: MPRemoteCommand
    /// When it was asked: seconds since the system started.
    public let timestamp: TimeInterval

    init(_ command: MPRemoteCommand) {
        self.command = command
        timestamp = ProcessInfo.processInfo.systemUptime
        super.init()
    }
}

/// The rate is to change. MediaPlayer's.
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The rate that is wanted.
    public let playbackRate: Float

    init(_ command: MPRemoteCommand, _ rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}

/// A change of the repeat mode. MediaPlayer's.
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The wanted repeat mode.
    public let repeatType: MPRepeatType
    /// Whether it holds for what is played later; true.
    public let preservesRepeatMode = true

    init(_ command: MPRemoteCommand, _ type: MPRepeatType) {
        repeatType = type
        super.init(command)
    }
}

/// The shuffle mode is to change. MediaPlayer's.
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The wanted shuffle mode.
    public let shuffleType: MPShuffleType
    /// Whether it holds for what is played later; true.
    public let preservesShuffleMode = true

    init(_ command: MPRemoteCommand, _ type: MPShuffleType) {
        shuffleType = type
        super.init(command)
    }
}

/// Some seconds are to be skipped. MediaPlayer's.
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// In seconds.
    public let interval: TimeInterval

    init(_ command: MPRemoteCommand, _ interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}

/// Whether a person begins or ends to seek. MediaPlayer's.
public enum MPSeekCommandEventType: UInt, Sendable {
    /// Seeking begins.
    case beginSeeking = 0
    /// Seeking ends.
    case endSeeking = 1
}

/// A person seeks. MediaPlayer's.
public final class MPSeekCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// Whether it begins or ends.
    public let type: MPSeekCommandEventType

    init(_ command: MPRemoteCommand, _ type: MPSeekCommandEventType) {
        self.type = type
        super.init(command)
    }
}

/// Another position is wanted. MediaPlayer's.
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// In seconds from the beginning.
    public let positionTime: TimeInterval

    init(_ command: MPRemoteCommand, _ position: TimeInterval) {
        positionTime = position
        super.init(command)
    }
}

/// A person rates what plays. MediaPlayer's.
public final class MPRatingCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// From the command's lowest to its highest.
    public let rating: Float

    init(_ command: MPRemoteCommand, _ rating: Float) {
        self.rating = rating
        super.init(command)
    }
}

/// A person says what they think of what plays. MediaPlayer's.
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// Whether what was said before is taken back.
    public let isNegative: Bool

    init(_ command: MPRemoteCommand, isNegative: Bool) {
        self.isNegative = isNegative
        super.init(command)
    }
}

/// For how long a language is chosen. MediaPlayer's.
public enum MPChangeLanguageOptionSetting: Int, Sendable {
    /// Not specified.
    case none = 0
    /// For the item that plays.
    case nowPlayingItemOnly = 1
    /// For everything.
    case permanent = 2
}

/// A language is to be put on or off. MediaPlayer's.
public final class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The language.
    public let languageOption: MPNowPlayingInfoLanguageOption
    /// For how long.
    public let setting: MPChangeLanguageOptionSetting

    init(_ command: MPRemoteCommand, _ languageOption: MPNowPlayingInfoLanguageOption) {
        self.languageOption = languageOption
        setting = .nowPlayingItemOnly
        super.init(command)
    }
}
