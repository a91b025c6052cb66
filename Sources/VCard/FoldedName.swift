import Foundation

/// A name as it is compared and found: without case, accents and signs, as people type it who have no keys for its letters.
package enum FoldedName {
    /// Letters that no decomposition makes plain: Lukasz for Łukasz.
    private static let letters: [Unicode.Scalar: String] = [
        "ı": "i", "ß": "ss", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ħ": "h",
    ]

    package static func text(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        guard folded.unicodeScalars.contains(where: { letters[$0] != nil }) else { return folded }
        return folded.unicodeScalars.map { letters[$0] ?? String($0) }.joined()
    }

    package static func words(of text: String) -> [String] {
        self.text(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
