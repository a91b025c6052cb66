import BatonCore
import Crypto
import Foundation

/// Checks the membership statements: a statement that was changed would be skipped silently.
enum PostgreSQLRowChecks {
    private static let rowsAtOnce = 500

    /// Reads every statement, changes nothing; the caller's transaction makes it one state.
    static func findings(_ connection: PostgreSQLConnection) throws -> [String] {
        try changed(connection) + missing(connection)
    }

    private static func changed(_ connection: PostgreSQLConnection) throws -> [String] {
        var findings: [String] = []
        var last: (account: Int64, hash: Data) = (Int64.min, Data())
        while true {
            let rows = try connection.run(
                """
                SELECT s.account, s.hash, s.statement, s.signature, COALESCE(a.name, 'that was deleted')
                FROM statements s LEFT JOIN accounts a ON a.id = s.account WHERE (s.account, s.hash) > ($1, $2)
                ORDER BY s.account, s.hash LIMIT $3
                """, .integer(last.account), .bytes(last.hash), .integer(rowsAtOnce))
            guard rows.count > 0 else { return findings }
            for row in rows.all {
                let hash = try row.blob(1)
                last = (try row.integer(0), hash)
                let found = Data(SHA256.hash(data: try row.blob(2) + row.blob(3)))
                guard found != hash else { continue }
                findings.append("statement \(hash.hexadecimal) of account \(try row.text(4)) is damaged")
            }
        }
    }

    private static func missing(_ connection: PostgreSQLConnection) throws -> [String] {
        try connection.run(
            """
            SELECT a.name FROM accounts a
            WHERE a.name IS NOT NULL AND NOT EXISTS (SELECT 1 FROM statements s WHERE s.account = a.id) ORDER BY a.name
            """
        ).map { RowChecks.nobody(in: try $0.text(0)) }
    }
}
