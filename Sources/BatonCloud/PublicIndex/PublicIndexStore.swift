package import BatonCore
import BatonStore
import Crypto
import Foundation
import GRDB

/// The public index: pages that accounts gave, of which those that three gave are found (H-37).
///
/// An account leaves nothing but a keyed hash of it with the entry, which differs for each entry: a reader of the file cannot find which
/// entries are of one account. A file of its own; what is lost with it is given again.
package final class PublicIndexStore: Sendable {
    /// Accounts that an entry, and each of its keywords, needs.
    package static let quorum = 3
    /// Policy: new entries are refused.
    static let maximumEntries = 1_000_000
    /// Accounts that are counted for an entry. Policy: further ones change nothing.
    static let maximumGivers = 32
    /// Days after which an account that has not given an entry again is not counted.
    static let lifetime = 90
    private static let day: UInt64 = 86_400_000

    private let pool: DatabasePool
    private let key: SymmetricKey
    private let clock: WallClock

    /// Blocks.
    package init(path: String, clock: WallClock) throws {
        var configuration = Configuration()
        configuration.label = "baton.cloud.public-index"
        configuration.maximumReaderCount = 2
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON") }
        let pool = try DatabasePool(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("public-index-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE entry(id INTEGER PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, UNIQUE(url, title));
                    CREATE TABLE giver(
                        entry INTEGER NOT NULL REFERENCES entry ON DELETE CASCADE, mark BLOB NOT NULL, keywords TEXT NOT NULL,
                        day INTEGER NOT NULL, PRIMARY KEY(entry, mark)) WITHOUT ROWID;
                    CREATE INDEX giver_day ON giver(day);
                    CREATE TABLE state(key BLOB NOT NULL, swept INTEGER NOT NULL);
                    CREATE VIRTUAL TABLE word USING fts5(title, keywords, url, tokenize = 'unicode61 remove_diacritics 2');
                    """)
            let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            try db.execute(sql: "INSERT INTO state VALUES (?, 0)", arguments: [key])
        }
        try migrator.migrate(pool)
        let key = try pool.read { try Data.fetchOne($0, sql: "SELECT key FROM state") } ?? Data()
        self.pool = pool
        self.key = SymmetricKey(data: key)
        self.clock = clock
    }

    /// Blocks.
    package func close() { try? pool.close() }

    private var today: Int { Int(clock.milliseconds / Self.day) }

    private func mark(_ account: AccountID, _ url: String, _ title: String) -> Data {
        let text = [account.rawValue, url, title].joined(separator: "\0")
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).prefix(16))
    }

    // MARK: Giving

    /// - Throws: `resource_exhausted` (`public_index_full`).
    package func give(_ entries: [PublicEntry], by account: AccountID) async throws {
        let today = today
        try await pool.write { [self] db in
            try sweep(db, today)
            for entry in entries { try give(entry, by: account, today, db) }
        }
    }

    private func give(_ entry: PublicEntry, by account: AccountID, _ today: Int, _ db: Database) throws {
        var id = try Self.id(of: entry, db)
        if id == nil {
            let count = try Int.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM entry") ?? 0
            if count >= Self.maximumEntries,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0 >= Self.maximumEntries,
                try !makeRoom(db)
            {
                throw BatonError(
                    .resourceExhausted, reason: "public_index_full", "The public index takes no more pages.")
            }
            try db.execute(sql: "INSERT INTO entry(url, title) VALUES (?, ?)", arguments: [entry.url, entry.title])
            id = db.lastInsertedRowID
        }
        guard let id else { return }
        let mark = mark(account, entry.url, entry.title)
        let others = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM giver WHERE entry = ? AND mark != ?", arguments: [id, mark])
        guard others ?? 0 < Self.maximumGivers else { return }
        try db.execute(
            sql: "INSERT OR REPLACE INTO giver VALUES (?, ?, ?, ?)",
            arguments: [id, mark, entry.keywords.joined(separator: "\n"), today])
        try refresh(id, db)
    }

    /// The oldest entry that is not shown goes, so that the entries of few accounts do not keep others out.
    private func makeRoom(_ db: Database) throws -> Bool {
        let hidden = try Int64.fetchOne(
            db,
            sql: "SELECT id FROM entry WHERE NOT EXISTS (SELECT 1 FROM word WHERE rowid = entry.id) ORDER BY id LIMIT 1"
        )
        guard let hidden else { return false }
        try db.execute(sql: "DELETE FROM giver WHERE entry = ?", arguments: [hidden])
        try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [hidden])
        return true
    }

    private static func id(of entry: PublicEntry, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM entry WHERE url = ? AND title = ?", arguments: [entry.url, entry.title])
    }

    /// Shows an entry or not, by those who count for it now.
    private func refresh(_ id: Int64, _ db: Database) throws {
        let keywords = try String.fetchAll(db, sql: "SELECT keywords FROM giver WHERE entry = ?", arguments: [id])
        try db.execute(sql: "DELETE FROM word WHERE rowid = ?", arguments: [id])
        guard !keywords.isEmpty else {
            try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
            return
        }
        guard keywords.count >= Self.quorum else { return }
        var counts: [Substring: Int] = [:]
        for text in keywords { for word in Set(text.split(separator: "\n")) { counts[word, default: 0] += 1 } }
        let shown = counts.filter { $0.value >= Self.quorum }.map(\.key).sorted().prefix(PublicEntry.maximumKeywords)
        try db.execute(
            sql: "INSERT INTO word(rowid, title, keywords, url) SELECT id, title, ?, url FROM entry WHERE id = ?",
            arguments: [shown.joined(separator: "\n"), id])
    }

    /// Once a day, who has not given for long is not counted.
    private func sweep(_ db: Database, _ today: Int) throws {
        let swept = try Int.fetchOne(db, sql: "SELECT swept FROM state") ?? 0
        guard swept != today else { return }
        try db.execute(sql: "UPDATE state SET swept = ?", arguments: [today])
        let old = today - Self.lifetime
        let entries = try Int64.fetchAll(db, sql: "SELECT DISTINCT entry FROM giver WHERE day < ?", arguments: [old])
        try db.execute(sql: "DELETE FROM giver WHERE day < ?", arguments: [old])
        for id in entries { try refresh(id, db) }
    }

    // MARK: Taking back

    package func takeBack(_ entries: [PublicEntry], of account: AccountID) async throws {
        try await pool.write { [self] db in
            for entry in entries {
                guard let id = try Self.id(of: entry, db) else { continue }
                try remove(id, mark(account, entry.url, entry.title), db)
            }
        }
    }

    /// Looks at every entry, since nothing says which are of an account: a second for a million.
    package func takeBackAll(of account: AccountID) async throws {
        var last: Int64 = 0
        while true {
            let start = last
            let next = try await pool.write { [self] db -> Int64? in
                let rows = try Row.fetchAll(
                    db, sql: "SELECT id, url, title FROM entry WHERE id > ? ORDER BY id LIMIT 5000", arguments: [start])
                for row in rows { try remove(row["id"], mark(account, row["url"], row["title"]), db) }
                return rows.last.map { $0["id"] }
            }
            guard let next else { return }
            last = next
        }
    }

    private func remove(_ id: Int64, _ mark: Data, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM giver WHERE entry = ? AND mark = ?", arguments: [id, mark])
        if db.changesCount > 0 { try refresh(id, db) }
    }

    // MARK: Finding

    /// Words of a query. Policy: further ones are not looked for.
    private static let maximumWords = 16

    /// With all words, the best first.
    package func find(_ text: String, limit: Int) async throws -> [PublicEntry] {
        // A quote can be part of a character that counts as a letter.
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\"" }))
        let words = plain.split { !$0.isLetter && !$0.isNumber }.prefix(Self.maximumWords)
        guard !words.isEmpty else { return [] }
        // Letters and numbers alone, in quotes: none of it is of the query language.
        let query = words.map { "\"\($0)\"" }.joined(separator: " ")
        return try await pool.read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT title, keywords, url FROM word WHERE word MATCH ? ORDER BY bm25(word, 4, 2, 1), rowid LIMIT ?",
                arguments: [query, limit]
            ).compactMap { row in
                let keywords: String = row["keywords"]
                return PublicEntry(
                    url: row["url"], title: row["title"], keywords: keywords.split(separator: "\n").map(String.init))
            }
        }
    }
}
