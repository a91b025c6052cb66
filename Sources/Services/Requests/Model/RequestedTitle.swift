import Foundation

/// A title, an artist, or both, as a sentence names them to have them played: “Naima by John Coltrane”. A value.
package struct RequestedTitle: Sendable, Hashable {
    /// The whole of it.
    private let text: String
    /// In how many ways it may be a title and its artist: a title may have “by” in it.
    private let pairs: [Pair]

    private struct Pair: Sendable, Hashable {
        let title: String
        let artist: String
    }

    private static let between = [" by ", " von ", " from "]
    /// Behind the artist's name, in front of the title: “Coltrane'den Naima”.
    private static let behind = ["'den ", "'dan ", "'ten ", "'tan "]
    /// Policy: further ones are not looked at.
    private static let maximumPairs = 8

    package init(_ text: String) {
        self.text = text
        var pairs: [Pair] = []
        func split(_ words: [String], _ make: (String, String) -> Pair) {
            for word in words {
                var rest = text.startIndex..<text.endIndex
                while pairs.count < Self.maximumPairs,
                    let found = text.range(of: word, options: .caseInsensitive, range: rest)
                {
                    let (first, last) = (String(text[..<found.lowerBound]), String(text[found.upperBound...]))
                    if !first.isEmpty, !last.isEmpty { pairs.append(make(first, last)) }
                    rest = found.upperBound..<text.endIndex
                }
            }
        }
        split(Self.between) { Pair(title: $0, artist: $1) }
        split(Self.behind) { Pair(title: $1, artist: $0) }
        self.pairs = pairs
    }

    /// Whether it is just this title.
    package func isTitle(_ title: String) -> Bool { Self.isSame(title, text) }

    /// Whether it names this title and a part of its artist's name.
    package func isBoth(_ title: String, by artist: String) -> Bool {
        pairs.contains { Self.isSame(title, $0.title) && Self.contains(artist, $0.artist) }
    }

    /// Whether it is a part of the title and the artist.
    package func matches(_ title: String, by artist: String) -> Bool {
        Self.contains("\(title) \(artist)", text) || Self.contains("\(artist) \(title)", text)
            || pairs.contains { Self.contains(title, $0.title) && Self.contains(artist, $0.artist) }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.compare(right, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        text.range(of: part, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
}
