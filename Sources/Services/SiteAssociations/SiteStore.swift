import AssociatedDomains
import BatonCore
import BatonStore
import Foundation
import GRDB
import SiteAssociationClient

/// The files of sites, in the daemon's database: those that were valid when fetched.
struct SiteStore: Sendable {
    let database: DaemonDatabase

    static let migrations = [
        DaemonDatabase.Migration("site-associations-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE associated_site (
                        domain TEXT NOT NULL PRIMARY KEY,
                        body BLOB NOT NULL,
                        entity_tag TEXT,
                        last_modified TEXT,
                        -- Seconds since 1970: when the site last confirmed it.
                        verified INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
    ]

    struct Record: Sendable {
        var domain: DomainName
        var body: [UInt8]
        var validators: SiteValidators
        var verified: UInt64
    }

    func all() async throws -> [Record] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM associated_site").compactMap { row in
                let body: Data = row["body"]
                let verified: Int64 = row["verified"]
                return DomainName(rawValue: row["domain"]).map {
                    Record(
                        domain: $0, body: Array(body),
                        validators: .init(entityTag: row["entity_tag"], lastModified: row["last_modified"]),
                        verified: UInt64(clamping: verified))
                }
            }
        }
    }

    func save(_ record: Record) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO associated_site VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    record.domain.rawValue, Data(record.body), record.validators.entityTag,
                    record.validators.lastModified, Int64(clamping: record.verified),
                ])
        }
    }

    func remove(_ domain: DomainName) async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM associated_site WHERE domain = ?", arguments: [domain.rawValue])
        }
    }
}
