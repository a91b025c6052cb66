import RecordMerge

/// The tables of the cases: lists, items and notes in them, tags, covers of lists, and tags of items.
enum SampleSchema {
    static let lists = RecordTable(
        name: "lists",
        columns: [
            RecordColumn(name: "id", isNullable: false), RecordColumn(name: "title"), RecordColumn(name: "color"),
        ],
        primaryKey: ["id"], uniqueKeys: [RecordUniqueKey(columns: ["title"], collision: .merge)])

    static let tags = RecordTable(
        name: "tags", columns: [RecordColumn(name: "id", isNullable: false), RecordColumn(name: "name")],
        primaryKey: ["id"], uniqueKeys: [RecordUniqueKey(columns: ["name"], collision: .merge)])

    static let items = RecordTable(
        name: "items",
        columns: [
            RecordColumn(name: "id", isNullable: false), RecordColumn(name: "text"), RecordColumn(name: "done"),
            RecordColumn(name: "list", isNullable: false), RecordColumn(name: "tag"), RecordColumn(name: "slot"),
            RecordColumn(name: "opened", isQuiet: true), RecordColumn(name: "views", isQuiet: true, isCounter: true),
            RecordColumn(name: "after"),
        ],
        primaryKey: ["id"],
        foreignKeys: [
            RecordForeignKey(columns: ["list"], target: "lists", onDelete: .cascade),
            RecordForeignKey(columns: ["tag"], target: "tags", onDelete: .setNull),
            RecordForeignKey(columns: ["after"], target: "items", onDelete: .noAction),
        ],
        uniqueKeys: [RecordUniqueKey(columns: ["slot"], collision: .clear(column: "slot"))])

    static let covers = RecordTable(
        name: "covers", columns: [RecordColumn(name: "list", isNullable: false), RecordColumn(name: "image")],
        primaryKey: ["list"], foreignKeys: [RecordForeignKey(columns: ["list"], target: "lists", onDelete: .cascade)])

    static let itemTags = RecordTable(
        name: "itemTags",
        columns: [RecordColumn(name: "item", isNullable: false), RecordColumn(name: "tag", isNullable: false)],
        primaryKey: ["item", "tag"],
        foreignKeys: [
            RecordForeignKey(columns: ["item"], target: "items", onDelete: .cascade),
            RecordForeignKey(columns: ["tag"], target: "tags", onDelete: .cascade),
        ])

    /// Rows that become one and name others.
    static let notes = RecordTable(
        name: "notes",
        columns: [
            RecordColumn(name: "id", isNullable: false), RecordColumn(name: "title"),
            RecordColumn(name: "list", isNullable: false), RecordColumn(name: "tag"),
        ],
        primaryKey: ["id"],
        foreignKeys: [
            RecordForeignKey(columns: ["list"], target: "lists", onDelete: .cascade),
            RecordForeignKey(columns: ["tag"], target: "tags", onDelete: .setNull),
        ],
        uniqueKeys: [RecordUniqueKey(columns: ["title"], collision: .merge)])

    static let tables = [lists, tags, items, covers, itemTags, notes]

    /// An earlier version of the app: without a table, and without some columns.
    static let earlier: [RecordTable] = {
        let missing = ["lists": ["color"], "items": ["done", "after"]]
        return tables.filter { $0.name != "notes" }.map { table in
            var table = table
            let gone = missing[table.name] ?? []
            table.columns.removeAll { gone.contains($0.name) }
            table.foreignKeys.removeAll { !Set($0.columns).isDisjoint(with: gone) }
            return table
        }
    }()

    static func make() throws -> RecordSchema { try RecordSchema(tables) }

    struct Versions: Sendable {
        let earlier: RecordSchema
        let newest: RecordSchema

        init() throws {
            earlier = try RecordSchema(SampleSchema.earlier)
            newest = try RecordSchema(SampleSchema.tables)
        }
    }
}

/// A promise of the rules was broken.
struct Violation: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
