package import FileSync

/// The replica, as the rules ask it. All answers are of one moment.
package protocol RecordSource {
    func record(_ name: RecordName) throws -> Record?
    /// Records of which a field names that row, by ``RecordTable/links(of:)``, deleted ones too.
    func records(with link: RecordLink) throws -> [RecordName]
    /// Records whose ``Record/mergedInto`` is that name.
    func records(mergedInto name: RecordName) throws -> [RecordName]
    /// The state of a row that was kept by the last ``RecordView/update(_:)``. Nil: hidden.
    func toldRow(_ name: RecordName) throws -> RecordToldRow?
    /// Rows that were last shown with that unique value.
    func rows(holding value: RecordUniqueValue) throws -> [RecordName]
    /// The reason that keeps a row out of its table for now: the table refused it, or a content is not here yet. The caller
    /// forgets it when the row is to be tried again, and names the row to ``RecordView/update(_:)``.
    func obstacle(to row: RecordName) throws -> RecordHold?
    /// The counters of new dots are greater than this. Where records were buried their counters are not known any more, and none is given
    /// twice.
    var leastCounter: UInt64 { get throws }
}

extension RecordSource {
    package var leastCounter: UInt64 { 0 }
}

/// The state that the author of a change had seen: an app's database lags behind the replica.
package protocol RecordCopy {
    /// Whether the change with this dot was in the copy. The copy's own are.
    func hasSeen(_ dot: Dot, of record: RecordName) throws -> Bool
    /// Whether the copy still had `member` as a row of its own, not having heard that it is one with another. If that is not known: true.
    func hasApart(_ member: RecordName) throws -> Bool
}
