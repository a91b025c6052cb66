import BatonCore
import Foundation

/// Which of several databases is the directory, as each of them remembers. A node that took another for it would not find
/// the accounts that are there, and would register them a second time elsewhere.
enum PostgreSQLDirectory {
    private struct Known {
        /// The identity of the directory's database; nil in one of an earlier version, and in a new one.
        var directory: Data?
        var hasAccounts: Bool
        var hasPlacements: Bool
    }

    /// Writes down, in each, that the first is the directory. Where anything says that it is not, nothing is changed.
    /// Blocks.
    /// - Throws: `failed_precondition` `other_directory`, or `database_not_named` when accounts are in a database that is
    ///   none of these.
    static func settle(_ stores: [PostgreSQLItemStore]) throws(BatonError) {
        guard let first = stores.first else { return }
        var known: [Known] = []
        for store in stores { known.append(try self.known(of: store)) }
        let identities = stores.map(\.identity)
        for (index, one) in known.enumerated() {
            guard let directory = one.directory, directory != first.identity else { continue }
            throw refusal(of: index, whose: identities.firstIndex(of: directory), count: stores.count)
        }
        // A directory knows of each account before there is one. Where the first knows of none, no other that has not said yet
        // whose it is may have any.
        if !known[0].hasPlacements {
            if let other = known.firstIndex(where: { $0.directory == nil && $0.hasPlacements }) {
                throw refusal(of: 0, whose: other, count: stores.count)
            }
            if known.contains(where: { $0.directory == nil && $0.hasAccounts }) {
                throw refusal(of: 0, whose: nil, count: stores.count)
            }
        }
        if try namesAnother(than: identities, first) {
            throw BatonError(
                .failedPrecondition, reason: "database_not_named",
                "The first database says that accounts are in a database that was not named. Name all of them, in the "
                    + "same order at every node: “storage.postgres” (--postgres).")
        }
        // In the same order at all nodes, so that of two that begin at once with another order one writes, and the other
        // is refused before it has written anything.
        let places = stores.indices.sorted { identities[$0].lexicographicallyPrecedes(identities[$1]) }
        for index in places where known[index].directory == nil {
            let kept = try write(first.identity, to: stores[index])
            guard kept != first.identity else { continue }
            throw refusal(of: index, whose: identities.firstIndex(of: kept), count: stores.count)
        }
    }

    private static func known(of store: PostgreSQLItemStore) throws(BatonError) -> Known {
        try store.pool.perform { connection -> Known in
            let directory = try connection.run("SELECT value FROM server WHERE name = 'directory'").first?.blob(0)
            let accounts = try connection.run("SELECT id FROM accounts WHERE name IS NOT NULL LIMIT 1")
            let placements = try connection.run("SELECT account FROM placements LIMIT 1")
            return Known(
                directory: directory, hasAccounts: accounts.count > 0, hasPlacements: placements.count > 0)
        }
    }

    /// - Returns: the stored value, even if another node wrote it.
    private static func write(_ directory: Data, to store: PostgreSQLItemStore) throws(BatonError) -> Data {
        try store.pool.transaction(isRepeatable: true) { connection -> Data in
            _ = try connection.run(
                "INSERT INTO server (name, value) VALUES ('directory', $1) ON CONFLICT (name) DO NOTHING",
                .bytes(directory))
            guard let row = try connection.run("SELECT value FROM server WHERE name = 'directory'").first else {
                throw SQLFailure(state: "XX001", message: "The directory's name is gone.")
            }
            return try row.blob(0)
        }
    }

    /// Whether an account is placed in another database. Asks once for each database, by an index.
    private static func namesAnother(
        than identities: [Data], _ directory: PostgreSQLItemStore
    ) throws(BatonError) -> Bool {
        try directory.pool.perform { connection -> Bool in
            var last = Data()
            while true {
                let next = try connection.run(
                    "SELECT database FROM placements WHERE database > $1 ORDER BY database LIMIT 1", .bytes(last))
                guard let database = try next.first?.blob(0) else { return false }
                if !identities.contains(database) {
                    let accounts = try connection.run(
                        "SELECT account FROM placements WHERE database = $1 AND removed IS NULL LIMIT 1",
                        .bytes(database))
                    if accounts.count > 0 { return true }
                }
                last = database
            }
        }
    }

    /// - Parameters:
    ///   - index: which database says so.
    ///   - directory: which is the directory by that; nil for none of these.
    private static func refusal(of index: Int, whose directory: Int?, count: Int) -> BatonError {
        let what =
            if let directory {
                "Database 1 of “storage.postgres” (--postgres) is not the directory, which says where each account is: "
                    + "database \(directory + 1) is. Name it first, and the others in their order, at every node."
            } else if count == 1 {
                "The database is one of several, and not the first of them, which says where each account is. Name all "
                    + "of them, that one first: “storage.postgres” (--postgres)."
            } else {
                "Database \(index + 1) of “storage.postgres” (--postgres) belongs to another cloud, or the first one was "
                    + "not named first. Name the databases of one cloud, all of them, in the order of the other nodes."
            }
        return BatonError(.failedPrecondition, reason: "other_directory", what)
    }
}
