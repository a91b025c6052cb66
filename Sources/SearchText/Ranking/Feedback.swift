/// Words of the best documents, which find more documents about the same.
package struct Feedback: Sendable {
    /// Their share in the documents, by word.
    private var shares: [[UInt8]: Double] = [:]
    private var total = 0.0

    package init() {}

    /// - Parameters:
    ///   - words: of the document: stems, without stop words.
    ///   - score: of the document.
    package mutating func add(_ words: [[UInt8]], score: Double) {
        guard !words.isEmpty, score > 0 else { return }
        let share = score / Double(words.count)
        for word in words { shares[word, default: 0] += share }
        total += score
    }

    /// The words with the largest shares, the largest first.
    package func words(_ count: Int) -> [(word: [UInt8], share: Double)] {
        guard total > 0 else { return [] }
        let sorted = shares.sorted { left, right in
            left.value != right.value ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
        }
        return sorted.prefix(max(count, 0)).map { ($0.key, $0.value / total) }
    }
}
