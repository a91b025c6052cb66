import BatonTestSupport
import Testing

@testable import FileSync

/// What is known of a tree is in few large buffers (docs/documents.md, "Memory").
@Suite("Packed tables") struct PackedTableTests {
    private struct Text: PackedValue, Hashable {
        var packed: [UInt8]
        init(packed bytes: [UInt8]) { packed = bytes }
    }

    @Test("A table holds what a dictionary holds, and so do its copies", arguments: [40, 3000] as [UInt64])
    func sameAsDictionary(keys: UInt64) {
        var generator = SeededGenerator(seed: keys)
        var (table, model) = (PackedTable<Text>(), [EntryID: Text]())
        var copies: [(PackedTable<Text>, [EntryID: Text])] = []
        for round in 0..<20_000 {
            let number = UInt64.random(in: 0..<keys, using: &generator)
            let key = EntryID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number)
            let bytes = (0..<Int.random(in: 0..<90, using: &generator)).map { UInt8(truncatingIfNeeded: $0 ^ round) }
            let value = Int.random(in: 0..<5, using: &generator) == 0 ? nil : Text(packed: bytes)
            table[key] = value
            model[key] = value
            #expect(table[key] == value)
            if round % 4000 == 0 { copies.append((table, model)) }
        }
        for (table, model) in copies + [(table, model)] {
            #expect(table.count == model.count)
            #expect(Set(table.keys) == Set(model.keys))
            #expect(Dictionary(uniqueKeysWithValues: table.all.map { ($0.key, $0.value) }) == model)
            for (key, value) in model { #expect(table[key] == value) }
        }
    }

    @Test("A few large values are in many parts, as many values are: none is larger than its places can say")
    func large() {
        var table = PackedTable<Text>()
        let keys = (0..<40).map { EntryID(high: UInt64($0), low: 7) }
        for key in keys { table[key] = Text(packed: [UInt8](repeating: UInt8(key.high), count: 1 << 19)) }
        #expect(table.largestPart < 40 << 19)
        for key in keys { #expect(table[key]?.packed.first == UInt8(key.high)) }
        #expect(table.count == 40)
    }

    @Test("What is replaced or leaves takes no more room than what is there, but for a little")
    func room() {
        var table = PackedTable<Text>()
        let keys = (0..<2000).map { EntryID(high: UInt64($0), low: 7) }
        for size in [10, 80, 20, 81, 82, 83, 5] {
            for key in keys { table[key] = Text(packed: [UInt8](repeating: 1, count: size)) }
            #expect(table.size <= 2000 * max(size, 83) * 2 + 256 * 1200)
        }
        // Every second one leaves a gap.
        for key in keys where key.high % 2 == 0 { table[key] = Text(packed: [UInt8](repeating: 2, count: 200)) }
        let copy = table
        table.compact()
        #expect(table.size <= 1000 * (20 + 5) + 1000 * (20 + 200) + 256 * 1200)
        #expect(table.count == 2000 && table.size < copy.size)
        for key in keys { #expect(table[key] == copy[key]) }
        for key in keys { table[key] = nil }
        #expect(table.count == 0 && Array(table.keys).isEmpty)
        #expect(table.size <= 256 * 1200)
    }
}
