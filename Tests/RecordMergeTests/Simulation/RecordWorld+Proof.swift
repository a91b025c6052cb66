import FileSync
import RecordMerge

extension RecordWorld {
    // MARK: While it runs

    /// A: a table never shows part of a transaction that nothing later has touched.
    func checkGroups(_ index: Int) throws {
        let rows = devices[index].app.rows
        for group in groups where group.count > 1 {
            let isSeen = group.contains { name, write in
                guard let row = rows[name], row.writes.contains(write) else { return false }
                return later[write]?.isDisjoint(with: row.writes) ?? true
            }
            guard isSeen else { continue }
            for (name, write) in group {
                guard let row = rows[name] else { continue }
                guard row.writes.contains(write) else {
                    throw Violation("A: \(name) is not as its transaction left it")
                }
            }
        }
    }

    /// J: what the journal has no more is in the replica.
    mutating func proveJournal(_ index: Int) throws {
        let gone = devices[index].writes.count - devices[index].app.journal.count
        while devices[index].proven < gone {
            for (name, write) in devices[index].writes[devices[index].proven] where !deletions.contains(write) {
                guard devices[index].replica.writes[name]?.contains(write) == true else {
                    throw Violation("J: a change of \(name) is neither in the journal nor in the replica")
                }
            }
            devices[index].proven += 1
        }
    }

    // MARK: In the end

    /// All is delivered, and the newest version of the app is everywhere, which refuses nothing.
    mutating func finish() throws {
        // Before that, the old versions refuse what they do.
        for index in devices.indices { try sendAll(index) }
        for index in devices.indices {
            try receiveAll(index)
            try apply(index)
        }
        for index in devices.indices {
            try upgrade(index)
            devices[index].app.hasCheck = false
            if mistake != .untried { devices[index].replica.tryAgain() }
        }
        for index in devices.indices { try sendAll(index) }
        for index in devices.indices { try receiveAll(index) }
        try exchangeAll()
        var rounds = 0
        while rounds < 6, devices.contains(where: { !$0.inbox.isEmpty }) {
            rounds += 1
            for index in devices.indices { try receiveAll(index) }
            // Lost records are found by comparing all items.
            if rounds.isMultiple(of: 2) { try exchangeAll() }
        }
        try exchangeAll()
        for index in devices.indices { try apply(index) }
        guard devices.allSatisfy({ $0.inbox.isEmpty }) else { throw Violation("Q: the devices never rest") }
        try checkEquality()
        try checkStillness()
        try checkCells()
        try checkRows()
    }

    private mutating func exchangeAll() throws {
        for from in devices.indices {
            let replica = devices[from].replica
            for to in devices.indices where to != from {
                let other = devices[to].replica
                let items = replica.records.values.filter { other.records[$0.name] != $0 }
                    .map { Item(record: $0, writes: replica.writes[$0.name] ?? []) }
                // In the middle of an exchange nothing is settled.
                try join(items, to)
                try update(to)
            }
        }
    }

    /// C
    private func checkEquality() throws {
        let first = devices[0]
        for device in devices.dropFirst() {
            for name in Set(first.replica.records.keys).union(device.replica.records.keys) {
                guard first.replica.records[name] == device.replica.records[name] else {
                    throw Violation("C: the replicas differ in \(name)")
                }
            }
            for name in Set(first.app.rows.keys).union(device.app.rows.keys) {
                guard first.app.rows[name]?.columns == device.app.rows[name]?.columns else {
                    throw Violation(
                        "C: the tables differ in \(name): \(String(describing: first.app.rows[name]?.columns)) and \(String(describing: device.app.rows[name]?.columns))"
                    )
                }
            }
        }
    }

    /// Q, and that nothing was overlooked: all rows anew give the rows that were sent.
    private mutating func checkStillness() throws {
        let told = devices[0].replica.told
        devices[0].replica.touchAll()
        guard try devices[0].replica.update().isEmpty else { throw Violation("Q: settling again writes") }
        for (name, row) in devices[0].replica.told where row.row.state != told[name]?.row.state {
            if row.row.state == .hidden, told[name] == nil { continue }
            throw Violation(
                "Q: \(name) is \(row.row.state), and was told as \(String(describing: told[name]?.row.state))")
        }
        for (name, row) in devices[0].replica.told {
            if case .held(let hold) = row.row.state { throw Violation("H: \(name) is held: \(hold)") }
        }
    }

    /// L: each cell has the newest value ever written to it.
    private func checkCells() throws {
        let records = devices[0].replica.records
        for (name, columns) in cells {
            for (column, register) in columns {
                let known = records[name]?.fields[.value(column)]
                guard known == register else {
                    throw Violation("L: \(name).\(column) is \(String(describing: known)), and \(register) was written")
                }
            }
        }
        for (cell, sum) in sums {
            let known = records[cell.row]?.counters[cell.column]?.value ?? 0
            guard known == sum else {
                throw Violation("L: \(cell.row).\(cell.column) counts \(known) instead of \(sum)")
            }
        }
    }

    /// L and H: a row is missing only if each write to it was covered by a deletion, and there only if one was not, or a row needs it.
    private mutating func checkRows() throws {
        let replica = devices[0].replica
        let rows = devices[0].app.rows
        var view = RecordView(schema: replica.schema, source: replica, rules: rules)
        var names: [RecordName: RecordName] = [:]
        for name in replica.records.keys { names[name] = try view.rowName(of: name) }
        for (name, row) in names {
            let isAlive = isAlive(name)
            if isAlive, rows[row] == nil {
                throw Violation(
                    "L: \(name) is missing: \((writes[name] ?? []).subtracting(covered)) shown as \(row) \(String(describing: replica.records[name])) \(String(describing: replica.told[row]))"
                )
            }
        }
        // From the rows that a device wrote to those that they need.
        var grounded: Set<RecordName> = []
        var open: [RecordName] = []
        let members = Dictionary(grouping: names.keys) { names[$0] ?? $0 }
        for (row, records) in members where rows[row] != nil {
            if records != [row] { statistics.followed += 1 }
            let isAlive = records.contains(where: isAlive)
            // A row of several records may outlive a deletion by a device that had not heard of the merge.
            let isKept = records != [row] && records.contains { replica.records[$0]?.isPresent == true }
            if isAlive || isKept { open.append(row) }
        }
        while let name = open.popLast() {
            guard grounded.insert(name).inserted, let row = rows[name], let table = replica.schema[row.table] else {
                continue
            }
            for key in table.foreignKeys where table.needs(key) {
                let target = replica.schema[key.target]?.rowName(of: key.columns.map { row.columns[$0] ?? .nothing })
                if let target { open.append(target) }
            }
        }
        for name in rows.keys where !grounded.contains(name) { throw Violation("L: \(name) was deleted and is there") }
        for name in rows.keys where members[name]?.allSatisfy({ replica.records[$0]?.isPresent != true }) == true {
            statistics.revived += 1
        }
        for (name, row) in rows { try check(row, members[name] ?? [], rows, names) }
    }

    /// Rows of before stay until one of them is changed or deleted.
    private func isAlive(_ name: RecordName) -> Bool {
        if let writes = writes[name] { return !writes.isSubset(of: covered) }
        return adoptions[name].map { $0.isDisjoint(with: covered) } ?? false
    }

    /// The columns of a row against what was written.
    private mutating func check(
        _ row: SimulatedApp.Row, _ members: [RecordName], _ rows: [RecordName: SimulatedApp.Row],
        _ names: [RecordName: RecordName]
    ) throws {
        guard let table = devices[0].replica.schema[row.table] else { return }
        for column in table.columns where !table.primaryKey.contains(column.name) && !column.isCounter {
            var newest: Register<RecordValue>?
            for member in members {
                guard let register = cells[member]?[column.name] else { continue }
                newest = newest?.joined(register) ?? register
            }
            var value = newest?.value ?? .nothing
            if let key = table.foreignKeys.first(where: { $0.columns == [column.name] }),
                let target = devices[0].replica.schema[key.target]?.rowName(of: [value])
            {
                let shown = names[target] ?? target
                value = rows[shown].map { $0.columns["id"] ?? .nothing } ?? .nothing
            }
            if column.name == "slot", row.columns["slot"] == .nothing, value != .nothing {
                statistics.cleared += 1
                continue
            }
            guard row.columns[column.name] == value else {
                throw Violation(
                    "L: \(members).\(column.name) shows \(String(describing: row.columns[column.name])) instead of \(value)"
                )
            }
        }
    }
}
