import BatonStore
import Foundation
import GRDB
import Synchronization

/// The items of a small zone as the cloud sent them last: kept on the disk, and read from memory.
///
/// Bound: `maximumCount` items, deletions among them, and besides them what is needed, of `maximumSize` each. More is passed
/// over.
final class CachedItems: Sendable {
    struct Entry {
        var version: UInt64
        /// Nil: deleted.
        var content: Data?
    }

    private let database: DaemonDatabase
    private let table: String
    private let maximumSize: Int
    private let maximumCount: Int
    private let entries: Mutex<[String: Entry]>

    /// For a migration.
    static func schema(of table: String) -> String {
        """
        CREATE TABLE \(table) (
            name TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL,
            content BLOB
        ) STRICT;
        """
    }

    /// Reads what is stored.
    /// - Parameters:
    ///   - table: of ``schema(of:)``.
    ///   - maximumSize: bytes of a content; of a larger one only the version is kept: it is damaged.
    init(database: DaemonDatabase, table: String, maximumSize: Int, maximumCount: Int) async throws {
        self.database = database
        self.table = table
        self.maximumSize = maximumSize
        self.maximumCount = maximumCount
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT name, version, content FROM \(table)").map { row in
                (row["name"] as String, Entry(version: UInt64(bitPattern: row["version"]), content: row["content"]))
            }
        }
        entries = Mutex(Dictionary(rows) { first, _ in first })
    }

    var names: Set<String> { entries.withLock { Set($0.keys) } }

    /// The contents of items that are not deleted.
    var contents: [String: Data] { entries.withLock { $0.compactMapValues(\.content) } }

    func version(of name: String) -> UInt64 { entries.withLock { $0[name]?.version } ?? 0 }

    func hasContent(_ name: String) -> Bool { entries.withLock { $0[name]?.content } != nil }

    /// Stores items that the cloud reported or accepted.
    /// - Parameter needed: names for which there is room however many there are.
    func keep(_ items: [IncomingItem], needed: Set<String> = []) async throws {
        let news = entries.withLock { entries in
            var count = entries.count
            return items.filter { item in
                if let known = entries[item.name] { return known.version <= item.version || item.version == 0 }
                if needed.contains(item.name) { return true }
                count += 1
                return count <= maximumCount
            }
        }.map(bounded)
        try await database.write { [table] db in
            for item in news {
                guard item.version > 0 else {
                    try db.execute(sql: "DELETE FROM \(table) WHERE name = ?", arguments: [item.name])
                    continue
                }
                try db.execute(
                    sql: "INSERT OR REPLACE INTO \(table) VALUES (?, ?, ?)",
                    arguments: [item.name, Int64(bitPattern: item.version), item.content])
            }
        }
        entries.withLock { entries in
            for item in news {
                entries[item.name] = item.version > 0 ? Entry(version: item.version, content: item.content) : nil
            }
        }
    }

    /// The zone has nothing but these.
    func forget(allBut names: Set<String>) async throws {
        let gone = self.names.subtracting(names)
        try await keep(gone.map { IncomingItem(name: $0, version: 0, content: nil) })
    }

    private func bounded(_ item: IncomingItem) -> IncomingItem {
        guard let content = item.content, content.count > maximumSize else { return item }
        return IncomingItem(name: item.name, version: item.version, content: Data())
    }
}
