import BatonCore
import Foundation

/// Looks through a PostgreSQL database, beside nodes that may be running.
enum PostgreSQLVerification {
    /// Totals that are not what they are totals of, and statements that are not what was written; empty when all is well.
    /// PostgreSQL's own checksums and `pg_amcheck` look after its files. Blocks.
    static func findings(location: String) throws(BatonError) -> [String] {
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        return try pool.perform { connection in
            // One state of the database for all.
            _ = try connection.run([
                SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                SQLStatement("SET LOCAL statement_timeout = 0"), SQLStatement("SET LOCAL enable_seqscan = on"),
                SQLStatement("SET LOCAL enable_hashjoin = on"),
            ])
            return try PostgreSQLTotals.findings(connection) + PostgreSQLRowChecks.findings(connection)
        }
    }

    /// Every account in the database, with what it keeps. Blocks.
    static func accounts(location: String) throws(BatonError) -> [ListedAccount] {
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        return try pool.perform { connection in
            // One that an older version made has none yet.
            let hasQuota =
                try connection.run(
                    "SELECT 1::bigint FROM pg_attribute WHERE attrelid = to_regclass('accounts') AND attname = 'quota'"
                ).count == 1
            return try connection.run(
                """
                SELECT name, items, item_bytes, blobs, blob_bytes, zones, \(hasQuota ? "quota" : "NULL::bigint")
                FROM accounts WHERE name IS NOT NULL ORDER BY name
                """
            ).map { row in
                ListedAccount(
                    id: try row.text(0), items: try row.integer(1), itemBytes: try row.integer(2),
                    blobs: try row.integer(3), blobBytes: try row.integer(4), zones: try row.integer(5),
                    ownQuota: try row.optionalInteger(6).map { UInt64(clamping: $0) })
            }
        }
    }

    /// A problem with the nodes' shared secret, which is in the first database; nil when there is none. Blocks.
    static func secretFinding(location: String) throws(BatonError) -> String? {
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        return try pool.perform { connection -> String? in
            // A first start may have been interrupted before it.
            guard try connection.run("SELECT 1 FROM accounts LIMIT 1").first != nil else { return nil }
            return CloudTotals.secret(
                try connection.run("SELECT value FROM server WHERE name = 'secret'").first?.blob(0))
        }
    }

    /// The blobs that must be there, one after the other.
    static func completeBlobs(
        location: String, _ body: (BlobAddress, _ size: UInt64) async throws -> Void
    ) async throws {
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        var last: (account: Int64, hash: Data) = (Int64.min, Data())
        while true {
            let start = last
            let page = try await pool.read { connection in
                try connection.run(
                    """
                    SELECT b.account, b.hash, b.size, a.space FROM blobs b JOIN accounts a ON a.id = b.account
                    WHERE b.standing = 1 AND a.name IS NOT NULL AND (b.account, b.hash) > ($1, $2)
                    ORDER BY b.account, b.hash LIMIT 500
                    """, .integer(start.account), .bytes(start.hash)
                ).map { row in
                    (
                        try row.integer(0), try BlobHash(row.blob(1)), try row.unsigned(2),
                        try BlobSpace.stored(row.text(3))
                    )
                }
            }
            for (_, hash, size, space) in page { try await body(BlobAddress(space: space, hash: hash), size) }
            guard let (account, hash, _, _) = page.last else { return }
            last = (account, hash.bytes)
        }
    }
}

extension PostgreSQLItemStore {
    /// The server's secret. Blocks.
    /// - Throws: `not_found` while no node has been started yet.
    static func secret(location: String) throws(BatonError) -> Data {
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        let secret = try pool.perform { connection -> Data? in
            guard try connection.run("SELECT to_regclass('server')::text").first?.data(0) != nil else { return nil }
            return try connection.run("SELECT value FROM server WHERE name = 'secret'").first?.blob(0)
        }
        guard let secret else {
            throw BatonError(.notFound, reason: "no_data", "No server was started with this database yet. Start one.")
        }
        return secret
    }
}
