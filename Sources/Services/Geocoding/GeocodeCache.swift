import BatonConcurrency
import BatonStore
import Foundation
import GRDB

/// Answers of a geocoder, so that it is not asked again: a table in the daemon's database.
struct GeocodeCache: Sendable {
    static let capacity = 1_000
    static let lifetime: TimeInterval = 30 * 24 * 60 * 60

    let database: DaemonDatabase

    static let migrations = [
        DaemonDatabase.Migration("geocoding-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE geocoder_answer (
                        -- The URL that was asked.
                        url TEXT PRIMARY KEY NOT NULL,
                        answer BLOB NOT NULL,
                        -- Seconds since 1970.
                        fetched REAL NOT NULL
                    ) STRICT;
                    CREATE INDEX geocoder_answer_by_age ON geocoder_answer (fetched);
                    """)
        }
    ]

    func answer(to url: URL, now: Date) async throws -> Data? {
        let oldest = now.timeIntervalSince1970 - Self.lifetime
        let url = url.absoluteString
        return try await database.read { db in
            try Data.fetchOne(
                db, sql: "SELECT answer FROM geocoder_answer WHERE url = ? AND fetched > ?", arguments: [url, oldest])
        }
    }

    func keep(_ answer: Data, of url: URL, now: Date) async throws {
        let time = now.timeIntervalSince1970
        let url = url.absoluteString
        try await database.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO geocoder_answer (url, answer, fetched) VALUES (?, ?, ?)",
                arguments: [url, answer, time])
            try db.execute(
                sql: "DELETE FROM geocoder_answer WHERE fetched <= ?", arguments: [time - Self.lifetime])
            try db.execute(
                sql: """
                    DELETE FROM geocoder_answer WHERE url IN
                        (SELECT url FROM geocoder_answer ORDER BY fetched DESC LIMIT -1 OFFSET ?)
                    """, arguments: [Self.capacity])
        }
    }

    /// They are gone from the disk when it returns.
    func remove(_ what: Geocoding.Forgotten) async throws {
        try await database.write { db in
            // Deleted rows are overwritten.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            switch what {
            case .all: try db.execute(sql: "DELETE FROM geocoder_answer")
            case .since(let time):
                try db.execute(
                    sql: "DELETE FROM geocoder_answer WHERE fetched >= ?", arguments: [Double(time) / 1000])
            case .place(let name):
                let rows = try Row.fetchAll(db, sql: "SELECT url, answer FROM geocoder_answer")
                for row in rows where Self.names(row["url"], row["answer"], PlaceWords.fold(name)) {
                    let url: String = row["url"]
                    try db.execute(sql: "DELETE FROM geocoder_answer WHERE url = ?", arguments: [url])
                }
            }
        }
        try await BlockingQueue("development.baton.geocoding").run { [database] in try database.truncateLog() }
    }

    /// Whether a place was asked for, or is in the answer, by its words.
    private static func names(_ url: String, _ answer: Data, _ words: String) -> Bool {
        guard !words.isEmpty else { return false }
        let asked = url.replacing("+", with: " ").removingPercentEncoding ?? url
        return [asked, String(decoding: answer, as: UTF8.self)].contains {
            " \(PlaceWords.fold($0)) ".contains(" \(words) ")
        }
    }
}
