/// The words that documents have, in memory, to find those that a mistyped word may have been meant for.
package struct Vocabulary: Sendable {
    /// Words of one index: more are left out, the later.
    package static let maximumWords = 500_000

    private var letters: [UInt8] = []
    private var ends: [UInt32] = []
    private var counts: [UInt32] = []
    /// Which letters a word has, one bit each: words of a small distance differ in few.
    private var masks: [UInt64] = []

    package init() {}

    package var count: Int { ends.count }

    /// - Parameter documents: how many have the word.
    package mutating func add(_ word: [UInt8], documents: Int) {
        guard ends.count < Self.maximumWords, (2...WordTokenizer.maximumLength).contains(word.count) else { return }
        letters += word
        ends.append(UInt32(clamping: letters.count))
        counts.append(UInt32(clamping: documents))
        masks.append(Self.mask(Self.letters(word[...])))
    }

    /// The distance that a word of so many letters may have been mistyped by.
    package static func distance(_ length: Int) -> Int { length < 3 ? 0 : length < 8 ? 1 : 2 }

    /// The nearest words: of a smaller distance first, the frequent first.
    /// - Parameter distance: the largest; nil for ``distance(_:)``.
    package func nearest(
        to word: [UInt8], limit: Int = 3, distance: Int? = nil
    ) -> [(word: [UInt8], documents: Int)] {
        // A letter of Russian has two bytes, and a pair of Chinese characters is no word of six letters.
        let letters = Self.letters(word[...])
        let distance = distance ?? Self.distance(letters.count)
        guard distance > 0 else { return [] }
        let mask = Self.mask(letters)
        let bytes = letters.count == word.count ? distance : 4 * distance
        var found: [(index: Int, distance: Int)] = []
        for index in ends.indices {
            // One change takes away and brings at most one letter each.
            guard (masks[index] ^ mask).nonzeroBitCount <= 2 * distance else { continue }
            let candidate = self.word(index)
            guard abs(candidate.count - word.count) <= bytes,
                let distance = EditDistance.between(letters, Self.letters(candidate)[...], limit: distance),
                distance > 0
            else { continue }
            found.append((index, distance))
        }
        let nearest = found.sorted { left, right in
            left.distance != right.distance
                ? left.distance < right.distance
                : counts[left.index] != counts[right.index]
                    ? counts[left.index] > counts[right.index] : left.index < right.index
        }
        return nearest.prefix(max(limit, 0)).map { (Array(self.word($0.index)), Int(counts[$0.index])) }
    }

    /// Longer words that end in this one, as “Käsekuchen” in “Kuchen”: the frequent first.
    package func ending(in word: [UInt8], limit: Int = 3) -> [(word: [UInt8], documents: Int)] {
        guard word.count >= Self.shortestEnding else { return [] }
        let mask = Self.mask(Self.letters(word[...]))
        let found = ends.indices.filter { index in
            // It has all of these letters.
            guard masks[index] & mask == mask else { return false }
            let candidate = self.word(index)
            return candidate.count >= word.count + Self.shortestBeginning && candidate.suffix(word.count) == word[...]
        }
        return found.sorted { (counts[$0], $1) > (counts[$1], $0) }.prefix(max(limit, 0))
            .map { (Array(self.word($0)), Int(counts[$0])) }
    }

    /// Bytes of an ending that is a word, and of what is before it.
    private static let (shortestEnding, shortestBeginning) = (5, 3)

    private func word(_ index: Int) -> ArraySlice<UInt8> {
        letters[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }

    private static func letters(_ word: ArraySlice<UInt8>) -> [UInt32] {
        word.allSatisfy { $0 < 0x80 }
            ? word.map(UInt32.init) : String(decoding: word, as: UTF8.self).unicodeScalars.map(\.value)
    }

    private static func mask(_ letters: [UInt32]) -> UInt64 {
        letters.reduce(0) { $0 | 1 << UInt64($1 & 0x3F) }
    }
}
