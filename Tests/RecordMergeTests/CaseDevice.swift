import BatonCore
import FileSync
import RecordMerge

/// A device of the cases: its app's database is never behind unless a test makes it so.
struct CaseDevice {
    var replica: SimulatedReplica
    var app = SimulatedApp()
    private let actor: ActorID
    /// Records that it has not sent yet.
    private(set) var outgoing: [Record] = []

    init(_ number: UInt64, schema: RecordSchema, rules: RecordRules = .all) {
        replica = SimulatedReplica(schema: schema, rules: rules)
        actor = ActorID(rawValue: number)
    }

    /// One transaction of the app, at a time by its clock.
    mutating func write(at time: UInt64, _ body: (inout SimulatedApp) -> Void) throws {
        app.begin()
        body(&app)
        guard let transaction = app.commit() else { return }
        var editor = RecordEditor(
            schema: replica.schema, source: replica, copy: replica.copy(at: app.cursor), actor: actor)
        let stamp = Stamp(time: HybridTimestamp(rawValue: time), actor: actor)
        let records = try editor.apply(transaction.changes, at: stamp)
        for record in records { replica.put(record, writes: []) }
        replica.touch(editor.touched(by: transaction.changes))
        outgoing += records
        app.forgetSent(1)
        try settle()
    }

    mutating func adopt(_ rows: [(RecordTable, [String: RecordValue])]) throws {
        var editor = RecordEditor(schema: replica.schema, source: replica, copy: replica.copy(at: 0), actor: actor)
        let changes = rows.compactMap { table, columns -> RecordChange? in
            let key = table.primaryKey.map { columns[$0] ?? .nothing }
            let values = Dictionary(uniqueKeysWithValues: columns.map { (RecordField.value($0.key), $0.value) })
            return table.rowName(of: key).map { .adopt(name: $0, type: table.name, values: values) }
        }
        let records = try editor.apply(changes, at: Stamp(time: HybridTimestamp(rawValue: 9), actor: actor))
        for record in records { replica.put(record, writes: []) }
        outgoing += records
        try settle()
    }

    mutating func receive(_ records: [Record], isEnd: Bool = true) throws {
        for record in records { replica.join(record, writes: []) }
        if isEnd { try settle() }
    }

    mutating func settle() throws {
        outgoing += try replica.update()
        _ = try app.apply(replica.told, upTo: replica.sequence - 1)
    }

    /// Both hear of everything.
    static func exchange(_ left: inout CaseDevice, _ right: inout CaseDevice) throws {
        while !left.outgoing.isEmpty || !right.outgoing.isEmpty {
            let (fromLeft, fromRight) = (left.outgoing, right.outgoing)
            left.outgoing = []
            right.outgoing = []
            try left.receive(fromRight)
            try right.receive(fromLeft)
        }
    }

    subscript(row: String) -> [String: RecordValue]? {
        guard let name = try? RecordName(row) else { return nil }
        return app.rows[name]?.columns
    }

    func state(of row: String) -> RecordRowState? {
        guard let name = try? RecordName(row) else { return nil }
        return replica.told[name]?.row.state
    }

    var names: [String] { app.rows.keys.map(\.text).sorted() }
}
