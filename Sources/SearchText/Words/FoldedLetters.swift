/// The letters that folding took, as far as a language's endings are known by them. It decides by the folded word alone, so that
/// “kitapları” and what a keyboard without “ı” writes have one stem.
enum FoldedLetters {
    case turkish
    case russian

    init?(_ language: TextLanguage) {
        switch language.code {
        case "tr": self = .turkish
        case "ru": self = .russian
        default: return nil
        }
    }

    func restored(_ word: [UInt8]) -> [UInt8] {
        let letters = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
        let restored = self == .turkish ? Self.turkish(letters) : Self.russian(letters)
        return Array(String(String.UnicodeScalarView(restored)).utf8)
    }

    /// A stem as words are in the index.
    func folded(_ stem: [UInt8]) -> [UInt8] {
        let folded = String(decoding: stem, as: UTF8.self).unicodeScalars.flatMap { ScalarFolding.fold($0).bytes }
        return folded.isEmpty ? stem : folded
    }

    // MARK: Turkish

    /// Front and back forms of a folded vowel.
    private static let vowels: [Unicode.Scalar: (front: Unicode.Scalar, back: Unicode.Scalar)] = [
        "i": ("i", "ı"), "o": ("ö", "o"), "u": ("ü", "u"), "a": ("a", "a"), "e": ("e", "e"),
    ]

    /// Vowels of a word are of one kind: one that may be either is as the next, or else as the one before that says it.
    private static func turkish(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result = letters
        let last = letters.last { $0 == "a" || $0 == "e" }
        // Where no vowel says it each form of the word is read alike.
        var isFront = last.map { $0 == "e" } ?? !letters.contains { $0 == "o" || $0 == "u" }
        for place in letters.indices.reversed() {
            if letters[place] == "a" || letters[place] == "e" { isFront = letters[place] == "e" }
            if let vowel = vowels[letters[place]] {
                result[place] = isFront ? vowel.front : vowel.back
            } else if letters[place] == "g", place > 0, place + 1 < letters.count, vowels[letters[place - 1]] != nil,
                vowels[letters[place + 1]] != nil
            {
                result[place] = "ğ"
            }
        }
        return result
    }

    // MARK: Russian

    /// “й” at the end, as in “новый”, which folds to “и”.
    private static func russian(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard letters.count > 2, letters.last == "и", "аеиоуыэюя".unicodeScalars.contains(letters[letters.count - 2])
        else { return letters }
        return letters.dropLast() + ["й"]
    }
}
