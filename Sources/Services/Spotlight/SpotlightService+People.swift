import BatonConcurrency
package import BatonCore
import Foundation
import GRDB
package import SearchText
import Synchronization

/// A result for a person.
package struct SearchHit: Sendable {
    package var id: String
    package var item: IndexedItem
    package var context: TextContext
    package var score: Double
    package var parts: [(name: String, value: Double)]
    package var isRelated: Bool

    /// An app may give a title of any length, and a character with any number of marks.
    var shownTitle: String { item.title.shortened(toBytes: DeviceResult.maximumTitle) }
}

/// The results of a person's search.
package struct PersonsSearch: Sendable {
    package var hits: [SearchHit] = []
    var findings = SearchFindings()
    /// Results of apps that cannot be opened now.
    package var appsGone = 0
    package var corrections: [(word: String, replacements: [String])] = []
}

/// Searching, opening, forgetting: for the person.
extension SpotlightService {
    package static let maximumResults = 200
    /// Policy: fewer words of the index are read in a few milliseconds.
    private static let manyWords = 10_000

    package func search(
        _ text: String, bundleID: BundleID? = nil, isTyping: Bool = false, limit: Int = 20
    ) async throws -> PersonsSearch {
        let scope = self.scope(bundleID: bundleID?.rawValue)
        return try await search(text, scope, isTyping: isTyping, limit: limit)
    }

    /// Results with all words that can be opened now; the last word may be typed yet. The words' context is not looked for.
    package func identifiers(_ text: String, limit: Int) async throws -> [String] {
        // Nothing that is only about the same is looked for.
        let findings = try await find(text, scope(), isTyping: true, limit: 0)
        return findings.found.filter { !$0.isRelated && canBeOpened($0) }.prefix(limit)
            .map { Self.identifier(of: $0.stored) }
    }

    /// - Throws: `not_found` for what is not in the index any more.
    package func item(_ identifier: String) async throws -> IndexedItem { try await stored(identifier).item }

    func canBeOpened(_ found: FoundItem) -> Bool {
        // A document is there without its app.
        guard let app = found.stored.item.owner.app, found.stored.item.source != .document else { return true }
        return apps.isPresent(app)
    }

    func search(
        _ text: String, _ scope: SearchScope, isTyping: Bool, limit: Int
    ) async throws -> PersonsSearch {
        let findings = try await find(text, scope, isTyping: isTyping, limit: limit)
        var result = PersonsSearch(findings: findings)
        result.corrections = findings.words.filter { !$0.replacements.isEmpty }.map { ($0.word, $0.replacements) }
        let present = findings.found.filter(canBeOpened)
        result.appsGone = findings.found.count - present.count
        result.hits = present.prefix(min(max(limit, 1), Self.maximumResults)).map { hit($0, findings) }
        return result
    }

    func find(_ text: String, _ scope: SearchScope, isTyping: Bool, limit: Int) async throws -> SearchFindings {
        let (language, bytes, ranking) = (language, limits.maximumResultBytes, ranking)
        // Before the file: what is written while it is read counts as not read yet.
        let generation = state.withLock { $0.generation }
        let findings = try await file.read { [self] db in
            let engine = try SearchEngine(
                db, facts: file.facts, language: language, maximumBytes: bytes, ranking: ranking
            ) {
                try self.vocabulary(db, generation)
            }
            return try engine.find(text, isTyping: isTyping, in: scope, limit: limit)
        }
        guard !scope.isLocked, let memory = protected.memory else { return findings.joiningActivities() }
        // Nothing is corrected to one of their words.
        let protected = try await memory.read { db in
            try SearchEngine(
                db, facts: memory.facts, language: language, maximumBytes: bytes, ranking: ranking
            ) { Vocabulary() }
            .find(text, isTyping: isTyping, in: scope, limit: limit)
        }
        return findings.merging(protected).joiningActivities()
    }

    /// Words of the index, read again after a change; many of them, which takes long, at most every half minute.
    /// - Parameter generation: of the index before it was read.
    func vocabulary(_ db: Database, _ generation: Int) throws -> Vocabulary {
        let now = clock.milliseconds
        let known = state.withLock { state -> Vocabulary? in
            let isFresh =
                state.vocabularyGeneration >= generation
                || state.vocabularyGeneration >= 0 && state.vocabulary.count >= Self.manyWords
                    && now < state.vocabularyTime &+ 30_000
            return isFresh ? state.vocabulary : nil
        }
        if let known { return known }
        var vocabulary = Vocabulary()
        let rows = try Row.fetchCursor(db, sql: "SELECT term, documents FROM word")
        while let row = try rows.next() {
            let term: String = row[0]
            vocabulary.add(Array(term.utf8), documents: row[1])
        }
        state.withLock { state in
            state.vocabulary = vocabulary
            state.vocabularyGeneration = generation
            state.vocabularyTime = now
        }
        return vocabulary
    }

    private func hit(_ found: FoundItem, _ findings: SearchFindings) -> SearchHit {
        var item = found.stored.item
        // A document's folders are shown by its path.
        if item.source == .document { item.attributes["containerDisplayName"] = nil }
        let fields = SearchedFields(item)
        var tokenizer = WordTokenizer()
        let stemmer = WordStemmer(TextLanguage(found.stored.language))
        let text = fields.content.isEmpty ? fields.names : fields.content
        let context = TextContext.around(tokenizer.words(of: text), in: text) { word in
            findings.highlightedStems.contains(stemmer.stem(word.bytes))
                || findings.highlightedStems.contains(word.bytes)
                || findings.highlightedPrefix.map { word.bytes.starts(with: $0) } ?? false
        }
        return SearchHit(
            id: Self.identifier(of: found.stored), item: found.stored.item, context: context, score: found.score,
            parts: found.parts.map { ($0.name, $0.value) }, isRelated: found.isRelated)
    }

    package func name(of item: IndexedItem) -> String {
        if let app = item.owner.app { return apps.name(of: app) }
        if item.source == .document { return Self.folder(of: item.key) ?? "iCloud Drive" }
        let host = item.text("url").flatMap(URL.init(string:))?.host() ?? item.key
        return item.text("creator").map { $0.isEmpty ? host : "\(host) in \($0)" } ?? host
    }

    /// The name of a folder that the person keeps equal; nil for another container. A document's key begins with its container's name.
    private static func folder(of key: String) -> String? {
        guard let range = key.range(of: "/iCloud.baton.folder.") else { return nil }
        let name = key[range.upperBound...].prefix { $0 != ":" }
        return name.isEmpty ? nil : "folder \(name)"
    }

    // MARK: Opening

    /// Names an item for as long as it is in the index; another item's never, even in an index that is made anew.
    static func identifier(of stored: StoredItem) -> String {
        var hash: UInt32 = 0x811C_9DC5
        for byte in "\(stored.item.source.rawValue) \(stored.item.owner.bundleID) \(stored.item.key)".utf8 {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        return "\(stored.id)-\(String(hash, radix: 36))"
    }

    func stored(_ identifier: String) async throws -> StoredItem {
        let number = identifier.prefix { $0 != "-" }
        if let id = Int64(number), let holder = holder(of: id),
            let stored = try await holder.read({ try StoredItem.fetchOne($0, "id = ?", [id]) }),
            Self.identifier(of: stored) == identifier, stored.item.expires > clock.milliseconds,
            stored.item.protection != .complete || isUnlocked()
        {
            return stored
        }
        throw BatonError(
            .notFound, reason: "no_such_result",
            "The result is not in the index any more. Search again with “baton search”.")
    }

    /// Opens a result, once, starting its app if need be.
    /// - Parameter action: one of the item's, or its title; nil for none.
    /// - Returns: whether the app said that it handled it.
    package func open(_ identifier: String, action: String? = nil) async throws -> (isHandled: Bool, name: String) {
        let stored = try await stored(identifier)
        let item = stored.item
        let action = try action.map { try self.action($0, of: item) }
        try await noteUse(stored.id)
        let isHandled: Bool
        switch item.source {
        case .activity: isHandled = try await activities.open(item.key)
        case .item:
            guard let app = item.owner.app else { return (false, "") }
            var userInfo = ["kCSSearchableItemActivityIdentifier": PropertyValue.string(item.key)]
            if let action { userInfo["CSActionIdentifier"] = .string(action) }
            isHandled = try await apps.open("com.apple.corespotlightitem", userInfo, title: item.title, with: app)
        case .document: isHandled = try await opener.open(file: item.text("path") ?? "")
        case .page: isHandled = try await opener.open(url: item.key)
        }
        recorder.record(
            "search", "opened", "A result of a search was opened.",
            ["bundle_id": item.owner.bundleID, "source": "\(item.source)"])
        return (isHandled, name(of: item))
    }

    /// - Returns: the identifier.
    private func action(_ name: String, of item: IndexedItem) throws(BatonError) -> String {
        let actions = item.texts("actionIdentifiers")
        if actions.contains(name) { return name }
        let titles = item.owner.app.map { apps.searchOptions(of: $0).actionTitles } ?? [:]
        if let action = actions.first(where: { titles[$0]?.lowercased() == name.lowercased() }) { return action }
        let known = actions.prefix(5).map { "“\((titles[$0] ?? $0).prefix(60))”" }.joined(separator: ", ")
        throw BatonError(
            .invalidArgument, reason: "no_such_action",
            "“\(item.title.prefix(60))” has no action “\(name.prefix(60))”. "
                + (known.isEmpty ? "Open it without one." : "It has \(known)."))
    }

    private func noteUse(_ id: Int64) async throws {
        let now = Int64(clamping: clock.milliseconds)
        try await holder(of: id)?.write { db in
            try db.execute(
                sql: "UPDATE item SET uses = uses + 1, last_used = ? WHERE id = ?", arguments: [now, id])
        }
    }

    /// Lets an app go on with a search in itself, starting it if need be.
    /// - Throws: `app_not_found`, `no_search_continuation` for one that does not say that it can.
    package func continueSearch(_ query: String, in bundleID: BundleID) async throws -> Bool {
        guard let app = apps.app(bundleID) else {
            throw BatonError(
                .notFound, reason: "app_not_found",
                "No app \(bundleID) is installed here. “baton apps” lists those that are.")
        }
        guard apps.searchOptions(of: app).continuesSearches else {
            throw BatonError(
                .failedPrecondition, reason: "no_search_continuation",
                "\(apps.name(of: app)) does not say that it can go on with a search. Open one of its results.")
        }
        return try await apps.open(
            "com.apple.corespotlightquery", ["kCSSearchQueryString": .string(query)], title: query, with: app)
    }

    // MARK: Forgetting

    package enum Forgotten: Sendable {
        case app(BundleID)
        case site(String)
        case place(String)
        /// Items indexed within so many milliseconds.
        case last(UInt64)
        case everything
    }

    /// It is neither in the index nor in a file when this returns.
    /// - Returns: how many items went.
    package func forget(_ what: Forgotten) async throws -> Int {
        let now = clock.milliseconds
        var count = 0
        switch what {
        case .app(let bundleID):
            let owners = Set(
                try await file.read { try IndexUsage.owners($0) } + journal.owners() + [ItemOwner(apps.app(bundleID))]
            ).filter { $0.app?.bundleID == bundleID }
            for owner in owners {
                try await journal.forget(owner)
                if let app = owner.app { _ = try await activities.deleteAll(of: app, savedSince: 0) }
            }
            count = try await delete(ItemOwner.itemsOfApps, [bundleID.rawValue], choices: "bundle_id = ?")
        case .site(let site):
            let host = site.lowercased()
            let domain = host.split(separator: ".").reversed().joined(separator: ".")
            guard !domain.isEmpty else { return 0 }
            count = try await delete("+source = 4 AND \(IndexWriter.inDomain)", IndexWriter.domains(domain))
        case .place(let name): count = try await forgetPlace(name)
        case .last(let duration):
            let since = now > duration ? now - duration : 0
            try await journal.forget(since: since)
            _ = try await activities.deleteAll(of: nil, savedSince: since)
            count = try await delete("indexed >= ?", [Int64(clamping: since)], choices: "last_used >= ?")
        case .everything:
            try await journal.forget(nil)
            _ = try await activities.deleteAll(of: nil, savedSince: 0)
            count = try await delete("1", [], choices: "1")
        }
        state.withLock { $0.full = [] }
        try await purge()
        recorder.record("search", "forgotten", "Items were forgotten, as the person asked.", ["count": "\(count)"])
        return count
    }

    /// - Parameter choices: which of the texts that were chosen among suggestions go too, with the same arguments.
    private func delete(
        _ condition: String, _ arguments: StatementArguments, choices: String? = nil
    ) async throws -> Int {
        let count = try await turns.withPermit {
            try await file.write { db in
                var writer = IndexWriter(db)
                try writer.delete(condition, arguments)
                if let choices {
                    try db.execute(sql: "DELETE FROM choice WHERE \(choices)", arguments: arguments)
                }
                return writer.deleted
            } + protected.change { try $0.delete(condition, arguments) }
        }
        changed(deleted: true)
        return count
    }

    private func forgetPlace(_ name: String) async throws -> Int {
        var found: [StoredItem] = []
        for holder in [file, protected.memory].compactMap(\.self) {
            found += try await holder.read { db in
                try StoredItem.fetchAll(db, "instr(\(StoredItem.attributes), ?) > 0", [Data(name.utf8)])
                    .filter { stored in
                        ["namedLocation", "title", "displayName"].contains { stored.item.text($0) == name }
                    }
            }
        }
        try await activities.delete(found.filter { $0.item.source == .activity }.map(\.item.key))
        let ids = found.map { "\($0.id)" }.joined(separator: ", ")
        return found.isEmpty ? 0 : try await delete("id IN (\(ids))", [])
    }

    // MARK: Lists

    struct Summary: Sendable {
        var usage: [IndexUsage]
        var reindexing: Set<ItemOwner>
        var waiting: Int
        var size: UInt64
    }

    func summary() async throws -> Summary {
        Summary(
            usage: IndexUsage.adding(
                try await journal.sealedUsage(), to: try await file.read { try IndexUsage.all($0) }),
            reindexing: Set(try await journal.reindexing()),
            waiting: try await journal.waiting(), size: file.size)
    }
}
