import BatonCore
import BatonStore
import FileSync
import Foundation
import GRDB
import Sync

/// Packs, and where each chunk is.
extension DocumentsStore {
    /// - Parameter version: what the zone has; nil for one that is to be written.
    func add(_ packs: [(pack: DocumentPack, version: UInt64?)], to container: Int64) throws {
        guard !packs.isEmpty else { return }
        try database.writeBlocking { db in
            for (pack, version) in packs {
                let number = version.map { Int64(bitPattern: $0) }
                try db.execute(
                    sql: """
                        INSERT INTO documents_pack (container, name, content, blob, version) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (container, name) DO UPDATE SET version = excluded.version
                        """,
                    arguments: [container, pack.name, pack.content, pack.blob.id.bytes, number])
                for (chunk, offset) in pack.places {
                    try db.execute(
                        sql: """
                            INSERT OR IGNORE INTO documents_chunk (container, hash, pack, offset, length)
                            VALUES (?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            container, Data(chunk.hash.bytes), pack.name, Int64(clamping: offset), Int64(chunk.length),
                        ])
                }
            }
        }
    }

    func isStored(_ hash: ContentHash, in container: Int64) throws -> Bool {
        try database.readBlocking { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM documents_chunk WHERE container = ? AND hash = ?)",
                arguments: [container, Data(hash.bytes)]) ?? false
        }
    }

    /// Where a chunk is: in a pack, at an offset. Several where devices stored it at one time.
    func places(of hash: ContentHash, in container: Int64) throws -> [(pack: DocumentPack, offset: UInt64)] {
        try database.readBlocking { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT content, offset FROM documents_chunk JOIN documents_pack
                        ON documents_pack.container = documents_chunk.container AND name = pack
                    WHERE documents_chunk.container = ? AND hash = ? ORDER BY name LIMIT 8
                    """, arguments: [container, Data(hash.bytes)]
            ).compactMap { row in
                guard let pack = try? DocumentPack(content: row["content"]) else { return nil }
                return (pack, UInt64(clamping: row["offset"] as Int64))
            }
        }
    }

    /// Packs that the zone does not have, of these chunks or of all.
    func unsentPacks(in container: Int64, limit: Int) throws -> [DocumentPack] {
        try database.readBlocking { db in
            try Data.fetchAll(
                db, sql: "SELECT content FROM documents_pack WHERE container = ? AND version IS NULL LIMIT ?",
                arguments: [container, limit]
            ).compactMap { try? DocumentPack(content: $0) }
        }
    }

    /// The zone has lost what it had, all but these.
    func forgetPackVersions(of container: Int64, except names: Set<String> = []) throws {
        try database.writeBlocking { db in
            for name in try String.fetchAll(
                db, sql: "SELECT name FROM documents_pack WHERE container = ?", arguments: [container])
            where !names.contains(name) {
                try db.execute(
                    sql: "UPDATE documents_pack SET version = NULL WHERE container = ? AND name = ?",
                    arguments: [container, name])
            }
        }
    }

    /// Which of these blobs a pack names that is to be written yet.
    func needed(among blobs: Set<BlobID>) throws -> Set<BlobID> {
        try database.readBlocking { db in
            try blobs.filter { blob in
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM documents_pack WHERE blob = ? AND version IS NULL)",
                    arguments: [blob.bytes]) ?? false
            }
        }
    }

    // MARK: Packs that go

    /// Those that the zone has.
    func writtenPacks(in container: Int64) throws -> [DocumentPack] {
        try database.readBlocking { db in
            try Data.fetchAll(
                db, sql: "SELECT content FROM documents_pack WHERE container = ? AND version IS NOT NULL",
                arguments: [container]
            ).compactMap { try? DocumentPack(content: $0) }
        }
    }

    func pack(_ name: String, in container: Int64) throws -> (pack: DocumentPack, version: UInt64)? {
        try database.readBlocking { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT content, version FROM documents_pack
                    WHERE container = ? AND name = ? AND version IS NOT NULL
                    """, arguments: [container, name])
            guard let row, let pack = try? DocumentPack(content: row["content"]) else { return nil }
            return (pack, UInt64(bitPattern: row["version"] as Int64))
        }
    }

    /// Nothing is found in these packs any more.
    func hideChunks(of packs: [String], in container: Int64) throws {
        try database.writeBlocking { db in
            for name in packs {
                try db.execute(
                    sql: "DELETE FROM documents_chunk WHERE container = ? AND pack = ?", arguments: [container, name])
            }
        }
    }

    func showChunks(of name: String, in container: Int64) throws {
        guard let (pack, version) = try pack(name, in: container) else { return }
        try add([(pack, version)], to: container)
    }

    /// - Returns: the chunks that were in them.
    func removePacks(_ names: [String], from container: Int64) throws -> Set<ContentHash> {
        try database.writeBlocking { db in
            var gone: Set<ContentHash> = []
            for name in names {
                let content = try Data.fetchOne(
                    db, sql: "SELECT content FROM documents_pack WHERE container = ? AND name = ?",
                    arguments: [container, name])
                guard let content else { continue }
                gone.formUnion((try? DocumentPack(content: content))?.chunks.map(\.hash) ?? [])
                try db.execute(
                    sql: "DELETE FROM documents_pack WHERE container = ? AND name = ?", arguments: [container, name])
            }
            return gone
        }
    }
}
