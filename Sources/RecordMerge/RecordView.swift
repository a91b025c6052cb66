/// Rules 2 to 5: what an app's database shows of the records.
///
/// 2. Visible are rows with a dot, and every row that a visible row needs: the target of a foreign key that is `NOT NULL`, or that does not
///    say `ON DELETE SET NULL` or `SET DEFAULT`. A column that does say so is shown so while its target is hidden, and keeps its value.
/// 3. A row whose needed target is not known is held: in the replica, not in the table. So is one that the table refuses.
/// 4. Rows of one unique value become one for good (`merge`), or keep it in one row only (`clear`), once an exchange or a page has ended.
/// 5. Merging writes, the same on every device. All else is a view and writes nothing.
///
/// A row's state follows from the records alone. The last state only spares looking at the rest.
package struct RecordView<Source: RecordSource> {
    package let schema: RecordSchema
    package let rules: RecordRules
    let source: Source

    /// Records with what was settled in this update.
    var written: [RecordName: Record] = [:]
    /// The same by what they are merged into.
    var writtenInto: [RecordName: Set<RecordName>] = [:]
    var records: [RecordName: Record?] = [:]
    var rowNames: [RecordName: RecordName] = [:]
    var rows: [RecordName: JoinedRow?] = [:]
    var visible: [RecordName: Bool] = [:]
    var holds: [RecordName: RecordHold?] = [:]
    /// The records of a row.
    var memberLists: [RecordName: [RecordName]] = [:]
    /// Names that are being resolved, so that a circle of keys ends.
    var resolving: Set<RecordName> = []
    var walk = RecordWalk()
    /// Foreign keys by the table that they name.
    let referring: [String: [Reference]]

    /// A foreign key of a table.
    struct Reference: Hashable {
        var table: String
        var key: Int
        var isNeed: Bool
    }

    package init(schema: RecordSchema, source: Source, rules: RecordRules = .all) {
        self.schema = schema
        self.source = source
        self.rules = rules
        var referring: [String: [Reference]] = [:]
        for table in schema.tables.values {
            for (index, key) in table.foreignKeys.enumerated() {
                referring[key.target, default: []].append(
                    Reference(table: table.name, key: index, isNeed: table.needs(key)))
            }
        }
        self.referring = referring.mapValues { $0.sorted { ($0.table, $0.key) < ($1.table, $1.key) } }
    }

    package struct Update: Sendable {
        /// Records that the rules wrote: to be kept and sent, in one group.
        package var written: [Record] = []
        /// Rows whose state is, or may be, another one than was last shown, and those that were named; sorted by name. An app may
        /// have inserted a row that is hidden here, so hidden ones are included.
        package var rows: [RecordRow] = []
    }

    /// Settles collisions and says what becomes of the rows. Only when an exchange or a page has ended.
    ///
    /// - Parameter changed: records that were saved, deleted or joined since the last call, by
    ///   ``RecordSchema/touched(replacing:with:)``, and rows whose obstacle was forgotten.
    package mutating func update(_ changed: Set<RecordName>) throws -> Update {
        begin()
        let asked = changed
        var changed = changed
        while true {
            var affected = try affectedRows(changed)
            let merged = try mergeCollisions(among: affected)
            if merged.isEmpty {
                return Update(
                    written: written.values.sorted { $0.name < $1.name }, rows: try describe(&affected, asked: asked))
            }
            changed.formUnion(merged)
            forget()
        }
    }

    /// The state of one row, as the records are now.
    package mutating func row(_ name: RecordName) throws -> RecordRow {
        begin()
        var affected = [name: try evaluate(name)]
        let row = try describe(&affected, asked: [name]).first { $0.name == name }
        return row ?? RecordRow(name: name, table: "", state: .hidden, told: RecordToldRow(state: .hidden))
    }

    /// The name of the row that a record is shown as: its own, or that of the row it is one with.
    package mutating func rowName(of record: RecordName) throws -> RecordName {
        begin()
        return try resolved(record)
    }

    /// The records that are one row.
    package mutating func members(of row: RecordName) throws -> [Record] {
        begin()
        return try memberNames(of: row).compactMap { try record($0) }
    }

    private mutating func begin() {
        forget()
        (written, writtenInto) = ([:], [:])
        walk = RecordWalk()
    }

    /// Nothing of what was asked is true any more.
    private mutating func forget() {
        records = [:]
        rowNames = [:]
        rows = [:]
        visible = [:]
        holds = [:]
        memberLists = [:]
        resolving = []
        walk.end()
    }

    // MARK: Rows that a change concerns

    /// A row, before a unique value of it is cleared.
    struct EvaluatedRow {
        var table: String
        var state: RecordRowState
        var uniqueValues: Set<RecordUniqueValue> = []
        /// The row that the record is shown as, if it is not its own.
        var shownAs: RecordName?

        var told: RecordToldRow {
            switch state {
            case .shown: RecordToldRow(state: .shown, uniqueValues: uniqueValues)
            case .held: RecordToldRow(state: .held)
            case .hidden: RecordToldRow(state: .hidden, shownAs: shownAs)
            }
        }
    }

    /// Evaluates changed rows, and goes on to those that name them or are named by them as far as states change.
    private mutating func affectedRows(_ changed: Set<RecordName>) throws -> [RecordName: EvaluatedRow] {
        var affected: [RecordName: EvaluatedRow] = [:]
        var open = changed.sorted()
        /// Records themselves changed, so that they may name other rows than before.
        var changed = changed
        var spread: Set<RecordName> = []
        while let name = open.popLast() {
            let isChanged = changed.contains(name)
            if affected[name] != nil, !isChanged || spread.contains(name) { continue }
            let row = try evaluate(name)
            affected[name] = row
            if isChanged { spread.insert(name) }
            let told = try source.toldRow(name)
            var rowNames: [RecordName] = []
            if told?.shownAs != row.shownAs { rowNames = [told?.shownAs, row.shownAs].compactMap(\.self) }
            if isChanged || told?.shownAs != row.shownAs, let shownAs = row.shownAs { rowNames.append(shownAs) }
            for row in rowNames where changed.insert(row).inserted { open.append(row) }
            // A row that it names has moved, and the row that it is shown as names that one by it.
            if let shownAs = row.shownAs { open.append(shownAs) }
            let isMoved = (told?.state ?? .hidden) != row.told.state || told?.shownAs != row.shownAs
            if isChanged || isMoved { open += try targets(of: name) }
            if isMoved || row.shownAs != nil { open += try referrers(of: name) }
            // Records that were one with it follow it to its new row.
            if told?.shownAs != row.shownAs { open += try mergedRecords(into: name) }
        }
        return affected
    }

    mutating func evaluate(_ name: RecordName) throws -> EvaluatedRow {
        let rowName = try resolved(name)
        guard rowName == name else {
            return EvaluatedRow(table: schema.tableName(ofRow: name) ?? "", state: .hidden, shownAs: rowName)
        }
        guard let row = try joinedRow(name) else {
            return EvaluatedRow(table: schema.tableName(ofRow: name) ?? "", state: .hidden)
        }
        guard try isVisible(name) else { return EvaluatedRow(table: row.table.name, state: .hidden) }
        if let hold = try hold(of: name) { return EvaluatedRow(table: row.table.name, state: .held(hold)) }
        let columns = try shownColumns(of: row)
        return EvaluatedRow(
            table: row.table.name, state: .shown(columns), uniqueValues: row.table.uniqueValues(of: columns))
    }
}
