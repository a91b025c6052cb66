/// A piece of a text around words that were searched for.
package struct TextContext: Hashable, Sendable {
    package var text: String
    /// Where the words are in the piece, in bytes of UTF-8.
    package var highlights: [Range<Int>]

    /// - Parameters:
    ///   - words: of the text.
    ///   - isHit: whether a word was searched for.
    ///   - length: in bytes, about.
    /// - Returns: the beginning, without highlights, where no word is.
    package static func around(
        _ words: [TextWord], in text: String, length: Int = 160, isHit: (TextWord) -> Bool
    ) -> TextContext {
        let utf8 = text.utf8
        let hits = words.filter { $0.kind != .part && isHit($0) }.map(\.range)
        let first = best(hits, length)
        var start = first.map { max(0, $0 - length / 4) } ?? 0
        var end = min(utf8.count, start + length)
        // Whole words at both ends.
        if start > 0 { start = words.first { $0.range.lowerBound >= start }?.range.lowerBound ?? start }
        if end < utf8.count { end = words.last { $0.range.upperBound <= end }?.range.upperBound ?? end }
        guard start < end else { return TextContext(text: "", highlights: []) }
        let low = utf8.index(utf8.startIndex, offsetBy: start)
        let high = utf8.index(low, offsetBy: end - start)
        var piece = String(text.unicodeScalars[low..<high])
        // A line of its own is no use in one line; the offsets stay.
        piece = String(String.UnicodeScalarView(piece.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        var highlights: [Range<Int>] = []
        for hit in hits where hit.lowerBound >= start && hit.upperBound <= end {
            let range = hit.lowerBound - start..<hit.upperBound - start
            // Pairs of one run overlap.
            if let last = highlights.last, last.upperBound >= range.lowerBound {
                highlights[highlights.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                highlights.append(range)
            }
        }
        return TextContext(text: piece, highlights: highlights)
    }

    /// Where the most hits are within a length.
    private static func best(_ hits: [Range<Int>], _ length: Int) -> Int? {
        var (best, bestCount) = (hits.first?.lowerBound, 0)
        var end = 0
        for start in hits.indices {
            while end < hits.count, hits[end].upperBound - hits[start].lowerBound <= length * 3 / 4 { end += 1 }
            if end - start > bestCount { (best, bestCount) = (hits[start].lowerBound, end - start) }
        }
        return best
    }
}
