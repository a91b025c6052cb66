import BatonCore
import Foundation
import GRDB
package import SearchText

/// Answers one query from the index, within one reading transaction.
package struct SearchEngine {
    /// Candidates that are scored: the newest.
    static let maximumCandidates = 5000
    /// As one types: names that begin so, the newest.
    static let maximumBeginnings = 200
    /// Pairs of characters that one character stands for. Policy: more are not looked for.
    private static let maximumPairs = 200
    /// Languages of whose stems a word is looked for. Policy: those with the most items.
    private static let maximumLanguages = 16
    /// Fewer results with all words bring those with a longer last word, and those that are about the same.
    static let enoughResults = 20
    /// Words of the index that are looked at for one beginning, in the order of the alphabet, and those of them that the most documents
    /// have and that are searched for.
    private static let maximumLongerWords = (read: 500, used: 16)
    /// The share that a longer word counts of a whole one.
    static let shareOfLongerWord = 0.5
    /// Results that are read whole, the best, if no more are asked for. Policy: what only the whole item says, as when it was
    /// last used, puts none of the others before these.
    private static let minimumRead = 60

    /// Names count twice.
    package static let ranking = RankingParameters(fieldWeights: [2, 1])

    let db: Database
    let facts: ItemFacts
    let language: TextLanguage
    /// Read only where a word is in no document.
    private let vocabulary: () throws -> Vocabulary
    let parameters: RankingParameters
    let stemmers: [WordStemmer]
    let maximumBytes: Int
    /// Parts of expressions: what every result has, and what none has.
    var required: [String] = []
    var excluded: [String] = []
    /// The items of the one app that asks; nil for a person, who may know all. Words of others' items would reveal to the app what the
    /// person has seen elsewhere: they are counted among its own, and none is corrected.
    var own: SearchScope?

    /// - Parameter maximumBytes: of the candidates of one app's items.
    init(
        _ db: Database, facts: ItemFacts, language: TextLanguage, maximumBytes: Int,
        ranking: RankingParameters = Self.ranking,
        vocabulary: @escaping () throws -> Vocabulary
    ) throws {
        self.db = db
        self.facts = facts
        parameters = ranking
        self.maximumBytes = maximumBytes
        self.language = language
        self.vocabulary = vocabulary
        // A document's stems are those of its own language.
        var codes = [language.code]
        let others = try String.fetchAll(
            db, sql: "SELECT code FROM language WHERE items > 0 ORDER BY items DESC LIMIT ?",
            arguments: [Self.maximumLanguages])
        for code in others where !codes.contains(code) { codes.append(code) }
        stemmers = codes.map { WordStemmer(TextLanguage($0)) }
    }

    // MARK: Searching

    func find(_ text: String, isTyping: Bool, in scope: SearchScope, limit: Int) throws -> SearchFindings {
        let query = SearchedQuery(text, language: language, isTyping: isTyping)
        var engine = self
        engine.required = query.quoted.map(together)
        engine.excluded = query.excluded.map(together)
        engine.own = scope.owner == nil ? nil : scope
        return try engine.find(query, in: scope, limit: limit)
    }

    private func find(_ query: SearchedQuery, in scope: SearchScope, limit: Int) throws -> SearchFindings {
        var findings = SearchFindings()
        guard !query.words.isEmpty else { return findings }
        let query = try withoutJoints(query)
        var terms = try query.counted.map(term)
        let place = query.beginning.flatMap { last in terms.firstIndex { $0.typed == last } }
        let longer = try place.flatMap { try terms[$0].documents == 0 ? self.longer(terms[$0]) : nil }
        findings.words = try explained(query, &terms, isCompleted: longer.map { !$0.stems.isEmpty } ?? false)
        let prefix = query.isTyping ? terms.last?.typed : nil
        findings.highlightedStems = Set(
            terms.flatMap { $0.alternatives }.flatMap { $0.split(separator: 0x20).map { Array($0) } })
        findings.highlightedPrefix = prefix

        var all = try candidates(terms, "AND", in: scope, &findings)
        // Names know no order, and nothing of the texts.
        if let prefix, required.isEmpty, excluded.isEmpty {
            all = try adding(beginnings: prefix, terms, in: scope, to: all)
        }
        var ranked = rank(all, terms, query.sequence)
        if let place, ranked.count < Self.enoughResults {
            let words = try longer ?? self.longer(terms[place])
            let found = try self.longer(words, at: place, terms, query.sequence, in: scope, &findings)
            let complete = Set(ranked.map(\.id))
            ranked += found.filter { !complete.contains($0.id) }
        }
        // What is typed yet changes with the next letter.
        // An app's query has no use for what is about the same.
        let isRelatedWanted = own == nil && (ranked.isEmpty || !query.isTyping)
        if isRelatedWanted, ranked.count < min(limit, Self.enoughResults) {
            let related = try self.related(terms, query.sequence, in: scope, &findings)
            let complete = Set(ranked.map(\.id))
            ranked += related.filter { !complete.contains($0.id) }
        }
        for source in SearchSource.allCases {
            let count = ranked.count { $0.candidate.source == source }
            if count > 0 { findings.candidates[source, default: 0] += count }
        }
        let count = max(limit, Self.minimumRead)
        let best = best(ranked, words: terms.count, count: count, now: scope.now)
        findings.unread = ranked.count - best.count
        findings.found = Self.ordered(
            try read(best, &findings).map { weighted($0, words: query.words.map(\.bytes), now: scope.now) })
        Self.putContainersFirst(&findings)
        return findings
    }

    // MARK: Words

    struct Term {
        var typed: [UInt8]
        /// Stems in the languages of the index, and of corrections.
        var alternatives: [[UInt8]]
        var documents: Int
        var replacements: [[UInt8]] = []
        /// The alternatives stand for all stems that begin so.
        var isBeginning = false
    }

    private func term(_ word: SearchedQuery.Word) throws -> Term {
        let alternatives = stems(word.bytes) + (word.isCharacter ? try pairs(word.text) : [])
        return Term(
            typed: word.bytes, alternatives: alternatives, documents: try documents(alternatives))
    }

    /// The pairs that a character begins or ends: words of one character are many in Chinese and Japanese.
    private func pairs(_ character: String) throws -> [[UInt8]] {
        // From the first of these scripts on: with few of their words in the index this costs nothing.
        try String.fetchAll(
            db,
            sql: """
                SELECT term FROM text_words WHERE term >= ?1 AND (term LIKE ?2 || '%' OR term LIKE '%' || ?2)
                AND length(term) = 2 LIMIT ?3
                """, arguments: ["\u{1100}", character, Self.maximumPairs]
        ).map { Array($0.utf8) }
    }

    private func stems(_ word: [UInt8]) -> [[UInt8]] {
        var stems: [[UInt8]] = []
        for stemmer in stemmers {
            let stem = stemmer.stem(word)
            if !stems.contains(stem) { stems.append(stem) }
        }
        return stems
    }

    /// Gives words that no document has the nearest that one has.
    private func explained(
        _ query: SearchedQuery, _ terms: inout [Term], isCompleted: Bool
    ) throws -> [SearchFindings.ExplainedWord] {
        let counted = query.counted
        for index in terms.indices where terms[index].documents == 0 {
            if isCompleted, terms[index].typed == query.beginning { continue }
            // A word that is being typed is a beginning.
            if query.isTyping, index == terms.count - 1, try hasBeginning(terms[index].typed) { continue }
            let halves = try halves(of: terms[index].typed)
            if halves.documents > 0 {
                terms[index].alternatives += halves.phrases
                terms[index].documents = halves.documents
                continue
            }
            guard own == nil else { continue }
            let words = try vocabulary()
            let nearest = words.nearest(to: terms[index].typed) + words.ending(in: terms[index].typed)
            terms[index].replacements = nearest.map(\.word).uniqued()
            terms[index].alternatives += nearest.flatMap { stems($0.word) }
                .filter { !terms[index].alternatives.contains($0) }.uniqued()
            terms[index].documents = try documents(terms[index].alternatives)
        }
        return query.words.map { word in
            let place = counted.firstIndex { $0.bytes == word.bytes }
            return SearchFindings.ExplainedWord(
                word: word.text,
                stems: (place.map { terms[$0].alternatives } ?? stems(word.bytes)).map {
                    String(decoding: $0, as: UTF8.self)
                }, isStopWord: place == nil, documents: place.map { terms[$0].documents } ?? 0,
                replacements: (place.map { terms[$0].replacements } ?? []).map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Words that begin so.
    private struct LongerWords {
        var stems: [[UInt8]] = []
        /// The sum of those that have each.
        var documents = 0
        /// The stems are beginnings of others.
        var isBeginning = false
    }

    private func longer(_ term: Term) throws -> LongerWords {
        if let own {
            let documents = try ownDocuments(term.alternatives.map { Self.phrase($0) + "*" }, in: "text_index", own)
            return documents == 0
                ? LongerWords() : LongerWords(stems: term.alternatives, documents: documents, isBeginning: true)
        }
        let beginning = String(decoding: term.typed, as: UTF8.self)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT term, documents FROM (
                    SELECT term, documents FROM word WHERE term > ?1 AND term < ?2 ORDER BY term LIMIT ?3)
                ORDER BY documents DESC, term LIMIT ?4
                """,
            arguments: [
                beginning, beginning + "\u{10FFFF}", Self.maximumLongerWords.read, Self.maximumLongerWords.used,
            ])
        var longer = LongerWords()
        for row in rows {
            longer.stems += stems(Array((row[0] as String).utf8)).filter { !term.alternatives.contains($0) }
            longer.documents += row[1] as Int
        }
        longer.stems = longer.stems.uniqued()
        return longer
    }

    /// Documents with one of these for the last word, and all other words. They come after those that have it as it is.
    private func longer(
        _ words: LongerWords, at place: Int, _ terms: [Term], _ sequence: [Int], in scope: SearchScope,
        _ findings: inout SearchFindings
    ) throws -> [RankedItem] {
        guard !words.stems.isEmpty else { return [] }
        var terms = terms
        terms[place].alternatives = words.stems
        terms[place].documents = words.documents
        terms[place].isBeginning = words.isBeginning
        findings.highlightedStems.formUnion(words.stems)
        return try rank(candidates(terms, "AND", in: scope, &findings), terms, sequence).map { item in
            var item = item
            item.hasLongerWord = true
            return item
        }
    }

    private func hasBeginning(_ word: [UInt8]) throws -> Bool {
        if let own { return try ownDocuments([Self.phrase(word) + "*"], in: "name_index", own) > 0 }
        return try Bool.fetchOne(
            db, sql: "SELECT 1 FROM name_index WHERE name_index MATCH ? LIMIT 1", arguments: [Self.phrase(word) + "*"])
            ?? false
    }

    static func phrase(_ word: [UInt8]) -> String { "\"\(String(decoding: word, as: UTF8.self))\"" }

    // MARK: Ranking

    private func rank(_ candidates: Candidates, _ terms: [Term], _ sequence: [Int]) -> [RankedItem] {
        let counts = sequence.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let queryTerms = terms.enumerated().map { index, term in
            QueryTerm(weight: Double(counts[index] ?? 1), documents: term.documents)
        }
        let ranking = Ranking(
            queryTerms, sequence: sequence, parameters: parameters, statistics: candidates.statistics)
        return Self.ranked(candidates, ranking)
    }

    private static func ranked(
        _ candidates: Candidates, _ ranking: Ranking, isRelated: Bool = false
    ) -> [RankedItem] {
        zip(candidates.items, ranking.scores(candidates.items.count, candidates.document)).map {
            RankedItem(candidate: $0, words: $1, isRelated: isRelated)
        }
    }

    /// Documents with some of the words, and with words of the best of these.
    private func related(
        _ terms: [Term], _ sequence: [Int], in scope: SearchScope, _ findings: inout SearchFindings
    ) throws -> [RankedItem] {
        let first = try candidates(terms, "OR", in: scope, &findings)
        let best = rank(first, terms, sequence).sorted { $0.words.total > $1.words.total }
        let given = Double(max(sequence.count, 1))
        let expansion = try expansion(best, first.statistics, terms)
        findings.expansion = expansion.map { String(decoding: $0.word, as: UTF8.self) }
        guard !expansion.isEmpty else { return best.map(Self.asRelated) }
        let counts = sequence.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        var expandedTerms = terms
        var queryTerms = terms.enumerated().map { index, term in
            QueryTerm(
                weight: (1 - parameters.feedback) * Double(counts[index] ?? 1) / given, documents: term.documents)
        }
        let sum = expansion.reduce(0) { $0 + $1.share }
        for word in expansion {
            let weight = parameters.feedback * word.share / sum
            if let known = terms.firstIndex(where: { $0.alternatives.contains(word.word) }) {
                queryTerms[known].weight += weight
            } else {
                expandedTerms.append(
                    Term(typed: word.word, alternatives: [word.word], documents: word.documents))
                queryTerms.append(QueryTerm(weight: weight, documents: word.documents, isGiven: false))
            }
        }
        var secondParameters = parameters
        secondParameters.adjacency *= (1 - parameters.feedback) / given
        secondParameters.nearness *= (1 - parameters.feedback) / given
        let second = try candidates(expandedTerms, "OR", in: scope, &findings)
        let ranking = Ranking(
            queryTerms, sequence: sequence, parameters: secondParameters, statistics: second.statistics)
        return Self.ranked(second, ranking, isRelated: true)
    }

    private static func asRelated(_ item: RankedItem) -> RankedItem {
        var item = item
        item.isRelated = true
        return item
    }

    private func expansion(
        _ best: [RankedItem], _ statistics: CollectionStatistics, _ terms: [Term]
    ) throws -> [(word: [UInt8], share: Double, documents: Int)] {
        guard best.count > 1 else { return [] }
        var feedback = Feedback()
        var tokenizer = WordTokenizer()
        for item in best.prefix(parameters.feedbackDocuments) {
            guard let stored = try StoredItem.fetchOne(db, "id = ?", [item.id]) else { continue }
            let fields = SearchedFields(stored.item)
            let stemmer = WordStemmer(TextLanguage(stored.language))
            let text = String((fields.names + "\n" + fields.content).unicodeScalars.prefix(Self.maximumFeedbackText))
            let words = tokenizer.words(of: text).filter {
                $0.kind != .part && $0.bytes.count > 1
                    && !StopWords.contains($0.text, in: TextLanguage(stored.language))
            }
            feedback.add(words.map { stemmer.stem($0.bytes) }, score: item.words.total)
        }
        var chosen: [(word: [UInt8], share: Double, documents: Int)] = []
        // A word of one document says nothing of others.
        for candidate in feedback.words(4 * parameters.feedbackTerms) where chosen.count < parameters.feedbackTerms {
            let documents = try documents([candidate.word])
            let frequency = Double(documents) / Double(max(statistics.documents, 1))
            guard documents > 0, frequency <= parameters.maximumFeedbackFrequency else { continue }
            chosen.append((candidate.word, candidate.share, documents))
        }
        return chosen
    }

    private static let maximumFeedbackText = 8192
}

extension Sequence where Element: Hashable {
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
