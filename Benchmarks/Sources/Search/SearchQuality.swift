import Foundation
import GRDB
import SearchText
import Spotlight

/// How well search finds what was judged relevant, on the Cranfield collection, step by step of the ranking; and how often a title
/// of which one word is mistyped finds its document.
struct SearchQuality {
    private struct Document {
        var id: String
        var title = ""
        var text = ""
    }

    private static let results = SpotlightService.maximumResults
    private static let mistypedQueries = 300

    private let documents: [Document]
    /// With the identifiers of what is relevant.
    private let queries: [(text: String, relevant: Set<String>)]

    /// - Parameter folder: of the collection.
    init(collection folder: String) throws {
        func read(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")), as: UTF8.self)
        }
        documents = Self.records(try read("cran.all.1400")).map { record in
            Document(id: record.id, title: record.fields["T"] ?? "", text: record.fields["W"] ?? "")
        }
        var relevant: [Int: Set<String>] = [:]
        for line in try read("cranqrel_bin.txt").split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " ")
            guard parts.count == 4, let query = Int(parts[0]), parts[3] != "0" else { continue }
            relevant[query, default: []].insert(String(parts[2]))
        }
        // Judgements count queries by their order, whatever their numbers.
        queries = Self.records(try read("cran.qry")).enumerated().compactMap { index, record in
            guard let found = relevant[index + 1] else { return nil }
            return (record.fields["W"] ?? "", found)
        }
    }

    private static func records(_ text: String) -> [(id: String, fields: [String: String])] {
        var records: [(id: String, fields: [String: String])] = []
        var field = ""
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.hasPrefix(".I ") {
                records.append((String(Int(line.dropFirst(3).trimmingCharacters(in: .whitespaces)) ?? 0), [:]))
            } else if line.hasPrefix("."), line.count == 2 {
                field = String(line.dropFirst())
            } else if !records.isEmpty {
                records[records.count - 1].fields[field, default: ""] += line + "\n"
            }
        }
        return records
    }

    func run(folder: String) async throws {
        Lines.print(["event": "collection", "documents": documents.count, "queries": queries.count])
        let words = SearchEngine.ranking.with { $0.adjacency = 0; $0.nearness = 0; $0.feedback = 0 }
        let steps: [(name: String, ranking: RankingParameters)] = [
            ("words", words), ("side by side", words.with { $0.adjacency = SearchEngine.ranking.adjacency }),
            ("near each other", SearchEngine.ranking.with { $0.feedback = 0 }), ("feedback", SearchEngine.ranking),
        ]
        let bare = try bareFTS5("\(folder)/bare.sqlite")
        Lines.print(["event": "step", "name": "FTS5 with porter", "map": try await meanAveragePrecision(bare)])
        var isFilled = false
        for (name, ranking) in steps {
            let fixture = try SearchFixture(folder: "\(folder)/quality", ranking: ranking)
            if !isFilled {
                try await fixture.journal(documents.map { ($0.id, $0.title, $0.text) })
                try await fixture.service.applyJournal()
                isFilled = true
            }
            let precision = try await meanAveragePrecision {
                try await fixture.identifiers($0, limit: Self.results)
            }
            Lines.print(["event": "step", "name": name, "map": precision])
            if name == "feedback" { try await mistyped(fixture) }
            fixture.service.close()
        }
    }

    private func meanAveragePrecision(_ search: (String) async throws -> [String]) async throws -> Double {
        var sum = 0.0
        for query in queries {
            var (found, precision) = (0.0, 0.0)
            for (index, id) in try await search(query.text).enumerated() where query.relevant.contains(id) {
                found += 1
                precision += found / Double(index + 1)
            }
            sum += precision / Double(query.relevant.count)
        }
        return sum / Double(queries.count)
    }

    /// The same documents in one table of FTS5.
    private func bareFTS5(_ path: String) throws -> (String) async throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE bare USING fts5(id UNINDEXED, title, body, tokenize = 'porter')")
            for document in documents {
                try db.execute(
                    sql: "INSERT INTO bare VALUES (?, ?, ?)", arguments: [document.id, document.title, document.text])
            }
        }
        return { text in
            let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
            return try await queue.read { db in
                try String.fetchAll(
                    db, sql: "SELECT id FROM bare WHERE bare MATCH ? ORDER BY bm25(bare) LIMIT ?",
                    arguments: [words.joined(separator: " OR "), Self.results])
            }
        }
    }

    // MARK: Mistyped words

    /// Three words of a title, one of them with one mistake.
    private func mistyped(_ fixture: SearchFixture) async throws {
        var random = SeededGenerator(seed: 1)
        let titles = documents.compactMap { document -> (id: String, words: [String])? in
            let words = Set(document.title.split { !$0.isLetter }.map(String.init).filter { $0.count >= 5 }).sorted()
            return words.count >= 3 ? (document.id, words) : nil
        }
        var found = 0
        let chosen = titles.shuffled(using: &random).prefix(Self.mistypedQueries)
        for title in chosen {
            var words = Array(title.words.shuffled(using: &random).prefix(3))
            words[0] = Self.mistyped(words[0], &random)
            let query = words.shuffled(using: &random).joined(separator: " ")
            if try await fixture.identifiers(query, limit: 10).contains(title.id) { found += 1 }
        }
        Lines.print(["event": "mistyped", "queries": chosen.count, "found": found])
    }

    /// With one letter added, left out, replaced, or exchanged with the next.
    private static func mistyped(_ word: String, _ random: inout SeededGenerator) -> String {
        var letters = Array(word)
        let place = Int.random(in: 0..<letters.count - 1, using: &random)
        let letter = Character(UnicodeScalar(UInt8.random(in: 97...122, using: &random)))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: letters.insert(letter, at: place)
        case 1: letters.remove(at: place)
        case 2: letters[place] = letter
        default: letters.swapAt(place, place + 1)
        }
        return String(letters)
    }
}

extension RankingParameters {
    fileprivate func with(_ change: (inout Self) -> Void) -> Self {
        var parameters = self
        change(&parameters)
        return parameters
    }
}

/// The same numbers in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
