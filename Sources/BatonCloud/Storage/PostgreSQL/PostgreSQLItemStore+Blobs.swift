package import BatonCore
import Foundation

extension PostgreSQLItemStore {
    /// How long the bytes of a blob are one node's to remove. It must be done with them, or have given up, well before:
    /// once another node has removed them the blob may come again.
    static let collecting: UInt64 = 3_600_000

    package func blobs(_ hashes: [BlobHash], of account: AccountID) async throws -> [BlobHash: BlobRecord] {
        try await pool.read { connection in
            let account = try Self.account(account, connection).id
            let rows = try connection.run(
                "SELECT hash, size, standing FROM blobs WHERE account = $1 AND hash = ANY($2::bytea[])",
                .integer(account), .byteStrings(hashes.map(\.bytes)))
            let found = try rows.map { (BlobHash(unchecked: try $0.blob(0)), try Self.record($0, from: 1)) }
            return Dictionary(found) { first, _ in first }
        }
    }

    package func beginBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> BlobStanding {
        try await pool.write { [rules] connection in
            let account = try Self.lock(account, connection)
            let known = try Self.blob(hash, account.id, connection)
            let now = rules.clock.milliseconds
            try StoreRules.checkSize(size, of: known)
            switch known?.standing {
            case .removing: throw StoreRules.blobBeingCollected
            case .complete:
                _ = try connection.run(
                    "UPDATE blobs SET touched = $3 WHERE account = $1 AND hash = $2", .integer(account.id),
                    .bytes(hash.bytes), .integer(now))
                return .complete
            case .uploading, nil:
                let growth = known == nil ? Int(clamping: size) : 0
                try rules.checkQuota(used: account.used, growth: growth, own: account.usage.ownQuota)
                _ = try connection.run([
                    SQLStatement(
                        """
                        INSERT INTO blobs (account, hash, size, standing, touched) VALUES ($1, $2, $3, 0, $4)
                        ON CONFLICT (account, hash) DO UPDATE SET touched = excluded.touched
                        """, .integer(account.id), .bytes(hash.bytes), .integer(size), .integer(now)),
                    SQLStatement(
                        "UPDATE accounts SET blob_bytes = blob_bytes + $2, blobs = blobs + $3 WHERE id = $1",
                        .integer(account.id), .integer(growth), .integer(known == nil ? 1 : 0)),
                ])
                return .uploading
            }
        }
    }

    package func finishBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws {
        try await pool.write { [rules] connection in
            let account = try Self.lock(account, connection).id
            try StoreRules.checkSize(size, of: try Self.blob(hash, account, connection))
            let rows = try connection.run(
                "UPDATE blobs SET standing = 1, touched = $3 WHERE account = $1 AND hash = $2 AND standing < 2",
                .integer(account), .bytes(hash.bytes), .integer(rules.clock.milliseconds))
            guard rows.changed == 1 else { throw StoreRules.blobBeingCollected }
        }
    }

    package func cancelBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> Bool {
        try await pool.write { connection in
            let account = try Self.lock(account, connection).id
            let rows = try connection.run(
                "DELETE FROM blobs WHERE account = $1 AND hash = $2 AND size = $3 AND standing = 0 AND uses = 0",
                .integer(account), .bytes(hash.bytes), .integer(size))
            guard rows.changed == 1 else { return false }
            _ = try connection.run(
                "UPDATE accounts SET blobs = blobs - 1, blob_bytes = blob_bytes - $2 WHERE id = $1",
                .integer(account), .integer(size))
            return true
        }
    }

    package func giveUpBlobs(limit: Int) async throws -> [BlobAddress] {
        let now = rules.clock.milliseconds
        let (grace, lease) = (rules.cutoff(rules.grace), rules.cutoff(Self.collecting))
        // Blobs of one account at a time, under its lock: an item may be about to name one.
        let accounts = try await pool.read { connection in
            try connection.run(
                """
                SELECT DISTINCT account FROM (SELECT account FROM blobs
                    WHERE uses = 0 AND standing < 2 AND touched < $1 ORDER BY touched LIMIT $2) AS b
                """, .integer(grace), .integer(limit)
            ).map { try $0.integer(0) }
        }
        for account in accounts {
            try await pool.write { [node] connection in
                _ = try connection.run([
                    SQLStatement("SELECT id FROM accounts WHERE id = $1 FOR UPDATE", .integer(account)),
                    SQLStatement(
                        """
                        UPDATE blobs SET standing = 2, collector = $3, touched = $4 WHERE account = $1 AND hash IN (
                            SELECT hash FROM blobs WHERE account = $1 AND uses = 0 AND standing < 2 AND touched < $2
                            LIMIT $5)
                        """, .integer(account), .integer(grace), .bytes(node), .integer(now), .integer(limit)),
                ])
            }
        }
        return try await pool.write { [node] connection in
            // Those that no node has, this node has, or a node had that is late.
            let rows = try connection.run(
                """
                UPDATE blobs SET collector = $1, touched = $2 WHERE standing = 2 AND (account, hash) IN (
                    SELECT account, hash FROM blobs
                    WHERE standing = 2 AND (collector IS NULL OR collector = $1 OR touched < $3)
                    ORDER BY account, hash LIMIT $4 FOR UPDATE SKIP LOCKED)
                RETURNING account, hash
                """, .bytes(node), .integer(now), .integer(lease), .integer(limit))
            let found = try rows.map { (try $0.integer(0), try $0.blob(1)) }
            let spaces = try connection.run(
                "SELECT id, space FROM accounts WHERE id = ANY($1::bigint[])", .integers(Array(Set(found.map(\.0))))
            ).map { (try $0.integer(0), try BlobSpace.stored($0.text(1))) }
            let space = Dictionary(spaces) { first, _ in first }
            return found.compactMap { account, hash in
                space[account].map { BlobAddress(space: $0, hash: BlobHash(unchecked: hash)) }
            }
        }
    }

    package func releaseBlobs(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64 {
        try await pool.write { [rules] connection in
            let account = try Self.lock(account, connection).id
            let sizes = try connection.run(
                """
                UPDATE blobs SET standing = 2, collector = NULL, touched = $3
                WHERE account = $1 AND hash = ANY($2::bytea[]) AND uses = 0 AND standing < 2
                RETURNING size
                """, .integer(account), .byteStrings(hashes.map(\.bytes)), .integer(rules.clock.milliseconds)
            ).map { try $0.unsigned(0) }
            return sizes.reduce(0, +)
        }
    }

    package func forgetBlobs(_ addresses: [BlobAddress]) async throws {
        for (space, some) in Dictionary(grouping: addresses, by: \.space) {
            try await pool.write { [node] connection in
                let rows = try connection.run(
                    "SELECT id FROM accounts WHERE space = $1 FOR UPDATE", .text(space.name))
                guard let account = try rows.first?.integer(0) else { return }
                let gone = try connection.run(
                    """
                    DELETE FROM blobs WHERE account = $1 AND hash = ANY($2::bytea[]) AND standing = 2
                        AND collector = $3
                    RETURNING size
                    """, .integer(account), .byteStrings(some.map(\.hash.bytes)), .bytes(node)
                ).map { try $0.integer(0) }
                _ = try connection.run(
                    "UPDATE accounts SET blobs = blobs - $2, blob_bytes = blob_bytes - $3 WHERE id = $1",
                    .integer(account), .integer(gone.count), .integer(gone.reduce(0, +)))
            }
        }
    }

    private static func blob(
        _ hash: BlobHash, _ account: Int64, _ connection: PostgreSQLConnection
    ) throws -> BlobRecord? {
        try connection.run(
            "SELECT size, standing FROM blobs WHERE account = $1 AND hash = $2", .integer(account), .bytes(hash.bytes)
        ).first.map { try record($0, from: 0) }
    }

    private static func record(_ row: SQLRows.Row, from column: Int) throws -> BlobRecord {
        BlobRecord(
            size: try row.unsigned(column), standing: BlobStanding(rawValue: try row.int(column + 1)) ?? .removing)
    }
}
