/// Endings that Turkish names get, and that people write without an apostrophe, too: “Ayşeye”, “Mehmeti”, “Annayla”.
///
/// An ending counts only in the form that it has behind its name (vowel harmony, and a y between two vowels): “Nuri” is no
/// form of “Nur”.
package enum NameEndings {
    /// A word cut into a name and an ending.
    struct Cut: Hashable {
        /// Folded, and as the name is without the ending: Zeynep of “Zeynebi”.
        var name: String
        /// Folded.
        var ending: String
        /// Whether the name's last letter is another one in front of the ending.
        var isSoftened: Bool
    }

    /// Letters of a name: “Ali” is not a form of “Al”.
    private static let shortest = 3

    private static let vowels: Set<Character> = ["a", "ı", "o", "u", "e", "i", "ö", "ü"]
    private static let hardened: [Character: String] = ["b": "p", "d": "t", "g": "k", "ğ": "k"]

    /// The names that may be in a word, folded: to look them up by.
    package static func names(in word: String) -> [String] { cuts(of: word).map(\.name) }

    /// - Parameter word: as it was written.
    static func cuts(of word: some StringProtocol) -> [Cut] {
        // As Turkish has it: I is the large ı.
        let letters = Array(String(word).replacing("I", with: "ı").replacing("İ", with: "i").lowercased())
        var cuts: [Cut] = []
        for length in 1...3 where letters.count - length >= shortest {
            let (stem, ending) = (letters.dropLast(length), letters.suffix(length))
            guard let last = stem.last, let vowel = stem.last(where: vowels.contains),
                fits(Array(ending), behind: last, vowel, isPalatal: stem.suffix(2) == ["a", "l"])
            else { continue }
            let folded = RequestTokens.fold(String(ending))
            cuts.append(Cut(name: RequestTokens.fold(String(stem)), ending: folded, isSoftened: false))
            if length == 1, let hard = hardened[last] {
                let name = RequestTokens.fold(String(stem.dropLast())) + hard
                cuts.append(Cut(name: name, ending: folded, isSoftened: true))
            }
        }
        return cuts
    }

    /// - Parameter isPalatal: “Kemal” takes an e, though it has an a.
    private static func fits(_ ending: [Character], behind last: Character, _ vowel: Character, isPalatal: Bool) -> Bool
    {
        var (ending, endsInVowel) = (ending[...], vowels.contains(last))
        // In front of them nothing stands between two vowels.
        if ending.count == 2, let first = ending.first, "dt".contains(first) { endsInVowel = false }
        if endsInVowel {
            guard ending.first == "y" else { return false }
            ending = ending.dropFirst()
        } else if ending.first == "y" {
            return false
        }
        guard let sound = ending.last else { return false }
        if ending.count == 1, !"ae".contains(sound) { return isAccusative(sound, vowel, isPalatal) }
        guard "ae".contains(sound), ending.count == 1 || ending.count == 2 && "ldt".contains(ending[ending.startIndex])
        else { return false }
        switch vowel {
        case "a": return sound == "a" || isPalatal
        case "ı": return sound == "a"
        case "e", "ö", "ü": return sound == "e"
        // Keyboards without a dotless ı, ö and ü.
        default: return true
        }
    }

    private static func isAccusative(_ sound: Character, _ vowel: Character, _ isPalatal: Bool) -> Bool {
        switch vowel {
        // With a dot it would be another name: “Sami” is not a form of “Sam”.
        case "a": sound == "ı" || isPalatal && sound == "i"
        case "ı": sound == "ı"
        case "e": sound == "i"
        case "i": "iı".contains(sound)
        default: "uü".contains(sound)
        }
    }
}

extension RequestTokens {
    /// Policy: a sentence that could be cut in more ways is not cut further.
    private static let maximumCuts = 4

    /// The sentence with endings as words of their own, where what stands in front of them is a name. A word that is a name
    /// itself may be meant as it is, too, and a word may be a form of two names: then there are several sentences.
    func cut(at lexicon: RequestLexicon, isWord: (Int) -> Bool) -> [RequestTokens] {
        var results = [[Token]()]
        for (index, token) in tokens.enumerated() {
            var choices: [[Token]] = []
            if !token.isQuoted, !isWord(index) {
                choices = NameEndings.cuts(of: text[token.range]).filter { lexicon.has(name: $0.name) }.compactMap {
                    parts(of: token, $0)
                }
            }
            if choices.isEmpty || lexicon.has(name: token.key) { choices.insert([token], at: 0) }
            if results.count * choices.count > Self.maximumCuts { choices = [[token]] }
            results = results.flatMap { result in choices.map { result + $0 } }
        }
        return results.map { tokens in
            var result = self
            result.replace(by: tokens)
            return result
        }
    }

    private func parts(of token: Token, _ cut: NameEndings.Cut) -> [Token]? {
        let (start, end) = (token.range.lowerBound, token.range.upperBound)
        guard let middle = text.index(end, offsetBy: -cut.ending.count, limitedBy: start), middle > start
        else { return nil }
        return [
            Token(key: cut.name, range: start..<middle, written: cut.isSoftened ? cut.name : nil),
            // As behind an apostrophe.
            Token(key: "'" + cut.ending, range: middle..<end),
        ]
    }
}
