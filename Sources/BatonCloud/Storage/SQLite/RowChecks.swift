import BatonCore
import BatonTrust
import Crypto
import Foundation
import GRDB

/// Rows that say of themselves what they must be, each looked at anew: one after the other, so that no more than one is in
/// memory.
enum RowChecks {
    /// Lines about things of one kind; a list of more of them needs no names.
    private static let maximumLines = 100

    /// Reads everything, changes nothing; the caller's transaction makes it one state.
    static func findings(_ database: Database) throws -> [String] {
        try items(database) + accounts(database) + statements(database) + missing(database) + lengths(database)
    }

    /// Items that were written before rows had checksums are passed over.
    private static func items(_ database: Database) throws -> [String] {
        // Not in a backup that an earlier version made.
        guard try database.columns(in: "items").contains(where: { $0.name == "checksum" }) else { return [] }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT items.name, version, written, deleted, sealed, blobs, checksum, zone, zones.name
                FROM items LEFT JOIN zones ON zones.id = items.zone WHERE checksum IS NOT NULL
                """)
        return try sentences(rows) { row in
            guard !isWhole(row) else { return nil }
            let name = Data.fromDatabaseValue(row[0])
            let zone = Data.fromDatabaseValue(row[8])
            return "item \(name?.hexadecimal ?? "without a name") of \(place(zone)) is damaged"
        }
    }

    private static func place(_ zone: Data?) -> String { zone.map { "zone \($0.hexadecimal)" } ?? "a deleted zone" }

    /// - Parameter sentence: nil for a row that is what it must be.
    private static func sentences(_ rows: RowCursor, _ sentence: (Row) -> String?) throws -> [String] {
        var findings: [String] = []
        var more = 0
        while let row = try rows.next() {
            guard let finding = sentence(row) else { continue }
            if findings.count < maximumLines { findings.append(finding) } else { more += 1 }
        }
        return more == 0 ? findings : findings + ["and \(more) more"]
    }

    private static func isWhole(_ row: Row) -> Bool {
        // A damaged row may lack any column or have another type in it.
        let name = Data.fromDatabaseValue(row[0])
        let version = Int64.fromDatabaseValue(row[1])
        let written = Int64.fromDatabaseValue(row[2])
        let deleted = Int64.fromDatabaseValue(row[3])
        let sealed = Data.fromDatabaseValue(row[4])
        let blobs = Data.fromDatabaseValue(row[5])
        let checksum = Int64.fromDatabaseValue(row[6])
        let zone = Int64.fromDatabaseValue(row[7])
        guard let name, let version, let written, let deleted, let checksum, let zone else { return false }
        return ItemChecksum(name: name, deleted: deleted, sealed: sealed, blobs: blobs)
            .value(zone: zone, version: version, written: written) == checksum
    }

    /// No device can be let in by no statement, and no account is kept without one.
    private static func missing(_ database: Database) throws -> [String] {
        let accounts = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM accounts
                WHERE name IS NOT NULL AND NOT EXISTS (SELECT 1 FROM statements WHERE account = accounts.id)
                ORDER BY name
                """)
        return accounts.map { nobody(in: $0) }
    }

    /// The finding for an account without statements, the same for every kind of database.
    static func nobody(in account: String) -> String {
        "account \(account): it has no membership statement, so it has no member"
    }

    /// An account's name follows from its root key. With another key no device belongs to it.
    private static func accounts(_ database: Database) throws -> [String] {
        let rows = try Row.fetchCursor(database, sql: "SELECT name, root_key FROM accounts WHERE name IS NOT NULL")
        return try sentences(rows) { row in
            let name = String.fromDatabaseValue(row[0])
            let bytes = Data.fromDatabaseValue(row[1]) ?? Data()
            if let key = try? P256.Signing.PublicKey(x963Representation: bytes),
                AccountID(rootKey: key).rawValue == name
            {
                return nil
            }
            return "account \(name ?? "without a name"): its key is damaged"
        }
    }

    private static let digestLength = 32

    /// Checks the length of columns that have no checksum and follow from nothing else.
    private static func lengths(_ database: Database) throws -> [String] {
        let zones = try Row.fetchCursor(
            database,
            sql: """
                SELECT name FROM zones WHERE typeof(epoch) <> 'blob' OR LENGTH(epoch) <> \(StoreRules.epochLength)
                """)
        let epochs = try sentences(zones) { row in
            "\(place(Data.fromDatabaseValue(row[0]))): its epoch is damaged"
        }
        let answers = try Row.fetchCursor(
            database,
            sql: """
                SELECT zone FROM answers WHERE typeof(digest) <> 'blob' OR LENGTH(digest) <> \(digestLength)
                """)
        return try epochs
            + sentences(answers) { row in
                "an answer that is remembered of \(place(Data.fromDatabaseValue(row[0]))) is damaged"
            }
    }

    /// Checks the membership statements: a statement that was changed would be skipped silently.
    private static func statements(_ database: Database) throws -> [String] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT hash, statement, signature, accounts.name
                FROM statements LEFT JOIN accounts ON accounts.id = statements.account
                """)
        var findings: [String] = []
        while let row = try rows.next() {
            let hash = Data.fromDatabaseValue(row[0])
            let statement = Data.fromDatabaseValue(row[1])
            let signature = Data.fromDatabaseValue(row[2])
            let found = SQLiteItemStore.statementHash(statement ?? Data(), signature ?? Data())
            guard found != hash else { continue }
            let account = String.fromDatabaseValue(row[3])
            findings.append(
                "statement \(hash?.hexadecimal ?? "without a name") of account \(account ?? "that was deleted") "
                    + "is damaged")
        }
        return findings
    }
}
