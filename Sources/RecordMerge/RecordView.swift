/// Rules 2 to 5: what an app's database shows of the records.
package struct RecordView<Source: RecordSource> {
    package let schema: RecordSchema
    package let rules: RecordRules
    let source: Source

    package init(schema: RecordSchema, source: Source, rules: RecordRules = .all) {
        self.schema = schema
        self.source = source
        self.rules = rules
    }

    package struct Update: Sendable {
        /// Records that the rules wrote: to be kept and sent, in one group.
        package var written: [Record] = []
        /// Rows whose state is, or may be, another one than was told.
        package var rows: [RecordRow] = []
    }

    /// Settles collisions and says what becomes of the rows. Only when an exchange or a page has ended.
    ///
    /// - Parameter changed: records that were saved, deleted or joined since the last call, by
    ///   ``RecordSchema/touched(replacing:with:)``.
    package mutating func update(_ changed: Set<RecordName>) throws -> Update {
        fatalError()
    }

    /// The state of one row, as the records are now.
    package mutating func row(_ name: RecordName) throws -> RecordRow { fatalError() }

    /// The name of the row that a record is shown as: its own, or that of the row it is one with.
    package mutating func rowName(of record: RecordName) throws -> RecordName { fatalError() }

    /// The records that are one row.
    package mutating func members(of row: RecordName) throws -> [Record] { fatalError() }
}
