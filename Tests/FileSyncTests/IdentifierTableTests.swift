import BatonTestSupport
import Testing

@testable import FileSync

@Suite("Tables of identifiers") struct IdentifierTableTests {
    @Test(
        "A table has all identifiers of each hash in the order in which they were added, also where many have one hash",
        arguments: [1, 12, 5000] as [UInt64])
    func sameAsLists(hashes: UInt64) {
        var generator = SeededGenerator(seed: hashes)
        var (table, model) = (IdentifierTable(), [UInt64: [EntryID]]())
        for round in 0..<6000 {
            // Far apart, and at both ends of the range.
            let hash = UInt64.random(in: 0..<hashes, using: &generator) &* 0xFFFF_FFFF / max(1, hashes - 1)
            let ids = model[hash] ?? []
            if Int.random(in: 0..<5, using: &generator) < 2, let id = ids.randomElement(using: &generator) {
                table.remove(hash) { $0 == id }
                model[hash] = ids.filter { $0 != id }
            } else if ids.count < 200 {
                let id = EntryID(high: UInt64(round) << 40, low: hash)
                table.add(id, hash)
                model[hash] = ids + [id]
            }
            #expect(table[hash] == model[hash] ?? [])
            #expect(table.last(hash) { $0.high & 1 << 40 == 0 } == model[hash]?.last { $0.high & 1 << 40 == 0 })
        }
        for (hash, ids) in model { #expect(table[hash] == ids) }
        #expect(table.ids.sorted() == model.values.flatMap(\.self).sorted())
        for hash in model.keys { table.remove(hash) { _ in true } }
        #expect(table.isEmpty && table.ids.isEmpty)
    }
}
