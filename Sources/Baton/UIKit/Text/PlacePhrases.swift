/// Words after which people write an address: a pure decision. English, German, Turkish.
enum PlacePhrases {
    private static let phrases = [
        "meet at", "meet me at", "come to", "address is", "address:", "i'm at", "we're at", "the address",
        "treffen bei", "treffen wir uns bei", "komm zu", "komm zur", "adresse ist", "adresse:", "anschrift:",
        "bulusalim", "bulusma yeri", "adresi", "adres:", "gel:",
    ]
    /// The letters of these languages, as the phrases are written; the last is the Turkish capital I with its dot in lower case.
    private static let letters: [Character: Character] = [
        "ş": "s", "ı": "i", "ğ": "g", "ç": "c", "ö": "o", "ü": "u", "ä": "a", "’": "'", "i\u{307}": "i",
    ]
    /// Characters at the end that are looked at.
    private static let length = 100

    /// Whether a person who has just written this goes on with a place, as in “Let's meet at ” (P-26).
    static func end(_ text: String) -> Bool {
        let end = text.suffix(length).lowercased().map { letters[$0] ?? $0 }
        // The next word has not begun.
        guard let last = end.last, last == " " || last == ":" else { return false }
        let words = String(end.reversed().drop { $0 == " " }.reversed())
        return phrases.contains { phrase in
            guard words.hasSuffix(phrase) else { return false }
            let before = words.dropLast(phrase.count).last
            return before.map { !$0.isLetter && !$0.isNumber } ?? true
        }
    }
}
