import FileSync

extension RecordView {
    /// Rows of one unique value become one: the lesser name stays.
    ///
    /// - Returns: the rows that this changes; none: nothing collides.
    mutating func mergeCollisions(among affected: [RecordName: EvaluatedRow]) throws -> Set<RecordName> {
        guard rules.has(.merge) else { return [] }
        var changed: Set<RecordName> = []
        let holding = Self.holding(affected)
        for value in holding.keys.filter(isMerged).sorted() {
            let rows = try holders(of: value, among: affected, holding)
            guard rows.count > 1, let stays = rules.has(.lesser) ? rows.min() : rows.max() else { continue }
            for name in rows where name != stays {
                var record = try record(name) ?? Record(name: name, type: value.table)
                guard record.type == value.table else { continue }
                // Another of its keys may collide with a still lesser row.
                let target = min(record.mergedInto ?? stays, stays)
                guard record.mergedInto != target else { continue }
                if let old = record.mergedInto { writtenInto[old]?.remove(name) }
                record.mergedInto = target
                written[name] = record
                writtenInto[target, default: []].insert(name)
                changed.formUnion([name, stays])
            }
        }
        return changed
    }

    private func isMerged(_ value: RecordUniqueValue) -> Bool {
        uniqueKey(of: value)?.collision == .merge
    }

    /// The rows by their unique values, so that a group of many is looked through once.
    private static func holding(_ rows: [RecordName: EvaluatedRow]) -> [RecordUniqueValue: [RecordName]] {
        var holding: [RecordUniqueValue: [RecordName]] = [:]
        for (name, row) in rows {
            for value in row.uniqueValues { holding[value, default: []].append(name) }
        }
        return holding
    }

    /// Shown rows with a unique value.
    private func holders(
        of value: RecordUniqueValue, among affected: [RecordName: EvaluatedRow],
        _ holding: [RecordUniqueValue: [RecordName]]
    ) throws -> Set<RecordName> {
        // Rows that are not affected show their last state.
        Set(try source.rows(holding: value).filter { affected[$0] == nil } + (holding[value] ?? []))
    }

    // MARK: Clearing

    /// The rows for the app: with unique values in one row only.
    mutating func describe(
        _ affected: inout [RecordName: EvaluatedRow], asked: Set<RecordName>
    ) throws -> [RecordRow] {
        var result: [RecordRow] = []
        var changes = affected
        var values: Set<RecordUniqueValue> = []
        for (name, row) in affected {
            values.formUnion(row.uniqueValues)
            // A value that it had goes to another row.
            values.formUnion(try source.toldRow(name)?.uniqueValues ?? [])
        }
        var winners: [RecordUniqueValue: RecordName] = [:]
        var holding = Self.holding(affected)
        for value in values where clearedColumn(of: value) != nil {
            let rows = try holders(of: value, among: affected, holding)
            for name in rows where changes[name] == nil { changes[name] = try evaluate(name) }
        }
        holding = Self.holding(changes)
        for (name, row) in changes {
            let told = try source.toldRow(name)
            if row.state == .hidden, row.told == told ?? RecordToldRow(state: .hidden), !asked.contains(name) {
                continue
            }
            var state = row.state
            if case .shown(var columns) = state, rules.has(.clear) {
                for value in row.uniqueValues {
                    guard let column = clearedColumn(of: value) else { continue }
                    let winner = try winners[value] ?? winner(of: value, column: column, among: changes, holding)
                    winners[value] = winner
                    if winner != name { columns[column] = .nothing }
                }
                state = .shown(columns)
            }
            result.append(RecordRow(name: name, table: row.table, state: state, told: row.told))
        }
        return result.sorted { $0.name < $1.name }
    }

    private func clearedColumn(of value: RecordUniqueValue) -> String? {
        guard case .clear(let column)? = uniqueKey(of: value)?.collision else { return nil }
        return column
    }

    /// Nil for a value of an older schema.
    private func uniqueKey(of value: RecordUniqueValue) -> RecordUniqueKey? {
        guard let keys = schema[value.table]?.uniqueKeys, keys.indices.contains(value.key) else { return nil }
        return keys[value.key]
    }

    /// The row with the greatest stamp of that column; of equal ones that with the lesser name.
    private mutating func winner(
        of value: RecordUniqueValue, column: String, among affected: [RecordName: EvaluatedRow],
        _ holding: [RecordUniqueValue: [RecordName]]
    ) throws -> RecordName? {
        var best: (name: RecordName, stamp: Stamp)?
        for name in try holders(of: value, among: affected, holding).sorted() {
            let stamp = try joinedRow(name)?.fields[column]?.stamp ?? .zero
            if let best, best.stamp >= stamp { continue }
            best = (name, stamp)
        }
        return best?.name
    }
}

extension RecordUniqueValue: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.table, left.key, left.value) < (right.table, right.key, right.value)
    }
}
