extension RecordView {
    /// Whether a row has a dot, or a visible row needs it.
    mutating func isVisible(_ name: RecordName) throws -> Bool {
        if let known = visible[name] { return known }
        if try joinedRow(name)?.isPresent == true {
            visible[name] = true
            return true
        }
        // From each row to those that need it, until one has a dot.
        var cameFrom: [RecordName: RecordName] = [:]
        var known: Set<RecordName> = [name]
        var open = [name]
        while let current = open.popLast() {
            let isKnown = visible[current] == true && rules.has(.needOfNeed)
            if try isKnown || joinedRow(current)?.isPresent == true {
                var step: RecordName? = current
                while let found = step {
                    visible[found] = true
                    step = cameFrom[found]
                }
                return true
            }
            guard rules.has(.need), rules.has(.needOfNeed) || current == name else { continue }
            for needing in try rows(needing: current) where known.insert(needing).inserted {
                cameFrom[needing] = current
                open.append(needing)
            }
        }
        for name in known { visible[name] = false }
        return false
    }

    /// Rows with a foreign key that needs this row, visible ones or not.
    private mutating func rows(needing name: RecordName) throws -> [RecordName] {
        guard let table = schema.tableName(ofRow: name), let references = referring[table] else { return [] }
        var result: Set<RecordName> = []
        let members = try memberNames(of: name)
        for reference in references where reference.isNeed {
            for member in members {
                let link = RecordLink(table: reference.table, key: reference.key, target: member)
                for referrer in try source.records(with: link) {
                    let needing = try resolved(referrer)
                    // The index may be older than the schema.
                    guard !result.contains(needing), let row = try joinedRow(needing), row.table.name == reference.table
                    else { continue }
                    // Where a row has several records the newest value counts.
                    let named = schema.target(of: row.table.foreignKeys[reference.key], in: row.value)
                    if let named, try resolved(named) == name { result.insert(needing) }
                }
            }
        }
        return result.sorted()
    }

    mutating func isShown(_ name: RecordName) throws -> Bool {
        guard try joinedRow(name) != nil, try isVisible(name) else { return false }
        return try hold(of: name) == nil
    }

    /// Why a visible row is not in its table: it, or one that it needs in the end, is not known or was refused.
    mutating func hold(of name: RecordName) throws -> RecordHold? {
        if let known = holds[name] { return known }
        // Depth first. All rows on the way to a row that is not there are held.
        var path: [(name: RecordName, needs: [RecordName])] = []
        var known: Set<RecordName> = []
        var next: RecordName? = name
        while true {
            if let current = next {
                next = nil
                guard known.insert(current).inserted else { continue }
                if let own = try ownHold(of: current) {
                    holds[current] = .some(own)
                    let isMissing = try joinedRow(current) == nil
                    var reason = isMissing ? RecordHold.missing(current) : .heldTarget(current)
                    for step in path.reversed() {
                        holds[step.name] = .some(reason)
                        reason = .heldTarget(step.name)
                    }
                    return holds[name] ?? own
                }
                path.append((current, try needs(of: current)))
            }
            guard let last = path.indices.last else { break }
            guard let needed = path[last].needs.popLast() else {
                path.removeLast()
                continue
            }
            // A row that is known to be there needs no second look.
            if let hold = holds[needed], hold == nil { continue }
            next = needed
        }
        for name in known { holds[name] = .some(nil) }
        return nil
    }

    private mutating func needs(of name: RecordName) throws -> [RecordName] {
        guard let row = try joinedRow(name) else { return [] }
        return try references(of: row).filter { row.table.needs(row.table.foreignKeys[$0.key]) }.map(\.row)
    }

    private mutating func ownHold(of name: RecordName) throws -> RecordHold? {
        if let known = holds[name], let known { return known }
        guard let row = try joinedRow(name) else { return rules.has(.held) ? .missing(name) : nil }
        if row.key == nil { return .badKey }
        return try source.obstacle(to: name)
    }
}
