import BatonCore
import Foundation

/// Reading what a group is judged by and writing what it says: each one pipeline, however many batches there are.
extension WriteBatchPlanner {
    /// Begins a transaction, locks the accounts in the order of their rows, so that no two groups wait for each other,
    /// and reads what the batches touch.
    mutating func load(_ jobs: [(key: Key, batch: WriteBatch)], _ connection: PostgreSQLConnection) throws {
        let asked = Array(Set(jobs.map { AnswerName(key: $0.key, batch: $0.batch.key) }))
        let touched = Array(
            Set(jobs.flatMap { job in job.batch.writes.map { ItemName(key: job.key, item: $0.id) } }))
        let named = Array(
            Set(jobs.flatMap { job in job.batch.blobs.map { BlobName(account: job.key.account, blob: $0) } }))
        let names = Set(jobs.map(\.key.account.rawValue)).sorted()
        var statements = [
            SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED"),
            SQLStatement(Self.lockAccounts, .texts(names)),
            SQLStatement(Self.findMemberships, .texts(names)),
            SQLStatement(
                Self.findAnswers, .texts(asked.map(\.key.account.rawValue)), .byteStrings(asked.map(\.key.zone.bytes)),
                .byteStrings(asked.map(\.batch))),
            SQLStatement(
                Self.findItems, .texts(touched.map(\.key.account.rawValue)),
                .byteStrings(touched.map(\.key.zone.bytes)), .byteStrings(touched.map(\.item.bytes))),
        ]
        if !named.isEmpty {
            statements.append(
                SQLStatement(
                    Self.findBlobs, .texts(named.map(\.account.rawValue)), .byteStrings(named.map(\.blob.bytes))))
        }
        let rows = try connection.run(statements)
        guard rows.count == statements.count else { throw SQLFailure(message: "A statement was not answered.") }
        try takeAccounts(rows[1])
        for row in rows[2].all { accounts[AccountID(unchecked: try row.text(0))]?.membership = try row.unsigned(1) }
        for row in rows[3].all { try takeAnswer(row, asked) }
        for row in rows[4].all {
            if let name = try Self.name(row, touched) { items[name] = try Self.item(row) }
        }
        guard !named.isEmpty else { return }
        for row in rows[5].all {
            if let name = try Self.name(row, named) {
                blobs[name] = BlobStanding(rawValue: try row.int(1)) ?? .removing
            }
        }
    }

    private static let lockAccounts = """
        SELECT id, name, items, item_bytes, blobs, blob_bytes, zones, changes, \(PostgreSQLItemStore.leaving), quota
        FROM accounts WHERE name = ANY($1::text[]) ORDER BY id FOR UPDATE
        """
    /// A statement of its own: one that waits for a lock sees the rest of the database as it was before.
    private static let findMemberships = """
        SELECT a.name, s.place FROM accounts AS a
        CROSS JOIN LATERAL (SELECT place FROM statements WHERE account = a.id ORDER BY place DESC LIMIT 1) AS s
        WHERE a.name = ANY($1::text[])
        """
    // Each row is looked up by its whole key, one after the other, which a subquery with a limit leaves the database no
    // choice about. Joined as usual, it reads all items of a zone, or all answers of an account, for each that is
    // written, where it believes that there are few: in a new database, and where most zones are small.
    private static let findAccount = "CROSS JOIN LATERAL (SELECT id FROM accounts WHERE name = w.account LIMIT 1) AS a"
    private static let findAnswers = """
        SELECT w.number, z.id, z.epoch, z.head, x.digest, x.first, z.history
        FROM unnest($1::text[], $2::bytea[], $3::bytea[]) WITH ORDINALITY AS w(account, zone, batch, number)
        \(findAccount)
        LEFT JOIN LATERAL (SELECT id, epoch, head, history FROM zones WHERE account = a.id AND name = w.zone LIMIT 1) AS z
            ON TRUE
        LEFT JOIN LATERAL (SELECT digest, first FROM answers
            WHERE account = a.id AND zone = w.zone AND batch = w.batch LIMIT 1) AS x ON TRUE
        """
    private static let findItems = """
        SELECT w.number, i.version, i.size, i.blobs
        FROM unnest($1::text[], $2::bytea[], $3::bytea[]) WITH ORDINALITY AS w(account, zone, item, number)
        \(findAccount)
        CROSS JOIN LATERAL (SELECT id FROM zones WHERE account = a.id AND name = w.zone LIMIT 1) AS z
        CROSS JOIN LATERAL (SELECT version, COALESCE(octet_length(sealed), 0) AS size, blobs FROM items
            WHERE zone = z.id AND name = w.item LIMIT 1) AS i
        """
    private static let findBlobs = """
        SELECT w.number, b.standing
        FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS w(account, blob, number)
        \(findAccount)
        CROSS JOIN LATERAL (SELECT standing FROM blobs WHERE account = a.id AND hash = w.blob LIMIT 1) AS b
        """

    private mutating func takeAccounts(_ rows: SQLRows) throws {
        for row in rows.all {
            var usage = try PostgreSQLItemStore.usage(row, from: 2)
            usage.ownQuota = try row.optionalInteger(9).map { UInt64(clamping: $0) }
            accounts[AccountID(unchecked: try row.text(1))] = Account(
                row: try row.integer(0), usage: usage, changes: try row.unsigned(7), leaving: try row.int(8))
        }
    }

    /// The requested name at a row's index; rows are counted from 1.
    private static func name<Name>(_ row: SQLRows.Row, _ names: [Name]) throws -> Name? {
        let index = try row.int(0) - 1
        return names.indices.contains(index) ? names[index] : nil
    }

    private mutating func takeAnswer(_ row: SQLRows.Row, _ asked: [AnswerName]) throws {
        guard let name = try Self.name(row, asked) else { return }
        if let zone = try row.optionalInteger(1) {
            zones[name.key] = Zone(
                row: zone, epoch: try row.blob(2), head: try row.unsigned(3),
                history: ZoneHistory(decoding: row.data(6)))
        }
        if let digest = row.data(4) { answers[name] = Answer(digest: digest, first: try row.unsigned(5)) }
    }

    private static func item(_ row: SQLRows.Row) throws -> Item {
        let blobs = PostgreSQLItemStore.blobs(row.data(3))
        return Item(
            version: try row.unsigned(1), cost: StoredItem.overhead + (try row.int(2)) + 32 * blobs.count, blobs: blobs)
    }

    /// The contents of items that conflicts return, as they were before the group.
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
    /// - Returns: the messages to other nodes.
    func store(channel: String, _ connection: PostgreSQLConnection) throws -> [NodeMessage] {
        guard isChanged else {
            _ = try connection.run("COMMIT")
            return []
        }
        let zones = changedZones
        let messages = messages(of: zones)
        var statements = zoneStatements(zones) + [accountStatement(), itemStatement(), answerStatement()]
        if !uses.isEmpty { statements.append(blobStatement()) }
        statements.append(PostgreSQLItemStore.notification(messages, channel))
        statements.append(SQLStatement("COMMIT"))
        _ = try connection.run(statements)
        return messages
    }

    private func zoneStatements(_ changed: [(key: Key, zone: Zone)]) -> [SQLStatement] {
        let (new, old) = (changed.filter(\.zone.isNew), changed.filter { !$0.zone.isNew })
        var statements: [SQLStatement] = []
        if !new.isEmpty {
            statements.append(
                SQLStatement(
                    """
                    INSERT INTO zones (id, account, name, epoch, head, items, item_bytes, history)
                    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bigint[],
                        $6::bigint[], $7::bigint[], $8::bytea[])
                    """, .integers(new.map(\.zone.row)), .integers(new.map { accounts[$0.key.account]?.row ?? 0 }),
                    .byteStrings(new.map(\.key.zone.bytes)), .byteStrings(new.map(\.zone.epoch)),
                    .integers(new.map { Int64(clamping: $0.zone.head) }), .integers(new.map { Int64($0.zone.items) }),
                    .integers(new.map { Int64($0.zone.itemBytes) }), .byteStrings(new.map(\.zone.history.encoded))))
        }
        if !old.isEmpty {
            statements.append(
                SQLStatement(
                    """
                    UPDATE zones SET head = w.head, items = zones.items + w.items,
                        item_bytes = zones.item_bytes + w.bytes, history = COALESCE(w.history, zones.history)
                    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
                        AS w(id, head, items, bytes, history)
                    WHERE zones.id = w.id
                    """, .integers(old.map(\.zone.row)), .integers(old.map { Int64(clamping: $0.zone.head) }),
                    .integers(old.map { Int64($0.zone.items) }), .integers(old.map { Int64($0.zone.itemBytes) }),
                    .byteStrings(old.map { $0.zone.isBegun ? $0.zone.history.encoded : nil })))
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
            .integers(made.map { $0.item.content == nil ? 1 : 0 }), .byteStrings(made.map(\.item.sealed)),
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
