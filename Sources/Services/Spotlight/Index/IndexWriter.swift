import BatonCore
import Foundation
import GRDB
import SearchText

/// Changes of the index, within one transaction.
struct IndexWriter {
    let db: Database
    private var tokenizer = WordTokenizer()
    private var stemmers: [String: WordStemmer] = [:]
    /// How many items were deleted.
    private(set) var deleted = 0
    /// How many items of an app had no room.
    private(set) var refused = 0

    init(_ db: Database) { self.db = db }

    // MARK: Putting in

    /// In place of what has the same source, owner and key.
    mutating func put(_ item: IndexedItem, language: TextLanguage) throws {
        let old = try find(item.source, item.owner, item.key)
        var (uses, lastUsed) = (0, UInt64(0))
        if let old {
            (uses, lastUsed) = (old.uses, old.lastUsed)
            try delete(old)
        }
        let words = words(item, language.code)
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO owner (team, bundle_id) VALUES (?, ?)")
            .execute(arguments: item.owner.columns)
        if !item.domain.isEmpty {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO domain (name) VALUES (?)")
                .execute(arguments: [item.domain])
        }
        let others: StatementArguments = [
            item.key, item.domain, item.version, item.protection.rawValue, language.code,
            item.searchedCustom.joined(separator: "\n"), item.size, Int64(clamping: item.indexed),
            Int64(clamping: item.time), Int64(clamping: item.expires), uses, Int64(clamping: lastUsed),
            words.nameCount, words.contentCount,
        ]
        try db.cachedStatement(
            sql: """
                INSERT INTO item (source, owner, key, domain, version, protection, language, searched_custom, size,
                    indexed, time, expires, uses, last_used, name_words, content_words)
                VALUES (?, \(ItemOwner.number), ?, ifnull((SELECT id FROM domain WHERE name = ?), 0), ?, ?, ?, ?, ?,
                    ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [item.source.rawValue] + item.owner.columns + others)
        let id = db.lastInsertedRowID
        try db.cachedStatement(sql: "INSERT INTO item_attributes (id, attributes) VALUES (?, ?)")
            .execute(arguments: [id, AttributeCoding.encode(item.attributes)])
        try db.cachedStatement(sql: "INSERT INTO name_index (rowid, names) VALUES (?, ?)")
            .execute(arguments: [id, words.names])
        try db.cachedStatement(sql: "INSERT INTO text_index (rowid, names, content) VALUES (?, ?, ?)")
            .execute(arguments: [id, words.nameStems, words.contentStems])
        // A statement with many rows would write copies of the pages, to undo a part of it.
        let addition = try db.cachedStatement(
            sql: "INSERT INTO word (term, documents) VALUES (?, 1) ON CONFLICT DO UPDATE SET documents = documents + 1")
        for word in words.written { try addition.execute(arguments: [word]) }
        try count(item, 1, at: item.indexed)
        try db.cachedStatement(
            sql: "INSERT INTO language (code, items) VALUES (?, 1) ON CONFLICT DO UPDATE SET items = items + 1"
        ).execute(arguments: [language.code])
    }

    /// The same for an app's item, where the app has room for it.
    mutating func put(_ item: IndexedItem, language: TextLanguage, within limits: SpotlightLimits) throws {
        var usage = try IndexUsage.of(.item, item.owner, db)
        if usage.items >= limits.maximumItems || usage.bytes + item.size > limits.maximumBytes,
            let old = try find(item.source, item.owner, item.key)
        {
            usage = (usage.items - 1, usage.bytes - old.item.size)
        }
        guard item.size <= limits.maximumItemSize, usage.items < limits.maximumItems,
            usage.bytes + item.size <= limits.maximumBytes
        else {
            refused += 1
            return try IndexUsage.note("quota_exceeded", of: item.owner, at: item.indexed, db)
        }
        try put(item, language: language)
    }

    private mutating func words(_ item: IndexedItem, _ language: String) -> IndexedWords {
        let stemmer = stemmers[language] ?? WordStemmer(TextLanguage(language))
        stemmers[language] = stemmer
        return IndexedWords(SearchedFields(item), &tokenizer, stemmer)
    }

    private func count(_ item: IndexedItem, _ items: Int, at time: UInt64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO usage (source, team, bundle_id, items, bytes, changed) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes,
                    changed = max(changed, excluded.changed)
                """
        ).execute(arguments: [
            item.source.rawValue, Data(item.owner.team), item.owner.bundleID, items, items * item.size,
            Int64(clamping: time),
        ])
    }

    // MARK: Finding

    func find(_ source: SearchSource, _ owner: ItemOwner, _ key: String) throws -> StoredItem? {
        try StoredItem.fetchOne(
            db, "source = ? AND owner = \(ItemOwner.number) AND key = ?",
            [source.rawValue] + owner.columns + [key])
    }

    // MARK: Deleting

    mutating func delete(_ stored: StoredItem) throws {
        let words = words(stored.item, stored.language)
        try db.cachedStatement(sql: "INSERT INTO name_index (name_index, rowid, names) VALUES ('delete', ?, ?)")
            .execute(arguments: [stored.id, words.names])
        try db.cachedStatement(
            sql: "INSERT INTO text_index (text_index, rowid, names, content) VALUES ('delete', ?, ?, ?)"
        ).execute(arguments: [stored.id, words.nameStems, words.contentStems])
        let removal = try db.cachedStatement(sql: "DELETE FROM word WHERE term = ? AND documents <= 1")
        let subtraction = try db.cachedStatement(sql: "UPDATE word SET documents = documents - 1 WHERE term = ?")
        for word in words.written {
            try removal.execute(arguments: [word])
            if db.changesCount == 0 { try subtraction.execute(arguments: [word]) }
        }
        for table in ["item", "item_attributes"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?").execute(arguments: [stored.id])
        }
        try count(stored.item, -1, at: 0)
        try db.cachedStatement(sql: "UPDATE language SET items = items - 1 WHERE code = ?")
            .execute(arguments: [stored.language])
        deleted += 1
    }

    mutating func delete(_ source: SearchSource, _ owner: ItemOwner, _ key: String) throws {
        if let old = try find(source, owner, key) { try delete(old) }
    }

    /// Items and activities of the domain, and of those below it.
    /// - Returns: keys of the activities among them.
    mutating func deleteDomain(_ domain: String, _ owner: ItemOwner) throws -> [String] {
        try delete(
            "+source IN (1, 2) AND owner = \(ItemOwner.number) AND \(Self.inDomain)",
            owner.columns + Self.domains(domain))
    }

    /// Items of a domain and of those below it. A source that stands beside it needs a plus, else SQLite goes through all of the source.
    static let inDomain =
        "domain <> 0 AND domain IN (SELECT id FROM domain WHERE name = ? OR name >= ? AND name < ?)"

    /// For ``inDomain``.
    static func domains(_ domain: String) -> StatementArguments {
        // “.” is followed by “/” in the order of bytes.
        [domain, domain + ".", domain + "/"]
    }

    /// All that a condition holds for.
    /// - Returns: keys of the activities among them.
    @discardableResult
    mutating func delete(_ condition: String, _ arguments: StatementArguments = []) throws -> [String] {
        var activities: [String] = []
        while true {
            let some = try StoredItem.fetchAll(db, "(\(condition)) LIMIT 500", arguments)
            guard !some.isEmpty else { return activities }
            for stored in some { try delete(stored) }
            activities += some.filter { $0.item.source == .activity }.map(\.item.key)
        }
    }
}

extension StoredItem {
    static func fetchOne(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> StoredItem? {
        try fetchAll(db, condition + " LIMIT 1", arguments).first
    }

    static func fetchAll(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> [StoredItem] {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM item WHERE \(condition)")
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var items: [StoredItem] = []
        while let row = try rows.next() { items.append(StoredItem(row)) }
        return items
    }

    /// In the order in which ``init(_:)`` reads them. A value that another table should have and has not is empty.
    static let columns = """
        item.id, item.source, ifnull((SELECT team FROM owner WHERE owner.id = item.owner), x''),
        ifnull((SELECT bundle_id FROM owner WHERE owner.id = item.owner), ''), item.key,
        ifnull((SELECT name FROM domain WHERE domain.id = item.domain), ''), item.protection, item.language,
        item.searched_custom, item.size, item.indexed, item.time, item.expires, item.uses, item.last_used,
        ifnull(\(attributes), x''), item.version
        """

    static let attributes = "(SELECT attributes FROM item_attributes WHERE item_attributes.id = item.id)"

    /// A row that this version cannot read has no attributes, so that it can still be deleted.
    init(_ row: Row) {
        let (team, attributes): (Data, Data) = (row[2], row[15])
        let (indexed, time, expires, used): (Int64, Int64, Int64, Int64) = (row[10], row[11], row[12], row[14])
        let custom: String = row[8]
        var item = IndexedItem(
            source: SearchSource(rawValue: row[1]) ?? .item,
            owner: ItemOwner(team: Array(team), bundleID: row[3]) ?? ItemOwner(nil), key: row[4],
            attributes: AttributeCoding.decode(attributes) ?? [:], indexed: UInt64(clamping: indexed),
            time: UInt64(clamping: time), expires: UInt64(clamping: expires), size: row[9])
        item.domain = row[5]
        item.version = row[16]
        item.protection = ItemProtection(rawValue: row[6]) ?? .complete
        item.searchedCustom = custom.isEmpty ? [] : custom.split(separator: "\n").map(String.init)
        self.init(id: row[0], item: item, language: row[7], uses: row[13], lastUsed: UInt64(clamping: used))
    }
}
