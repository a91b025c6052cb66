/// Why a visible row is not in the table.
package enum RecordHold: Hashable, Sendable {
    /// A row that it needs has not come.
    case missing(RecordName)
    /// A row that it needs is held itself.
    case heldTarget(RecordName)
    /// The table refused it: SQLite's words.
    case refused(String)
    /// A content of it is not on this device yet.
    case content
    /// The columns of its key are missing, or are those of another row.
    case badKey
}

/// The state of a row that an app's database should show.
package enum RecordRowState: Hashable, Sendable {
    /// With these columns; a column that is not among them was never written, and has its default.
    case shown([String: RecordValue])
    /// Not in the table: deleted, never there, or one with another row.
    case hidden
    case held(RecordHold)
}

/// A row as it was last sent to the app: the replica keeps it, where ``isWorthKeeping``.
package struct RecordToldRow: Hashable, Sendable {
    package enum State: UInt8, Hashable, Sendable { case hidden, held, shown }

    package var state: State
    /// Its unique values before any was cleared. Empty unless it is shown.
    package var uniqueValues: Set<RecordUniqueValue>
    /// The row that the record of that name is one with.
    package var shownAs: RecordName?

    package init(state: State, uniqueValues: Set<RecordUniqueValue> = [], shownAs: RecordName? = nil) {
        self.state = state
        self.uniqueValues = uniqueValues
        self.shownAs = shownAs
    }

    /// A hidden row, and one with no other row, need not be kept.
    package var isWorthKeeping: Bool { state != .hidden || shownAs != nil }
}

/// The new state of one row.
package struct RecordRow: Hashable, Sendable {
    package var name: RecordName
    package var table: String
    package var state: RecordRowState
    /// To be kept by the replica with the row.
    package var told: RecordToldRow
}
