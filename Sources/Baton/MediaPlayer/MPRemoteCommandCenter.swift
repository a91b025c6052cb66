public import Foundation

/// Everything that the system may ask of an app that plays. MediaPlayer's. May be used from any thread.
///
/// A command is offered once it has a target. The desktop's media keys and controls, `baton media` and this person's other devices
/// ask for them.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpremotecommandcenter>
public final class MPRemoteCommandCenter: NSObject, Sendable {
    /// Goes on playing.
    public let playCommand: MPRemoteCommand
    /// Pauses.
    public let pauseCommand: MPRemoteCommand
    /// Ends playing.
    public let stopCommand: MPRemoteCommand
    /// Pauses, or goes on.
    public let togglePlayPauseCommand: MPRemoteCommand
    /// The next item.
    public let nextTrackCommand: MPRemoteCommand
    /// The item before.
    public let previousTrackCommand: MPRemoteCommand
    /// Puts a language on.
    public let enableLanguageOptionCommand: MPRemoteCommand
    /// Puts a language off.
    public let disableLanguageOptionCommand: MPRemoteCommand
    /// Another rate.
    public let changePlaybackRateCommand: MPChangePlaybackRateCommand
    /// Another way to repeat.
    public let changeRepeatModeCommand: MPChangeRepeatModeCommand
    /// Another way to shuffle.
    public let changeShuffleModeCommand: MPChangeShuffleModeCommand
    /// Some seconds forward.
    public let skipForwardCommand: MPSkipIntervalCommand
    /// Some seconds back.
    public let skipBackwardCommand: MPSkipIntervalCommand
    /// Forward, until it ends.
    public let seekForwardCommand: MPRemoteCommand
    /// Back, until it ends.
    public let seekBackwardCommand: MPRemoteCommand
    /// Another position.
    public let changePlaybackPositionCommand: MPChangePlaybackPositionCommand
    /// A rating.
    public let ratingCommand: MPRatingCommand
    /// The person likes it.
    public let likeCommand: MPFeedbackCommand
    /// The person does not like it.
    public let dislikeCommand: MPFeedbackCommand
    /// The person wants to remember it.
    public let bookmarkCommand: MPFeedbackCommand

    init(changed: @escaping @Sendable () -> Void) {
        playCommand = MPRemoteCommand(.play, changed: changed)
        pauseCommand = MPRemoteCommand(.pause, changed: changed)
        stopCommand = MPRemoteCommand(.stop, changed: changed)
        togglePlayPauseCommand = MPRemoteCommand(.togglePlayPause, changed: changed)
        nextTrackCommand = MPRemoteCommand(.nextTrack, changed: changed)
        previousTrackCommand = MPRemoteCommand(.previousTrack, changed: changed)
        enableLanguageOptionCommand = MPRemoteCommand(.enableLanguageOption, changed: changed)
        disableLanguageOptionCommand = MPRemoteCommand(.disableLanguageOption, changed: changed)
        changePlaybackRateCommand = MPChangePlaybackRateCommand(.changePlaybackRate, changed: changed)
        changeRepeatModeCommand = MPChangeRepeatModeCommand(.changeRepeatMode, changed: changed)
        changeShuffleModeCommand = MPChangeShuffleModeCommand(.changeShuffleMode, changed: changed)
        skipForwardCommand = MPSkipIntervalCommand(.skipForward, changed: changed)
        skipBackwardCommand = MPSkipIntervalCommand(.skipBackward, changed: changed)
        seekForwardCommand = MPRemoteCommand(.seekForward, changed: changed)
        seekBackwardCommand = MPRemoteCommand(.seekBackward, changed: changed)
        changePlaybackPositionCommand = MPChangePlaybackPositionCommand(.changePlaybackPosition, changed: changed)
        ratingCommand = MPRatingCommand(.rating, changed: changed)
        likeCommand = MPFeedbackCommand(.like, changed: changed)
        dislikeCommand = MPFeedbackCommand(.dislike, changed: changed)
        bookmarkCommand = MPFeedbackCommand(.bookmark, changed: changed)
        super.init()
    }

    /// The app's centre, which is shared by all of it.
    public class func shared() -> MPRemoteCommandCenter { AppRuntime.current.media.commandCenter }

    var commands: [MPRemoteCommand] {
        [
            playCommand, pauseCommand, stopCommand, togglePlayPauseCommand, nextTrackCommand, previousTrackCommand,
            enableLanguageOptionCommand, disableLanguageOptionCommand, changePlaybackRateCommand,
            changeRepeatModeCommand, changeShuffleModeCommand, skipForwardCommand, skipBackwardCommand,
            seekForwardCommand, seekBackwardCommand, changePlaybackPositionCommand, ratingCommand, likeCommand,
            dislikeCommand, bookmarkCommand,
        ]
    }
}
