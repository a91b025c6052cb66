/// Words that were mistyped by one letter.
enum Misspelling {
    /// Letters of what was typed: shorter words are too near to others, as “Frida” is to “Friday”.
    private static let shortest = 6

    /// Letters of a word that hardly has another one so near.
    private static let surest = 8

    /// Letters of a word that stands where only a time can: “wek” is a week.
    private static let shortestInTime = 3

    /// Letters of a word that is hardly the end of a text in front of a time.
    private static let shortestBeginning = 5

    /// Each costs as much as a sentence.
    static let maximumTries = 6

    /// Which mistakes count.
    enum Kind {
        /// A letter too many or too few, or two neighbours exchanged: hardly ever another word.
        case slip
        /// Another letter, too: “sundae” is one of “Sunday”.
        case any
    }

    /// Whether one word may have been meant for the other, which it is not. Both folded.
    static func isLikely(_ typed: String, for word: String, _ kind: Kind) -> Bool {
        let length = typed.unicodeScalars.count
        guard length >= shortest, let mistake = mistake(in: typed, for: word) else { return false }
        return mistake == .slip || kind == .any || length >= surest
    }

    /// The same for one word of a time of several words: “in an huor”.
    static func isLikelyInTime(_ typed: String, for word: String) -> Bool {
        typed.unicodeScalars.count >= shortestInTime && mistake(in: typed, for: word) != nil
    }

    /// Whether the time may begin with that word, though there is one behind it: “fridy at 5”.
    static func mayBegin(_ typed: String, for word: String) -> Bool {
        typed.unicodeScalars.count >= shortestBeginning && mistake(in: typed, for: word) == .slip
    }

    /// The least that explains one word where the other was meant; nil for the same word, and for more than one letter.
    private static func mistake(in typed: String, for word: String) -> Kind? {
        let (left, right) = (Array(typed.unicodeScalars), Array(word.unicodeScalars))
        guard typed != word, abs(left.count - right.count) <= 1 else { return nil }
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        if left.count != right.count { return start + end >= min(left.count, right.count) ? .slip : nil }
        let changed = left.count - start - end
        if changed == 1 { return .any }
        let isExchanged = changed == 2 && left[start] == right[start + 1] && left[start + 1] == right[start]
        return isExchanged ? .slip : nil
    }
}

extension RequestTokens {
    /// A sentence with one word taken for another.
    struct Correction {
        let index: Int
        let tokens: RequestTokens
        /// Whether a time may begin with it in front of another one.
        let mayBegin: Bool
    }

    /// The ways to take one word for one of these, a few at most.
    func corrections(by words: [String], isKnown: (Int) -> Bool) -> [Correction] {
        var found: [Correction] = []
        for (index, token) in tokens.enumerated() where !token.isQuoted && !isKnown(index) {
            for word in words where Misspelling.isLikelyInTime(token.key, for: word) {
                guard found.count < Misspelling.maximumTries else { return found }
                var result = self
                result.replaceKey(at: index, by: word)
                let mayBegin = Misspelling.mayBegin(token.key, for: word)
                found.append(Correction(index: index, tokens: result, mayBegin: mayBegin))
            }
        }
        return found
    }

    /// With words of the grammar for those that were mistyped for them, and without pictures in front and behind.
    /// - Parameters:
    ///   - words: that are known when they are mistyped.
    ///   - isKnown: whether a word is one of the grammar, or begins a name.
    /// - Returns: nil where nothing changes.
    func corrected(by words: [String], _ kind: Misspelling.Kind, isKnown: (Int) -> Bool) -> RequestTokens? {
        var result = self
        var isChanged = false
        for (index, token) in tokens.enumerated() where !token.isQuoted && !isKnown(index) {
            let likely = words.filter { Misspelling.isLikely(token.key, for: $0, kind) }
            guard likely.count == 1 else { continue }
            result.replaceKey(at: index, by: likely[0])
            isChanged = true
        }
        let pictures = tokens.prefix(while: \.isPicture).count
        if pictures > 0, pictures < tokens.count {
            result.dropFirst(pictures)
            isChanged = true
        }
        // Behind a time they say nothing either.
        let last = result.tokens.reversed().prefix(while: \.isPicture).count
        if last > 0, last < result.tokens.count {
            result.dropLast(last)
            isChanged = true
        }
        return isChanged ? result : nil
    }
}
