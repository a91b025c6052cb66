package import BatonCore
import Foundation
import GRDB

extension SQLiteItemStore {
    package func blobs(
        _ hashes: [BlobHash], of account: AccountID
    ) async throws -> [BlobHash: BlobRecord] {
        try await read { database in
            let account = try Self.account(account, database).id
            return try hashes.reduce(into: [:]) { found, hash in
                found[hash] = try Self.blob(hash, account, database)
            }
        }
    }

    package func beginBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> BlobStanding {
        try await write { [rules] database in
            let account = try Self.account(account, database)
            let known = try Self.blob(hash, account.id, database)
            let now = Int64(clamping: rules.clock.milliseconds)
            try StoreRules.checkSize(size, of: known)
            switch known?.standing {
            case .removing: throw StoreRules.blobBeingCollected
            case .complete:
                try Self.touch(hash, account.id, now, database)
                return .complete
            case .uploading, nil:
                let growth = known == nil ? Int(clamping: size) : 0
                try rules.checkQuota(used: account.used, growth: growth, own: account.usage.ownQuota)
                try database.run(
                    """
                    INSERT INTO blobs (account, hash, size, standing, touched) VALUES (?, ?, ?, 0, ?)
                    ON CONFLICT (account, hash) DO UPDATE SET touched = excluded.touched
                    """, [account.id, hash.bytes, Int64(clamping: size), now])
                try database.run(
                    "UPDATE accounts SET blob_bytes = blob_bytes + ?, blobs = blobs + ? WHERE id = ?",
                    [growth, known == nil ? 1 : 0, account.id])
                return .uploading
            }
        }
    }

    package func finishBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws {
        try await write { [rules] database in
            let account = try Self.account(account, database).id
            guard let blob = try Self.blob(hash, account, database), blob.standing != .removing else {
                throw StoreRules.blobBeingCollected
            }
            try StoreRules.checkSize(size, of: blob)
            try database.run(
                "UPDATE blobs SET standing = 1 WHERE account = ? AND hash = ?", [account, hash.bytes])
            try Self.touch(hash, account, Int64(clamping: rules.clock.milliseconds), database)
        }
    }

    package func cancelBlob(_ hash: BlobHash, size: UInt64, of account: AccountID) async throws -> Bool {
        try await write(mayUseReserve: true) { database in
            let account = try Self.account(account, database).id
            let size = Int64(clamping: size)
            try database.run(
                "DELETE FROM blobs WHERE account = ? AND hash = ? AND size = ? AND standing = 0 AND uses = 0",
                [account, hash.bytes, size])
            guard database.changesCount == 1 else { return false }
            try database.run(
                "UPDATE accounts SET blobs = blobs - 1, blob_bytes = blob_bytes - ? WHERE id = ?", [size, account])
            return true
        }
    }

    package func giveUpBlobs(limit: Int) async throws -> [BlobAddress] {
        try await write(mayUseReserve: true) { [rules] database in
            try database.run(
                """
                UPDATE blobs SET standing = 2 WHERE id IN (
                    SELECT id FROM blobs WHERE uses = 0 AND standing < 2 AND touched < ? ORDER BY touched LIMIT ?)
                """, [Int64(clamping: rules.cutoff(rules.grace)), limit])
            return try database.rows(
                """
                SELECT space, hash FROM blobs JOIN accounts ON accounts.id = blobs.account
                WHERE standing = 2 ORDER BY blobs.id LIMIT ?
                """, [limit]
            ).map { BlobAddress(space: try .stored($0[0]), hash: BlobHash(unchecked: $0[1])) }
        }
    }

    package func releaseBlobs(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64 {
        try await write(mayUseReserve: true) { database in
            let account = try Self.account(account, database).id
            var bytes: UInt64 = 0
            for hash in hashes {
                let row = try database.row(
                    "SELECT size FROM blobs WHERE account = ? AND hash = ? AND uses = 0 AND standing < 2",
                    [account, hash.bytes])
                guard let row else { continue }
                try database.run(
                    "UPDATE blobs SET standing = 2 WHERE account = ? AND hash = ?", [account, hash.bytes])
                bytes += UInt64(row[0] as Int64)
            }
            return bytes
        }
    }

    package func forgetBlobs(_ addresses: [BlobAddress]) async throws {
        try await write(mayUseReserve: true) { database in
            for address in addresses {
                guard
                    let row = try database.row(
                        """
                        SELECT blobs.id, size, account FROM blobs JOIN accounts ON accounts.id = blobs.account
                        WHERE space = ? AND hash = ? AND standing = 2
                        """, [address.space.name, address.hash.bytes])
                else { continue }
                try database.run("DELETE FROM blobs WHERE id = ?", [row[0] as Int64])
                try database.run(
                    "UPDATE accounts SET blobs = blobs - 1, blob_bytes = blob_bytes - ? WHERE id = ?",
                    [row[1] as Int64, row[2] as Int64])
            }
        }
    }

    private static func blob(_ hash: BlobHash, _ account: Int64, _ database: Database) throws -> BlobRecord? {
        try database.row(
            "SELECT size, standing FROM blobs WHERE account = ? AND hash = ?", [account, hash.bytes]
        ).map { row in
            BlobRecord(size: UInt64(row[0] as Int64), standing: BlobStanding(rawValue: row[1]) ?? .removing)
        }
    }

    private static func touch(_ hash: BlobHash, _ account: Int64, _ now: Int64, _ database: Database) throws {
        try database.run(
            "UPDATE blobs SET touched = ? WHERE account = ? AND hash = ?", [now, account, hash.bytes])
    }
}
