import CStemmer

/// Reduces words to their stems, by Snowball's rules for a language. For one thread at a time.
package final class WordStemmer {
    /// Words longer than this are their own stems.
    private static let maximumLength = 64
    /// Nil for a language without rules.
    private let stemmer: OpaquePointer?

    package init(_ language: TextLanguage) {
        stemmer = language.algorithm.flatMap { sb_stemmer_new($0, "UTF_8") }
    }

    deinit { if let stemmer { sb_stemmer_delete(stemmer) } }

    /// - Parameter word: folded.
    package func stem(_ word: [UInt8]) -> [UInt8] {
        guard let stemmer, (3...Self.maximumLength).contains(word.count) else { return word }
        guard let bytes = sb_stemmer_stem(stemmer, word, Int32(word.count)) else { return word }
        let length = Int(sb_stemmer_length(stemmer))
        return length > 0 ? Array(UnsafeBufferPointer(start: bytes, count: length)) : word
    }
}
