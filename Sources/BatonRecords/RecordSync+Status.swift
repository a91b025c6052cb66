public import Foundation

extension RecordSync {
    /// How the mirror stands.
    public struct Status: Sendable, Equatable {
        /// Whether it was started and not stopped.
        public var isRunning = false
        /// Whether the daemon answered last.
        public var isConnected = false
        /// Lines of the journal that the daemon has not taken yet, when it was last looked: at most one for each column of each row.
        public var waiting = 0
        /// Rows that the account has, and that are not in their tables: their table refused them, a row that they need has not come, or a
        /// content of them is not on this device. And rows that the account has not, and that the database does not let go: a table that
        /// does not sync refers to them, or a trigger refuses. And rows whose changes the account does not take: their record would be too
        /// large. At most 1,000.
        public var held: [HeldRow] = []
        /// When the tables and the replica were last the same.
        public var lastExchange: Date?
        /// Why it does not go on, in one or two sentences; nil when all is well.
        public var problem: String?
    }

    /// A row that is held: kept, and tried again when it, its target or the schema has changed.
    public struct HeldRow: Sendable, Equatable {
        /// The table.
        public var table: String
        /// The primary key, as SQL: `'a1'`, or `'a1','b2'`.
        public var key: String
        /// Why, for people, with SQLite's words where the table refused it.
        public var reason: String
    }

    /// An event of the exchange.
    public enum Event: Sendable, Equatable {
        /// Rows of these tables were put or removed since other devices had changed them.
        case applied(tables: Set<String>, rows: Int)
        /// The daemon has taken so many changed rows.
        case sent(rows: Int)
        /// Tables refused rows, or the daemon did not take changes of them.
        case held([HeldRow])
        /// Most rows of these tables were missing after a change of the schema, though they were not deleted, and were put back.
        /// A migration that rebuilds a table has to copy its rows.
        case restored(tables: Set<String>)
        /// So many lines wait in the journal, since the daemon is away. Reported at 10,000, and each time they have doubled.
        case waiting(lines: Int)
        /// The daemon is there, or is not.
        case connected(Bool)
        /// It does not go on; it is tried again by itself.
        case failed(String)
    }

    /// Why rows are not taken or given: by the daemon, or by the database.
    public struct SyncError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
        /// A stable name for programs: `missing_entitlement`, `bad_container`, `not_authenticated`, `quota_exceeded`, and others; of the
        /// app's own database `disk_full`, `database_locked`, `database_unavailable`.
        public let reason: String
        let message: String

        init(reason: String, message: String) {
            self.reason = reason
            self.message = message
        }

        /// One or two sentences.
        public var description: String { message }
        /// The same as `description`.
        public var errorDescription: String? { message }
    }
}
