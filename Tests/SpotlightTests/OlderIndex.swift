import GRDB
import SearchText

@testable import Spotlight

/// `search.sqlite` as earlier versions wrote it.
enum OlderIndex {
    /// Makes a file of this version one of version 3 or 4, with the same in it.
    static func write(_ path: String, version: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try indexWords(db)
            guard version == 3 else { return }
            try db.execute(
                sql: """
                    DROP INDEX item_by_expiry;
                    DROP INDEX item_by_domain;
                    DROP INDEX item_in_clear;
                    ALTER TABLE item RENAME TO new_item;
                    CREATE TABLE item (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, team BLOB NOT NULL,
                        bundle_id TEXT NOT NULL, key TEXT NOT NULL, domain TEXT NOT NULL, protection INTEGER NOT NULL,
                        language TEXT NOT NULL, searched_custom TEXT NOT NULL, size INTEGER NOT NULL,
                        indexed INTEGER NOT NULL, time INTEGER NOT NULL, expires INTEGER NOT NULL,
                        uses INTEGER NOT NULL DEFAULT 0, last_used INTEGER NOT NULL DEFAULT 0,
                        name_words INTEGER NOT NULL, content_words INTEGER NOT NULL, attributes BLOB NOT NULL,
                        UNIQUE (source, team, bundle_id, key)
                    ) STRICT;
                    INSERT INTO item
                    SELECT new_item.id, source, team, bundle_id, key, iif(source = 3, version, ifnull(name, '')),
                        protection, language, searched_custom, size, indexed, time, expires, uses, last_used,
                        name_words, content_words, attributes
                    FROM new_item JOIN owner ON owner.id = new_item.owner
                        JOIN item_attributes ON item_attributes.id = new_item.id
                        LEFT JOIN domain ON domain.id = new_item.domain;
                    DELETE FROM sqlite_sequence WHERE name = 'item';
                    INSERT INTO sqlite_sequence (name, seq)
                        SELECT 'item', seq FROM sqlite_sequence WHERE name = 'new_item';
                    DROP TABLE new_item;
                    DROP TABLE item_attributes;
                    DROP TABLE owner;
                    DROP TABLE domain;
                    CREATE INDEX item_by_expiry ON item (expires);
                    CREATE INDEX item_by_domain ON item (team, bundle_id, domain) WHERE domain <> '';
                    CREATE INDEX item_in_clear ON item (source) WHERE protection = 2;
                    """)
        }
        try setVersion(version, queue)
        try queue.close()
    }

    /// Words as written were in an index of their own.
    private static func indexWords(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP INDEX item_by_use;
                DROP TABLE word;
                CREATE VIRTUAL TABLE word_index USING fts5(
                    words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
                CREATE VIRTUAL TABLE written_words USING fts5vocab(word_index, row);
                """)
        var tokenizer = WordTokenizer()
        for stored in try StoredItem.fetchAll(db, "1 ORDER BY id", []) {
            let fields = SearchedFields(stored.item)
            let words = tokenizer.words(of: fields.names) + tokenizer.words(of: fields.content)
            try db.execute(
                sql: "INSERT INTO word_index (rowid, words) VALUES (?, ?)",
                arguments: [stored.id, Set(words.map(\.text)).sorted().joined(separator: " ")])
        }
    }

    static func setVersion(_ version: Int, _ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try setVersion(version, queue)
        try queue.close()
    }

    private static func setVersion(_ version: Int, _ queue: DatabaseQueue) throws {
        try queue.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    }
}
