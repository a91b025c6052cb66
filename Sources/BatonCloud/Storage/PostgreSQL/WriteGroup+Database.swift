import BatonCore
import Foundation

/// Reading what a group is judged by and writing what it says: each one pipeline, however many batches there are.
extension WriteGroup {
    /// Begins a transaction, locks the accounts in the order of their rows, so that no two groups wait for each other,
    /// and reads what the batches touch.
    mutating func load(_ jobs: [(key: Key, batch: WriteBatch)], _ connection: PostgreSQLConnection) throws {
        let touched = jobs.flatMap { job in job.batch.writes.map { (job.key, $0.id) } }
        let named = Set(jobs.flatMap { job in job.batch.blobs.map { BlobName(account: job.key.account, blob: $0) } })
        let keys = Set(jobs.map(\.key))
        let rows = try connection.run([
            SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED"),
            SQLStatement(Self.lockAccounts, .texts(Set(keys.map(\.account.rawValue)).sorted())),
            SQLStatement(
                Self.findAnswers, .texts(jobs.map(\.key.account.rawValue)),
                .byteStrings(jobs.map(\.key.zone.bytes)), .byteStrings(jobs.map(\.batch.key))),
            SQLStatement(
                Self.findZones, .texts(keys.map(\.account.rawValue)), .byteStrings(keys.map(\.zone.bytes))),
            SQLStatement(
                Self.findItems, .texts(touched.map(\.0.account.rawValue)), .byteStrings(touched.map(\.0.zone.bytes)),
                .byteStrings(touched.map(\.1.bytes))),
            SQLStatement(
                Self.findBlobs, .texts(named.map(\.account.rawValue)), .byteStrings(named.map(\.blob.bytes))),
        ])
        guard rows.count == 6 else { throw SQLFailure(message: "A statement was not answered.") }
        try takeAccounts(rows[1])
        for (name, answer) in try rows[2].map(Self.answer) { answers[name] = answer }
        for (key, zone) in try rows[3].map(Self.zone) { zones[key] = zone }
        for (name, item) in try rows[4].map(Self.item) { items[name] = item }
        for (name, standing) in try rows[5].map(Self.blob) { blobs[name] = standing }
    }

    private static let lockAccounts = """
        SELECT id, name, items, item_bytes, blobs, blob_bytes, zones, changes, \(PostgreSQLItemStore.leaving)
        FROM accounts WHERE name = ANY($1::text[]) ORDER BY id FOR UPDATE
        """
    private static let findAnswers = """
        SELECT w.account, w.zone, w.batch, x.digest, x.first
        FROM (SELECT DISTINCT account, zone, batch FROM unnest($1::text[], $2::bytea[], $3::bytea[])
            AS u(account, zone, batch)) AS w
        JOIN accounts a ON a.name = w.account
        JOIN answers x ON x.account = a.id AND x.zone = w.zone AND x.batch = w.batch
        """
    private static let findZones = """
        SELECT w.account, w.zone, z.id, z.epoch, z.head
        FROM unnest($1::text[], $2::bytea[]) AS w(account, zone)
        JOIN accounts a ON a.name = w.account JOIN zones z ON z.account = a.id AND z.name = w.zone
        """
    private static let findItems = """
        SELECT w.account, w.zone, w.item, i.version, COALESCE(octet_length(i.sealed), 0), i.blobs
        FROM (SELECT DISTINCT account, zone, item FROM unnest($1::text[], $2::bytea[], $3::bytea[])
            AS u(account, zone, item)) AS w
        JOIN accounts a ON a.name = w.account JOIN zones z ON z.account = a.id AND z.name = w.zone
        JOIN items i ON i.zone = z.id AND i.name = w.item
        """
    private static let findBlobs = """
        SELECT w.account, w.blob, b.standing FROM unnest($1::text[], $2::bytea[]) AS w(account, blob)
        JOIN accounts a ON a.name = w.account JOIN blobs b ON b.account = a.id AND b.hash = w.blob
        """

    private mutating func takeAccounts(_ rows: SQLRows) throws {
        for (name, account) in try rows.map({ row in
            (
                AccountID(unchecked: try row.text(1)),
                Account(
                    row: try row.integer(0), usage: try PostgreSQLItemStore.usage(row, from: 2),
                    changes: try row.unsigned(7), leaving: try row.int(8))
            )
        }) {
            accounts[name] = account
        }
    }

    private static func key(_ row: SQLRows.Row) throws -> Key {
        Key(account: AccountID(unchecked: try row.text(0)), zone: ZoneID(unchecked: try row.blob(1)))
    }

    private static func answer(_ row: SQLRows.Row) throws -> (AnswerName, Answer) {
        (
            AnswerName(key: try key(row), batch: try row.blob(2)),
            Answer(digest: try row.blob(3), first: try row.unsigned(4))
        )
    }

    private static func zone(_ row: SQLRows.Row) throws -> (Key, Zone) {
        (try key(row), Zone(row: try row.integer(2), epoch: try row.blob(3), head: try row.unsigned(4)))
    }

    private static func item(_ row: SQLRows.Row) throws -> (ItemName, Item) {
        let blobs = PostgreSQLItemStore.blobs(row.data(5))
        return (
            ItemName(key: try key(row), item: ItemID(unchecked: try row.blob(2))),
            Item(
                version: try row.unsigned(3), cost: StoredItem.overhead + (try row.int(4)) + 32 * blobs.count,
                blobs: blobs)
        )
    }

    private static func blob(_ row: SQLRows.Row) throws -> (BlobName, BlobStanding) {
        (
            BlobName(account: AccountID(unchecked: try row.text(0)), blob: BlobHash(unchecked: try row.blob(1))),
            BlobStanding(rawValue: try row.int(2)) ?? .removing
        )
    }

    /// The contents of items that conflicts tell, as they were before the group.
    func stored(_ names: [ItemName], _ connection: PostgreSQLConnection) throws -> [ItemName: StoredItem] {
        guard !names.isEmpty else { return [:] }
        let known = Set(names).compactMap { name in zones[name.key].map { (name, $0.row) } }
        let rows = try connection.run(
            """
            SELECT i.zone, i.name, i.version, i.written, i.deleted, i.sealed, i.blobs
            FROM unnest($1::bigint[], $2::bytea[]) AS w(zone, item)
            JOIN items i ON i.zone = w.zone AND i.name = w.item
            """, .integers(known.map(\.1)), .byteStrings(known.map(\.0.item.bytes)))
        let names = Dictionary(known.map { (Place(zone: $1, item: $0.item), $0) }) { first, _ in first }
        var found: [ItemName: StoredItem] = [:]
        for (zone, item) in try rows.map({ (try $0.integer(0), try PostgreSQLItemStore.item($0, from: 1)) }) {
            if let name = names[Place(zone: zone, item: item.id)] { found[name] = item }
        }
        return found
    }

    private struct Place: Hashable {
        var zone: Int64
        var item: ItemID
    }

    // MARK: Writing

    /// Everything that the group changed, and the end of the transaction.
    func store(channel: String, _ connection: PostgreSQLConnection) throws {
        guard isChanged else {
            _ = try connection.run("COMMIT")
            return
        }
        var statements = zoneStatements() + [accountStatement(), itemStatement(), answerStatement()]
        if !uses.isEmpty { statements.append(blobStatement()) }
        statements.append(PostgreSQLItemStore.notification(messages, channel))
        statements.append(SQLStatement("COMMIT"))
        _ = try connection.run(statements)
    }

    private func zoneStatements() -> [SQLStatement] {
        let (new, old) = (changedZones.filter(\.zone.isNew), changedZones.filter { !$0.zone.isNew })
        var statements: [SQLStatement] = []
        if !new.isEmpty {
            statements.append(
                SQLStatement(
                    """
                    INSERT INTO zones (id, account, name, epoch, head, items, item_bytes)
                    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bigint[],
                        $6::bigint[], $7::bigint[])
                    """, .integers(new.map(\.zone.row)), .integers(new.map { accounts[$0.key.account]?.row ?? 0 }),
                    .byteStrings(new.map(\.key.zone.bytes)), .byteStrings(new.map(\.zone.epoch)),
                    .integers(new.map { Int64(clamping: $0.zone.head) }), .integers(new.map { Int64($0.zone.items) }),
                    .integers(new.map { Int64($0.zone.itemBytes) })))
        }
        if !old.isEmpty {
            statements.append(
                SQLStatement(
                    """
                    UPDATE zones SET head = w.head, items = zones.items + w.items,
                        item_bytes = zones.item_bytes + w.bytes
                    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS w(id, head, items, bytes)
                    WHERE zones.id = w.id
                    """, .integers(old.map(\.zone.row)), .integers(old.map { Int64(clamping: $0.zone.head) }),
                    .integers(old.map { Int64($0.zone.items) }), .integers(old.map { Int64($0.zone.itemBytes) })))
        }
        return statements
    }

    private func accountStatement() -> SQLStatement {
        let accounts = changedAccounts
        return SQLStatement(
            """
            UPDATE accounts SET items = accounts.items + w.items, item_bytes = accounts.item_bytes + w.bytes,
                zones = accounts.zones + w.zones, changes = w.changes
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                AS w(id, items, bytes, zones, changes)
            WHERE accounts.id = w.id
            """, .integers(accounts.map(\.row)), .integers(accounts.map { Int64($0.growth.items) }),
            .integers(accounts.map { Int64($0.growth.itemBytes) }), .integers(accounts.map { Int64($0.growth.zones) }),
            .integers(accounts.map { Int64(clamping: $0.changes) }))
    }

    private func itemStatement() -> SQLStatement {
        let made = madeItems
        return SQLStatement(
            """
            INSERT INTO items (zone, name, version, written, deleted, sealed, blobs)
            SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[],
                $7::bytea[])
            ON CONFLICT (zone, name) DO UPDATE SET version = excluded.version, written = excluded.written,
                deleted = excluded.deleted, sealed = excluded.sealed, blobs = excluded.blobs
            """, .integers(made.map(\.zone)), .byteStrings(made.map(\.item.id.bytes)),
            .integers(made.map { Int64(clamping: $0.item.version) }),
            .integers(made.map { Int64(clamping: $0.item.written) }),
            .integers(made.map { $0.item.content == nil ? 1 : 0 }), .byteStrings(made.map(\.item.content?.sealed)),
            .byteStrings(
                made.map { $0.item.content.flatMap { $0.blobs.isEmpty ? nil : Data($0.blobs.flatMap(\.bytes)) } }))
    }

    private func answerStatement() -> SQLStatement {
        let answers = newAnswers
        return SQLStatement(
            """
            INSERT INTO answers (account, zone, batch, digest, first, written)
            SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bigint[], $6::bigint[])
            """, .integers(answers.map { accounts[$0.name.key.account]?.row ?? 0 }),
            .byteStrings(answers.map(\.name.key.zone.bytes)), .byteStrings(answers.map(\.name.batch)),
            .byteStrings(answers.map(\.answer.digest)), .integers(answers.map { Int64(clamping: $0.answer.first) }),
            .integers(answers.map { Int64(clamping: $0.answer.written) }))
    }

    private func blobStatement() -> SQLStatement {
        let uses = uses.map { ($0, $1) }
        return SQLStatement(
            """
            UPDATE blobs SET uses = blobs.uses + w.uses, touched = GREATEST(blobs.touched, w.touched)
            FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[]) AS w(account, hash, uses, touched)
            WHERE blobs.account = w.account AND blobs.hash = w.hash
            """, .integers(uses.map { accounts[$0.0.account]?.row ?? 0 }), .byteStrings(uses.map(\.0.blob.bytes)),
            .integers(uses.map { Int64($0.1.uses) }), .integers(uses.map { Int64(clamping: $0.1.letGo ?? 0) }))
    }
}
