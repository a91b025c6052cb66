import FileSync

extension RecordView {
    /// The records of one row, as one.
    struct JoinedRow {
        var name: RecordName
        var table: RecordTable
        /// The values of the primary key; nil where the row's own record has another key, or none.
        var key: [RecordValue]?
        var fields: [String: Register<RecordValue>]
        var counts: [String: Int64]
        var isPresent: Bool
        /// The rows that its columns name, by the number of the foreign key.
        var targets: [(key: Int, named: RecordName)] = []

        func value(_ column: String) -> RecordValue {
            if let index = table.primaryKey.firstIndex(of: column), let key { return key[index] }
            return fields[column]?.value ?? .nothing
        }
    }

    mutating func record(_ name: RecordName) throws -> Record? {
        if let record = written[name] { return record }
        if let known = records[name] { return known }
        let record = try source.record(name)
        records[name] = .some(record)
        return record
    }

    /// The table of a record whose name is that of a row; nil: it is in no table.
    func table(of record: Record) -> RecordTable? {
        guard let table = schema[record.type], record.name.isRow(of: record.type) else { return nil }
        return table
    }

    // MARK: Which row a record is

    /// The name of the row that a record is shown as.
    mutating func resolved(_ name: RecordName) throws -> RecordName {
        if let known = rowNames[name] { return known }
        if let passing = walk.rowName(of: name) { return passing }
        let cuts = walk.cuts
        // Most records are a row of their own.
        guard let second = try follow(name) else {
            keep(name, of: [name], since: cuts)
            return name
        }
        var path = [name]
        var known: Set<RecordName> = [name]
        var (result, following): (RecordName, RecordName?) = (name, second)
        while let next = following {
            if let resolved = rowNames[next] {
                result = resolved
                break
            }
            if let passing = walk.rowName(of: next) {
                result = passing
                break
            }
            guard known.insert(next).inserted else {
                // Only a hostile device makes a circle. All its records are one row.
                let start = path.firstIndex(of: next) ?? 0
                result = path[start...].min() ?? next
                break
            }
            path.append(next)
            result = next
            following = try follow(next)
        }
        keep(result, of: path, since: cuts)
        return result
    }

    /// A circle of keys that is being walked gives passing answers.
    private mutating func keep(_ row: RecordName, of path: [RecordName], since cuts: Int) {
        let isWhole = walk.cuts == cuts
        if isWhole || resolving.isEmpty { for name in path { rowNames[name] = row } }
        if !isWhole { walk.keep(row, of: path) }
        if resolving.isEmpty { walk.end() }
    }

    /// The next step: to the row that it was merged into, or to that of the key that follows from merged targets.
    private mutating func follow(_ name: RecordName) throws -> RecordName? {
        guard let record = try record(name), let table = table(of: record) else { return nil }
        if let target = record.mergedInto, target.isRow(of: table.name) { return target }
        guard table.hasReferenceInKey, rules.has(.follow) else { return nil }
        guard resolving.count < RecordLimits.depth, !walk.isOver, resolving.insert(name).inserted else {
            walk.cut()
            return nil
        }
        defer { resolving.remove(name) }
        var key = table.primaryKey.map { record[.value($0)] }
        guard table.rowName(of: key) == name else { return nil }
        for reference in table.foreignKeys where reference.columns.contains(where: table.primaryKey.contains) {
            guard let target = schema.target(of: reference, in: { record[.value($0)] }) else { continue }
            let row = try resolved(target)
            guard row != target, let values = try keyValues(of: row) else { continue }
            for (column, value) in zip(reference.columns, values) {
                if let index = table.primaryKey.firstIndex(of: column) { key[index] = value }
            }
        }
        guard let followed = table.rowName(of: key), followed != name else { return nil }
        return followed
    }

    /// The primary key of a row, from its own record or from its name.
    mutating func keyValues(of row: RecordName) throws -> [RecordValue]? {
        guard let name = schema.tableName(ofRow: row), let table = schema[name] else { return nil }
        if let record = try record(row), record.type == name {
            let key = table.primaryKey.map { record[.value($0)] }
            if table.rowName(of: key) == row { return key }
            // A record without fields: its name is all that is known.
            guard table.primaryKey.allSatisfy({ record.fields[.value($0)] == nil }) else { return nil }
        }
        return table.key(ofRow: row)
    }

    /// The records that are one row, its own name first, whether there is such a record or not.
    mutating func memberNames(of row: RecordName) throws -> [RecordName] {
        if let known = memberLists[row] { return known }
        if let passing = walk.members(of: row) { return passing }
        let cuts = walk.cuts
        var result = [row]
        var known: Set<RecordName> = [row]
        var index = 0
        while index < result.count {
            let member = result[index]
            index += 1
            let found = try mergedRecords(into: member) + followers(of: member)
            for name in found.sorted() where !known.contains(name) {
                guard try resolved(name) == row else { continue }
                known.insert(name)
                result.append(name)
            }
        }
        let isWhole = walk.cuts == cuts
        if isWhole || resolving.isEmpty { memberLists[row] = result }
        if !isWhole { walk.keep(result, of: row) }
        if resolving.isEmpty { walk.end() }
        return result
    }

    /// Records that name this one as what they are merged into.
    mutating func mergedRecords(into name: RecordName) throws -> [RecordName] {
        try source.records(mergedInto: name) + (writtenInto[name] ?? [])
    }

    /// Records whose key becomes this one, since a row that it names is one with another row.
    private mutating func followers(of name: RecordName) throws -> [RecordName] {
        guard let tableName = schema.tableName(ofRow: name), let table = schema[tableName], table.hasReferenceInKey,
            let key = try keyValues(of: name)
        else { return [] }
        guard resolving.count < RecordLimits.depth, !walk.isOver, resolving.insert(name).inserted else {
            walk.cut()
            return []
        }
        defer { resolving.remove(name) }
        let own = try record(name)
        var result: [RecordName] = []
        for (index, reference) in table.foreignKeys.enumerated()
        where reference.columns.contains(where: table.primaryKey.contains) {
            let target = schema.target(of: reference) { column in
                table.primaryKey.firstIndex(of: column).map { key[$0] } ?? own?[.value(column)] ?? .nothing
            }
            guard let target else { continue }
            for alias in try memberNames(of: target) where alias != target {
                result += try source.records(with: RecordLink(table: tableName, key: index, target: alias))
            }
        }
        return result
    }

    // MARK: The row

    /// Nil: nothing is known of it.
    mutating func joinedRow(_ name: RecordName) throws -> JoinedRow? {
        if let known = rows[name] { return known }
        let row = try join(name)
        rows[name] = .some(row)
        return row
    }

    private mutating func join(_ name: RecordName) throws -> JoinedRow? {
        guard let tableName = schema.tableName(ofRow: name), let table = schema[tableName] else { return nil }
        let members = try memberNames(of: name).compactMap { try record($0) }.filter { $0.type == tableName }
        guard !members.isEmpty else { return nil }
        var row = JoinedRow(
            name: name, table: table, key: try keyValues(of: name), fields: [:], counts: [:],
            isPresent: members.contains(where: \.isPresent))
        for member in members {
            for (field, register) in member.fields {
                guard case .value(let column) = field else { continue }
                row.fields[column] = row.fields[column]?.joined(register) ?? register
            }
            for (column, counter) in member.counters { row.counts[column, default: 0] &+= counter.value }
        }
        // Asked for several times in one update.
        for (index, reference) in table.foreignKeys.enumerated() {
            if let target = schema.target(of: reference, in: row.value) { row.targets.append((index, target)) }
        }
        return row
    }

    /// The rows that a row names, by the number of the foreign key.
    mutating func references(of row: JoinedRow) throws -> [(key: Int, named: RecordName, row: RecordName)] {
        try row.targets.map { ($0.key, $0.named, try resolved($0.named)) }
    }

    /// The rows that a row and its records name.
    mutating func targets(of name: RecordName) throws -> [RecordName] {
        var result: Set<RecordName> = []
        let members = try memberNames(of: name)
        // A row of one record names what its record names.
        for member in members where members.count > 1 {
            guard let record = try record(member) else { continue }
            for link in schema.links(of: record) { result.insert(try resolved(link.target)) }
        }
        if let row = try joinedRow(name) { for reference in try references(of: row) { result.insert(reference.row) } }
        return result.sorted()
    }

    /// Records that name a row.
    mutating func referrers(of name: RecordName) throws -> [RecordName] {
        guard let table = schema.tableName(ofRow: name), let references = referring[table] else { return [] }
        var result: Set<RecordName> = []
        for member in try memberNames(of: name) {
            for reference in references {
                let link = RecordLink(table: reference.table, key: reference.key, target: member)
                result.formUnion(try source.records(with: link))
            }
        }
        return result.sorted()
    }
}
