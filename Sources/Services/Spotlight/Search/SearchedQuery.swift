import SearchText

/// A person's words, as they are searched for.
struct SearchedQuery: Hashable, Sendable {
    /// Words of one query; further ones are left out.
    static let maximumWords = 32
    /// Bytes of a query; the rest is left out.
    static let maximumLength = 4096

    struct Word: Hashable, Sendable {
        /// As it was typed, folded.
        var bytes: [UInt8]
        var isStopWord = false
        /// One character of Chinese, Japanese or Korean, which the index has in pairs with its neighbours.
        var isCharacter = false
        /// Two of them that stand side by side.
        var isPair = false
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Each word once, stop words among them.
    var words: [Word]
    /// The order of the words that count, as places in ``counted``; a repeated word is there again.
    var sequence: [Int]
    /// The last word may be the beginning of one.
    var isTyping: Bool
    /// The last word, where nothing follows it and it is long enough to be known for the beginning of others.
    var beginning: [UInt8]?
    /// Bytes of a beginning.
    private static let shortestBeginning = 3
    /// Words that stand together in each result, and those that no result has.
    var quoted: [[[UInt8]]] = []
    var excluded: [[[UInt8]]] = []

    /// The words that count: without stop words, unless there are no others.
    var counted: [Word] {
        let counted = words.filter { !$0.isStopWord }
        return counted.isEmpty ? words : counted
    }

    mutating func leaveOut(_ isLeftOut: (Word) -> Bool) {
        let before = counted
        words.removeAll(where: isLeftOut)
        let after = counted
        sequence = sequence.compactMap { place in after.firstIndex { $0.bytes == before[place].bytes } }
    }

    init(_ text: String, language: TextLanguage, isTyping: Bool) {
        var tokenizer = WordTokenizer()
        var bounded = String(text.unicodeScalars.prefix(Self.maximumLength))
        let parts = QueryParts(bounded)
        func words(_ texts: [String]) -> [[[UInt8]]] {
            texts.map { tokenizer.words(of: $0).filter { $0.kind != .part }.prefix(Self.maximumWords).map(\.bytes) }
        }
        // Where nothing is searched for but what is not to be found, it is searched for.
        if tokenizer.words(of: parts.plain).contains(where: { $0.kind != .part }) {
            bounded = parts.plain
            quoted = words(parts.quoted).filter { $0.count > 1 }
            excluded = words(parts.excluded).filter { !$0.isEmpty }
        }
        let all = tokenizer.words(of: bounded).filter { $0.kind != .part }.prefix(Self.maximumWords)
        var words: [Word] = []
        for word in all where !words.contains(where: { $0.bytes == word.bytes }) {
            words.append(
                Word(
                    bytes: word.bytes, isStopWord: StopWords.contains(word.text, in: language),
                    isCharacter: word.kind == .pair && word.text.unicodeScalars.count == 1,
                    isPair: word.kind == .pair && word.text.unicodeScalars.count == 2))
        }
        // A word that is being typed may yet become another one.
        let endsInWord = all.last.map { $0.range.upperBound == bounded.utf8.count } ?? false
        self.isTyping = isTyping && endsInWord
        if endsInWord, let last = all.last, last.kind != .pair, last.bytes.count >= Self.shortestBeginning {
            beginning = last.bytes
        }
        if self.isTyping, let last = all.last, let index = words.firstIndex(where: { $0.bytes == last.bytes }) {
            words[index].isStopWord = false
            // The prefix comes last.
            words.append(words.remove(at: index))
        }
        self.words = words
        sequence = []
        let counted = counted
        sequence = all.compactMap { word in counted.firstIndex { $0.bytes == word.bytes } }
    }
}
