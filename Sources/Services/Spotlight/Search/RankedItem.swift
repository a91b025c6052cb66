import Foundation
import SearchText

/// A candidate with what its words count, before the item is read.
struct RankedItem: Sendable {
    var candidate: SearchEngine.Candidate
    var words: Ranking.Score
    var isRelated: Bool
    /// It has a longer word in place of the last one.
    var hasLongerWord = false

    var id: Int64 { candidate.id }

    /// The score of its words.
    var score: Double { words.total * (hasLongerWord ? SearchEngine.shareOfLongerWord : 1) }

    var parts: [FoundItem.Part] {
        var parts: [FoundItem.Part] = [
            .init(name: "words", value: words.words), .init(name: "side by side", value: words.adjacency),
            .init(name: "near each other", value: words.nearness),
        ]
        if hasLongerWord { parts.append(.init(name: "longer word", value: score - words.total)) }
        return parts
    }

    /// Whether a name of it may be these words and no other: a title is often there as display name, too.
    func mayBeTitle(of words: Int) -> Bool {
        candidate.nameWords <= 2 * words && candidate.nameTerms >= words
    }

    /// Factors that need no more than the candidate.
    func factors(now: UInt64, lastUsed: UInt64 = 0) -> (newness: Double, use: Double) {
        let last = max(candidate.time, candidate.lastUsed, lastUsed)
        let age = Double(now > last ? now - last : 0)
        return (0.7 + 0.3 * exp2(-age / Self.halfLife), 1 + 0.2 * log(1 + Double(candidate.uses)))
    }

    /// Half of what newness gives is left after so long.
    private static let halfLife = 30.0 * 86_400_000
}
