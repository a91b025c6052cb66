import BatonCore
import FileSync
import Foundation
import RecordMerge
import Records

/// A record as a member of the account sends it, hostile or not.
enum RecordItemTarget: FuzzTarget {
    static let name = "record-item"

    private static let (a, b) = (ActorID(rawValue: 1), ActorID(rawValue: 2))

    private static let schema = try? RecordSchema([
        RecordTable(
            name: "lists", columns: [RecordColumn(name: "id", isNullable: false), RecordColumn(name: "title")],
            primaryKey: ["id"], uniqueKeys: [RecordUniqueKey(columns: ["title"], collision: .merge)]),
        RecordTable(
            name: "items",
            columns: [
                RecordColumn(name: "id", isNullable: false), RecordColumn(name: "list", isNullable: false),
                RecordColumn(name: "views", isCounter: true),
            ],
            primaryKey: ["id"], foreignKeys: [RecordForeignKey(columns: ["list"], target: "lists", onDelete: .cascade)]),
    ])

    private static func record(
        _ type: String, _ values: [String: RecordValue], merged: RecordName? = nil
    ) throws -> Record {
        let stamp = Stamp(time: HybridTimestamp(milliseconds: 1_700_000_000_000, counter: 1), actor: a)
        let fields = values.map { (RecordField.value($0.key), Register(stamp: stamp, value: $0.value)) }
        let table = schema?[type]
        let name = try table?.rowName(of: [values["id"] ?? .nothing]) ?? RecordName("other")
        return try Record(
            validating: name, type: type, fields: Dictionary(uniqueKeysWithValues: fields),
            counters: type == "items" ? ["views": RecordCounter(sums: [b: .init(changes: 2, value: 7)])] : [:],
            context: DotContext([a: 3, b: 2]), presence: [Dot(actor: a, counter: 3)], mergedInto: merged,
            deletion: stamp)
    }

    private static func samples() throws -> [Record] {
        let list = try record("lists", ["id": .text("l"), "title": .text("Home")])
        return [
            list, try record("items", ["id": .text("i"), "list": .text("l")]),
            try record("lists", ["id": .text("m"), "title": .text("Home")], merged: list.name),
            try record(
                "Note",
                [
                    "list": .list([.integer(1), .text("x")]), "reference": .reference(RecordReference(name: list.name)),
                    "bytes": .bytes(Data([1, 2])), "date": .date(5), "place": .location(Data(count: 64)),
                ]),
        ]
    }

    static func seeds() throws -> [[UInt8]] { try samples().map { Array(try RecordCodec.encode($0)) } }

    /// One record, and what the rules ask of it.
    private struct Source: RecordSource {
        var records: [RecordName: Record]
        let schema: RecordSchema

        func record(_ name: RecordName) -> Record? { records[name] }
        func records(with link: RecordLink) -> [RecordName] {
            records.values.filter { schema.links(of: $0).contains(link) }.map(\.name)
        }
        func records(mergedInto name: RecordName) -> [RecordName] {
            records.values.filter { $0.mergedInto == name }.map(\.name)
        }
        func toldRow(_ name: RecordName) -> RecordToldRow? { nil }
        func rows(holding value: RecordUniqueValue) -> [RecordName] { [] }
        func obstacle(to row: RecordName) -> RecordHold? { nil }
    }

    static func run(_ bytes: [UInt8]) {
        guard let samples = try? samples(), let schema else { preconditionFailure("there are no samples") }
        var records = Dictionary(samples.map { ($0.name, $0) }) { first, _ in first }
        for sample in samples {
            guard let told = try? RecordCodec.decode(sample.name, Data(bytes)) else { continue }
            guard let content = try? RecordCodec.encode(told),
                let again = try? RecordCodec.decode(sample.name, content, from: .thisDevice)
            else { preconditionFailure("what was accepted can be kept") }
            precondition(again == told, "what was accepted reads the same again")
            precondition(told.joined(told) == told && told.excess == nil, "a record is within its limits")
            let joined = told.joined(sample)
            precondition(joined == sample.joined(told), "the join does not depend on the order")
            precondition(joined.joined(told) == joined, "what is known adds nothing")
            precondition(
                told.outliving(told.newestStamp.time, by: a).newestStamp > told.newestStamp, "it outlives a grave")
            records[told.name] = joined
        }
        var view = RecordView(schema: schema, source: Source(records: records, schema: schema))
        guard let update = try? view.update(Set(records.keys)) else { return }
        for record in update.written { records[record.name] = record }
        var settled = RecordView(schema: schema, source: Source(records: records, schema: schema))
        let rest = (try? settled.update(Set(records.keys)))?.written ?? []
        precondition(rest.isEmpty, "settling twice changes nothing")
    }
}
