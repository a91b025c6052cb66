import Foundation

/// Texts as places are compared: in lower case, without diacritics, words parted by one space. A pure function.
package enum PlaceWords {
    package static func fold(_ text: some StringProtocol) -> String { words(text).joined(separator: " ") }

    package static func words(_ text: some StringProtocol) -> [String] {
        // Most names are ASCII, for which Foundation's folding is not needed.
        let folded =
            text.utf8.allSatisfy { $0 < 0x80 }
            ? text.lowercased()
            : text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var words: [String] = []
        var word = ""
        for scalar in folded.unicodeScalars {
            if let plain = plainLetters[scalar] {
                word += plain
            } else if CharacterSet.alphanumerics.contains(scalar) {
                word.unicodeScalars.append(scalar)
            } else if scalar == "'" || scalar == "’" || scalar == "." {
                // “St.” is “st”, “L'Aquila” is “laquila”.
                continue
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Letters of their own, which lose no mark in folding, as those write them who have no such key.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th",
    ]
}
