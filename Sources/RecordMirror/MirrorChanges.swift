package import Foundation
package import GRDB

/// Changes of the app that the service takes as a whole.
package struct ChangeGroup: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        package var table: String
        package var key: RowKey
        package var isDeleted: Bool
        /// The changed columns, with their present values.
        package var values: [String: DatabaseValue]
        /// Columns that a foreign key has emptied: no person wrote them.
        package var emptied: Set<String> = []
        /// By how much columns that count have grown.
        package var differences: [String: Int64] = [:]
        /// The row's first line in it, where that is before the group's; else 0.
        package var first: Int64 = 0
        /// Why the row cannot be sent; nil: it can.
        package var problem: String?
    }

    /// Its first line in the journal.
    package var first: Int64
    /// The last line of it in the journal.
    package var sequence: Int64
    /// Milliseconds since 1970, of its last line.
    package var time: Int64
    /// Rows from before sync began.
    package var isInitial: Bool
    package var changes: [Change]
    /// How much there is to send, about, in bytes.
    package var size: Int {
        changes.reduce(0) { sum, change in
            sum + 64 + change.values.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
        }
    }
}

/// A row as the table is to show it.
package struct ShownRow: Sendable, Equatable {
    package var table: String
    package var key: RowKey
    /// A column that is not named is left as it is, or gets its default.
    package var values: [String: DatabaseValue]
    /// Why the row cannot be put now, though the replica shows it; nil: it can. The service is notified, and shows it again
    /// later. A row to remove has it where the service itself holds the row.
    package var held: String?

    package init(table: String, key: RowKey, values: [String: DatabaseValue] = [:], held: String? = nil) {
        self.table = table
        self.key = key
        self.values = values
        self.held = held
    }
}

package struct ShownGroup: Sendable, Equatable {
    package var put: [ShownRow]
    package var remove: [ShownRow]

    package init(put: [ShownRow] = [], remove: [ShownRow] = []) {
        self.put = put
        self.remove = remove
    }

    /// How much there is to keep, about, in bytes.
    var size: Int {
        put.reduce(0) { sum, row in sum + row.values.reduce(0) { $0 + $1.key.utf8.count + $1.value.size } }
    }
}

/// One answer of the service.
package struct ShownPage: Sendable {
    package var groups: [ShownGroup]
    package var cursor: Data
    package var hasMore: Bool
    /// The last group goes on in the next answer.
    package var continues: Bool

    package init(groups: [ShownGroup], cursor: Data, hasMore: Bool, continues: Bool) {
        self.groups = groups
        self.cursor = cursor
        self.hasMore = hasMore
        self.continues = continues
    }
}

/// A row that the table does not take.
package struct RefusedRow: Sendable, Equatable {
    package var table: String
    package var key: RowKey
    /// SQLite's words, or ``contentAway``.
    package var reason: String
    /// The first line of the journal that the service has not taken, where it does not take the row's changes.
    package var number: Int64
    /// A content of it is away, and the table has an earlier state of it, which stays.
    package var stays = false

    /// A content of the row is not on this device.
    package static let contentAway = "content_away"

    package init(table: String, key: RowKey, reason: String, number: Int64 = 0) {
        self.table = table
        self.key = key
        self.reason = reason
        self.number = number
    }
}

extension DatabaseValue {
    /// About, in bytes.
    package var size: Int {
        switch storage {
        case .null: 1
        case .int64, .double: 8
        case .string(let text): text.utf8.count
        case .blob(let data): data.count
        }
    }
}
