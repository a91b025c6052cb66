import BatonCore
import FileSync
import RecordMerge
import Testing

/// Records that only a hostile device or app makes: nothing ends or hangs because of them (D-1).
@Suite("Hostile records", .timeLimit(.minutes(1)))
struct HostileRecordTests {
    private static let actor = ActorID(rawValue: 1)

    private static func record(
        _ name: String, type: String, _ values: [String: RecordValue] = [:], isPresent: Bool = true,
        mergedInto: String? = nil
    ) throws -> Record {
        let stamp = Stamp(time: HybridTimestamp(rawValue: 1), actor: actor)
        let fields = values.map { (RecordField.value($0.key), Register(stamp: stamp, value: $0.value)) }
        return try Record(
            validating: RecordName(name), type: type, fields: Dictionary(uniqueKeysWithValues: fields), counters: [:],
            context: DotContext(isPresent ? [actor: 1] : [:]),
            presence: isPresent ? [Dot(actor: actor, counter: 1)] : [],
            mergedInto: mergedInto.map { try RecordName($0) }, deletion: nil)
    }

    private static let id = RecordColumn(name: "id", isNullable: false)

    @Test("A record of one type with the name of another table's row refers to nothing (D-1)")
    func otherTable() throws {
        let notes = RecordTable(name: "notes", columns: [Self.id], primaryKey: ["id"])
        let key = RecordForeignKey(columns: ["list"], target: "lists", onDelete: .cascade)
        let items = RecordTable(
            name: "items", columns: [Self.id, RecordColumn(name: "list", isNullable: false)], primaryKey: ["id"],
            foreignKeys: [key])
        let lists = RecordTable(name: "lists", columns: [Self.id], primaryKey: ["id"])
        let schema = try RecordSchema([notes, items, lists])
        let hostile = try Self.record("notes/1", type: "items", ["list": .text("x")])
        #expect(schema.links(of: hostile).isEmpty)
        var replica = SimulatedReplica(schema: schema, rules: .all)
        replica.put(hostile, writes: [])
        replica.put(
            try Self.record("notes/2", type: "notes", ["id": .text("2")], mergedInto: "notes/1"), writes: [])
        replica.put(try Self.record("lists/x", type: "lists", ["id": .text("x")], isPresent: false), writes: [])
        #expect(try replica.update().isEmpty)
        #expect(replica.told[try RecordName("lists/x")]?.row.state == .hidden)

        // An index that was made before still has the link.
        let name = try RecordName("lists/x")
        let link = RecordLink(table: "items", key: 0, target: name)
        var view = RecordView(schema: schema, source: StaleSource(replica: replica, link: link, name: hostile.name))
        #expect(try view.row(name).state == .hidden)
    }

    @Test("A value of a unique key that the schema has no more is passed over (D-1)")
    func oldUniqueValues() throws {
        func schema(_ keys: [RecordUniqueKey]) throws -> RecordSchema {
            try RecordSchema([
                RecordTable(
                    name: "t", columns: [Self.id, RecordColumn(name: "slot")], primaryKey: ["id"], uniqueKeys: keys)
            ])
        }
        var old = SimulatedReplica(
            schema: try schema([RecordUniqueKey(columns: ["slot"], collision: .clear(column: "slot"))]), rules: .all)
        old.put(try Self.record("t/1", type: "t", ["id": .text("1"), "slot": .text("s")]), writes: [])
        _ = try old.update()
        var view = RecordView(schema: try schema([]), source: old)
        let update = try view.update([RecordName("t/1")])
        #expect(update.rows.first?.told.uniqueValues.isEmpty == true)
    }

    // MARK: Keys that follow from keys

    /// Rows with two references to rows of their own table, each of which shares a column with their key.
    private static func tree() throws -> RecordSchema {
        let columns = ["l", "a", "b", "c"].map { RecordColumn(name: $0, isNullable: false) }
        let lists = RecordTable(
            name: "l", columns: [id, RecordColumn(name: "title")], primaryKey: ["id"],
            uniqueKeys: [RecordUniqueKey(columns: ["title"], collision: .merge)])
        let rows = RecordTable(
            name: "t", columns: columns, primaryKey: ["l", "a"],
            foreignKeys: [
                RecordForeignKey(columns: ["l", "b"], target: "t"), RecordForeignKey(columns: ["l", "c"], target: "t"),
                RecordForeignKey(columns: ["l"], target: "l"),
            ])
        return try RecordSchema([lists, rows])
    }

    private static func row(_ number: Int, _ first: Int, _ second: Int) throws -> Record {
        let values = [number, first, second].map { RecordValue.integer(Int64($0)) }
        return try record(
            "t/x/#\(number)", type: "t", ["l": .text("x"), "a": values[0], "b": values[1], "c": values[2]])
    }

    @Test("A chain of rows with two keys each is walked once, and all of it follows its merged list (D-1)")
    func chain() throws {
        var replica = SimulatedReplica(schema: try Self.tree(), rules: .all)
        for name in ["w", "x"] {
            replica.put(
                try Self.record("l/\(name)", type: "l", ["id": .text(name), "title": .text("same")]), writes: [])
        }
        for number in 0..<60 {
            replica.put(try Self.row(number, max(0, number - 1), max(0, number - 1)), writes: [])
        }
        #expect(try replica.update().map(\.mergedInto?.text) == ["l/w"])
        for number in 0..<60 {
            #expect(replica.told[try RecordName("t/x/#\(number)")]?.row.told.shownAs?.text == "t/w/#\(number)")
            guard case .shown(let columns)? = replica.told[try RecordName("t/w/#\(number)")]?.row.state else {
                Issue.record("The row \(number) is not shown.")
                continue
            }
            #expect(columns["l"] == .text("w"))
        }
    }

    @Test("Long chains and circles of keys end (D-1)", arguments: [1, 7, 31])
    func circles(step: Int) throws {
        var replica = SimulatedReplica(schema: try Self.tree(), rules: .all)
        replica.put(try Self.record("l/x", type: "l", ["id": .text("x")]), writes: [])
        for number in 0..<150 {
            replica.put(try Self.row(number, (number + 1) % 150, (number + step * 3 + 1) % 150), writes: [])
        }
        _ = try replica.update()
        #expect(replica.told.count == 151)
        var straight = SimulatedReplica(schema: try Self.tree(), rules: .all)
        straight.put(try Self.record("l/x", type: "l", ["id": .text("x")]), writes: [])
        for number in 0..<300 { straight.put(try Self.row(number, max(0, number - 1), max(0, number - 2)), writes: []) }
        _ = try straight.update()
        #expect(straight.told.count == 301)
    }
}

/// A replica whose index has a link that no record has.
private struct StaleSource: RecordSource {
    let replica: SimulatedReplica
    let link: RecordLink
    let name: RecordName

    func record(_ name: RecordName) -> Record? { replica.record(name) }
    func records(with link: RecordLink) -> [RecordName] {
        replica.records(with: link) + (link == self.link ? [name] : [])
    }
    func records(mergedInto name: RecordName) -> [RecordName] { replica.records(mergedInto: name) }
    func toldRow(_ name: RecordName) -> RecordToldRow? { replica.toldRow(name) }
    func rows(holding value: RecordUniqueValue) -> [RecordName] { replica.rows(holding: value) }
    func obstacle(to row: RecordName) -> RecordHold? { replica.obstacle(to: row) }
}
