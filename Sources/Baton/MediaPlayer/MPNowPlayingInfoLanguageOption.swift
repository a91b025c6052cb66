public import Foundation

/// Whether a language is heard or read. MediaPlayer's.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    /// A sound track.
    case audible = 0
    /// Subtitles.
    case legible = 1
}

/// A language of what plays: a sound track or subtitles. MediaPlayer's. It does not change, and is safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfolanguageoption>
public final class MPNowPlayingInfoLanguageOption: NSObject, Sendable {
    /// Whether it is heard or read.
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// As BCP 47 writes it.
    public let languageTag: String?
    /// Its characteristics: constants that begin with `MPLanguageOptionCharacteristic`.
    public let languageOptionCharacteristics: [String]?
    /// For people.
    public let displayName: String?
    /// Names it within the app.
    public let identifier: String?

    /// A language.
    ///
    /// - Parameters:
    ///   - languageOptionType: whether it is heard or read.
    ///   - languageTag: as BCP 47 writes it.
    ///   - languageOptionCharacteristics: what is special about it; nil for nothing.
    ///   - displayName: for people.
    ///   - identifier: names it within the app.
    public init(
        type languageOptionType: MPNowPlayingInfoLanguageOptionType, languageTag: String,
        characteristics languageOptionCharacteristics: [String]?, displayName: String, identifier: String
    ) {
        self.languageOptionType = languageOptionType
        self.languageTag = languageTag
        self.languageOptionCharacteristics = languageOptionCharacteristics
        self.displayName = displayName
        self.identifier = identifier
        super.init()
    }

    /// Whether it stands for the best sound track for the person: one that is heard, of no language.
    public func isAutomaticAudibleLanguageOption() -> Bool {
        languageOptionType == .audible && languageTag?.isEmpty != false
    }

    /// Whether it stands for the best subtitles for the person: ones that are read, of no language.
    public func isAutomaticLegibleLanguageOption() -> Bool {
        languageOptionType == .legible && languageTag?.isEmpty != false
    }
}

/// Languages of which one is chosen at a time. MediaPlayer's. It does not change, and is safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfolanguageoptiongroup>
public final class MPNowPlayingInfoLanguageOptionGroup: NSObject, Sendable {
    /// The languages.
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    /// The one that is chosen unless the person says otherwise; nil for none.
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    /// Whether none may be chosen.
    public let allowEmptySelection: Bool

    /// Languages.
    public init(
        languageOptions: [MPNowPlayingInfoLanguageOption],
        defaultLanguageOption: MPNowPlayingInfoLanguageOption?, allowEmptySelection: Bool
    ) {
        self.languageOptions = languageOptions
        self.defaultLanguageOption = defaultLanguageOption
        self.allowEmptySelection = allowEmptySelection
        super.init()
    }
}

// The strings are Baton's, since Apple's are not published.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The main program.
public let MPLanguageOptionCharacteristicIsMainProgramContent = "MPLanguageOptionCharacteristicIsMainProgramContent"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Something beside the main program.
public let MPLanguageOptionCharacteristicIsAuxiliaryContent = "MPLanguageOptionCharacteristicIsAuxiliaryContent"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Subtitles that are always shown, and nothing else.
public let MPLanguageOptionCharacteristicContainsOnlyForcedSubtitles =
    "MPLanguageOptionCharacteristicContainsOnlyForcedSubtitles"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The words that are spoken.
public let MPLanguageOptionCharacteristicTranscribesSpokenDialog =
    "MPLanguageOptionCharacteristicTranscribesSpokenDialog"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The sounds and the music, in words.
public let MPLanguageOptionCharacteristicDescribesMusicAndSound =
    "MPLanguageOptionCharacteristicDescribesMusicAndSound"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Easy to read.
public let MPLanguageOptionCharacteristicEasyToRead = "MPLanguageOptionCharacteristicEasyToRead"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The pictures, in words.
public let MPLanguageOptionCharacteristicDescribesVideo = "MPLanguageOptionCharacteristicDescribesVideo"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A translation that follows the original sound track.
public let MPLanguageOptionCharacteristicLanguageTranslation = "MPLanguageOptionCharacteristicLanguageTranslation"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A translation in place of the original sound track.
public let MPLanguageOptionCharacteristicDubbedTranslation = "MPLanguageOptionCharacteristicDubbedTranslation"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A translation that is spoken over the original sound track.
public let MPLanguageOptionCharacteristicVoiceOverTranslation = "MPLanguageOptionCharacteristicVoiceOverTranslation"
