import Foundation
import VCard

/// The words of names, as they are compared: without case, accents and signs. Names have words in common, so that each is worked
/// out once.
struct NameWords {
    /// Words of a name that count.
    private static let maximumWords = 32
    private static let apostrophes: Set<Character> = ["'", "\u{2019}", "\u{2BC}", "`"]
    /// As Germans write their letters where there is no key for them: Juergen.
    private static let umlauts: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue"]

    private var folds: [String: String] = [:]
    private var words: [String: [String]] = [:]
    private var spellings: [String: [String]] = [:]

    /// A card's name, without the order of words, too; empty for a card without a name.
    mutating func name(of card: ContactCard) -> String {
        let parts = [card.givenName, card.middleName, card.familyName].filter { !$0.isEmpty }.joined(separator: " ")
        for text in [parts, card.formattedName, card.nickname, card.organizationName] where !text.isEmpty {
            // Programs give a card without a name its address as one.
            if card.emails.contains(where: { $0.value == text }) { continue }
            if card.telephones.contains(where: { $0.value == text }) { continue }
            let words = words(of: text)
            if !words.isEmpty { return words.sorted().joined(separator: " ") }
            let folded = Self.folded(text)
            if folded.contains(where: { !$0.isWhitespace }) { return folded }
        }
        return ""
    }

    mutating func folded(_ text: String) -> String {
        Self.pieces(text).map { piece in
            if let known = folds[piece] { return known }
            let new = Self.folded(piece)
            folds[piece] = new
            return new
        }.joined(separator: " ")
    }

    mutating func words(of text: String) -> [String] {
        var found: [String] = []
        for piece in Self.pieces(text) where found.count < Self.maximumWords {
            let known = words[piece] ?? Self.words(of: piece)
            words[piece] = known
            found += known
        }
        return Array(found.prefix(Self.maximumWords))
    }

    /// The words by which a name is found, in all spellings.
    mutating func spellings(of text: String) -> [String] {
        var found: [String] = []
        for piece in Self.pieces(text) where found.count < 2 * Self.maximumWords {
            let known = spellings[piece] ?? Self.spellings(of: piece)
            spellings[piece] = known
            found += known
        }
        return found
    }

    private static func pieces(_ text: String) -> [String] {
        short(text).utf8.split(separator: 0x20).map { String($0) ?? "" }
    }

    /// Nothing that is longer is a name.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 1024 ? text : String(text.prefix(256))
    }

    // MARK: One text

    static func folded(_ text: String) -> String { FoldedName.text(short(text)) }

    static func words(of text: String) -> [String] { Array(FoldedName.words(of: short(text)).prefix(maximumWords)) }

    private static func spellings(of name: String) -> [String] {
        let found = umlautSpellings(of: name)
        guard name.contains(where: apostrophes.contains) else { return found }
        // O'Brien is typed “obrien”, too.
        return found + words(of: name.filter { !apostrophes.contains($0) })
    }

    private static func umlautSpellings(of name: String) -> [String] {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return words(of: name) }
        let composed = name.prefix(256).lowercased().precomposedStringWithCanonicalMapping
        guard composed.contains(where: { umlauts[$0] != nil }) else { return words(of: name) }
        return words(of: name) + words(of: composed.map { umlauts[$0] ?? String($0) }.joined())
    }
}
