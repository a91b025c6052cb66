public import Foundation

/// A text in several languages, of which a person sees one. CoreSpotlight's.
///
/// Apple's class is a string. Here it is an object of its own, since Foundation's strings cannot be subclassed usefully on
/// Linux: give ``localizedString()`` to ``CSSearchableItemAttributeSet/displayName``.
public final class CSLocalizedString: NSObject, Sendable {
    private let texts: [String: String]

    /// - Parameter localizedStrings: by the language's code, as in `en` or `pt-BR`. Values that are no text are passed over.
    public init(localizedStrings: [AnyHashable: Any]) {
        var texts: [String: String] = [:]
        for (key, value) in localizedStrings {
            if let language = key as? String, let text = value as? String {
                texts[Self.normalized(language)] = text
            }
        }
        self.texts = texts
        super.init()
    }

    /// The text in the first of the person's languages that there is one for; else English, else the first by its code. Empty
    /// when there is none.
    public func localizedString() -> String { text(for: Locale.preferredLanguages) }

    func text(for languages: [String]) -> String {
        for language in languages + ["en"] {
            // `de-AT` is served by `de`, and `de` by `de-AT`.
            let language = Self.normalized(language)
            var parts = language.split(separator: "-")
            while !parts.isEmpty {
                if let text = texts[parts.joined(separator: "-")] { return text }
                parts.removeLast()
            }
            let base = language.prefix { $0 != "-" } + "-"
            if let other = texts.keys.sorted().first(where: { $0.hasPrefix(base) }), let text = texts[other] {
                return text
            }
        }
        return texts.min { $0.key < $1.key }?.value ?? ""
    }

    private static func normalized(_ language: String) -> String {
        language.prefix { $0 != "." && $0 != "@" }.replacingOccurrences(of: "_", with: "-").lowercased()
    }

    /// As ``localizedString()``.
    public override var description: String { localizedString() }
}
