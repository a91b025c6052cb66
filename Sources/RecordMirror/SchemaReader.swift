package import GRDB

/// Reads the shapes of the declared tables, and refuses what cannot sync.
package enum SchemaReader {
    /// More columns than a record may have fields are refused by the service, not here.
    ///
    /// - Throws: ``SchemaProblem``.
    package static func read(_ tables: [MirrorTable], in db: Database) throws -> [TableShape] {
        let names = Dictionary(tables.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
        return try tables.map { try read($0, names: names, in: db) }
    }

    private static func read(
        _ table: MirrorTable, names: [String: String], in db: Database
    ) throws -> TableShape {
        guard isAllowed(table.name) else { throw SchemaProblem.reservedName(table: table.name, column: nil) }
        let sql = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [table.name])
        guard let sql, !sql.uppercased().hasPrefix("CREATE VIRTUAL") else {
            throw SchemaProblem.noSuchTable(table: table.name)
        }
        // Hidden columns (1) belong to virtual tables; generated ones (2, 3) follow from the others on each device.
        let rows = try Row.fetchAll(db, sql: "PRAGMA table_xinfo(\(table.name.sqlName))")
        let all = Set(rows.map { row -> String in row["name"] })
        let named = table.local.union(table.quiet).union(table.counters).union(table.unique.flatMap(\.columns))
        if let unknown = named.subtracting(all).min() {
            throw SchemaProblem.noSuchColumn(table: table.name, column: unknown)
        }
        let primary = rows.filter { ($0["pk"] as Int) > 0 }.sorted { ($0["pk"] as Int) < ($1["pk"] as Int) }
        guard let first = primary.first else { throw SchemaProblem.noPrimaryKey(table: table.name) }
        if primary.count == 1, (first["type"] as String).uppercased() == "INTEGER" {
            throw SchemaProblem.integerPrimaryKey(table: table.name, column: first["name"])
        }
        let keyNames = Set(primary.map { row -> String in row["name"] })
        let values = rows.filter { row in
            let name: String = row["name"]
            return (row["hidden"] as Int) == 0 && !keyNames.contains(name) && !table.local.contains(name)
        }
        let generated = Set(rows.filter { ($0["hidden"] as Int) > 1 }.map { row -> String in row["name"] })
        let collations = try collations(of: table, in: db)
        return TableShape(
            name: table.name, key: try primary.map { try column($0, of: table, collations) },
            columns: try values.map { try column($0, of: table, collations) },
            references: try references(of: table, names: names, generated: generated, in: db),
            unique: try unique(of: table, key: keyNames, rows: rows, generated: generated, in: db),
            resolvesConflicts: sql.uppercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .contains("ON CONFLICT"))
    }

    private static func isAllowed(_ name: String) -> Bool {
        let lowercase = name.lowercased()
        return !name.isEmpty && !["_", "baton_", "sqlite_"].contains { lowercase.hasPrefix($0) }
            && name.utf8.allSatisfy { byte in
                switch UInt8(ascii: "a")...UInt8(ascii: "z") ~= (byte | 0x20) {
                case true: true
                case false: UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
                }
            }
    }

    /// By which the columns of unique indexes are compared. How others are compared is this device's own matter.
    private static func collations(of table: MirrorTable, in db: Database) throws -> [String: TableShape.Collation] {
        var collations: [String: TableShape.Collation] = [:]
        for index in try Row.fetchAll(db, sql: "PRAGMA index_list(\(table.name.sqlName))") {
            guard (index["unique"] as Int) != 0 else { continue }
            let name: String = index["name"]
            for part in try Row.fetchAll(db, sql: "PRAGMA index_xinfo(\(name.sqlName))") {
                guard let column: String = part["name"], let collation: String = part["coll"] else { continue }
                collations[column] = TableShape.Collation(rawValue: collation.uppercased()) ?? .binary
            }
        }
        return collations
    }

    static func value(ofDefault sql: String?, in db: Database) throws -> DatabaseValue {
        guard let sql else { return .null }
        return try literal(sql) ?? DatabaseValue.fetchOne(db, sql: "SELECT (\(sql))") ?? .null
    }

    private static func literal(_ sql: String?) -> DatabaseValue? {
        guard let sql else { return nil }
        switch sql.uppercased() {
        case "TRUE": return 1.databaseValue
        case "FALSE": return 0.databaseValue
        case "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP": return nil
        default:
            // A list of one, as in the journal.
            if let values = RowKey(journal: sql)?.values { return values.count == 1 ? values.first : nil }
            return word(sql)?.databaseValue
        }
    }

    /// A default that is a name, in double quotes or bare, is a text to SQLite. An expression of the same words would be a column.
    private static func word(_ sql: String) -> String? {
        if sql.count >= 2, sql.hasPrefix("\""), sql.hasSuffix("\"") {
            return String(sql.dropFirst().dropLast()).replacing("\"\"", with: "\"")
        }
        let isBare = sql.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isBare && sql.uppercased() != "NULL" ? sql : nil
    }

    private static func column(
        _ row: Row, of table: MirrorTable, _ collations: [String: TableShape.Collation]
    ) throws -> TableShape.Column {
        let name: String = row["name"]
        guard isAllowed(name) else { throw SchemaProblem.reservedName(table: table.name, column: name) }
        return TableShape.Column(
            name: name, type: (row["type"] as String).uppercased(), isRequired: (row["notnull"] as Int) != 0,
            defaultValue: row["dflt_value"], defaultLiteral: literal(row["dflt_value"]),
            collation: collations[name] ?? .binary, isQuiet: table.quiet.contains(name),
            isCounter: table.counters.contains(name))
    }

    private static func references(
        of table: MirrorTable, names: [String: String], generated: Set<String>, in db: Database
    ) throws -> [TableShape.Reference] {
        let rows = try Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(table.name.sqlName))")
        let keys = Dictionary(grouping: rows) { row -> Int in row["id"] }
        return try keys.sorted { $0.key < $1.key }.compactMap { _, rows in
            let rows = rows.sorted { ($0["seq"] as Int) < ($1["seq"] as Int) }
            guard let first = rows.first else { return nil }
            let columns = rows.map { row -> String in row["from"] }
            // A column that stays here may refer to what it likes.
            guard table.local.isDisjoint(with: columns) else { return nil }
            if let column = columns.first(where: generated.contains) {
                throw SchemaProblem.generatedColumn(table: table.name, column: column)
            }
            let written: String = first["table"]
            guard let target = names[written.lowercased()] else {
                throw SchemaProblem.referenceOutside(table: table.name, columns: columns, target: written)
            }
            var targetColumns = rows.compactMap { row -> String? in row["to"] }
            let key = try db.primaryKey(target).columns
            if targetColumns.count < columns.count { targetColumns = key }
            guard Set(targetColumns.map { $0.lowercased() }) == Set(key.map { $0.lowercased() }) else {
                throw SchemaProblem.referenceBesideKey(table: table.name, columns: columns, target: target)
            }
            // In the order of the target's key.
            let pairs = zip(columns, targetColumns).sorted { one, other in
                let place = { (name: String) in key.firstIndex { $0.lowercased() == name.lowercased() } ?? 0 }
                return place(one.1) < place(other.1)
            }
            return TableShape.Reference(
                columns: pairs.map(\.0), table: target, targetColumns: key,
                onDelete: TableShape.DeleteAction(rawValue: (first["on_delete"] as String).uppercased()) ?? .noAction)
        }
    }

    private static func unique(
        of table: MirrorTable, key: Set<String>, rows: [Row], generated: Set<String>, in db: Database
    ) throws -> [MirrorTable.UniqueKey] {
        let declared = Dictionary(table.unique.map { (Set($0.columns), $0) }) { first, _ in first }
        let indexes = try Row.fetchAll(db, sql: "PRAGMA index_list(\(table.name.sqlName))")
        return try indexes.compactMap { index in
            guard (index["unique"] as Int) != 0, (index["origin"] as String) != "pk" else { return nil }
            let name: String = index["name"]
            let parts = try Row.fetchAll(db, sql: "PRAGMA index_info(\(name.sqlName))")
            let columns = parts.map { row -> String in row["name"] ?? "an expression" }
            // It cannot collide where the key does not.
            if key.isSubset(of: columns) { return nil }
            if let column = columns.first(where: generated.contains) {
                throw SchemaProblem.generatedColumn(table: table.name, column: column)
            }
            guard (index["partial"] as Int) == 0, let found = declared[Set(columns)] else {
                throw SchemaProblem.undeclaredUnique(table: table.name, columns: columns)
            }
            // Values that stay here collide here only.
            guard table.local.isDisjoint(with: columns) else { return nil }
            if found.collision == .clear, !columns.contains(where: { canBeCleared($0, key: key, rows: rows) }) {
                throw SchemaProblem.nothingToClear(table: table.name, columns: columns)
            }
            // The column that is cleared comes first.
            let sorted =
                columns.filter { canBeCleared($0, key: key, rows: rows) }
                + columns.filter { !canBeCleared($0, key: key, rows: rows) }
            return MirrorTable.UniqueKey(columns: sorted, collision: found.collision)
        }
    }

    private static func canBeCleared(_ column: String, key: Set<String>, rows: [Row]) -> Bool {
        !key.contains(column) && rows.contains { $0["name"] as String == column && ($0["notnull"] as Int) == 0 }
    }
}
