/// Words that were mistyped by one letter.
enum Misspelling {
    /// Letters of what was typed: shorter words are too near to others, as “Frida” is to “Friday”.
    private static let shortest = 6

    /// Letters of a word that hardly has another one so near.
    private static let surest = 8

    /// Which mistakes count.
    enum Kind {
        /// A letter too many or too few, or two neighbours exchanged: hardly ever another word.
        case slip
        /// Another letter, too: “sundae” is one of “Sunday”.
        case any
    }

    /// Whether one word may have been meant for the other, which it is not. Both folded.
    static func isLikely(_ typed: String, for word: String, _ kind: Kind) -> Bool {
        let (left, right) = (Array(typed.unicodeScalars), Array(word.unicodeScalars))
        guard left.count >= shortest, typed != word, abs(left.count - right.count) <= 1 else { return false }
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        if left.count != right.count { return start + end >= min(left.count, right.count) }
        let changed = left.count - start - end
        if changed == 1 { return kind == .any || left.count >= surest }
        return changed == 2 && left[start] == right[start + 1] && left[start + 1] == right[start]
    }
}

extension RequestTokens {
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
        let pictures = tokens.prefix { !$0.isQuoted && !$0.key.contains { $0.isLetter || $0.isNumber } }.count
        if pictures > 0, pictures < tokens.count {
            result.dropFirst(pictures)
            isChanged = true
        }
        // Behind a time they say nothing either.
        let last = result.tokens.reversed().prefix { !$0.isQuoted && !$0.key.contains { $0.isLetter || $0.isNumber } }
            .count
        if last > 0, last < result.tokens.count {
            result.dropLast(last)
            isChanged = true
        }
        return isChanged ? result : nil
    }
}
