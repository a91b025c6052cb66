import CStemmer

/// Reduces words to their stems, by Snowball's rules for a language. For one thread at a time.
package final class WordStemmer {
    /// Words longer than this are their own stems.
    private static let maximumLength = 64
    /// Nil for a language without rules.
    private let stemmer: OpaquePointer?
    private let letters: FoldedLetters?

    package init(_ language: TextLanguage) {
        stemmer = language.algorithm.flatMap { sb_stemmer_new($0, "UTF_8") }
        letters = FoldedLetters(language)
    }

    deinit { if let stemmer { sb_stemmer_delete(stemmer) } }

    /// - Parameter word: folded.
    package func stem(_ word: [UInt8]) -> [UInt8] {
        let stem = shortened(word)
        // Turkish puts endings behind endings, and Snowball takes some of them at a time.
        guard letters == .turkish else { return stem }
        guard stem.count >= Self.shortestStem else { return word }
        var result = stem
        for _ in 1..<Self.rounds {
            let next = shortened(result)
            // So short a word is another one more often than not.
            guard next != result, next.count > Self.shortestStem else { break }
            result = next
        }
        return result
    }

    /// Letters of a Turkish stem, and how often a word is shortened.
    private static let (shortestStem, rounds) = (3, 3)

    private func shortened(_ word: [UInt8]) -> [UInt8] {
        guard let stemmer, (3...Self.maximumLength).contains(word.count) else { return word }
        let written = letters?.restored(word) ?? word
        guard let bytes = sb_stemmer_stem(stemmer, written, Int32(written.count)) else { return word }
        let length = Int(sb_stemmer_length(stemmer))
        guard length > 0 else { return word }
        let stem = Array(UnsafeBufferPointer(start: bytes, count: length))
        return letters?.folded(stem) ?? stem
    }
}
