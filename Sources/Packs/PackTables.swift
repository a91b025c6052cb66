/// How the tables of an index are named in the database of which they are a part.
package struct PackTables: Sendable {
    let packs: String
    let chunks: String
    /// The column that says whose a row is, by its number in ``owners``.
    let owner: String
    let owners: String

    /// - Parameters:
    ///   - prefix: begins the tables' names.
    ///   - owner: names the column of owners.
    ///   - owners: their table, of which `id` is the key. What an owner has goes with it.
    package init(prefix: String, owner: String, in owners: String) {
        packs = "\(prefix)_pack"
        chunks = "\(prefix)_chunk"
        self.owner = owner
        self.owners = owners
    }

    /// Makes the tables. It is a part of migrations that were released, so it is never changed.
    package var schema: String {
        """
        CREATE TABLE \(packs) (
            \(owner) INTEGER NOT NULL REFERENCES \(owners) (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            content BLOB NOT NULL,
            blob BLOB NOT NULL,
            version INTEGER,
            PRIMARY KEY (\(owner), name)
        ) STRICT;
        CREATE INDEX \(packs)_unsent ON \(packs) (\(owner)) WHERE version IS NULL;
        CREATE INDEX \(packs)_blob ON \(packs) (blob);
        CREATE TABLE \(chunks) (
            \(owner) INTEGER NOT NULL,
            hash BLOB NOT NULL,
            pack TEXT NOT NULL,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            PRIMARY KEY (\(owner), hash, pack),
            FOREIGN KEY (\(owner), pack) REFERENCES \(packs) (\(owner), name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX \(chunks)_pack ON \(chunks) (\(owner), pack);
        """
    }
}
