/// The language of a text that does not say it: by its letters where they say it, else by the words that every text of a language has.
/// For one thread at a time.
package struct LanguageGuess {
    /// Words that are looked at.
    private static let maximumWords = 400
    /// Fewer are too few: a list of names has an “a” or an “en”, too.
    private static let fewestHits = 4
    /// Languages without a list of their own share some words with one that has.
    private static let smallestShare = 6

    /// BCP 47's word for a language that is none of those that are known: such words have no stems.
    private static let unknown = "und"

    private var tokenizer = WordTokenizer()

    package init() {}

    /// - Returns: nil where it is not clear.
    package mutating func language(of text: String) -> TextLanguage? {
        // As many characters have so many words in any language.
        let beginning = String(text.unicodeScalars.prefix(Self.maximumWords * 10))
        if let code = Self.byLetters(beginning) { return TextLanguage(code) }
        let words = tokenizer.words(of: beginning).filter { $0.kind == .plain }.prefix(Self.maximumWords).map(\.text)
        let counts = StopWords.counts(words).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let best = counts.first, best.value >= Self.fewestHits, best.value * Self.smallestShare >= words.count,
            best.value * 2 >= (counts.dropFirst().first?.value ?? 0) * 3
        else { return nil }
        return TextLanguage(best.key)
    }

    private enum Script { case latin, cyrillic, greek, arabic, devanagari, armenian, tamil, other }

    /// Letters of Cyrillic and Arabic that Russian and Arabic do not have.
    private static let foreign = Set<Unicode.Scalar>("іїєґўђјљњћџѓќѕәғқңөұүһІЇЄҐЎЂЈЉЊЋЏپچژگکیےٹڈڑں".unicodeScalars)

    /// Letters of Turkish, whose texts have few of such words. Azerbaijani has an ə, too.
    private static let turkish = Set<Unicode.Scalar>("ığİĞ".unicodeScalars)

    private static func byLetters(_ text: String) -> String? {
        var counts: [Script: Int] = [:]
        var (foreigners, turks) = (0, 0)
        for scalar in text.unicodeScalars {
            guard let script = script(of: scalar) else { continue }
            counts[script, default: 0] += 1
            if foreign.contains(scalar) { foreigners += 1 }
            if turkish.contains(scalar) { turks += 1 }
            if scalar == "ə" || scalar == "Ə" { turks -= 1 }
        }
        let total = counts.values.reduce(0, +)
        guard let (script, count) = counts.max(by: { $0.value < $1.value }), count * 2 > total else { return nil }
        let isForeign = foreigners * 100 > count
        switch script {
        case .cyrillic: return isForeign ? Self.unknown : "ru"
        case .arabic: return isForeign ? Self.unknown : "ar"
        case .greek: return "el"
        case .devanagari: return "hi"
        case .armenian: return "hy"
        case .tamil: return "ta"
        case .latin: return turks * 50 >= count ? "tr" : nil
        case .other: return nil
        }
    }

    /// Nil for what is no letter.
    private static func script(of scalar: Unicode.Scalar) -> Script? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
        case 0x400...0x52F: .cyrillic
        case 0x530...0x58F: .armenian
        case 0x620...0x6FF: .arabic
        case 0x900...0x97F: .devanagari
        case 0xB80...0xBFF: .tamil
        case 0x00..<0x370: nil
        default: scalar.properties.isAlphabetic ? .other : nil
        }
    }
}
