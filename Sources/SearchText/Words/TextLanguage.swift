/// The language of a text, as far as search needs it: which stems its words have, and which of them say nothing.
package struct TextLanguage: Hashable, Sendable {
    /// The primary subtag of BCP 47, in lower case.
    package let code: String

    /// - Parameter tag: of BCP 47, or a locale of POSIX, as in `de-AT`, `de_AT.UTF-8`. Anything else has no stems.
    package init(_ tag: String) {
        let primary = tag.prefix { $0.isASCII && $0.isLetter }.prefix(8).lowercased()
        code = ["nb": "no", "nn": "no", "c": "en", "posix": "en"][primary] ?? primary
    }

    package static let english = TextLanguage("en")

    /// The name of Snowball's algorithm; nil for a language without one.
    var algorithm: String? { Self.algorithms[code] }

    private static let algorithms = [
        "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
        "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
        "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
        "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
        "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
    ]
}
