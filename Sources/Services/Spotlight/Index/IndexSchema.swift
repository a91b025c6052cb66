import GRDB

/// The tables of `search.sqlite`.
enum IndexSchema {
    /// Grows with the tables, and with what the tokenizer and the stemmers make of a text: deleting from the two indexes needs the
    /// words that were put in.
    static let version = 5
    /// Versions that are brought to this one, with all that is in them. A file of any other is made anew.
    static let migratedVersions = [3, 4]

    static func make(_ db: Database) throws {
        try makeItems(db)
        try makeIndexes(db)
        try db.execute(sql: additions)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE name_index USING fts5(
                    names, content = '', columnsize = 0, detail = column, prefix = '1 2 3', tokenize = 'ascii');
                CREATE VIRTUAL TABLE text_index USING fts5(
                    names, content, content = '', columnsize = 0, tokenize = 'ascii');
                CREATE VIRTUAL TABLE text_words USING fts5vocab(text_index, row);
                -- How many items and bytes each owner has, so that a limit costs no count.
                CREATE TABLE usage (
                    source INTEGER NOT NULL, team BLOB NOT NULL, bundle_id TEXT NOT NULL,
                    items INTEGER NOT NULL, bytes INTEGER NOT NULL, changed INTEGER NOT NULL,
                    error TEXT NOT NULL DEFAULT '', error_time INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (source, team, bundle_id)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE language (code TEXT PRIMARY KEY, items INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                -- 'applied': an entry of the journal; it and those before it of its app are in here.
                CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                -- Texts that a person chose among suggestions.
                CREATE TABLE choice (
                    team BLOB NOT NULL, bundle_id TEXT NOT NULL, text TEXT NOT NULL, uses INTEGER NOT NULL,
                    last_used INTEGER NOT NULL, PRIMARY KEY (team, bundle_id, text)
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = \(version);
                """)
    }

    private static let additions = """
        CREATE INDEX item_by_use ON item (last_used, uses) WHERE uses > 0;
        -- As written, to know what a mistyped word was meant for, and which longer words a beginning stands for. Counted here: a table
        -- of FTS5 goes through all documents of a word to say how many they are.
        CREATE TABLE word (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    private static func makeItems(_ db: Database) throws {
        try db.execute(
            sql: """
                -- Items have their numbers. The tables with few rows have their names.
                CREATE TABLE owner (
                    id INTEGER PRIMARY KEY,
                    -- SHA-256 of the team's key; empty for programs in development and pages.
                    team BLOB NOT NULL,
                    bundle_id TEXT NOT NULL,
                    UNIQUE (team, bundle_id)
                ) STRICT;
                CREATE TABLE domain (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                CREATE TABLE item (
                    -- The newest have the largest: an item that changes gets another.
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    source INTEGER NOT NULL,
                    owner INTEGER NOT NULL,
                    key TEXT NOT NULL,
                    -- 0 for none.
                    domain INTEGER NOT NULL,
                    -- A document's.
                    version TEXT NOT NULL,
                    protection INTEGER NOT NULL,
                    -- Which stems are in the index.
                    language TEXT NOT NULL,
                    -- Names, separated by line feeds.
                    searched_custom TEXT NOT NULL,
                    size INTEGER NOT NULL,
                    -- Milliseconds since 1970.
                    indexed INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    expires INTEGER NOT NULL,
                    uses INTEGER NOT NULL DEFAULT 0,
                    last_used INTEGER NOT NULL DEFAULT 0,
                    -- Words of the two columns of text_index.
                    name_words INTEGER NOT NULL,
                    content_words INTEGER NOT NULL,
                    UNIQUE (source, owner, key)
                ) STRICT;
                -- Apart, so that a page has the rows of many candidates.
                CREATE TABLE item_attributes (
                    id INTEGER PRIMARY KEY,
                    -- A baton.value.v1.PropertyDictionary.
                    attributes BLOB NOT NULL
                ) STRICT;
                """)
    }

    private static func makeIndexes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX item_by_expiry ON item (expires);
                CREATE INDEX item_by_domain ON item (domain, owner) WHERE domain <> 0;
                -- Items of the class `.complete` that an earlier version left in the clear: they are looked for with each search of
                -- an app.
                CREATE INDEX item_in_clear ON item (source) WHERE protection = 2;
                """)
    }

    /// Identifiers stay, so the words in the indexes do.
    static func migrate(_ db: Database, from version: Int) throws {
        if version < 4 { try separateAttributes(db) }
        try db.execute(
            sql: """
                \(additions)
                INSERT INTO word (term, documents) SELECT term, doc FROM written_words;
                DROP TABLE written_words;
                DROP TABLE word_index;
                PRAGMA user_version = \(self.version);
                """)
    }

    /// From version 3, in which a row had the names of its owner and domain, and its attributes.
    ///
    /// It reads the table alone: a quick check has not compared it with its indexes.
    private static func separateAttributes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE item RENAME TO old_item")
        try makeItems(db)
        try db.execute(
            sql: """
                INSERT INTO owner (team, bundle_id) SELECT DISTINCT team, bundle_id FROM old_item NOT INDEXED;
                INSERT INTO domain (name)
                    SELECT DISTINCT domain FROM old_item NOT INDEXED WHERE domain <> '' AND source <> 3;
                INSERT INTO item (id, source, owner, key, domain, version, protection, language, searched_custom, size, indexed,
                    time, expires, uses, last_used, name_words, content_words)
                SELECT id, source,
                    (SELECT owner.id FROM owner WHERE owner.team = old.team AND owner.bundle_id = old.bundle_id), key,
                    iif(source = 3, 0, ifnull((SELECT domain.id FROM domain WHERE domain.name = old.domain), 0)),
                    -- It was in place of the domain.
                    iif(source = 3, domain, ''), protection, language, searched_custom, size, indexed,
                    time, expires, uses, last_used, name_words, content_words
                FROM old_item AS old NOT INDEXED ORDER BY id;
                INSERT INTO item_attributes (id, attributes)
                    SELECT id, attributes FROM old_item NOT INDEXED ORDER BY id;
                DELETE FROM sqlite_sequence WHERE name = 'item';
                INSERT INTO sqlite_sequence (name, seq) SELECT 'item', seq FROM sqlite_sequence WHERE name = 'old_item';
                DROP TABLE old_item;
                """)
        try makeIndexes(db)
    }
}
