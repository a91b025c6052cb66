import Foundation

/// How people write the names of towns and countries, besides the one way that a file of places has. Pure functions.
enum TownNames {
    /// The keys that find a town of this name, the plainest first.
    static func keys(of name: String) -> [String] {
        var keys: [String] = []
        // “Halle (Saale)” is “Halle”, too.
        let short = name.firstIndex(of: "(").map { String(name[..<$0]) }
        for name in [name, short].compactMap(\.self) {
            for text in Set([name, spelledOut(name)]).sorted(by: { $0 == name && $1 != name }) {
                let words = PlaceWords.words(text)
                for words in [words, words.map { abbreviations[$0] ?? $0 }] where !words.isEmpty {
                    let key = words.joined(separator: " ")
                    if !keys.contains(key) { keys.append(key) }
                }
            }
        }
        return keys
    }

    /// “Muenchen”, as those write it who have no key for “ü”.
    private static func spelledOut(_ name: String) -> String {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name }
        return name.precomposedStringWithCanonicalMapping.reduce(into: "") { $0 += digraphs[$1] ?? String($1) }
    }

    private static let digraphs: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe",
    ]

    /// In both directions, as files have either.
    private static let abbreviations = [
        "st": "saint", "saint": "st", "sankt": "st", "ft": "fort", "fort": "ft", "mt": "mount", "mount": "mt",
    ]

    /// The names of a country in its own language and in some that many people write, as keys.
    static func countryNames(_ code: String) -> Set<String> {
        let own = Locale.Language(identifier: "und_\(code)").maximalIdentifier
        return Set(
            ([own] + languages).compactMap { language in
                Locale(identifier: language).localizedString(forRegionCode: code).map { PlaceWords.fold($0) }
            })
    }

    private static let languages = ["de", "es", "fr", "it", "nl", "pl", "pt", "tr"]

    static let otherCountryNames = [
        "usa": "US", "united states of america": "US", "uk": "GB", "great britain": "GB", "england": "GB",
        "scotland": "GB", "wales": "GB", "northern ireland": "GB", "holland": "NL", "czech republic": "CZ",
    ]
}
