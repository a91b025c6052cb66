import BatonCore
import Foundation

/// Whether the databases of a cloud agree on what is where.
///
/// Nodes may be running: apparent faults are checked once more, since accounts come and go.
enum PostgreSQLPlacements {
    private static let rowsAtOnce = 10_000

    /// Empty when all is well. Blocks.
    /// - Parameter locations: the directory first.
    static func findings(_ locations: [String]) throws(BatonError) -> [String] {
        let pools = locations.enumerated().map { index, location in
            PostgreSQLPool(location, place: locations.count > 1 ? index + 1 : nil, threads: 1)
        }
        defer { for pool in pools { pool.close() } }
        guard let first = pools.first else { return [] }
        let (identities, findings) = try names(of: pools)
        // Nothing can be said of who is where by names that are missing or wrong.
        guard findings.isEmpty else { return findings }

        // Before the placements: an account has its placement before it is there.
        var holders: [String: [Int]] = [:]
        for (index, pool) in pools.enumerated() {
            for account in try accounts(pool) { holders[account, default: []].append(index) }
        }
        let places = try placements(first)
        var suspects = places.keys.filter { holders[$0] == nil }
        for (account, databases) in holders
        where databases.count > 1 || places[account] != identities[databases[0]] {
            suspects.append(account)
        }
        var wrong: [String] = []
        for account in suspects.sorted() {
            if let finding = try look(at: account, pools, identities) { wrong.append(finding) }
        }
        return wrong
    }

    // MARK: Names of databases

    private static func names(
        of pools: [PostgreSQLPool]
    ) throws(BatonError) -> (identities: [Data], findings: [String]) {
        var identities: [Data] = []
        var directories: [Data?] = []
        var findings: [String] = []
        for (index, pool) in pools.enumerated() {
            let name = title(index, of: pools.count)
            let identity = try value("identity", pool)
            let directory = try value("directory", pool)
            if identity == nil {
                findings.append("\(name): its identity is missing, by which accounts are placed in it")
            }
            if directory == nil {
                findings.append("\(name): it does not say which database is the directory. The next start writes it")
            }
            identities.append(identity ?? Data())
            directories.append(directory)
        }
        for (index, directory) in directories.enumerated() {
            guard let directory, let first = identities.first, !first.isEmpty, directory != first else { continue }
            findings.append(
                "\(title(index, of: pools.count)): it belongs to another directory than the database that is named "
                    + "first")
        }
        return (identities, findings)
    }

    private static func value(_ name: String, _ pool: PostgreSQLPool) throws(BatonError) -> Data? {
        try pool.perform { connection -> Data? in
            try connection.run("SELECT value FROM server WHERE name = $1", .text(name)).first?.blob(0)
        }
    }

    // MARK: Accounts

    private static func accounts(_ pool: PostgreSQLPool) throws(BatonError) -> [String] {
        var accounts: [String] = []
        while true {
            let last = accounts.last ?? ""
            let page = try pool.perform { connection -> [String] in
                try connection.run(
                    "SELECT name FROM accounts WHERE name > $1 ORDER BY name LIMIT $2", .text(last),
                    .integer(rowsAtOnce)
                ).map { try $0.text(0) }
            }
            guard !page.isEmpty else { return accounts }
            accounts += page
        }
    }

    /// Those of accounts that were not deleted.
    private static func placements(_ pool: PostgreSQLPool) throws(BatonError) -> [String: Data] {
        var places: [String: Data] = [:]
        var last = ""
        while true {
            let start = last
            let page = try pool.perform { connection -> [(String, Data)] in
                try connection.run(
                    """
                    SELECT account, database FROM placements WHERE account > $1 AND removed IS NULL
                    ORDER BY account LIMIT $2
                    """, .text(start), .integer(rowsAtOnce)
                ).map { (try $0.text(0), try $0.blob(1)) }
            }
            guard let end = page.last else { return places }
            for (account, database) in page { places[account] = database }
            last = end.0
        }
    }

    /// Nil when nothing is wrong with it now.
    private static func look(
        at account: String, _ pools: [PostgreSQLPool], _ identities: [Data]
    ) throws(BatonError) -> String? {
        var holders: [Int] = []
        for (index, pool) in pools.enumerated() {
            let count = try pool.perform { connection -> Int in
                try connection.run("SELECT id FROM accounts WHERE name = $1", .text(account)).count
            }
            if count > 0 { holders.append(index) }
        }
        let place = try pools[0].perform { connection -> Data? in
            try connection.run(
                "SELECT database FROM placements WHERE account = $1 AND removed IS NULL", .text(account)
            ).first?.blob(0)
        }
        let placed = place.map { place in
            identities.firstIndex(of: place).map { title($0, of: pools.count) } ?? "a database that was not named"
        }
        let held = holders.map { title($0, of: pools.count) }.joined(separator: " and ")
        switch (holders.count, placed) {
        case (0, nil): return nil
        case (0, let placed?):
            return "account \(account): the directory says that it is in \(placed), and it is not there: it was lost, "
                + "or its registration was interrupted"
        case (1, nil): return "account \(account): it is in \(held), and the directory does not know of it"
        case (1, let placed?):
            return placed == held
                ? nil : "account \(account): it is in \(held), and the directory says that it is in \(placed)"
        case (_, let placed):
            return "account \(account): it is in \(held) at once, and the directory says that it is in "
                + (placed ?? "none")
        }
    }

    private static func title(_ index: Int, of count: Int) -> String {
        count > 1 ? "database \(index + 1)" : "the database"
    }
}
