import BatonCore
import RecordMerge
import Testing

/// The cases of two devices whose changes meet. "Apart": neither has heard of the other's change.
@Suite("Record cases")
struct RecordCaseTests {
    private var a: CaseDevice
    private var b: CaseDevice
    private let schema: RecordSchema

    init() throws {
        schema = try SampleSchema.make()
        a = CaseDevice(1, schema: schema)
        b = CaseDevice(2, schema: schema)
        try a.write(at: 10) { app in
            app.upsert(SampleSchema.lists, ["id": .text("1"), "title": .text("Home")])
            app.upsert(SampleSchema.lists, ["id": .text("2"), "title": .text("Work")])
            app.upsert(SampleSchema.tags, ["id": .text("1"), "name": .text("red")])
            for id in ["1", "2"] {
                app.upsert(SampleSchema.items, ["id": .text(id), "list": .text("1"), "text": .text("old")])
            }
        }
        try CaseDevice.exchange(&a, &b)
    }

    private mutating func meet() throws {
        try CaseDevice.exchange(&a, &b)
        #expect(a.app.rows.mapValues(\.columns) == b.app.rows.mapValues(\.columns))
        #expect(a.replica.records == b.replica.records)
    }

    private static func delete(_ name: String) -> (inout SimulatedApp) -> Void {
        { app in if let name = try? RecordName(name) { app.delete(name) } }
    }

    private static func item(
        _ id: String, _ columns: [String: RecordValue], list: String = "1"
    ) -> (inout SimulatedApp) -> Void {
        { $0.upsert(SampleSchema.items, columns.merging(["id": .text(id), "list": .text(list)]) { old, _ in old }) }
    }

    @Test("1: two columns of one row are changed apart (D-1)")
    mutating func columns() throws {
        try a.write(at: 20, Self.item("1", ["text": .text("A")]))
        try b.write(at: 20, Self.item("1", ["done": .integer(1)]))
        try meet()
        #expect(a["items/1"]?["text"] == .text("A"))
        #expect(a["items/1"]?["done"] == .integer(1))
    }

    @Test(
        "2, 3: the greater stamp wins, and a change comes after what it changes, whatever its author's clock says (D-1)"
    )
    mutating func stamps() throws {
        try a.write(at: 30, Self.item("1", ["text": .text("A")]))
        try b.write(at: 20, Self.item("1", ["text": .text("B")]))
        try meet()
        #expect(b["items/1"]?["text"] == .text("A"))
        try b.write(at: 1, Self.item("1", ["text": .text("B has read it")]))
        try meet()
        #expect(a["items/1"]?["text"] == .text("B has read it"))
    }

    @Test("4, 5: an edit that the deleting device had not seen keeps the row, and one that it had seen does not (D-1)")
    mutating func deletion() throws {
        try a.write(at: 30, Self.delete("items/1"))
        try b.write(at: 20, Self.item("1", ["text": .text("B")]))
        try meet()
        #expect(a["items/1"]?["text"] == .text("B"))
        try a.write(at: 40, Self.delete("items/1"))
        try meet()
        #expect(b["items/1"] == nil)
    }

    @Test("4: a quiet column keeps no row (D-1)")
    mutating func quiet() throws {
        try a.write(at: 20, Self.delete("items/1"))
        try b.write(at: 30, Self.item("1", ["opened": .integer(5)]))
        try meet()
        #expect(a["items/1"] == nil)
    }

    @Test("6, 7: a row that is deleted and inserted again is there with the new values (D-1)")
    mutating func again() throws {
        try a.write(at: 20) { app in
            Self.delete("items/1")(&app)
            Self.item("1", ["text": .text("new")])(&app)
        }
        try a.write(at: 21, Self.delete("items/2"))
        try a.write(at: 22, Self.item("2", ["text": .text("new")]))
        try meet()
        #expect(b["items/1"]?["text"] == .text("new"))
        #expect(b["items/2"]?["text"] == .text("new"))
    }

    @Test("8, 9, 10: a deleted list comes back with the item that needs it, and with no other (D-1)")
    mutating func needed() throws {
        try a.write(at: 20, Self.delete("lists/1"))
        try b.write(at: 20, Self.item("3", ["text": .text("B")]))
        try meet()
        #expect(a["lists/1"]?["title"] == .text("Home"))
        #expect(a.names.filter { $0.hasPrefix("items") } == ["items/3"])
        // It was seen so: now it goes.
        try a.write(at: 30, Self.delete("lists/1"))
        try meet()
        #expect(a.names == ["lists/2", "tags/1"])
    }

    @Test("8: the need goes on from row to row, and is missed if it does not (D-1)", arguments: [false, true])
    func neededByNeeded(isLeftOut: Bool) throws {
        let rules = RecordRules(leftOut: isLeftOut ? [.needOfNeed] : [])
        var (one, two) = (CaseDevice(1, schema: schema, rules: rules), CaseDevice(2, schema: schema, rules: rules))
        try one.write(at: 10) { app in
            app.upsert(SampleSchema.lists, ["id": .text("1")])
            app.upsert(SampleSchema.tags, ["id": .text("1")])
            app.upsert(SampleSchema.items, ["id": .text("1"), "list": .text("1")])
        }
        try CaseDevice.exchange(&one, &two)
        try one.write(at: 20, Self.delete("lists/1"))
        try two.write(at: 20) { $0.upsert(SampleSchema.itemTags, ["item": .text("1"), "tag": .text("1")]) }
        do {
            try CaseDevice.exchange(&one, &two)
            #expect(!isLeftOut)
            #expect(one.names == ["itemTags/1/1", "items/1", "lists/1", "tags/1"])
            #expect(two.names == one.names)
        } catch is Violation {
            #expect(isLeftOut)
        }
    }

    @Test("11: a column of a deleted tag is NULL, and has its value again when the deletion is undone (D-1)")
    mutating func emptied() throws {
        try a.write(at: 20, Self.item("1", ["tag": .text("1")]))
        try meet()
        try a.write(at: 30, Self.delete("tags/1"))
        try b.write(at: 30, Self.item("2", ["tag": .text("1")]))
        try meet()
        #expect(a["items/1"]?["tag"] == .nothing)
        #expect(b["items/2"]?["tag"] == .nothing)
        try b.write(at: 40) { $0.upsert(SampleSchema.tags, ["id": .text("1"), "name": .text("red")]) }
        try meet()
        #expect(a["items/1"]?["tag"] == .text("1"))
        #expect(a["items/2"]?["tag"] == .text("1"))
    }

    @Test("13, 14: an item that comes before its list is held, and then there (D-1)")
    mutating func held() throws {
        try a.write(at: 20) { $0.upsert(SampleSchema.lists, ["id": .text("3"), "title": .text("Late")]) }
        try a.write(at: 21, Self.item("3", [:], list: "3"))
        let items = a.outgoing.filter { $0.type == "items" }
        let lists = a.outgoing.filter { $0.type == "lists" }
        try b.receive(items)
        #expect(b["items/3"] == nil)
        #expect(b.state(of: "items/3") == .held(.missing(try RecordName("lists/3"))))
        try b.receive(lists)
        #expect(b["items/3"]?["list"] == .text("3"))
    }

    @Test("15, 16: two lists of one title become one, with all items and the cover (D-1)")
    mutating func merged() throws {
        try a.write(at: 20) {
            $0.upsert(SampleSchema.lists, ["id": .text("a"), "title": .text("New"), "color": .integer(1)])
        }
        try a.write(at: 21, Self.item("a", [:], list: "a"))
        try b.write(at: 22) { app in
            app.upsert(SampleSchema.lists, ["id": .text("b"), "title": .text("New")])
            app.upsert(SampleSchema.covers, ["list": .text("b"), "image": .integer(7)])
            app.upsert(SampleSchema.items, ["id": .text("b"), "list": .text("b")])
        }
        try meet()
        #expect(a.names.filter { $0.hasPrefix("lists") } == ["lists/1", "lists/2", "lists/a"])
        #expect(a["items/b"]?["list"] == .text("a"))
        #expect(a["covers/a"]?["image"] == .integer(7))
        #expect(a["covers/b"] == nil)
        // An edit of the one row is an edit of both.
        try a.write(at: 1) { $0.upsert(SampleSchema.lists, ["id": .text("a"), "color": .integer(9)]) }
        try meet()
        #expect(b["lists/a"]?["color"] == .integer(9))
        try b.write(at: 50, Self.delete("lists/a"))
        try meet()
        #expect(a.names.contains("lists/a") == false)
    }

    @Test("13, 15: a row whose key is another one by a merge is held, and there when what it names has come (D-1)")
    mutating func heldUnderAnotherKey() throws {
        try a.write(at: 20) { $0.upsert(SampleSchema.tags, ["id": .text("2"), "name": .text("blue")]) }
        try b.write(at: 20) { app in
            app.upsert(SampleSchema.tags, ["id": .text("3"), "name": .text("blue")])
            app.upsert(SampleSchema.items, ["id": .text("3"), "list": .text("1")])
            app.upsert(SampleSchema.itemTags, ["item": .text("3"), "tag": .text("3")])
        }
        let items = b.outgoing.filter { $0.type == "items" }
        try a.receive(b.outgoing.filter { $0.type != "items" })
        #expect(a.state(of: "itemTags/3/2") == .held(.missing(try RecordName("items/3"))))
        try a.receive(items)
        #expect(a["itemTags/3/2"] != nil)
        try meet()
    }

    @Test("11, 15: a column that a row has from another record is NULL where its target is deleted (D-1)")
    mutating func emptiedInMergedRow() throws {
        try a.write(at: 20) {
            $0.upsert(SampleSchema.notes, ["id": .text("a"), "title": .text("New"), "list": .text("1")])
        }
        try b.write(at: 30) {
            $0.upsert(
                SampleSchema.notes,
                ["id": .text("b"), "title": .text("New"), "list": .text("2"), "tag": .text("1")])
        }
        try meet()
        #expect(a["notes/a"]?["tag"] == .text("1"))
        try a.write(at: 40, Self.delete("tags/1"))
        try meet()
        #expect(b["notes/a"]?["tag"] == .nothing)
        try a.write(at: 50) { $0.upsert(SampleSchema.tags, ["id": .text("1"), "name": .text("red")]) }
        try meet()
        #expect(b["notes/a"]?["tag"] == .text("1"))
    }

    @Test("17: titles that were swapped are no collision, not even in the middle of an exchange (D-1)")
    mutating func swapped() throws {
        let (one, two) = (try RecordName("lists/1"), try RecordName("lists/2"))
        try a.write(at: 20) { $0.swap("title", one, two) }
        try b.write(at: 20) { $0.upsert(SampleSchema.lists, ["id": .text("1"), "color": .integer(3)]) }
        for record in a.outgoing { try b.receive([record], isEnd: false) }
        try b.settle()
        try meet()
        #expect(b["lists/1"]?["title"] == .text("Work"))
        #expect(b["lists/2"]?["title"] == .text("Home"))
        #expect(b["lists/1"]?["color"] == .integer(3))
    }

    @Test("18: tags of one name on three devices, met pairwise in any order, are the least one (D-1)", arguments: 0..<6)
    func threeTags(order: Int) throws {
        var devices = (1...3).map { CaseDevice(UInt64($0), schema: schema) }
        for index in 0..<3 {
            try devices[index].write(at: 10) {
                $0.upsert(SampleSchema.tags, ["id": .text("\(index)"), "name": .text("red")])
            }
        }
        let pairs = [[(0, 1), (1, 2), (0, 2)], [(1, 2), (0, 1), (0, 2)], [(0, 2), (1, 2), (0, 1)]][order % 3]
        for _ in 0..<3 {
            for (left, right) in order < 3 ? pairs : pairs.reversed() {
                let (one, two) = (
                    Array(devices[left].replica.records.values), Array(devices[right].replica.records.values)
                )
                try devices[left].receive(two)
                try devices[right].receive(one)
            }
        }
        for device in devices { #expect(device.names == ["tags/0"]) }
    }

    @Test("A place that two rows have is kept by the newer one (D-1)")
    mutating func cleared() throws {
        try a.write(at: 20, Self.item("1", ["slot": .text("first")]))
        try b.write(at: 30, Self.item("2", ["slot": .text("first")]))
        try meet()
        #expect(a["items/1"]?["slot"] == .nothing)
        #expect(a["items/2"]?["slot"] == .text("first"))
        try b.write(at: 40, Self.item("2", ["slot": .text("second")]))
        try meet()
        #expect(a["items/1"]?["slot"] == .text("first"), "its value was never lost")
    }

    @Test("21: an update that changes nothing sends nothing (D-1)")
    mutating func nothing() throws {
        try a.write(at: 20, Self.item("1", ["text": .text("old")]))
        #expect(a.outgoing.isEmpty)
    }

    @Test("33: equal rows of before are one, and a later edit wins (D-1)")
    mutating func before() throws {
        for index in 0..<2 {
            let row: [String: RecordValue] = ["id": .text("9"), "title": .text("Old"), "color": .integer(Int64(index))]
            if index == 0 { try a.adopt([(SampleSchema.lists, row)]) } else { try b.adopt([(SampleSchema.lists, row)]) }
        }
        try meet()
        #expect(a["lists/9"]?["color"] == .integer(1))
        try a.write(at: 1) { $0.upsert(SampleSchema.lists, ["id": .text("9"), "color": .integer(0)]) }
        try meet()
        #expect(b["lists/9"]?["color"] == .integer(0))
    }

    @Test(
        "36: a row that somebody has deleted does not come back with the table of a device that had not heard of it (D-1)"
    )
    mutating func deletedBefore() throws {
        let row: [String: RecordValue] = ["id": .text("9"), "title": .text("Old"), "color": .integer(0)]
        try a.write(at: 10) { $0.upsert(SampleSchema.lists, row) }
        try a.write(at: 20, Self.delete("lists/9"))
        try b.adopt([(SampleSchema.lists, row)])
        #expect(b["lists/9"] != nil)
        try meet()
        #expect(a["lists/9"] == nil && b["lists/9"] == nil)
        #expect(a.replica.records.values.allSatisfy { !$0.isPresent || $0.name.text != "lists/9" })

        // Taken over by both: the deletion is of both.
        let other: [String: RecordValue] = ["id": .text("8"), "title": .text("Both"), "color": .integer(0)]
        try a.adopt([(SampleSchema.lists, other)])
        try a.write(at: 30, Self.delete("lists/8"))
        try b.adopt([(SampleSchema.lists, other)])
        try meet()
        #expect(a["lists/8"] == nil && b["lists/8"] == nil)
    }

    @Test("36: a table that is handed over again adds nothing to records that are as they were (D-1)")
    mutating func nothingNew() throws {
        let row: [String: RecordValue] = ["id": .text("9"), "title": .text("Old"), "color": .integer(0)]
        try a.write(at: 10) { $0.upsert(SampleSchema.lists, row) }
        let name = try RecordName("lists/9")
        let told = try #require(a.replica.records[name])
        try b.adopt([(SampleSchema.lists, row)])
        let adopted = try #require(b.replica.records[name])
        #expect(adopted.isAdopted)
        #expect(adopted.joined(told) == told && told.joined(adopted) == told)
    }

    @Test("Differences of a counter add up (D-1)")
    mutating func counters() throws {
        try a.write(at: 20, Self.item("1", ["views": .integer(3)]))
        try b.write(at: 20, Self.item("1", ["views": .integer(4)]))
        try meet()
        #expect(a["items/1"]?["views"] == .integer(7))
    }
}
