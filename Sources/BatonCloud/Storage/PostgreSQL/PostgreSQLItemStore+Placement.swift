import BatonCore
import Foundation

/// The directory: it records which database holds an account.
extension PostgreSQLItemStore {
    /// Nil where no account of this name was ever placed, or it was deleted over a day ago.
    func placement(of account: AccountID) async throws -> Data? {
        try await pool.read { connection in
            try connection.run("SELECT database FROM placements WHERE account = $1", .text(account.rawValue))
                .first?.blob(0)
        }
    }

    /// Whether any account has a place.
    func hasPlacements() async throws -> Bool {
        try await pool.read { connection in
            try connection.run("SELECT 1::bigint FROM placements WHERE removed IS NULL LIMIT 1").count > 0
        }
    }

    /// The database of an account, present or future: an account has one place, whichever node asks first.
    /// - Parameters:
    ///   - databases: where a new one may be.
    ///   - mustBeFirst: it is refused while another account has a place.
    func place(
        _ account: AccountID, among databases: [Data], mustBeFirst: Bool = false
    ) async throws -> Data {
        try await pool.write { connection in
            if mustBeFirst {
                try Self.lockServer(connection)
                let others = try connection.run(
                    "SELECT 1::bigint FROM placements WHERE account <> $1 AND removed IS NULL LIMIT 1",
                    .text(account.rawValue))
                guard others.count == 0 else { throw StoreRules.notFirst }
            }
            let counted = databases.count == 1 ? databases : try Self.byAccounts(databases, connection)
            let rows = try connection.run([
                SQLStatement(
                    """
                    INSERT INTO placements (account, database) VALUES ($1, $2)
                    ON CONFLICT (account) DO UPDATE SET removed = NULL
                    """, .text(account.rawValue), .bytes(counted[0])),
                SQLStatement("SELECT database FROM placements WHERE account = $1", .text(account.rawValue)),
            ])
            guard let place = try rows[1].first?.blob(0) else {
                throw SQLFailure(state: "XX001", message: "A placement is gone.")
            }
            return place
        }
    }

    /// Those with fewest accounts first. Among some, so that a registration costs the same however many there are.
    private static func byAccounts(_ databases: [Data], _ connection: PostgreSQLConnection) throws -> [Data] {
        var counted: [(Data, Int64)] = []
        for database in databases {
            let rows = try connection.run(
                """
                SELECT COUNT(*) FROM (SELECT 1 FROM placements WHERE database = $1 LIMIT 100000) AS counted
                """, .bytes(database))
            counted.append((database, try rows.first?.integer(0) ?? 0))
        }
        let fewest = counted.map(\.1).min() ?? 0
        // Where all are full, one is as good as another.
        return counted.filter { $0.1 == fewest }.map(\.0).shuffled()
    }

    /// The account was deleted. Its placement stays a day, in case it is being registered again at this moment.
    func displace(_ account: AccountID) async throws {
        let now = rules.clock.milliseconds
        try await pool.write { connection in
            _ = try connection.run(
                "UPDATE placements SET removed = $2 WHERE account = $1", .text(account.rawValue), .integer(now))
        }
    }
}
