import BatonConcurrency
import BatonCore
import BatonWire
import Foundation
import GRDB
import SearchQuery
import SearchText
import SwiftProtobuf

/// An app's own searches among its items.
extension SpotlightService {
    struct AppQuery: Sendable {
        var condition: SearchCondition?
        var user: Baton_App_V1_UserQuery?
        var filters: [SearchCondition]
        var protections: Set<ItemProtection>
        var language: TextLanguage
        var limit: Int
    }

    /// Takes long for a query of many dates.
    /// - Throws: `invalid_argument` (`invalid_query`).
    func parse(_ request: Baton_App_V1_QuerySearchableItemsRequest) throws(BatonError) -> AppQuery {
        let time = QueryTime(now: Date(timeIntervalSince1970: Double(clock.milliseconds) / 1000), calendar: .current)
        var conditions = 0
        func condition(_ text: String) throws(BatonError) -> SearchCondition {
            do throws(SearchQueryError) {
                return try SearchQueryParser.condition(text, time: time, after: &conditions)
            } catch {
                throw BatonError(
                    .invalidArgument, reason: "invalid_query",
                    "The query cannot be read: \(error.message) (character \(error.offset), \(error.code.rawValue))")
            }
        }
        guard request.filterQueries.count <= 32 else {
            throw BatonError(
                .invalidArgument, reason: "invalid_query", "A query may have 32 filter queries. Use fewer.")
        }
        var filters: [SearchCondition] = []
        for text in request.filterQueries { filters.append(try condition(text)) }
        var query = AppQuery(
            filters: filters, protections: Set(request.protections.map(ItemProtection.init)),
            language: request.keyboardLanguage.isEmpty ? language : TextLanguage(request.keyboardLanguage),
            limit: request.maximumResults == 0
                ? limits.maximumResults : min(Int(clamping: request.maximumResults), limits.maximumResults))
        switch request.query {
        case .queryString(let text)?: query.condition = try condition(text)
        case .userQuery(let user)?:
            guard user.text.utf8.count <= 64 << 10 else {
                throw BatonError(.invalidArgument, reason: "invalid_query", "A person's query may have 64 KiB.")
            }
            query.user = user
        case nil: throw BatonError(.invalidArgument, reason: "invalid_query", "There is no query in the request.")
        }
        return query
    }

    /// The items that the app may see and that hold, in order.
    func items(_ query: AppQuery, of app: AppIdentity) async throws -> [StoredItem] {
        // Items that the app has just indexed are found.
        try await applyJournal(of: ItemOwner(app))
        return try await queryTurns.inIndex {
            try await answer(query, of: app, QueryDeadline(after: limits.queryTime))
        }
    }

    /// Where conditions are compared, which takes time by the length of texts.
    private static let comparing = BlockingQueue("development.baton.conditions")

    private func answer(
        _ query: AppQuery, of app: AppIdentity, _ deadline: QueryDeadline
    ) async throws -> [StoredItem] {
        let scope = self.scope(owner: ItemOwner(app), sources: [.item])
        let found: [StoredItem]
        if let condition = query.condition {
            found = try await scan(.and([condition] + query.filters), scope, query, deadline)
        } else if let user = query.user {
            if user.text.allSatisfy(\.isWhitespace) {
                found = try await scan(.and(query.filters), scope, query, deadline)
            } else {
                // Filters leave some out.
                let limit = query.filters.isEmpty ? query.limit : limits.maximumResults
                let findings = try await find(user.text, scope, isTyping: true, limit: limit)
                // Those that are only about the same are no results of an app's query.
                var items = findings.found.filter { !$0.isRelated }.map(\.stored)
                if !user.ranked { items.sort(by: Self.isNewer) }
                let (candidates, filter) = (items, SearchCondition.and(query.filters))
                found = try await Self.comparing.run {
                    try candidates.filter { try filter.holds(for: $0.item.attributes, check: deadline.check) }
                }
            }
        } else {
            found = []
        }
        return Array(found.filter { query.allows($0.item.protection) }.prefix(query.limit))
    }

    /// Candidates are those with the words that the condition needs, else all items of the app. The newest first.
    private func scan(
        _ condition: SearchCondition, _ scope: SearchScope, _ query: AppQuery, _ deadline: QueryDeadline
    ) async throws -> [StoredItem] {
        let texts = condition.requiredTexts(in: SearchedFields.searchedAttributes)
        let found = try await scan(file, condition, texts, scope, query, deadline)
        guard !scope.isLocked, let memory = protected.memory else { return found }
        return try await (scan(memory, condition, texts, scope, query, deadline) + found).sorted(by: Self.isNewer)
    }

    private static func isNewer(_ left: StoredItem, _ right: StoredItem) -> Bool {
        left.item.indexed != right.item.indexed ? left.item.indexed > right.item.indexed : left.id > right.id
    }

    private func scan(
        _ holder: IndexFile, _ condition: SearchCondition, _ texts: [String], _ scope: SearchScope, _ query: AppQuery,
        _ deadline: QueryDeadline
    ) async throws -> [StoredItem] {
        let bound = limits.maximumResultBytes
        return try await holder.read { db in
            var sql = "SELECT \(StoredItem.columns) FROM item"
            var arguments: StatementArguments = []
            if let expression = try Self.expression(texts, db) {
                sql += " JOIN text_index ON text_index.rowid = item.id AND text_index MATCH ?"
                arguments += [expression]
            }
            sql += " WHERE \(scope.condition) ORDER BY item.id DESC"
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments + scope.arguments)
            var found: [StoredItem] = []
            var bytes = 0
            while found.count < query.limit, bytes < bound, let row = try rows.next() {
                let stored = StoredItem(row)
                try deadline.check()
                if query.allows(stored.item.protection),
                    try condition.holds(for: stored.item.attributes, check: deadline.check)
                {
                    found.append(stored)
                    bytes += stored.item.size
                }
            }
            return found
        }
    }

    /// Each whole word, in the stems of every language of the index.
    private static func expression(_ texts: [String], _ db: Database) throws -> String? {
        let codes = try String.fetchAll(db, sql: "SELECT code FROM language WHERE items > 0")
        // An index without items has no language.
        guard !texts.isEmpty, (1...8).contains(codes.count) else { return nil }
        let stemmers = codes.map { WordStemmer(TextLanguage($0)) }
        var tokenizer = WordTokenizer()
        var words: [String] = []
        // A text beyond what is indexed would not be found.
        for text in texts where text.utf8.count <= 1000 {
            for word in tokenizer.words(of: text).filter({ $0.kind == .plain }).prefix(16) {
                let stems = Set(stemmers.map { String(decoding: $0.stem(word.bytes), as: UTF8.self) })
                words.append("(" + stems.sorted().map { "\"\($0)\"" }.joined(separator: " OR ") + ")")
            }
        }
        return words.isEmpty ? nil : words.prefix(32).joined(separator: " AND ")
    }

    // MARK: Suggestions

    /// Completions of the last word, from what the person chose before and from names of the app's items.
    func suggestions(_ user: Baton_App_V1_UserQuery, of app: AppIdentity) async throws -> [Baton_App_V1_QuerySuggestion]
    {
        let wanted = min(Int(clamping: user.maximumSuggestions), 100)
        var tokenizer = WordTokenizer()
        let typed = String(user.text.unicodeScalars.prefix(200))
        let words = tokenizer.words(of: typed).filter { $0.kind != .part }
        guard wanted > 0, !words.isEmpty else { return [] }
        let scope = self.scope(owner: ItemOwner(app), sources: [.item])
        let owner = ItemOwner(app)
        let expression = words.enumerated().map { index, word in
            "\"\(word.text)\"" + (index == words.count - 1 ? "*" : "")
        }.joined(separator: " AND ")
        let texts = try await queryTurns.withTurn(of: app) {
            try await queryTurns.inIndex { try await titles(expression, owner, scope) }
        }
        return Self.suggestions(texts, words, wanted)
    }

    /// Texts that the person chose, and names of the app's items.
    private func titles(_ expression: String, _ owner: ItemOwner, _ scope: SearchScope) async throws -> [String] {
        @Sendable func names(_ db: Database) throws -> [String] {
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(StoredItem.columns) FROM name_index JOIN item ON item.id = name_index.rowid
                    WHERE name_index MATCH ? AND \(scope.condition) ORDER BY name_index.rowid DESC LIMIT 200
                    """, arguments: [expression] + scope.arguments
            ).map { StoredItem($0).item.title }
        }
        let texts = try await file.read { db in
            let chosen = try String.fetchAll(
                db,
                sql:
                    "SELECT text FROM choice WHERE team = ? AND bundle_id = ? ORDER BY uses DESC, last_used DESC LIMIT 200",
                arguments: [Data(owner.team), owner.bundleID])
            return try chosen + names(db)
        }
        guard let memory = protected.memory else { return texts }
        return try await texts + memory.read { try names($0) }
    }

    private static func suggestions(
        _ texts: [String], _ words: [TextWord], _ wanted: Int
    ) -> [Baton_App_V1_QuerySuggestion] {
        var tokenizer = WordTokenizer()
        var suggestions: [Baton_App_V1_QuerySuggestion] = []
        var shown: Set<String> = []
        for text in texts where suggestions.count < wanted && !text.isEmpty {
            let short = String(text.prefix(200))
            guard let ranges = typed(words, in: short, &tokenizer), shown.insert(short.lowercased()).inserted
            else {
                continue
            }
            suggestions.append(
                .with {
                    $0.text = short
                    $0.kind = "default"
                    $0.typed = ranges.map { range in
                        .with {
                            $0.start = UInt32(clamping: range.lowerBound)
                            $0.length = UInt32(clamping: range.count)
                        }
                    }
                })
        }
        return suggestions
    }

    /// Where a text has the words, the last as a beginning; nil where it has not all.
    private static func typed(
        _ words: [TextWord], in text: String, _ tokenizer: inout WordTokenizer
    ) -> [Range<Int>]? {
        let names = tokenizer.words(of: text)
        var ranges: [Range<Int>] = []
        for (index, word) in words.enumerated() {
            let isLast = index == words.count - 1
            // The last word may begin another than those before it stand for.
            let matching = names.filter { $0.bytes == word.bytes || isLast && $0.bytes.starts(with: word.bytes) }
            guard
                let name = matching.first(where: { name in
                    !ranges.contains { $0.lowerBound == name.range.lowerBound }
                }) ?? matching.first
            else { return nil }
            let length = min(word.range.count, name.range.count)
            ranges.append(name.range.lowerBound..<name.range.lowerBound + length)
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The person chose a result or a suggestion in the app.
    func engaged(_ request: Baton_App_V1_ReportEngagementRequest, of app: AppIdentity) async throws {
        let owner = ItemOwner(app)
        let now = Int64(clamping: clock.milliseconds)
        let isChoice = request.interaction != .focus
        guard isChoice else { return }
        let limit = limits.maximumChoices
        switch request.engaged {
        case .item(let key)?:
            for holder in [file, protected.memory].compactMap(\.self) {
                try await holder.write { db in
                    try db.execute(
                        sql: """
                            UPDATE item SET uses = uses + 1, last_used = ?
                            WHERE source = 2 AND owner = \(ItemOwner.number) AND key = ?
                            """, arguments: [now] + owner.columns + [key])
                }
            }
        case .suggestion(let text)?:
            guard (1...1000).contains(text.utf8.count) else {
                throw ItemRules.invalid("invalid_suggestion", "A suggestion's text has 1 to 1000 bytes.")
            }
            try await file.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO choice (team, bundle_id, text, uses, last_used) VALUES (?, ?, ?, 1, ?)
                        ON CONFLICT DO UPDATE SET uses = uses + 1, last_used = excluded.last_used
                        """, arguments: [Data(owner.team), owner.bundleID, text, now])
                try db.execute(
                    sql: """
                        DELETE FROM choice WHERE team = ?1 AND bundle_id = ?2 AND text NOT IN (
                            SELECT text FROM choice WHERE team = ?1 AND bundle_id = ?2 ORDER BY last_used DESC LIMIT ?3)
                        """, arguments: [Data(owner.team), owner.bundleID, limit])
            }
        case nil: throw ItemRules.invalid("invalid_engagement", "The request names neither an item nor a suggestion.")
        }
    }
}

extension SpotlightService.AppQuery {
    func allows(_ protection: ItemProtection) -> Bool { protections.isEmpty || protections.contains(protection) }
}
