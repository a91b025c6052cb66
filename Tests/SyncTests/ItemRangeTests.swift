import Foundation
import Testing

@testable import Sync

@Suite("Ranges of items") struct ItemRangeTests {
    @Test("A range has sixteen parts, which have each of its items once")
    func parts() throws {
        let names = (0..<500).map { "item \($0)" }
        for range in [ItemRange.all, try #require(ItemRange(depth: 1, start: 0xA << 60))] {
            let own = names.filter(range.contains)
            #expect(range.parts.count == 16)
            #expect(range.parts.flatMap { part in names.filter(part.contains) }.sorted() == own.sorted())
        }
        #expect(ItemRange(depth: 16, start: 0) == nil)
        #expect(ItemRange(depth: -1, start: 0) == nil)
        #expect(ItemRange(depth: 1, start: 1) == nil, "its start is not the least place of a range")
        #expect(try #require(ItemRange(depth: 15, start: 16)).parts.isEmpty)
    }

    @Test("An index that was changed step by step says what one says that was made at once, of every range")
    func index() throws {
        var index = ItemIndex()
        var stamps: [String: Data] = [:]
        for number in 0..<2000 {
            let name = "\(number % 700)"
            let stamp = number % 5 == 0 ? nil : Data([UInt8(number % 251)])
            index.set(stamp, for: name)
            stamps[name] = stamp
        }
        let fresh = ItemIndex(stamps)
        #expect(index.count == stamps.count)
        let deep = try #require(
            stamps.keys.first.flatMap { name in
                ItemRange(depth: 6, start: ItemRange.place(of: name) & (.max << 40))
            })
        for range in [.all] + ItemRange.all.parts + ItemRange.all.parts[3].parts + [deep] {
            #expect(index.digest(of: range) == fresh.digest(of: range))
            #expect(index.stamps(in: range) == stamps.filter { range.contains($0.key) })
            #expect(index.digest(of: range).count == UInt64(index.stamps(in: range).count))
        }
        var other = stamps
        other["0"] = Data([255, 1])
        #expect(ItemIndex(other).digest(of: .all) != fresh.digest(of: .all))
    }

    @Test("An index names what changed after a position of its own, as long as it knows that")
    func changes() throws {
        var index = ItemIndex(["a": Data([1]), "b": Data([2])])
        let begin = index.changes(after: nil)
        #expect(begin.names == nil)
        index.set(Data([3]), for: "a")
        index.set(Data([2]), for: "b")
        index.set(Data([4]), for: "c")
        index.set(nil, for: "a")
        let changes = index.changes(after: begin.position)
        #expect(changes.names == ["a", "c"], "what was set again as it was did not change")
        #expect(index.changes(after: changes.position).names == [])
        #expect(ItemIndex().changes(after: changes.position).names == nil, "it is of another index")
        let half = ItemIndex.maximumChanges / 2
        for number in 0..<half { index.set(Data([5]), for: "\(number)") }
        #expect(index.changes(after: changes.position).names?.count == half)
        for number in 0..<half { index.set(Data([6]), for: "\(number)") }
        #expect(index.changes(after: changes.position).names == nil, "the first of them are forgotten")
        for name in ["a", ""] { #expect(ItemRange(of: name).contains(name)) }
    }

    @Test("Ranges that were named have the items that they have one by one, and none twice")
    func together() throws {
        var random = SystemRandomNumberGenerator()
        let names = (0..<300).map { "item \($0)" }
        for _ in 0..<50 {
            let ranges = try (0..<12).map { _ in
                let depth = Int.random(in: 0...4, using: &random)
                let place = UInt64.random(in: .min ... .max, using: &random)
                return try #require(ItemRange(depth: depth, start: place & ItemRange.mask(depth)))
            }.filter { $0.depth > 0 || Bool.random(using: &random) }
            let together = ItemRanges(ranges + ranges)
            for name in names {
                let isIn = ranges.contains { $0.contains(name) }
                #expect(together.contains(name) == isIn)
                #expect(together.all.count { $0.contains(name) } == (isIn ? 1 : 0))
            }
        }
        let part = ItemRange.all.parts[3]
        #expect(ItemRanges([part, .all, part.parts[0], .all]).all == [.all])
        #expect(Set(ItemRanges([part.parts[0], part.parts[1], part.parts[0]]).all) == Set(part.parts[..<2]))
        #expect(ItemRanges([]).all.isEmpty)
        #expect(!ItemRanges([]).contains("item"))
    }
}
