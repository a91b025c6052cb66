/// A result, with the parts of its score.
struct FoundItem: Sendable {
    struct Part: Hashable, Sendable {
        var name: String
        var value: Double
    }

    var stored: StoredItem
    var parts: [Part]
    var score: Double
    /// It has not all words.
    var isRelated: Bool
    /// All words, and no other, are its title.
    var isExactTitle: Bool
}

/// All that a search found, and why.
struct SearchFindings: Sendable {
    struct ExplainedWord: Hashable, Sendable {
        var word: String
        var stems: [String]
        var isStopWord: Bool
        var documents: Int
        var replacements: [String]
    }

    var found: [FoundItem] = []
    var words: [ExplainedWord] = []
    var expansion: [String] = []
    var candidates: [SearchSource: Int] = [:]
    /// More were found than are looked at.
    var isTruncated = false
    /// Below another result: what a container holds and says no more.
    var below = 0
    /// Behind those that were read.
    var unread = 0
    /// Activities and items that another result stands for.
    var joined = 0
    /// Words that mark results in texts: stems, and beginnings.
    var highlightedStems: Set<[UInt8]> = []
    var highlightedPrefix: [UInt8]?
}
