import RecordMirror

/// A table of an app's database whose rows every device of the account has.
///
/// It needs a primary key that two devices do not give twice, for example a text with random digits; keys of several columns
/// are fine. Foreign keys name the primary key of tables that sync too. Every column syncs except generated ones and those in
/// `local`.
///
/// ```swift
/// SyncedTable("lists", unique: [["title"]: .merge])
/// SyncedTable("items", quiet: ["lastOpened"], local: ["isExpanded"])
/// SyncedTable("pages", counters: ["views"])
/// ```
public struct SyncedTable: Sendable, Hashable {
    /// The rule for a collision: two devices, apart from each other, have given one value to a unique key.
    public enum Collision: Sendable, Hashable {
        /// The two rows become one for good: the lesser key stays, each column has what was written later, and references follow.
        case merge
        /// The row that wrote the value earlier gets NULL in its place. The columns must allow NULL.
        case clear
    }

    /// As in the database.
    public var name: String
    /// The unique indexes besides the primary key, by their columns. Each of them must be named.
    public var unique: [[String]: Collision]
    /// Columns whose change alone does not keep a row that another device deletes: "last opened", say.
    public var quiet: Set<String>
    /// Columns that stay on this device. On other devices they have their default.
    public var local: Set<String>
    /// Columns of whole numbers of which each change is sent as a difference: two devices that add 3 and 4 apart from each other show 7
    /// more. A difference of a change that is no whole number is not sent.
    public var counters: Set<String>

    /// - Parameters:
    ///   - name: the table, as in the database.
    ///   - unique: what a collision means, for each unique index besides the primary key.
    ///   - quiet: columns whose change alone does not keep a row that another device deletes.
    ///   - local: columns that stay on this device.
    ///   - counters: columns of whole numbers that are sent as differences. They are not part of a key, of a unique index or of a
    ///     foreign key.
    public init(
        _ name: String, unique: [[String]: Collision] = [:], quiet: Set<String> = [], local: Set<String> = [],
        counters: Set<String> = []
    ) {
        self.name = name
        self.unique = unique
        self.quiet = quiet
        self.local = local
        self.counters = counters
    }

    var mirrored: MirrorTable {
        let keys = unique.map { columns, collision in
            MirrorTable.UniqueKey(columns: columns, collision: collision == .merge ? .merge : .clear)
        }
        return MirrorTable(
            name, unique: keys.sorted { $0.columns.lexicographicallyPrecedes($1.columns) }, quiet: quiet, local: local,
            counters: counters)
    }
}
