package import BatonCore
import Foundation

extension PostgreSQLItemStore {
    package func zones(of account: AccountID) async throws -> [ZoneHead] {
        try await pool.read { connection in
            let account = try Self.account(account, connection).id
            return try connection.run(
                "SELECT name, epoch, head FROM zones WHERE account = $1 AND name IS NOT NULL ORDER BY name",
                .integer(account)
            ).map { row in
                ZoneHead(zone: ZoneID(unchecked: try row.blob(0)), epoch: try row.blob(1), head: try row.unsigned(2))
            }
        }
    }

    package func items(_ ids: [ItemID], in zone: ZoneID, of account: AccountID) async throws -> [StoredItem] {
        try await pool.read { connection in
            let rows = try connection.run([
                SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), Self.find(zone, account),
                SQLStatement(
                    """
                    SELECT i.name, i.version, i.written, i.deleted, i.sealed, i.blobs
                    FROM accounts a JOIN zones z ON z.account = a.id AND z.name = $2
                    CROSS JOIN unnest($3::bytea[]) AS w(item)
                    CROSS JOIN LATERAL (SELECT * FROM items WHERE zone = z.id AND name = w.item LIMIT 1) AS i
                    WHERE a.name = $1
                    """, .text(account.rawValue), .bytes(zone.bytes), .byteStrings(Set(ids).map(\.bytes))),
                SQLStatement("COMMIT"),
            ])
            guard try Self.zone(rows[1]) != nil else { throw StoreRules.unknownZone }
            return try rows[2].map { try Self.item($0) }
        }
    }

    /// The newest of a page's lengths is asked for by sums, so that no more is read than goes into the page. Joined
    /// without the subquery, all that follows would be read for each page, to be sorted.
    private static let page = """
        SELECT name, version, written, deleted, sealed, blobs, available FROM (
            SELECT s.*, ROW_NUMBER() OVER o AS place, COUNT(*) OVER () AS available,
                (SUM($5 + COALESCE(octet_length(sealed), 0) + COALESCE(octet_length(blobs), 0)) OVER o)::bigint AS total
            FROM (
                SELECT i.* FROM accounts a JOIN zones z ON z.account = a.id AND z.name = $2
                CROSS JOIN LATERAL (SELECT * FROM items WHERE zone = z.id AND version > $3
                    ORDER BY version LIMIT $4 + 1) AS i
                WHERE a.name = $1) AS s
            WINDOW o AS (ORDER BY version)) AS t
        WHERE place = 1 OR (place <= $4 AND total <= $6) ORDER BY version
        """

    package func changes(
        after cursor: ZoneCursor?, in zone: ZoneID, of account: AccountID, limit: PageLimit
    ) async throws -> ChangePage {
        try await pool.read { connection in
            let rows = try connection.run([
                SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), Self.find(zone, account),
                SQLStatement(
                    Self.page, .text(account.rawValue), .bytes(zone.bytes), .integer(cursor?.position ?? 0),
                    .integer(limit.items), .integer(StoredItem.overhead), .integer(limit.bytes)),
                SQLStatement("COMMIT"),
            ])
            guard let zone = try Self.zone(rows[1]) else {
                throw cursor == nil ? StoreRules.unknownZone : ZoneCursor.ofAnotherTime
            }
            try cursor?.check(epoch: zone.epoch, history: zone.history, head: zone.head, horizon: zone.horizon)
            var page = ChangePage(
                items: try rows[2].map { try Self.item($0) },
                cursor: ZoneCursor(
                    epoch: zone.epoch, position: zone.head, floor: cursor?.floor ?? zone.head,
                    incarnation: zone.history.newest),
                hasMore: false)
            if let available = try rows[2].first?.int(6), available > page.items.count, let last = page.items.last {
                page.hasMore = true
                page.cursor.position = last.version
            }
            return page
        }
    }

    package func removeZone(_ zone: ZoneID, of account: AccountID) async throws {
        let message = try await pool.write(isRepeatable: false) { [channel] connection -> NodeMessage? in
            let owner = try Self.lock(account, connection)
            guard let known = try Self.zone(connection.run([Self.find(zone, account)])[0]) else { return nil }
            let message = NodeMessage.zone(account, row: owner.id, number: owner.changes + 1, .gone(zone))
            _ = try connection.run([
                SQLStatement("UPDATE zones SET name = NULL WHERE id = $1", .integer(known.id)),
                SQLStatement(
                    """
                    UPDATE accounts SET zones = zones - 1, items = items - $2, item_bytes = item_bytes - $3,
                        changes = changes + 1, forgotten = forgotten + 1
                    WHERE id = $1
                    """, .integer(owner.id), .integer(known.items), .integer(known.itemBytes)),
                Self.notification([message], channel),
            ])
            return message
        }
        if let message { publish([message]) }
    }

    // MARK: Rows

    private struct Zone {
        var id: Int64
        var epoch: Data
        var head: UInt64
        var horizon: UInt64
        var items: Int
        var itemBytes: Int
        var history: ZoneHistory
    }

    /// One row where there is such an account, with nulls where it has no such zone.
    private static func find(_ zone: ZoneID, _ account: AccountID) -> SQLStatement {
        SQLStatement(
            """
            SELECT z.id, z.epoch, z.head, z.horizon, z.items, z.item_bytes, z.history
            FROM accounts a LEFT JOIN zones z ON z.account = a.id AND z.name = $2 WHERE a.name = $1
            """, .text(account.rawValue), .bytes(zone.bytes))
    }

    /// - Throws: `unauthenticated` when there is no such account.
    private static func zone(_ rows: SQLRows) throws -> Zone? {
        guard let row = rows.first else { throw StoreRules.unknownAccount }
        guard let id = try row.optionalInteger(0) else { return nil }
        return Zone(
            id: id, epoch: try row.blob(1), head: try row.unsigned(2), horizon: try row.unsigned(3),
            items: try row.int(4), itemBytes: try row.int(5), history: ZoneHistory(decoding: row.data(6)))
    }
}
