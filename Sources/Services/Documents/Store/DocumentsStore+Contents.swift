import BatonStore
import FileSync
import Foundation
import GRDB

/// Entries as they are kept, with the bytes of their small contents, which are not in memory. Every method blocks.
extension DocumentsStore {
    /// Entries as they are announced to others.
    func encoded(_ ids: [EntryID], of container: Int64) throws -> [EntryID: Data] {
        guard !ids.isEmpty else { return [:] }
        return try database.readBlocking { db in
            var found: [EntryID: Data] = [:]
            for id in ids { found[id] = try Self.row(of: id, container, db) }
            return found
        }
    }

    /// All entries as they are announced to others, one after the other.
    func eachEncoded(of container: Int64, _ body: (EntryID, Data) throws -> Void) throws {
        try database.readBlocking { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, content FROM documents_entry WHERE container = ?", arguments: [container])
            while let row = try rows.next() {
                let (bytes, content): (Data, Data) = (row[0], row[1])
                if let id = EntryCodec.id(bytes) { try body(id, content) }
            }
        }
    }

    /// Bytes of small contents, by the entries that they are kept with. Contents that are not found are left out.
    func smallContents(
        _ wanted: [EntryID: Set<ContentHash>], of container: Int64
    ) throws -> [EntryID: SmallContents] {
        guard !wanted.isEmpty else { return [:] }
        return try database.readBlocking { db in
            var found: [EntryID: SmallContents] = [:]
            for (id, hashes) in wanted {
                var contents = try Self.row(of: id, container, db).map(EntryCodec.smallContents) ?? [:]
                // Content that an edit replaced, and that only this disk has, may be in the entry no more.
                if !hashes.allSatisfy({ contents[$0] != nil }), let mark = try Self.replaced(of: id, container, db) {
                    contents.merge(try EntryCodec.smallContents(mark)) { own, _ in own }
                }
                found[id] = contents.filter { hashes.contains($0.key) }
            }
            return found
        }
    }

    // MARK: The zone's versions

    /// The zone's versions of entries, of those that it has.
    func versions(of ids: [EntryID], in container: Int64) throws -> [EntryID: UInt64] {
        guard !ids.isEmpty else { return [:] }
        return try database.readBlocking { db in
            let statement = try db.cachedStatement(
                sql: "SELECT version FROM documents_entry WHERE container = ? AND id = ? AND version IS NOT NULL")
            var found: [EntryID: UInt64] = [:]
            for id in ids {
                let version = try Int64.fetchOne(statement, arguments: [container, EntryCodec.bytes(of: id)])
                found[id] = version.map { UInt64(bitPattern: $0) }
            }
            return found
        }
    }

    /// The entries of which the zone has nothing.
    func withoutVersion(in container: Int64) throws -> Set<EntryID> {
        try database.readBlocking { db in
            let rows = try Data.fetchCursor(
                db, sql: "SELECT id FROM documents_entry WHERE container = ? AND version IS NULL",
                arguments: [container])
            var found: Set<EntryID> = []
            while let bytes = try rows.next() { if let id = EntryCodec.id(bytes) { found.insert(id) } }
            return found
        }
    }

    // MARK: Rows

    private static func row(of id: EntryID, _ container: Int64, _ db: Database) throws -> Data? {
        try Data.fetchOne(
            try db.cachedStatement(sql: "SELECT content FROM documents_entry WHERE container = ? AND id = ?"),
            arguments: [container, EntryCodec.bytes(of: id)])
    }

    private static func replaced(of id: EntryID, _ container: Int64, _ db: Database) throws -> Data? {
        try Data.fetchOne(
            try db.cachedStatement(
                sql: "SELECT value FROM documents_mark WHERE container = ? AND kind = ? AND id = ?"),
            arguments: [container, Mark.Kind.replaced.rawValue, EntryCodec.bytes(of: id)])
    }
}
