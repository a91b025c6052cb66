import GRDB

/// The tables of `search.sqlite`. A file of another version is made anew.
enum IndexSchema {
    /// Grows with the tables, and with what the tokenizer and the stemmers make of a text: deleting from the two indexes needs the
    /// words that were put in.
    static let version = 3

    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE item (
                    -- The newest have the largest: an item that changes gets another.
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    source INTEGER NOT NULL,
                    -- SHA-256 of the team's key; empty for programs in development and pages.
                    team BLOB NOT NULL,
                    bundle_id TEXT NOT NULL,
                    key TEXT NOT NULL,
                    domain TEXT NOT NULL,
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
                    -- A baton.value.v1.PropertyDictionary. Behind the rest, which is read without it.
                    attributes BLOB NOT NULL,
                    UNIQUE (source, team, bundle_id, key)
                ) STRICT;
                CREATE INDEX item_by_expiry ON item (expires);
                CREATE INDEX item_by_domain ON item (team, bundle_id, domain) WHERE domain <> '';
                CREATE VIRTUAL TABLE name_index USING fts5(
                    names, content = '', columnsize = 0, detail = column, prefix = '1 2 3', tokenize = 'ascii');
                CREATE VIRTUAL TABLE text_index USING fts5(
                    names, content, content = '', columnsize = 0, tokenize = 'ascii');
                -- As written, to know what a mistyped word was meant for.
                CREATE VIRTUAL TABLE word_index USING fts5(
                    words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
                CREATE VIRTUAL TABLE text_words USING fts5vocab(text_index, row);
                CREATE VIRTUAL TABLE written_words USING fts5vocab(word_index, row);
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
                """)
        try makeIndexes(db)
    }

    /// Those that a file of this version may lack.
    static func makeIndexes(_ db: Database) throws {
        // Items of the class `.complete` that an earlier version left in the clear: they are looked for with each search of an app.
        try db.execute(sql: "CREATE INDEX IF NOT EXISTS item_in_clear ON item (source) WHERE protection = 2")
    }
}
