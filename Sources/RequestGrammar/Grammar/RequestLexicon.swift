/// The names that a sentence may have: a value, given by the reader of the sentence.
package struct RequestLexicon: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case person
        case place
        case app
        case device
    }

    /// Something that has names.
    package struct Entry: Sendable, Hashable {
        package let kind: Kind
        /// The giver's identifier for it.
        package let id: String
        package let name: String

        package init(kind: Kind, id: String, name: String) {
            self.kind = kind
            self.id = id
            self.name = name
        }
    }

    /// Policy: more are left out.
    package static let maximumEntries = 20_000
    private static let maximumWords = 12

    private var entries: [String: [(words: [String], entry: Entry)]] = [:]
    private var count = 0
    /// Words that take an ending: each word of a person's name, the last one of others.
    private var names: Set<String> = []
    private var givenNames: Set<String> = []

    package init() {}

    /// - Parameter names: besides its name.
    package mutating func add(_ entry: Entry, names: [String] = []) {
        for name in [entry.name] + names.prefix(10) {
            // With apostrophes cut and kept: the language is not known yet.
            let cuts = [true, false].map { splits in
                RequestTokens(name, splitsAtApostrophes: splits).tokens.map(\.key)
            }
            for words in Set(cuts) {
                guard let first = words.first, words.count <= Self.maximumWords, count < Self.maximumEntries else {
                    continue
                }
                count += 1
                entries[first, default: []].append((words, entry))
                self.names.formUnion(entry.kind == .person ? words : words.suffix(1))
                if entry.kind == .person { givenNames.formUnion(words) }
                // In quotes it is one word.
                if words.count > 1 {
                    let whole = words.joined(separator: " ")
                    entries[whole, default: []].append(([whole], entry))
                }
            }
        }
    }

    /// Whether a word, folded, is one of a name that may take an ending.
    func has(name: String) -> Bool { names.contains(name) }

    /// Whether a word, folded, is one of a person's name.
    func hasPerson(named name: String) -> Bool { givenNames.contains(name) }

    /// The entries whose names begin here, with their number of words.
    func matches(_ kind: Kind, _ tokens: [RequestTokens.Token], at position: Int) -> [(length: Int, entry: Entry)] {
        guard position < tokens.count else { return [] }
        return (entries[tokens[position].key] ?? []).compactMap { words, entry in
            guard entry.kind == kind, position + words.count <= tokens.count else { return nil }
            for (offset, word) in words.enumerated() where tokens[position + offset].key != word { return nil }
            return (words.count, entry)
        }
    }
}
