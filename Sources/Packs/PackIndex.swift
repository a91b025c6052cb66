package import BatonStore
package import FileSync
package import Foundation
package import GRDB

/// The packs of any number of owners, and where each chunk is. What is stored already is found by its hash.
///
/// Bound: a row for each pack, and for each chunk in it. Every call blocks.
package struct PackIndex<Pack: StoredPack>: Sendable {
    let tables: PackTables
    let database: DaemonDatabase

    /// - Parameter database: one that has the tables.
    package init(_ tables: PackTables, in database: DaemonDatabase) {
        self.tables = tables
        self.database = database
    }

    /// - Parameter version: what the owner's zone has; nil for one that is to be written.
    package func add(_ packs: [(pack: Pack, version: UInt64?)], to owner: Int64) throws {
        guard !packs.isEmpty else { return }
        try database.writeBlocking { db in
            for (pack, version) in packs {
                let number = version.map { Int64(bitPattern: $0) }
                try db.execute(
                    sql: """
                        INSERT INTO \(tables.packs) (\(tables.owner), name, content, blob, version) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (\(tables.owner), name) DO UPDATE SET version = excluded.version
                        """,
                    arguments: [owner, pack.name, pack.content, pack.blobName, number])
                for (chunk, offset) in pack.places {
                    try db.execute(
                        sql: """
                            INSERT OR IGNORE INTO \(tables.chunks) (\(tables.owner), hash, pack, offset, length)
                            VALUES (?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            owner, Data(chunk.hash.bytes), pack.name, Int64(clamping: offset), Int64(chunk.length),
                        ])
                }
            }
        }
    }

    package func isStored(_ hash: ContentHash, in owner: Int64) throws -> Bool {
        try database.readBlocking { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM \(tables.chunks) WHERE \(tables.owner) = ? AND hash = ?)",
                arguments: [owner, Data(hash.bytes)]) ?? false
        }
    }

    /// Where a chunk is: in a pack, at an offset. Several where devices stored it at one time.
    package func places(of hash: ContentHash, in owner: Int64) throws -> [(pack: Pack, offset: UInt64)] {
        try database.readBlocking { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT content, offset FROM \(tables.chunks) JOIN \(tables.packs)
                        ON \(tables.packs).\(tables.owner) = \(tables.chunks).\(tables.owner) AND name = pack
                    WHERE \(tables.chunks).\(tables.owner) = ? AND hash = ? ORDER BY name LIMIT 8
                    """, arguments: [owner, Data(hash.bytes)]
            ).compactMap { row in
                guard let pack = try? Pack(content: row["content"]) else { return nil }
                return (pack, UInt64(clamping: row["offset"] as Int64))
            }
        }
    }

    package func pack(_ name: String, in owner: Int64) throws -> (pack: Pack, version: UInt64)? {
        try database.readBlocking { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT content, version FROM \(tables.packs)
                    WHERE \(tables.owner) = ? AND name = ? AND version IS NOT NULL
                    """, arguments: [owner, name])
            guard let row, let pack = try? Pack(content: row["content"]) else { return nil }
            return (pack, UInt64(bitPattern: row["version"] as Int64))
        }
    }

    // MARK: What the zone has

    /// Packs that the zone does not have.
    package func unsent(in owner: Int64, limit: Int) throws -> [Pack] {
        try database.readBlocking { db in
            try Data.fetchAll(
                db, sql: "SELECT content FROM \(tables.packs) WHERE \(tables.owner) = ? AND version IS NULL LIMIT ?",
                arguments: [owner, limit]
            ).compactMap { try? Pack(content: $0) }
        }
    }

    /// Those that the zone has.
    package func written(in owner: Int64) throws -> [Pack] {
        try database.readBlocking { db in
            try Data.fetchAll(
                db, sql: "SELECT content FROM \(tables.packs) WHERE \(tables.owner) = ? AND version IS NOT NULL",
                arguments: [owner]
            ).compactMap { try? Pack(content: $0) }
        }
    }

    /// - Parameters:
    ///   - versions: by the packs' names; nil where the zone has none any more.
    ///   - db: a transaction of the database, in which more is written.
    package func setVersions(_ versions: [String: UInt64?], of owner: Int64, _ db: Database) throws {
        for (name, version) in versions {
            try db.execute(
                sql: "UPDATE \(tables.packs) SET version = ? WHERE \(tables.owner) = ? AND name = ?",
                arguments: [version.map { Int64(bitPattern: $0) }, owner, name])
        }
    }

    /// The zone has lost what it had, all but these.
    package func forgetVersions(of owner: Int64, except names: Set<String> = []) throws {
        try database.writeBlocking { db in
            let all = try String.fetchAll(
                db, sql: "SELECT name FROM \(tables.packs) WHERE \(tables.owner) = ?", arguments: [owner])
            for name in all where !names.contains(name) { try setVersions([name: nil], of: owner, db) }
        }
    }

    /// Which of these blobs a pack names that is to be written yet, of any owner.
    package func unsent(among blobs: Set<Data>) throws -> Set<Data> {
        try database.readBlocking { db in
            try blobs.filter { blob in
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM \(tables.packs) WHERE blob = ? AND version IS NULL)",
                    arguments: [blob]) ?? false
            }
        }
    }

    // MARK: Packs that go

    /// Nothing is found in these packs any more.
    package func hideChunks(of packs: [String], in owner: Int64) throws {
        try database.writeBlocking { db in
            for name in packs {
                try db.execute(
                    sql: "DELETE FROM \(tables.chunks) WHERE \(tables.owner) = ? AND pack = ?",
                    arguments: [owner, name])
            }
        }
    }

    package func showChunks(of name: String, in owner: Int64) throws {
        guard let (pack, version) = try pack(name, in: owner) else { return }
        try add([(pack, version)], to: owner)
    }

    /// - Returns: the chunks that were in them.
    package func remove(_ names: [String], from owner: Int64) throws -> Set<ContentHash> {
        try database.writeBlocking { db in
            var gone: Set<ContentHash> = []
            for name in names {
                let content = try Data.fetchOne(
                    db, sql: "SELECT content FROM \(tables.packs) WHERE \(tables.owner) = ? AND name = ?",
                    arguments: [owner, name])
                guard let content else { continue }
                gone.formUnion((try? Pack(content: content))?.chunks.map(\.hash) ?? [])
                try db.execute(
                    sql: "DELETE FROM \(tables.packs) WHERE \(tables.owner) = ? AND name = ?", arguments: [owner, name])
            }
            return gone
        }
    }
}
