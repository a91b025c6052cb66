import BatonCore
import Foundation

/// After a database was put back as it was at an earlier time.
extension PostgreSQLItemStore {
    private static let zonesAtOnce = 1000

    /// Gives each zone another epoch, and versions that were never given out. Done a second time it does no harm. Blocks; no
    /// node may run.
    /// - Returns: how many zones there are.
    static func beginAnotherTime(
        location: String, random: @Sendable (Int) -> Data = StoreRules.systemRandom
    ) throws(BatonError) -> Int {
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        var last = Int64.min
        var count = 0
        while true {
            let page = try pool.transaction(isRepeatable: true) { connection in
                let zones = try connection.run(
                    "SELECT id FROM zones WHERE id > $1 ORDER BY id LIMIT $2", .integer(last), .integer(zonesAtOnce)
                ).map { try $0.integer(0) }
                guard !zones.isEmpty else { return zones }
                _ = try connection.run(
                    """
                    UPDATE zones SET epoch = w.epoch, head = zones.head + $3
                    FROM unnest($1::bigint[], $2::bytea[]) AS w(id, epoch) WHERE zones.id = w.id
                    """, .integers(zones), .byteStrings(zones.map { _ in random(StoreRules.epochLength) }),
                    .integer(CloudDatabase.leap))
                return zones
            }
            count += page.count
            guard let end = page.last else { return count }
            last = end
        }
    }

    /// From now on a blob counts as one whose bytes are yet to come. Blocks.
    static func expectAgain(_ addresses: [BlobAddress], location: String) throws(BatonError) {
        guard !addresses.isEmpty else { return }
        let pool = PostgreSQLPool(location, threads: 1)
        defer { pool.close() }
        try pool.transaction(isRepeatable: true) { connection in
            _ = try connection.run(
                """
                UPDATE blobs SET standing = 0 FROM unnest($1::text[], $2::bytea[]) AS w(space, hash), accounts a
                WHERE a.space = w.space AND blobs.account = a.id AND blobs.hash = w.hash AND blobs.standing = 1
                """, .texts(addresses.map(\.space.name)), .byteStrings(addresses.map(\.hash.bytes)))
        }
    }
}
