/// Something that a player can be asked: one of Apple's remote commands, with what goes with it.
package struct MediaCommand: Hashable, Sendable {
    /// The names of `MPRemoteCommandCenter`. The numbers are those of the wire.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case play = 1
        case pause, stop, togglePlayPause, nextTrack, previousTrack, enableLanguageOption, disableLanguageOption
        case changePlaybackRate, changeRepeatMode, changeShuffleMode, skipForward, skipBackward, seekForward
        case seekBackward, changePlaybackPosition, rating, like, dislike, bookmark
    }

    package var kind: Kind
    /// A rate, a mode, seconds or a rating, by the kind.
    package var value: Double
    /// Seeking ends, or a feedback is taken back.
    package var flag: Bool
    package var text: String

    package init(_ kind: Kind, value: Double = 0, flag: Bool = false, text: String = "") {
        self.kind = kind
        self.value = value
        self.flag = flag
        self.text = text
    }
}

/// A command that has a target in the app.
package struct MediaCommandOffer: Hashable, Sendable {
    package var isEnabled: Bool
    /// Rates, or intervals in seconds.
    package var choices: [Double]
    /// The current repeat or shuffle type.
    package var current: Int
    package var minimum: Double
    package var maximum: Double
    package var isActive: Bool
    package var title: String

    package init(
        isEnabled: Bool = true, choices: [Double] = [], current: Int = 0, minimum: Double = 0, maximum: Double = 0,
        isActive: Bool = false, title: String = ""
    ) {
        self.isEnabled = isEnabled
        self.choices = choices
        self.current = current
        self.minimum = minimum
        self.maximum = maximum
        self.isActive = isActive
        self.title = title
    }
}
