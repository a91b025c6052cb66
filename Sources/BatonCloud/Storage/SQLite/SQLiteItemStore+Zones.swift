package import BatonCore
import Foundation
import GRDB

extension SQLiteItemStore {
    package func zones(of account: AccountID) async throws -> [ZoneHead] {
        try await read { database in
            try database.rows(
                "SELECT name, epoch, head FROM zones WHERE account = ? AND name IS NOT NULL ORDER BY name",
                [Self.account(account, database).id]
            ).map { ZoneHead(zone: ZoneID(unchecked: $0[0]), epoch: $0[1], head: UInt64($0[2] as Int64)) }
        }
    }

    package func items(
        _ ids: [ItemID], in zone: ZoneID, of account: AccountID
    ) async throws -> [StoredItem] {
        try await read { database in
            guard let zone = try Self.zone(zone, of: Self.account(account, database).id, database) else {
                throw StoreRules.unknownZone
            }
            return try Set(ids).compactMap { id in
                try database.row(
                    "SELECT name, version, written, deleted, sealed, blobs FROM items WHERE zone = ? AND name = ?",
                    [zone.id, id.bytes]
                ).map(Self.item)
            }
        }
    }

    package func changes(
        after cursor: ZoneCursor?, in zone: ZoneID, of account: AccountID, limit: PageLimit
    ) async throws -> ChangePage {
        try await read { database in
            guard let zone = try Self.zone(zone, of: Self.account(account, database).id, database) else {
                throw cursor == nil ? StoreRules.unknownZone : ZoneCursor.ofAnotherTime
            }
            try cursor?.check(epoch: zone.epoch, history: zone.history, head: zone.head, horizon: zone.horizon)
            var page = ChangePage(
                items: [],
                cursor: ZoneCursor(
                    epoch: zone.epoch, position: zone.head, floor: cursor?.floor ?? zone.head,
                    incarnation: zone.history.newest),
                hasMore: false)
            var bytes = 0
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT name, version, written, deleted, sealed, blobs FROM items
                        WHERE zone = ? AND version > ? ORDER BY version
                        """), arguments: [zone.id, Int64(clamping: cursor?.position ?? 0)])
            while let row = try rows.next() {
                let item = Self.item(row)
                bytes += item.cost
                if page.items.count == limit.items || bytes > limit.bytes, let last = page.items.last {
                    page.hasMore = true
                    page.cursor.position = last.version
                    break
                }
                page.items.append(item)
            }
            return page
        }
    }

    package func removeZone(_ zone: ZoneID, of account: AccountID) async throws {
        _ = try await write(mayUseReserve: true) { database in
            let account = try Self.account(account, database)
            guard let zone = try Self.zone(zone, of: account.id, database) else { return false }
            try database.run("UPDATE zones SET name = NULL WHERE id = ?", [zone.id])
            try database.run(
                """
                UPDATE accounts SET zones = zones - 1, items = items - ?, item_bytes = item_bytes - ? WHERE id = ?
                """, [zone.items, zone.itemBytes, account.id])
            return true
        } committed: { [observer] isGone in
            if isGone { observer(account, .gone(zone)) }
        }
    }

    // MARK: Rows

    struct Zone {
        var id: Int64
        var epoch: Data
        var head: UInt64
        var horizon: UInt64
        var items: Int
        var itemBytes: Int
        var history: ZoneHistory
    }

    static func zone(_ name: ZoneID, of account: Int64, _ database: Database) throws -> Zone? {
        try database.row(
            "SELECT id, epoch, head, horizon, items, item_bytes, history FROM zones WHERE account = ? AND name = ?",
            [account, name.bytes]
        ).map { Self.zone($0[0], $0, from: 1) }
    }

    /// - Parameter column: of `epoch`; `head`, `horizon`, `items`, `item_bytes`, `history` follow.
    static func zone(_ id: Int64, _ row: Row, from column: Int) -> Zone {
        Zone(
            id: id, epoch: row[column], head: UInt64(row[column + 1] as Int64),
            horizon: UInt64(row[column + 2] as Int64), items: row[column + 3], itemBytes: row[column + 4],
            history: ZoneHistory(decoding: row[column + 5]))
    }

    /// Reads the columns name, version, written, deleted, sealed, blobs.
    static func item(_ row: Row) -> StoredItem {
        let sealed: Data? = row[4]
        let isDeleted = (row[3] as Int) != 0
        return StoredItem(
            id: ItemID(unchecked: row[0]), version: UInt64(row[1] as Int64),
            content: isDeleted ? nil : ItemContent(sealed: sealed ?? Data(), blobs: blobs(row[5])),
            tombstone: isDeleted ? sealed : nil, written: UInt64(row[2] as Int64))
    }

    /// The names in an item's row, one after the other.
    static func blobs(_ column: Data?) -> [BlobHash] {
        guard let bytes = column.map(Array.init) else { return [] }
        return stride(from: 0, to: bytes.count - 31, by: 32).map { BlobHash(unchecked: Data(bytes[$0..<$0 + 32])) }
    }
}
