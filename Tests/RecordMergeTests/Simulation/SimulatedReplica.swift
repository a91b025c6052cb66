import BatonCore
import FileSync
import RecordMerge

/// The replica of one device: its records, and the rows that it has sent to the app. All of it outlives a crash.
struct SimulatedReplica: RecordSource {
    struct Told {
        var row: RecordRow
        /// Changes that its records had when it was sent.
        var writes: Set<Int>
        var sequence: Int
    }

    private(set) var schema: RecordSchema
    let rules: RecordRules
    private(set) var records: [RecordName: Record] = [:]
    /// Which changes of people are known of each record, for the proof.
    private(set) var writes: [RecordName: Set<Int>] = [:]
    private(set) var told: [RecordName: Told] = [:]
    /// The update that shows, or will show, the app what has come.
    private(set) var sequence = 1
    private var arrivals: [RecordName: [Dot: Int]] = [:]
    private var touched: Set<RecordName> = []
    private var links: [RecordLink: Set<RecordName>] = [:]
    private var merges: [RecordName: Set<RecordName>] = [:]
    private var holding: [RecordUniqueValue: Set<RecordName>] = [:]
    private(set) var obstacles: [RecordName: RecordHold] = [:]

    init(schema: RecordSchema, rules: RecordRules) {
        self.schema = schema
        self.rules = rules
    }

    /// Whether all that came was sent. Before, rows that the app changed itself may be older here than there.
    var isSettled: Bool { touched.isEmpty }

    // MARK: RecordSource

    func record(_ name: RecordName) -> Record? { records[name] }
    func records(with link: RecordLink) -> [RecordName] { Array(links[link] ?? []) }
    func records(mergedInto name: RecordName) -> [RecordName] { Array(merges[name] ?? []) }
    func toldRow(_ name: RecordName) -> RecordToldRow? { told[name]?.row.told }
    func rows(holding value: RecordUniqueValue) -> [RecordName] { Array(holding[value] ?? []) }
    func obstacle(to row: RecordName) -> RecordHold? { obstacles[row] }

    // MARK: Changing

    mutating func put(_ record: Record, writes known: Set<Int>) {
        let old = records[record.name]
        writes[record.name, default: []].formUnion(known)
        guard old != record else { return }
        let names = schema.touched(replacing: old, with: record)
        touched.formUnion(names)
        // A row that has changed is tried again.
        obstacles[record.name] = nil
        if let old { for link in schema.links(of: old) { links[link]?.remove(record.name) } }
        for link in schema.links(of: record) { links[link, default: []].insert(record.name) }
        if let target = old?.mergedInto { merges[target]?.remove(record.name) }
        if let target = record.mergedInto { merges[target, default: []].insert(record.name) }
        for dot in record.presence where arrivals[record.name]?[dot] == nil {
            arrivals[record.name, default: [:]][dot] = sequence
        }
        records[record.name] = record
    }

    mutating func join(_ record: Record, writes known: Set<Int>) {
        put(records[record.name]?.joined(record) ?? record, writes: known)
    }

    /// At the end of an exchange or a page.
    ///
    /// - Returns: records that the rules wrote.
    mutating func update() throws -> [Record] {
        guard !touched.isEmpty else { return [] }
        var view = RecordView(schema: schema, source: self, rules: rules)
        let update = try view.update(touched)
        for record in update.written { put(record, writes: []) }
        for row in update.rows { try tell(row) }
        touched = []
        sequence += 1
        return update.written
    }

    private mutating func tell(_ row: RecordRow) throws {
        for value in told[row.name]?.row.told.uniqueValues ?? [] { holding[value]?.remove(row.name) }
        for value in row.told.uniqueValues { holding[value, default: []].insert(row.name) }
        var view = RecordView(schema: schema, source: self, rules: rules)
        let members = try view.members(of: row.name)
        let known = members.reduce(into: Set<Int>()) { $0.formUnion(writes[$1.name] ?? []) }
        told[row.name] = Told(row: row, writes: known, sequence: sequence)
    }

    /// The app's table does not take a row.
    mutating func refuse(_ name: RecordName) {
        obstacles[name] = .refused("CHECK constraint failed")
        touched.insert(name)
    }

    /// Another version of the app: all rows are looked at anew.
    mutating func setSchema(_ schema: RecordSchema) {
        self.schema = schema
        links = [:]
        for record in records.values {
            for link in schema.links(of: record) { links[link, default: []].insert(record.name) }
        }
        touchAll()
    }

    /// A new version of the app: whatever was refused is tried again.
    mutating func tryAgain() {
        touched.formUnion(obstacles.keys)
        obstacles = [:]
    }

    mutating func touch(_ names: Set<RecordName>) { touched.formUnion(names) }

    mutating func touchAll() { touched.formUnion(records.keys) }

    /// Later changes are not in the app's copy.
    func copy(at cursor: Int) -> Copy { Copy(replica: self, cursor: cursor) }

    struct Copy: RecordCopy {
        let replica: SimulatedReplica
        let cursor: Int

        func hasSeen(_ dot: Dot, of record: RecordName) -> Bool {
            (replica.arrivals[record]?[dot] ?? .max) <= cursor
        }

        func hasApart(_ member: RecordName) -> Bool { (replica.told[member]?.sequence ?? .max) > cursor }
    }
}
