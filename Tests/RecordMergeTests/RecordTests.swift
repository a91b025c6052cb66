import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import RecordMerge
import Testing

@Suite("Records")
struct RecordTests {
    private let a = ActorID(rawValue: 1)
    private let b = ActorID(rawValue: 2)

    private func stamp(_ time: UInt64, _ actor: ActorID = ActorID(rawValue: 1)) -> Stamp {
        Stamp(time: HybridTimestamp(rawValue: time), actor: actor)
    }

    private func make(
        _ name: String = "n", type: String = "T", fields: [RecordField: Register<RecordValue>] = [:],
        counters: [String: RecordCounter] = [:], context: [ActorID: UInt64] = [:], presence: Set<Dot> = [],
        mergedInto: String? = nil, deletion: Stamp? = nil, folded: Set<ActorID> = []
    ) throws -> Record {
        try Record(
            validating: RecordName(name), type: type, fields: fields, counters: counters, context: DotContext(context),
            presence: presence, mergedInto: mergedInto.map { try RecordName($0) }, deletion: deletion,
            folded: folded)
    }

    /// A state as some device can have it: all are parts of the same changes.
    private func random(_ random: inout SeededGenerator) throws -> Record {
        var fields: [RecordField: Register<RecordValue>] = [:]
        let values: [RecordValue] = [
            .nothing, .integer(1), .real(.nan), .real(-0.0), .text("\u{E9}"), .text("e\u{301}"), .bytes(Data([1])),
            .list([.integer(1), .text("x")]), .date(1),
        ]
        for name in ["a", "b", "c"] where Bool.random(using: &random) {
            fields[.value(name)] = Register(
                stamp: stamp(.random(in: 0..<3, using: &random)),
                value: values[Int.random(in: 0..<values.count, using: &random)])
        }
        var context: [ActorID: UInt64] = [:]
        var presence: Set<Dot> = []
        for actor in [a, b] {
            let counter = UInt64.random(in: 0..<4, using: &random)
            if counter > 0 { context[actor] = counter }
            for number in 0..<counter where Bool.random(using: &random) {
                presence.insert(Dot(actor: actor, counter: number + 1))
            }
        }
        let number = UInt64.random(in: 0..<3, using: &random)
        let sum = RecordCounter.Sum(changes: number, value: Int64(number) * 5)
        let folded: Set<ActorID> = [[], [], [a], [b], [a, b]][Int.random(in: 0..<5, using: &random)]
        var sums = folded.isEmpty ? [:] : [ActorID.settlement: sum]
        for actor in [a, b] where !folded.contains(actor) && Bool.random(using: &random) { sums[actor] = sum }
        return try make(
            type: Int.random(in: 0..<9, using: &random) == 0 ? "S" : "T", fields: fields,
            counters: ["views": RecordCounter(sums: sums)], context: context, presence: presence,
            mergedInto: [nil, "a", "b"][Int.random(in: 0..<3, using: &random)],
            deletion: Bool.random(using: &random) ? stamp(number) : nil, folded: folded)
    }

    @Test("A join is commutative, associative and idempotent (D-1)")
    func laws() throws {
        var generator = SeededGenerator(seed: Schedules.oneSeed)
        for _ in 0..<Schedules.count(1000, soak: 100_000) {
            let (x, y, z) = (try random(&generator), try random(&generator), try random(&generator))
            #expect(x.joined(y) == y.joined(x))
            #expect(x.joined(y).joined(z) == x.joined(y.joined(z)))
            #expect(x.joined(x) == x)
            #expect(x.joined(y).joined(y) == x.joined(y))
        }
    }

    @Test("Folded sums are one, and a copy of before adds nothing, whatever arrives first (D-1)")
    func folding() throws {
        func record(_ sums: [ActorID: (UInt64, Int64)]) throws -> Record {
            let sums = sums.mapValues { RecordCounter.Sum(changes: $0.0, value: $0.1) }
            return try make(counters: ["views": RecordCounter(sums: sums)])
        }
        func value(_ record: Record) -> Int64? { record.counters["views"]?.value }
        let c = ActorID(rawValue: 3)
        // Copies of which one lags behind another; the newest is in the cloud.
        let old = try record([a: (1, 10), b: (1, 5)])
        let cloud = try record([a: (2, 30), b: (1, 5), c: (1, 2)])
        let one = cloud.folding([a])
        #expect(value(one) == 37 && one.folded == [a])
        #expect(one.counters["views"]?.sums.keys.sorted() == [.settlement, b, c])
        let both = one.joined(try record([b: (3, 7)])).folding([a, b])
        #expect(value(both) == 39 && both.folded == [a, b])
        #expect(both.counters["views"]?.sums.keys.sorted() == [.settlement, c])
        let counted = try record([c: (2, 4)])
        for states in [[old, one, both, counted], [both, counted, one, old], [counted, both, old, one]] {
            let joined = states.reduce(old) { $0.joined($1) }
            #expect(value(joined) == 41)
            #expect(joined == both.joined(counted))
        }
        #expect(both.folding([a, b]) == both)
        #expect(both.folding([.settlement]) == both)
        let sums: [ActorID: RecordCounter.Sum] = [a: .init(changes: 1, value: 1)]
        #expect(throws: BatonError.self) {
            try make(counters: ["views": RecordCounter(sums: sums)], folded: [a])
        }
        #expect(throws: BatonError.self) { try make(folded: [.settlement]) }
        #expect(throws: BatonError.self) {
            try make(folded: Set((1...5000).map { ActorID(rawValue: $0) }))
        }
    }

    @Test("A count was told up to its time, and one whose time is not known was not (D-1)")
    func countsTold() throws {
        func record(_ time: UInt64) throws -> Record {
            let sum = RecordCounter.Sum(changes: 1, value: 1, time: HybridTimestamp(rawValue: time))
            return try make(
                counters: ["views": RecordCounter(sums: [b: sum])], context: [b: 1],
                presence: [Dot(actor: b, counter: 1)])
        }
        var authors = RecordAuthors()
        let (dot, known) = (Dot(actor: b, counter: 1), try record(5))
        #expect(try !authors.haveTold(dot, of: record(5)))
        #expect(authors.note(known) == [b])
        #expect(try authors.haveTold(dot, of: record(5)))
        #expect(try !authors.haveTold(dot, of: record(6)))
        #expect(try !authors.haveTold(dot, of: record(0)))
        let late = RecordCounter.Sum(changes: 1, value: 1, time: HybridTimestamp(rawValue: .max))
        #expect(throws: BatonError.self) { try make(counters: ["views": RecordCounter(sums: [b: late])]) }
    }

    @Test(
        "Names are printable ASCII without an underscore at the start",
        arguments: ["", "_a", "\u{E9}", "a\n", String(repeating: "a", count: 256)])
    func badNames(text: String) {
        #expect(throws: BatonError.self) { try RecordName(text) }
    }

    @Test("A hostile record is refused whole (D-1)")
    func hostile() throws {
        func isRefused(_ body: () throws -> Record) -> Bool {
            guard case .failure(let error as BatonError) = Result(catching: body) else { return false }
            return error.reason == "bad_record"
        }
        let value = Register(stamp: stamp(1), value: RecordValue.integer(1))
        #expect(isRefused { try make(presence: [Dot(actor: a, counter: 1)]) }, "a dot that the context lacks")
        #expect(isRefused { try make(context: [a: 0]) })
        #expect(isRefused { try make(context: [a: .max]) })
        #expect(isRefused { try make("b", mergedInto: "b") }, "merged into itself")
        #expect(isRefused { try make("b", mergedInto: "c") }, "merged into a later one, so in a circle")
        #expect(isRefused { try make(type: "") })
        #expect(isRefused { try make(type: "e\u{301}") }, "a name in another form of Unicode")
        #expect(isRefused { try make(fields: [.parent: value]) }, "a number as parent")
        #expect(isRefused { try make(fields: [.created: value]) })
        #expect(isRefused { try make(fields: [.value(String(repeating: "a", count: 256)): value]) })
        let late = Register(stamp: stamp(.max), value: RecordValue.integer(1))
        #expect(isRefused { try make(fields: ["a": late]) }, "a time that wins for ever")
        let actors = Dictionary(uniqueKeysWithValues: (0..<UInt64(1025)).map { (ActorID(rawValue: $0), UInt64(1)) })
        #expect(isRefused { try make(context: actors) })
        let dots = Set((1...UInt64(100_000)).map { Dot(actor: a, counter: $0) })
        #expect(isRefused { try make(context: [a: 100_000], presence: dots) })
        let fields = Dictionary(uniqueKeysWithValues: (0...1000).map { (RecordField.value("f\($0)"), value) })
        #expect(isRefused { try make(fields: fields) })
        let large = Register(stamp: stamp(1), value: RecordValue.bytes(Data(count: 1 << 20)))
        #expect(isRefused { try make(fields: ["a": large]) })
        var list = RecordValue.integer(1)
        for _ in 0..<9 { list = .list([list]) }
        #expect(isRefused { try make(fields: ["a": Register(stamp: stamp(1), value: list)]) })
        let part = RecordAsset.Part(blob: Data(count: 16), key: Data(count: 32), size: 9 << 20)
        let asset = RecordAsset(kind: .file, size: 9 << 20, digest: Data(count: 32), parts: [part])
        #expect(
            isRefused { try make(fields: ["a": Register(stamp: stamp(1), value: .asset(asset))]) }, "a blob over 8 MiB")
        #expect(!isRefused { try make(fields: ["a": value], context: [a: 1], presence: [Dot(actor: a, counter: 1)]) })
    }

    @Test("A row's name tells its table and key, and keys that a table takes for equal give one name")
    func rowNames() throws {
        let table = RecordTable(
            name: "pl\u{E4}ne/x",
            columns: [
                RecordColumn(name: "k", isNullable: false, collation: .nocase),
                RecordColumn(name: "n", isNullable: false),
            ],
            primaryKey: ["k", "n"])
        let keys: [[RecordValue]] = [
            [.text("a/b%"), .integer(-5)], [.text(""), .text("5")], [.text("_#"), .bytes(Data([0, 255]))],
            [.text("\u{1F600}"), .real(0.5)],
        ]
        var names: Set<RecordName> = []
        for key in keys { names.insert(try #require(table.rowName(of: key))) }
        #expect(names.count == keys.count)
        #expect(names.allSatisfy { (try? RecordName($0.text)) == $0 })
        #expect(table.rowName(of: [.text("A"), .integer(1)]) == table.rowName(of: [.text("a"), .real(1)]))
        #expect(table.rowName(of: [.text("A"), .integer(1)]) != table.rowName(of: [.text("A"), .text("1")]))
        #expect(table.rowName(of: [.text("a"), .nothing]) == nil)
        let long = try #require(table.rowName(of: [.text(String(repeating: "long", count: 100)), .integer(1)]))
        #expect(long.text.utf8.count <= RecordName.maximumLength)
    }

    @Test("A schema that two devices could not share is refused, and says why")
    func schemas() throws {
        func reason(_ tables: [RecordTable]) -> String? {
            guard case .failure(let error) = Result(catching: { () throws(BatonError) in try RecordSchema(tables) })
            else { return nil }
            return error.reason
        }
        let id = RecordColumn(name: "id", isNullable: false)
        #expect(reason(SampleSchema.tables) == nil)
        #expect(reason([RecordTable(name: "t", columns: [id], primaryKey: [])]) == "no_primary_key")
        #expect(reason([RecordTable(name: "baton_journal", columns: [id], primaryKey: ["id"])]) == "reserved_name")
        #expect(reason([SampleSchema.items, SampleSchema.tags]) == "reference_outside")
        #expect(reason([SampleSchema.tags, SampleSchema.tags]) == "bad_schema")
        let cleared = RecordTable(
            name: "t", columns: [id, RecordColumn(name: "u", isNullable: false)], primaryKey: ["id"],
            uniqueKeys: [RecordUniqueKey(columns: ["u"], collision: .clear(column: "u"))])
        #expect(reason([cleared]) == "bad_schema", "a column that cannot be NULL")
        let compound = RecordTable(
            name: "t", columns: [id, RecordColumn(name: "r")], primaryKey: ["id"],
            foreignKeys: [RecordForeignKey(columns: ["r"], target: "itemTags")])
        #expect(reason(SampleSchema.tables + [compound]) == "bad_schema", "half of a key")
    }
}
