/// Parts of one group, of which the later state of a row counts.
struct StagedGroup {
    private struct RowID: Hashable {
        var table: String
        var key: ByteText
    }

    private var rows: [RowID: (row: ShownRow, isRemoved: Bool)] = [:]
    private var order: [RowID] = []

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ group: ShownGroup) {
        for row in group.remove { set(row, isRemoved: true) }
        for row in group.put { set(row, isRemoved: false) }
    }

    private mutating func set(_ row: ShownRow, isRemoved: Bool) {
        let id = RowID(table: row.table, key: ByteText(text: row.key.journalText))
        if rows[id] == nil { order.append(id) }
        rows[id] = (row, isRemoved)
    }

    mutating func take() -> ShownGroup {
        var group = ShownGroup()
        for id in order {
            guard let (row, isRemoved) = rows[id] else { continue }
            if isRemoved { group.remove.append(row) } else { group.put.append(row) }
        }
        (rows, order) = ([:], [])
        return group
    }
}
