import BatonWire

/// The commands by their names in ``MPRemoteCommandCenter``. The numbers are those of the wire.
enum MediaCommandName: Int, Sendable, CaseIterable {
    case play = 1
    case pause, stop, togglePlayPause, nextTrack, previousTrack, enableLanguageOption, disableLanguageOption
    case changePlaybackRate, changeRepeatMode, changeShuffleMode, skipForward, skipBackward, seekForward
    case seekBackward, changePlaybackPosition, rating, like, dislike, bookmark
}
