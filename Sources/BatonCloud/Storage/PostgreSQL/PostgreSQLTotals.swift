import BatonCore
import Foundation

/// Every number that a PostgreSQL database keeps of what it holds, counted anew. Each that differs is named, with what it is
/// and what it should be.
enum PostgreSQLTotals {
    /// Reads everything, changes nothing; the caller's transaction makes it one state.
    static func findings(_ connection: PostgreSQLConnection) throws -> [String] {
        try zones(connection) + heads(connection) + accounts(connection) + uses(connection)
    }

    /// A zone that is being removed counts whole until all of it is gone.
    private static func zones(_ connection: PostgreSQLConnection) throws -> [String] {
        try connection.run(
            """
            SELECT COALESCE(a.name, 'that was deleted'), z.name, z.items, COALESCE(i.items, 0)::bigint, z.item_bytes,
                COALESCE(i.bytes, 0)::bigint
            FROM zones z LEFT JOIN (
                SELECT zone, COUNT(*) AS items, SUM(\(StoredItem.overhead) + COALESCE(octet_length(sealed), 0)
                    + COALESCE(octet_length(blobs), 0)) AS bytes FROM items GROUP BY zone) AS i ON i.zone = z.id
            LEFT JOIN accounts a ON a.id = z.account
            WHERE z.items < COALESCE(i.items, 0) OR z.item_bytes < COALESCE(i.bytes, 0) OR (z.name IS NOT NULL
                AND (z.items <> COALESCE(i.items, 0) OR z.item_bytes <> COALESCE(i.bytes, 0)))
            """
        ).map { row in
            let zone = row.data(1)
            let name = zone.map { "zone \($0.hexadecimal)" } ?? "a deleted zone"
            let owner = "\(name) of account \(try row.text(0))"
            return [
                CloudTotals.finding(owner, "items", try row.integer(2), try row.integer(3), orMore: zone == nil),
                CloudTotals.finding(
                    owner, "bytes of items", try row.integer(4), try row.integer(5), orMore: zone == nil),
            ].compactMap { $0 }
        }.flatMap { $0 }
    }

    private static func heads(_ connection: PostgreSQLConnection) throws -> [String] {
        try connection.run(
            """
            SELECT z.name, z.head, z.horizon, COALESCE(i.newest, 0)::bigint FROM zones z
            LEFT JOIN (SELECT zone, MAX(version) AS newest FROM items GROUP BY zone) AS i ON i.zone = z.id
            WHERE COALESCE(i.newest, 0) > z.head OR z.horizon > z.head
            """
        ).map { row in
            CloudTotals.ahead(
                row.data(0), head: try row.integer(1), horizon: try row.integer(2), newest: try row.integer(3))
        }
    }

    private static func accounts(_ connection: PostgreSQLConnection) throws -> [String] {
        let hasAnswers =
            try connection.run(
                """
                SELECT 1::bigint FROM pg_attribute WHERE attrelid = to_regclass('accounts') AND attname = 'forgotten'
                """
            ).count == 1
        return try connection.run(
            """
            SELECT a.name, a.zones, COALESCE(z.zones, 0)::bigint, a.items, COALESCE(z.items, 0)::bigint, a.item_bytes,
                COALESCE(z.bytes, 0)::bigint, a.blobs, COALESCE(b.blobs, 0)::bigint, a.blob_bytes,
                COALESCE(b.bytes, 0)::bigint, \(hasAnswers ? "a.changes - a.forgotten" : "COALESCE(x.answers, 0)::bigint"),
                COALESCE(x.answers, 0)::bigint
            FROM accounts a
            LEFT JOIN (SELECT account, COUNT(*) AS zones, SUM(items) AS items, SUM(item_bytes) AS bytes
                FROM zones WHERE name IS NOT NULL GROUP BY account) AS z ON z.account = a.id
            LEFT JOIN (SELECT account, COUNT(*) AS blobs, SUM(size) AS bytes FROM blobs GROUP BY account) AS b
                ON b.account = a.id
            LEFT JOIN (SELECT account, COUNT(*) AS answers FROM answers GROUP BY account) AS x ON x.account = a.id
            WHERE a.name IS NOT NULL
            """
        ).map { row in
            try CloudTotals.ofAccount.enumerated().compactMap { index, what in
                CloudTotals.finding(
                    "account \(try row.text(0))", what, try row.integer(1 + 2 * index), try row.integer(2 + 2 * index))
            }
        }.flatMap { $0 }
    }

    /// How often items name each blob: by this it is known which may be collected. An account that was deleted forgets
    /// blobs before the items that name them.
    private static func uses(_ connection: PostgreSQLConnection) throws -> [String] {
        try connection.run(
            """
            SELECT a.name, COALESCE(b.hash, u.hash), COALESCE(b.uses, -1)::bigint, COALESCE(u.uses, 0)::bigint
            FROM blobs b FULL JOIN (
                SELECT z.account, substring(i.blobs FROM (1 + 32 * place)::int FOR 32) AS hash, COUNT(*) AS uses
                FROM items i JOIN zones z ON z.id = i.zone
                CROSS JOIN LATERAL generate_series(0, octet_length(i.blobs) / 32 - 1) AS place
                WHERE i.blobs IS NOT NULL GROUP BY 1, 2) AS u ON u.account = b.account AND u.hash = b.hash
            JOIN accounts a ON a.id = COALESCE(b.account, u.account)
            WHERE a.name IS NOT NULL AND COALESCE(b.uses, -1) <> COALESCE(u.uses, 0)
            """
        ).map { row in
            CloudTotals.uses(
                of: try row.blob(1), account: try row.text(0), kept: try row.integer(2), found: try row.integer(3))
        }
    }
}
