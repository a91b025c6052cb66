package import BatonCore
package import FileSync

/// A change of one row or record, as its author made it.
package enum RecordChange: Hashable, Sendable {
    /// - values: of a row that is new, all columns; of another one, those that changed. Columns that count are not among them: a change of
    ///   such a one is a difference.
    /// - emptied: columns that a foreign key's `SET NULL` or `SET DEFAULT` changed. No person wrote them: the view shows them so,
    ///   and their value is there again when its target is.
    case save(
        name: RecordName, type: String, values: [RecordField: RecordValue], differences: [String: Int64] = [:],
        emptied: Set<String> = [])
    /// Rule 7: the row was there before sync began. Any later edit wins, and equal rows of two devices are one. It does not come back where
    /// a device has deleted it.
    case adopt(name: RecordName, type: String, values: [RecordField: RecordValue])
    case delete(name: RecordName)

    package var name: RecordName {
        switch self {
        case .save(let name, _, _, _, _), .adopt(let name, _, _), .delete(let name): name
        }
    }
}

/// Rule 1: what the changes of one transaction write into records.
///
/// A change acts on what its author had before its eyes (the ``RecordCopy``), not on what has arrived since.
package struct RecordEditor<Source: RecordSource, Copy: RecordCopy> {
    private let schema: RecordSchema
    private let source: Source
    private let copy: Copy
    private let actor: ActorID
    private let rules: RecordRules
    private var view: RecordView<Source>
    private var edited: [RecordName: Record] = [:]

    package init(schema: RecordSchema, source: Source, copy: Copy, actor: ActorID, rules: RecordRules = .all) {
        self.schema = schema
        self.source = source
        self.copy = copy
        self.actor = actor
        self.rules = rules
        view = RecordView(schema: schema, source: source, rules: rules)
    }

    /// - Parameters:
    ///   - changes: of one transaction, in their order. The rows that they name are to be shown again, whether a record changes
    ///     or not: the app's table shows something else than it was sent (see ``touched(by:)``).
    ///   - stamp: of the clock that has moved past all that was received.
    /// - Returns: the records that differ now, sorted by name: one group.
    /// - Throws: `failed_precondition` (`record_type_differs`) where a record of that name has another type; `resource_exhausted`
    ///   (`record_too_large`) where a record would pass a bound. Then nothing is changed.
    package mutating func apply(_ changes: [RecordChange], at stamp: Stamp) throws -> [Record] {
        if let failure = try edit(changes, at: stamp).min(by: { $0.key < $1.key }) { throw failure.value }
        return try differing()
    }

    /// As ``apply(_:at:)``, but for the changes of rows that fail: one of them keeps no other row back.
    ///
    /// - Returns: also the rows of which no change is in the records, and why.
    package mutating func applyEach(
        _ changes: [RecordChange], at stamp: Stamp
    ) throws -> (records: [Record], refused: [RecordName: BatonError]) {
        var rest = changes
        var refused: [RecordName: BatonError] = [:]
        while true {
            let failures = try edit(rest, at: stamp)
            rest.removeAll { failures[$0.name] != nil }
            if failures.isEmpty { return (try differing(), refused) }
            refused.merge(failures) { first, _ in first }
        }
    }

    /// - Returns: the rows whose changes cannot be made, by the names of the changes.
    private mutating func edit(_ changes: [RecordChange], at stamp: Stamp) throws -> [RecordName: BatonError] {
        edited = [:]
        view = RecordView(schema: schema, source: source, rules: rules)
        var failures: [RecordName: BatonError] = [:]
        for change in changes {
            do {
                try edit(change, at: stamp)
            } catch let error as BatonError where error.reason == "record_type_differs" {
                failures[change.name] = error
            }
        }
        for change in changes {
            guard failures[change.name] == nil, let record = edited[change.name], let excess = record.excess,
                try grows(record)
            else { continue }
            failures[change.name] = BatonError(
                .resourceExhausted, reason: "record_too_large",
                "The record \(record.name) passes a limit (\(excess)). Put less into it; large contents go into assets."
            )
        }
        return failures
    }

    private mutating func edit(_ change: RecordChange, at stamp: Stamp) throws {
        switch change {
        case .save(let name, let type, var values, let differences, let emptied):
            if rules.has(.consequence) { for column in emptied { values[.value(column)] = nil } }
            // A row whose columns were only emptied.
            if values.isEmpty, differences.isEmpty, !emptied.isEmpty { return }
            try save(name, type, values, differences, at: stamp)
        case .adopt(let name, let type, let values): try adopt(name, type, values, at: stamp)
        case .delete(let name): try delete(name, at: stamp)
        }
    }

    /// A record that is over a limit already may be deleted, and may get smaller.
    private func grows(_ record: Record) throws -> Bool {
        guard let old = try source.record(record.name), old.excess != nil else { return true }
        return record.size > old.size || record.context != old.context || record.counters != old.counters
    }

    private func differing() throws -> [Record] {
        try edited.values.filter { try $0 != source.record($0.name) }.sorted { $0.name < $1.name }
    }

    /// Names to give to ``RecordView/update(_:)`` besides those of the records that differ.
    package func touched(by changes: [RecordChange]) -> Set<RecordName> { Set(changes.map(\.name)) }

    private func record(_ name: RecordName) throws -> Record? { try edited[name] ?? source.record(name) }

    private func record(_ name: RecordName, type: String) throws -> Record {
        guard let record = try record(name) else { return Record(name: name, type: type) }
        guard record.type == type else {
            throw BatonError(
                .failedPrecondition, reason: "record_type_differs",
                "A record named \(name) exists with the type \(record.type). Give the new one another name.")
        }
        return record
    }

    private mutating func save(
        _ name: RecordName, _ type: String, _ values: [RecordField: RecordValue], _ differences: [String: Int64],
        at stamp: Stamp
    ) throws {
        var record = try record(name, type: type)
        let others = try otherMembers(of: name)
        for (field, value) in values {
            let known = others.reduce(record.fields[field]?.stamp) {
                max($0 ?? .zero, $1.fields[field]?.stamp ?? .zero)
            }
            record.fields[field] = Register(stamp: stamp.later(than: known), value: value)
        }
        if !rules.has(.changedOnly) {
            for (field, register) in record.fields where values[field] == nil {
                record.fields[field] = Register(stamp: stamp.later(than: register.stamp), value: register.value)
            }
        }
        for (column, difference) in differences {
            record.counters[column, default: RecordCounter()].add(difference, by: actor, at: stamp.time)
        }
        if !isQuiet(Set(values.keys), Set(differences.keys), type) { try addDot(to: &record) }
        edited[name] = record
    }

    private mutating func adopt(
        _ name: RecordName, _ type: String, _ values: [RecordField: RecordValue], at stamp: Stamp
    ) throws {
        var record = try record(name, type: type)
        for (field, value) in values {
            let register = Register(stamp: rules.has(.least) ? .zero : stamp, value: value)
            record.fields[field] = record.fields[field]?.joined(register) ?? register
        }
        // A record that a device has changed, or deleted, stays as it is.
        if record.context.counters.isEmpty {
            record.context = DotContext([Dot.adoption.actor: Dot.adoption.counter])
            record.presence = [.adoption]
        }
        edited[name] = record
    }

    private mutating func delete(_ name: RecordName, at stamp: Stamp) throws {
        for member in [try record(name)].compactMap(\.self) + (try otherMembers(of: name)) {
            guard try member.name == name || !copy.hasApart(member.name) else { continue }
            var member = member
            let seen = try member.presence.filter { try !rules.has(.seenOnly) || hasSeen($0, of: member) }
            guard !seen.isEmpty else { continue }
            member.presence.subtract(seen)
            // Later than every write that it covers, even by a clock that is behind: a device that was away compares their times to see
            // whether a record was written again.
            member.deletion = stamp.later(than: member.newestStamp)
            edited[member.name] = member
        }
    }

    /// Its new dot stands for those that its author saw.
    private func addDot(to record: inout Record) throws {
        if !rules.has(.dot), record.isPresent { return }
        let seen = try record.presence.filter { try hasSeen($0, of: record) }
        let dot = record.context.next(for: actor, after: try source.leastCounter)
        record.presence.subtract(seen)
        record.presence.insert(dot)
        record.context = record.context.withoutNeedlessAdoption
    }

    private func hasSeen(_ dot: Dot, of record: Record) throws -> Bool {
        try dot == .adoption || dot.actor == actor || copy.hasSeen(dot, of: record.name)
    }

    /// The other records that the row of that name stands for. An author who has not heard of a merge uses the old name, which then
    /// stands for itself.
    private mutating func otherMembers(of name: RecordName) throws -> [Record] {
        try view.memberNames(of: name).dropFirst().compactMap { try record($0) }
    }

    private func isQuiet(_ fields: Set<RecordField>, _ differences: Set<String>, _ type: String) -> Bool {
        guard let table = schema[type], !(fields.isEmpty && differences.isEmpty), rules.has(.quiet) else {
            return false
        }
        let isFieldQuiet = { (field: RecordField) in
            if case .value(let column) = field { table.column(column)?.isQuiet == true } else { true }
        }
        return fields.allSatisfy(isFieldQuiet) && differences.allSatisfy { table.column($0)?.isQuiet == true }
    }
}

extension Stamp {
    /// This one, or just after what it replaces.
    func later(than replaced: Stamp?) -> Stamp {
        guard let replaced, self <= replaced, replaced.time.rawValue < .max else { return self }
        return Stamp(time: HybridTimestamp(rawValue: replaced.time.rawValue + 1), actor: actor)
    }
}
