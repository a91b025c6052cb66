import SearchText

/// Chinese, Japanese and Korean, in which a person writes no spaces between words.
extension SearchEngine {
    /// Leaves out pairs that no document has and that only join two words: in “北京计划” the second and third character. Each of its
    /// characters is part of a pair that documents have.
    func withoutJoints(_ query: SearchedQuery) throws -> SearchedQuery {
        var (known, unknown): ([[Unicode.Scalar]], Set<[UInt8]>) = ([], [])
        for word in query.words where word.isPair {
            if try documents(stemmers.map { $0.stem(word.bytes) }.uniqued()) > 0 {
                known.append(Array(word.text.unicodeScalars))
            } else {
                unknown.insert(word.bytes)
            }
        }
        guard known.count > 1, !unknown.isEmpty else { return query }
        var query = query
        query.leaveOut { word in
            let characters = Array(word.text.unicodeScalars)
            return unknown.contains(word.bytes) && known.contains { $0.last == characters.first }
                && known.contains { $0.first == characters.last }
        }
        return query
    }
}
