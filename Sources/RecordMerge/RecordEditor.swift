package import FileSync

/// A change of one row or record, as its author made it.
package enum RecordChange: Hashable, Sendable {
    /// - differences: of counters.
    case save(name: RecordName, type: String, values: [RecordField: RecordValue], differences: [String: Int64] = [:])
    /// The row was there before sync began: any later edit wins.
    case adopt(name: RecordName, type: String, values: [RecordField: RecordValue])
    case delete(name: RecordName)
}

/// Rule 1: what the changes of one transaction write.
package struct RecordEditor<Source: RecordSource, Copy: RecordCopy> {
    package init(
        schema: RecordSchema, source: Source, copy: Copy, actor: ActorID, rules: RecordRules = .all
    ) { fatalError() }

    /// - Parameter stamp: of the clock that has moved past all that was received.
    /// - Returns: the changed records, each once: one group.
    package mutating func apply(_ changes: [RecordChange], at stamp: Stamp) throws -> [Record] { fatalError() }
}
