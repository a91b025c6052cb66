package import BatonCore
import Foundation
import GRDB

extension SQLiteItemStore {
    private struct Written: Sendable {
        var outcome: WriteOutcome
        /// Nil when nothing was changed.
        var head: ZoneHead?
    }

    package func write(
        _ batch: WriteBatch, to zone: ZoneID, of account: AccountID
    ) async throws -> WriteOutcome {
        // A deletion of what never was makes something, and so may one that says much.
        let onlyRemoves = batch.writes.allSatisfy { write in
            write.content == nil && write.replaces > 0 && (write.tombstone?.count ?? 0) <= Self.shortTombstone
        }
        let checksums = batch.writes.map { ItemChecksum($0) }
        return try await write(mayUseReserve: onlyRemoves) { [rules] database in
            let (owner, known, answer) = try Self.standing(batch, zone, account, database)
            if let answer { return Written(outcome: .written(answer)) }
            let old = try Self.current(batch, known, database)
            let conflicts = zip(batch.writes, old).compactMap { $0.replaces == $1.version ? nil : $1 }
            guard conflicts.isEmpty else {
                return Written(outcome: .conflicts(try Self.whole(conflicts, known, rules, database)))
            }
            return try Self.apply(
                Change(batch: batch, checksums: checksums, zone: zone, account: owner, known: known, old: old), rules,
                database)
        } committed: { [observer] (written: Written) in
            if let head = written.head { observer(account, .moved(head)) }
        }.outcome
    }

    /// Bytes of what a deletion says, up to which it counts as making room. Those of devices are shorter.
    private static let shortTombstone = 512

    private struct Change {
        var batch: WriteBatch
        /// Checksums of the batch's writes, in their order.
        var checksums: [ItemChecksum]
        var zone: ZoneID
        var account: Account
        /// Nil when the zone comes into being.
        var known: Zone?
        var old: [Current]
    }

    /// The stored item that a write would replace: enough to judge the write.
    private struct Current {
        var id: ItemID
        var version: UInt64 = 0
        var row: Int64?
        var cost = 0
        var blobs: [BlobHash] = []
    }

    /// The account of a batch, its zone, and the answer to its first attempt. One statement reads all three, since
    /// every write needs them.
    private static func standing(
        _ batch: WriteBatch, _ zone: ZoneID, _ account: AccountID, _ database: Database
    ) throws -> (Account, Zone?, [UInt64]?) {
        let row = try database.row(
            """
            SELECT accounts.id, accounts.items, accounts.item_bytes, accounts.blobs, blob_bytes, accounts.zones,
                \(leaving), quota, zones.id, epoch, head, horizon, zones.items, zones.item_bytes, history, digest, first
            FROM accounts
            LEFT JOIN zones ON zones.account = accounts.id AND zones.name = ?
            LEFT JOIN answers ON answers.account = accounts.id AND answers.zone = ? AND batch = ?
            WHERE accounts.name = ?
            """, [zone.bytes, zone.bytes, batch.key, account.rawValue])
        guard let row else { throw StoreRules.unknownAccount }
        let answer: [UInt64]?
        if let digest = row[15] as Data? {
            guard digest == batch.digest else { throw StoreRules.repeatedKey }
            let first = UInt64(row[16] as Int64)
            answer = (0..<batch.writes.count).map { first + UInt64($0) }
        } else {
            answer = nil
        }
        return (Self.account(row), (row[8] as Int64?).map { Self.zone($0, row, from: 9) }, answer)
    }

    private static func current(_ batch: WriteBatch, _ zone: Zone?, _ database: Database) throws -> [Current] {
        try batch.writes.map { write in
            guard let zone,
                let row = try database.row(
                    "SELECT id, version, IFNULL(LENGTH(sealed), 0), blobs FROM items WHERE zone = ? AND name = ?",
                    [zone.id, write.id.bytes])
            else { return Current(id: write.id) }
            let blobs = blobs(row[3])
            return Current(
                id: write.id, version: UInt64(row[1] as Int64), row: row[0],
                cost: StoredItem.overhead + (row[2] as Int) + 32 * blobs.count, blobs: blobs)
        }
    }

    /// The items of conflicts, as many as fit.
    private static func whole(
        _ conflicts: [Current], _ zone: Zone?, _ rules: StoreRules, _ database: Database
    ) throws -> [StoredItem] {
        var bytes = 0
        let fitting = conflicts.prefix { conflict in
            let cost = max(conflict.cost, StoredItem.overhead)
            defer { bytes += cost }
            return bytes == 0 || bytes + cost <= rules.conflictBytes
        }
        return try fitting.map { conflict in
            try database.row(
                "SELECT name, version, written, deleted, sealed, blobs FROM items WHERE zone = ? AND name = ?",
                [zone?.id ?? 0, conflict.id.bytes]
            ).map(Self.item) ?? .absent(conflict.id)
        }
    }

    private static func apply(_ change: Change, _ rules: StoreRules, _ database: Database) throws -> Written {
        let account = change.account
        for blob in change.batch.blobs {
            let row = try database.row(
                "SELECT standing FROM blobs WHERE account = ? AND hash = ?", [account.id, blob.bytes])
            guard let row, (row[0] as Int) == BlobStanding.complete.rawValue else { throw StoreRules.missingBlob }
        }
        let growth = change.batch.writes.reduce(0) { $0 + $1.cost } - change.old.reduce(0) { $0 + $1.cost }
        let added = change.old.count { $0.row == nil }
        try rules.checkWrite(
            used: account.used, leaving: account.leaving, growth: growth, removes: change.batch.removes,
            own: account.usage.ownQuota)
        if change.known == nil { try rules.checkZones(account.usage.zones) }
        let zone = try begin(change, rules, database)
        let now = Int64(clamping: rules.clock.milliseconds)
        for (index, write) in change.batch.writes.enumerated() {
            try put(
                write, change.checksums[index], over: change.old[index], in: zone,
                version: Int64(clamping: zone.head) + Int64(index) + 1, now, database)
            try count(write.content?.blobs ?? [], change.old[index].blobs, account.id, now, database)
        }
        let head = zone.head + UInt64(change.batch.writes.count)
        try database.run(
            "UPDATE zones SET head = ?, items = items + ?, item_bytes = item_bytes + ? WHERE id = ?",
            [Int64(clamping: head), added, growth, zone.id])
        try database.run(
            """
            UPDATE accounts SET items = items + ?, item_bytes = item_bytes + ?, zones = zones + ?, answers = answers + 1
            WHERE id = ?
            """, [added, growth, change.known == nil ? 1 : 0, account.id])
        try database.run(
            "INSERT INTO answers (account, zone, batch, digest, first, written) VALUES (?, ?, ?, ?, ?, ?)",
            [
                account.id, change.zone.bytes, change.batch.key, change.batch.digest, Int64(clamping: zone.head) + 1,
                now,
            ])
        return Written(
            outcome: .written((zone.head + 1...head).map { $0 }),
            head: ZoneHead(zone: change.zone, epoch: zone.epoch, head: head))
    }

    /// The zone, made if need be, as this incarnation writes to it.
    private static func begin(_ change: Change, _ rules: StoreRules, _ database: Database) throws -> Zone {
        guard var zone = change.known else { return try makeZone(change, rules, database) }
        guard let start = zone.history.begin(rules, head: zone.head) else { return zone }
        zone.head = start
        try database.run("UPDATE zones SET history = ? WHERE id = ?", [zone.history.encoded, zone.id])
        return zone
    }

    private static func makeZone(_ change: Change, _ rules: StoreRules, _ database: Database) throws -> Zone {
        let epoch = rules.random(StoreRules.epochLength)
        var history = ZoneHistory()
        _ = history.begin(rules, head: 0)
        try database.run(
            "INSERT INTO zones (account, name, epoch, head, history) VALUES (?, ?, ?, 0, ?)",
            [change.account.id, change.zone.bytes, epoch, history.encoded])
        return Zone(
            id: database.lastInsertedRowID, epoch: epoch, head: 0, horizon: 0, items: 0, itemBytes: 0, history: history)
    }

    private static func put(
        _ write: ItemWrite, _ checksum: ItemChecksum, over old: Current, in zone: Zone, version: Int64, _ now: Int64,
        _ database: Database
    ) throws {
        let blobs = write.content?.blobs ?? []
        let names: Data? = blobs.isEmpty ? nil : Data(blobs.flatMap(\.bytes))
        let deleted = write.content == nil ? 1 : 0
        let check = checksum.value(zone: zone.id, version: version, written: now)
        if let row = old.row {
            try database.run(
                """
                UPDATE items SET version = ?, written = ?, deleted = ?, sealed = ?, blobs = ?, checksum = ? WHERE id = ?
                """, [version, now, deleted, write.sealed, names, check, row])
        } else {
            try database.run(
                """
                INSERT INTO items (zone, name, version, written, deleted, sealed, blobs, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, [zone.id, write.id.bytes, version, now, deleted, write.sealed, names, check])
        }
    }

    /// Blobs that are named now, and such that were.
    private static func count(
        _ named: [BlobHash], _ letGo: [BlobHash], _ account: Int64, _ now: Int64, _ database: Database
    ) throws {
        guard named != letGo else { return }
        for blob in named {
            try database.run(
                "UPDATE blobs SET uses = uses + 1 WHERE account = ? AND hash = ?", [account, blob.bytes])
        }
        try self.letGo(of: letGo, account, now, database)
    }

    static func letGo(of blobs: [BlobHash], _ account: Int64, _ now: Int64, _ database: Database) throws {
        for blob in blobs {
            try database.run(
                "UPDATE blobs SET uses = uses - 1, touched = ? WHERE account = ? AND hash = ?",
                [now, account, blob.bytes])
        }
    }
}
