import BackupFormat
import BatonCore
import Foundation
import GRDB

/// The files of one directory as they were at the last backup, walked along in the order of their names as the directory itself is.
struct KnownFiles {
    /// A file as it was when it was read.
    struct Known {
        /// Size, times and inode; where they differ, the file is read.
        var fingerprint: [UInt8]
        var entry: BackupEntry
    }

    /// A directory, by its path.
    final class Place {
        let path: [UInt8]
        /// Nil while nothing of it is known.
        fileprivate(set) var id: Int64?

        fileprivate init(_ path: [UInt8], _ id: Int64?) {
            self.path = path
            self.id = id
        }
    }

    /// A change that the index takes of one file.
    struct Change {
        var place: Place
        var name: [UInt8]
        /// Nil: it is no more.
        var known: Known?
    }

    fileprivate struct Row {
        var name: [UInt8]
        var fingerprint: [UInt8]
        /// Read only where the fingerprint still counts.
        var entry: [UInt8]
    }

    /// Bound of rows in memory, for each directory on the way down.
    private static let pageSize = 500

    let place: Place
    private let index: BackupIndex
    private var page: ArraySlice<Row> = []
    private var isAtEnd: Bool
    private var last: [UInt8] = []

    init(_ index: BackupIndex, path: [UInt8]) throws {
        self.index = index
        place = try index.place(path)
        isAtEnd = place.id == nil
    }

    /// A file as it is known. Names must come in their order; `gone` gets those that are passed over.
    /// - Parameter isCurrent: whether a fingerprint still counts.
    mutating func file(
        _ name: [UInt8], isCurrent: ([UInt8]) throws -> Bool, gone: ([UInt8]) throws -> Void
    ) throws -> Known? {
        while let row = try first() {
            guard row.name != name else {
                page = page.dropFirst()
                guard try isCurrent(row.fingerprint), let entry = try? BackupEntry(decoding: row.entry) else {
                    return nil
                }
                return Known(fingerprint: row.fingerprint, entry: entry)
            }
            guard row.name.lexicographicallyPrecedes(name) else { return nil }
            page = page.dropFirst()
            try gone(row.name)
        }
        return nil
    }

    /// Passes over those that come after all names of the directory.
    mutating func end(gone: ([UInt8]) throws -> Void) throws {
        while let row = try first() {
            page = page.dropFirst()
            try gone(row.name)
        }
    }

    private mutating func first() throws -> Row? {
        if page.isEmpty, !isAtEnd, let id = place.id {
            page = try index.rows(of: id, after: last, limit: Self.pageSize)[...]
            isAtEnd = page.count < Self.pageSize
            last = page.last?.name ?? last
        }
        return page.first
    }
}

extension BackupIndex {
    fileprivate func place(_ path: [UInt8]) throws -> KnownFiles.Place {
        try queue.writeWithoutTransaction { [table] db in
            KnownFiles.Place(path, try Self.id(of: path, table, db))
        }
    }

    private static func id(of path: [UInt8], _ table: String, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM place WHERE target = ? AND path = ?")
        return try Int64.fetchOne(statement, arguments: [table, Data(path)])
    }

    private static func makeID(of path: [UInt8], _ table: String, _ db: Database) throws -> Int64 {
        if let id = try id(of: path, table, db) { return id }
        try db.execute(sql: "INSERT INTO place (target, path) VALUES (?, ?)", arguments: [table, Data(path)])
        return db.lastInsertedRowID
    }

    fileprivate func rows(of place: Int64, after name: [UInt8], limit: Int) throws -> [KnownFiles.Row] {
        func bytes(_ row: GRDB.Row, _ column: Int) throws -> [UInt8] {
            try row.withUnsafeData(atIndex: column) { $0.map(Array.init) ?? [] }
        }
        return try queue.writeWithoutTransaction { db in
            let statement = try db.cachedStatement(
                sql: "SELECT name, fingerprint, entry FROM known WHERE place = ? AND name > ? ORDER BY name LIMIT ?")
            let cursor = try GRDB.Row.fetchCursor(statement, arguments: [place, Data(name), limit])
            var rows: [KnownFiles.Row] = []
            while let row = try cursor.next() {
                rows.append(.init(name: try bytes(row, 0), fingerprint: try bytes(row, 1), entry: try bytes(row, 2)))
            }
            return rows
        }
    }

    /// Takes what was learnt of files, in one transaction.
    func keep(_ changes: [KnownFiles.Change]) throws {
        guard !changes.isEmpty else { return }
        try queue.write { [table] db in
            let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?)")
            let remove = try db.cachedStatement(sql: "DELETE FROM known WHERE place = ? AND name = ?")
            for change in changes {
                guard let known = change.known else {
                    if let id = change.place.id { try remove.execute(arguments: [id, Data(change.name)]) }
                    continue
                }
                let id = try change.place.id ?? Self.makeID(of: change.place.path, table, db)
                change.place.id = id
                try insert.execute(arguments: [
                    id, Data(change.name), Data(known.fingerprint), Data(known.entry.encoded),
                ])
            }
        }
    }

    /// Bound: twice as many as the last backup had. Beyond it, files that are gone with their directories are most of it, and all are
    /// read again.
    func boundFiles(to count: UInt64) throws {
        try queue.write { [table] db in
            let places = "SELECT id FROM place WHERE target = ?"
            let kept =
                try Int64.fetchOne(
                    db, sql: "SELECT count(*) FROM known WHERE place IN (\(places))", arguments: [table]) ?? 0
            guard kept > 2 * Int64(clamping: count) + 1000 else { return }
            try db.execute(sql: "DELETE FROM known WHERE place IN (\(places))", arguments: [table])
            try db.execute(sql: "DELETE FROM place WHERE target = ?", arguments: [table])
        }
    }
}
