import BatonCloud
import BatonCore
import BatonWire
import Foundation

/// The duties of every driver of items.
package enum ItemStoreConformance {
    package typealias Rule = Check<ItemStoreBench>

    package static let rules: [Rule] =
        writing + repetition + reading + zones + room + blobs + releasing + accounts + together
        + restarts

    // MARK: Writing

    private static let writing: [Rule] = [
        Rule("Each change of a zone takes the next version") { bench in
            for number in 1...3 {
                try requireEqual(try await bench.put(number, "a"), UInt64(number), "the next version")
            }
            let outcome = try await bench.write([
                ItemStoreBench.putting(4, "b"), ItemStoreBench.deleting(1, replaces: 1), ItemStoreBench.putting(5, "c"),
            ])
            try requireEqual(outcome, .written([4, 5, 6]), "a batch's versions, in its order")
            try requireEqual(try await bench.put(1, zone: 2), 1, "the versions of another zone")
        },
        Rule("A stale version meets the item as it is, and nothing is written") { bench in
            try await bench.put(1, "a")
            try await bench.put(1, "b", replaces: 1)
            for stale: UInt64 in [0, 1, 3, .max] {
                let outcome = try await bench.write([ItemStoreBench.putting(1, "c", replaces: stale)])
                guard case .conflicts(let items) = outcome else {
                    throw ConformanceFailure(description: "version \(stale) was accepted")
                }
                try requireEqual(items.map(\.version), [2], "the winner's version")
                try requireEqual(items[0].content?.sealed, Data("b".utf8), "the winner's content")
            }
            try requireEqual(try await bench.head()?.head, 2, "the head")
        },
        Rule("An item that never was is told as absent to who knows a version of it") { bench in
            let outcome = try await bench.write([ItemStoreBench.putting(7, "a", replaces: 3)])
            try requireEqual(outcome, .conflicts([.absent(ItemStoreBench.item(7))]), "the conflict")
            try require(try await bench.head() == nil, "a refused batch makes no zone")
        },
        Rule("A conflict tells as many items as fit in an answer, and one at least") { bench in
            let large = String(repeating: "x", count: 6000)
            for number in 1...3 { try await bench.put(number, number == 1 ? large + large : large) }
            for (items, told) in [([1, 2], 1), ([2, 3], 1), ([2, 4, 5], 3)] {
                let outcome = try await bench.write(items.map { ItemStoreBench.putting($0, "b", replaces: 9) })
                guard case .conflicts(let conflicts) = outcome else {
                    throw ConformanceFailure(description: "a stale version was accepted")
                }
                try requireEqual(conflicts.count, told, "how many are told")
            }
        },
        Rule("A batch is written as a whole or not at all") { bench in
            try await bench.put(2, "old")
            let outcome = try await bench.write([
                ItemStoreBench.putting(1, "a"), ItemStoreBench.putting(2, "b"), ItemStoreBench.putting(3, "c"),
            ])
            guard case .conflicts(let items) = outcome else {
                throw ConformanceFailure(description: "the batch was written")
            }
            try requireEqual(items.map(\.id), [ItemStoreBench.item(2)], "only what conflicts is told")
            try requireEqual(try await bench.page().numbers, [2], "what is in the zone")
        },
        Rule("A deleted item has the version of its deletion") { bench in
            try await bench.put(1, "a")
            try requireEqual(try await bench.delete(1, replaces: 1), 2, "the deletion's version")
            let revived = try await bench.write([ItemStoreBench.putting(1, "b")])
            guard case .conflicts(let items) = revived else {
                throw ConformanceFailure(description: "a deleted item was revived unknowingly")
            }
            try require(items.first?.version == 2 && items.first?.content == nil, "the conflict is the deletion")
            try requireEqual(try await bench.put(1, "b", replaces: 2), 3, "revived knowingly")
        },
        Rule("A tombstone comes with its deletion, wherever that is reported, until the item is written again") {
            bench in
            try await bench.put(1, "a")
            _ = try await bench.write([
                ItemStoreBench.deleting(1, saying: "why", replaces: 1), ItemStoreBench.deleting(2, replaces: 0),
            ])
            let said: [Data?] = [Data("why".utf8), nil]
            let page = try await bench.page().items
            try requireEqual(page.map(\.tombstone), said, "in a page")
            try require(page.allSatisfy { $0.content == nil }, "a deletion has no content")
            let fetched = try await bench.store.items(
                [ItemStoreBench.item(1), ItemStoreBench.item(2)], in: ItemStoreBench.zone(1),
                of: ItemStoreBench.account
            ).sorted { $0.version < $1.version }
            try requireEqual(fetched.map(\.tombstone), said, "to who fetches it")
            let stale = try await bench.write([1, 2].map { ItemStoreBench.putting($0, "b") })
            guard case .conflicts(let conflicts) = stale else {
                throw ConformanceFailure(description: "a deleted item was revived unknowingly")
            }
            try requireEqual(conflicts.map(\.tombstone), said, "in a conflict")
            try await bench.put(1, "b", replaces: 2)
            try requireEqual(try await bench.page().items.map(\.tombstone), [nil, nil], "after it was written again")
        },
    ]

    // MARK: Repetition

    private static let repetition: [Rule] = [
        Rule("A repeated batch gets its first answer and changes nothing") { bench in
            let key = bench.key()
            let writes = [ItemStoreBench.putting(1, "a"), ItemStoreBench.putting(2, "b")]
            let first = try await bench.write(writes, key: key)
            try await bench.put(1, "later", replaces: 1)
            try requireEqual(try await bench.write(writes, key: key), first, "the answer")
            try requireEqual(try await bench.head()?.head, 3, "the head")
        },
        Rule("An idempotency key that comes with another batch is refused") { bench in
            let key = bench.key()
            _ = try await bench.write([ItemStoreBench.putting(1, "a")], key: key)
            for other in [
                [ItemStoreBench.putting(1, "b")], [ItemStoreBench.putting(1, "a", replaces: 1)],
                [ItemStoreBench.putting(2, "a")], [ItemStoreBench.deleting(1, replaces: 0)],
                [ItemStoreBench.deleting(1, saying: "a", replaces: 0)],
                [ItemStoreBench.putting(1, "a"), ItemStoreBench.putting(2, "a")],
            ] {
                try await requireRefusal("idempotency_key_reused", .invalidArgument, "another batch") {
                    try await bench.write(other, key: key)
                }
            }
            try requireEqual(try await bench.page().numbers, [1], "what is in the zone")
        },
        Rule("A batch that conflicted is judged again") { bench in
            let key = bench.key()
            let writes = [ItemStoreBench.putting(1, "a", replaces: 1)]
            _ = try await bench.write(writes, key: key)
            try await bench.put(1, "first")
            try requireEqual(try await bench.write(writes, key: key), .written([2]), "the answer now")
        },
        Rule("A batch that is repeated after its zone was deleted does not bring the zone back") { bench in
            let key = bench.key()
            let writes = [ItemStoreBench.putting(1, "a")]
            let first = try await bench.write(writes, key: key)
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.account)
            try requireEqual(try await bench.write(writes, key: key), first, "the answer")
            try require(try await bench.head() == nil, "the zone stays deleted")
        },
        Rule("Answers are remembered for a day at least, and not for ever") { bench in
            let key = bench.key()
            let writes = [ItemStoreBench.putting(1, "a")]
            let first = try await bench.write(writes, key: key)
            bench.clock.advance(milliseconds: ItemStoreBench.day)
            try await bench.sweep()
            try requireEqual(try await bench.write(writes, key: key), first, "after a day")
            bench.clock.advance(days: 2)
            try await bench.sweep()
            guard case .conflicts = try await bench.write(writes, key: key) else {
                throw ConformanceFailure(description: "the answer was kept for three days")
            }
        },
        Rule("Answers are forgotten also where the clock was ahead for a while") { bench in
            bench.clock.advance(days: 400)
            try await bench.put(1, "of a day that has not come yet")
            bench.clock.turnBack(days: 400)
            let key = bench.key()
            let writes = [ItemStoreBench.putting(2, "a")]
            _ = try await bench.write(writes, key: key)
            try await bench.sweep()
            bench.clock.advance(days: 3)
            try await bench.sweep()
            guard case .conflicts = try await bench.write(writes, key: key) else {
                throw ConformanceFailure(description: "the answer was kept for three days")
            }
        },
    ]

    // MARK: Reading

    private static let reading: [Rule] = [
        Rule("A reader gets each item once, as it is, in the order of its newest change") { bench in
            for number in 1...5 { try await bench.put(number, "a") }
            try await bench.put(2, "b", replaces: 2)
            try await bench.delete(4, replaces: 4)
            let all = try await bench.page()
            try requireEqual(all.numbers, [1, 3, 5, 2, 4], "the order")
            try requireEqual(all.items.map(\.version), [1, 3, 5, 6, 7], "the versions")
            try require(all.items[4].content == nil && !all.hasMore, "the deletion is told, and it is all")
            try requireEqual(try await bench.page(after: all.cursor).items, [], "nothing since")
            try await bench.put(1, "c", replaces: 1)
            try requireEqual(try await bench.page(after: all.cursor).numbers, [1], "what changed since")
        },
        Rule("Pages follow each other without a gap, by count and by size") { bench in
            for number in 1...10 { try await bench.put(number, String(repeating: "x", count: 100)) }
            for (items, bytes) in [(3, 1 << 20), (500, 700), (1, 1)] {
                var numbers: [Int] = []
                var cursor: ZoneCursor?
                while true {
                    let page = try await bench.page(after: cursor, items: items, bytes: bytes)
                    try require(page.items.count <= items && !page.items.isEmpty, "a page's size")
                    numbers += page.numbers
                    cursor = page.cursor
                    if !page.hasMore { break }
                }
                try requireEqual(numbers, Array(1...10), "all pages")
            }
        },
        Rule("Changes while a reader turns pages are included") { bench in
            for number in 1...4 { try await bench.put(number, "a") }
            let first = try await bench.page(items: 2)
            try await bench.put(1, "b", replaces: 1)
            try await bench.put(4, "b", replaces: 4)
            try requireEqual(try await bench.page(after: first.cursor).numbers, [3, 1, 4], "the rest")
        },
        Rule("A cursor from the future is refused") { bench in
            try await bench.put(1)
            var cursor = try await bench.page().cursor
            cursor.position = 2
            try await requireRefusal("cursor_from_the_future", .outOfRange, "ahead of the zone") {
                try await bench.page(after: cursor)
            }
            cursor.position = 1
            cursor.floor = 9
            try await requireRefusal("cursor_from_the_future", .outOfRange, "begun ahead of the zone") {
                try await bench.page(after: cursor)
            }
        },
        Rule("A cursor that is older than a deletion that was forgotten must start over") { bench in
            try await bench.put(1)
            try await bench.put(2)
            let old = try await bench.page().cursor
            try await bench.delete(1, replaces: 1)
            let current = try await bench.page().cursor
            try await bench.put(3)
            bench.clock.advance(days: 89)
            try await bench.sweep()
            try requireEqual(try await bench.page(after: old).numbers, [1, 3], "within the retention")
            bench.clock.advance(days: 2)
            try await bench.sweep()
            try await requireRefusal("cursor_expired", .outOfRange, "after the retention") {
                try await bench.page(after: old)
            }
            try requireEqual(try await bench.page(after: current).numbers, [3], "a cursor that knew the deletion")
            try requireEqual(try await bench.page().numbers, [2, 3], "from the start")
            try requireEqual(try await bench.store.usage(of: ItemStoreBench.account).items, 2, "items that count")
        },
        Rule("A reader that starts over after deletions were forgotten can turn its pages") { bench in
            for number in 1...4 { try await bench.put(number) }
            try await bench.delete(4, replaces: 4)
            bench.clock.advance(days: 91)
            try await bench.sweep()
            let first = try await bench.page(items: 1)
            try requireEqual(try await bench.page(after: first.cursor).numbers, [2, 3], "the second page")
            // A deletion that comes and is forgotten before the reader goes on.
            try await bench.delete(1, replaces: 1)
            bench.clock.advance(days: 91)
            try await bench.sweep()
            try await requireRefusal("cursor_expired", .outOfRange, "a deletion was missed") {
                try await bench.page(after: first.cursor)
            }
        },
        Rule("A forgotten deletion leaves an item that never was") { bench in
            try await bench.put(1)
            try await bench.delete(1, replaces: 1)
            bench.clock.advance(days: 91)
            try await bench.sweep()
            let outcome = try await bench.write([ItemStoreBench.putting(1, "a", replaces: 2)])
            try requireEqual(outcome, .conflicts([.absent(ItemStoreBench.item(1))]), "the deletion's version")
            try requireEqual(try await bench.put(1, "a"), 3, "anew")
        },
        Rule("Items are fetched by name, deleted ones included") { bench in
            try await bench.put(1, "a")
            try await bench.put(2, "b")
            try await bench.delete(2, replaces: 2)
            let items = try await bench.store.items(
                [1, 2, 3, 1].map(ItemStoreBench.item), in: ItemStoreBench.zone(1), of: ItemStoreBench.account)
            try requireEqual(Set(items.map(\.version)), [1, 3], "those that are there")
            try requireEqual(items.count, 2, "each once")
        },
        Rule("An empty content is a content") { bench in
            try await bench.put(1, "")
            try requireEqual(try await bench.page().items.first?.content, ItemContent(sealed: Data()), "the content")
        },
    ]

    // MARK: Zones

    private static let zones: [Rule] = [
        Rule("A zone that is not there is not found") { bench in
            try await requireRefusal("unknown_zone", .notFound, "changes") { try await bench.page(zone: 9) }
            try await requireRefusal("unknown_zone", .notFound, "items") {
                try await bench.store.items([], in: ItemStoreBench.zone(9), of: ItemStoreBench.account)
            }
            try await bench.store.removeZone(ItemStoreBench.zone(9), of: ItemStoreBench.account)
        },
        Rule("A zone that was deleted voids its cursors, also after it was made again") { bench in
            try await bench.put(1, "a")
            try await bench.put(2, "a")
            let cursor = try await bench.page().cursor
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.account)
            try await requireRefusal("cursor_of_another_time", .outOfRange, "while it is gone") {
                try await bench.page(after: cursor)
            }
            try requireEqual(try await bench.put(3, "b"), 1, "versions begin anew")
            try await requireRefusal("cursor_of_another_time", .outOfRange, "made again") {
                try await bench.page(after: cursor)
            }
            try requireEqual(try await bench.page().numbers, [3], "what is in it")
            try await bench.sweep()
            try requireEqual(try await bench.page().numbers, [3], "what is in it after the old one was swept")
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try require(usage.items == 1 && usage.zones == 1, "what counts: \(usage)")
        },
        Rule("A large zone that was deleted goes bit by bit, and leaves nothing") { bench in
            for start in stride(from: 0, to: 1200, by: 400) {
                _ = try await bench.write((start..<start + 400).map { ItemStoreBench.putting($0, "a") })
            }
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.account)
            let atOnce = try await bench.store.usage(of: ItemStoreBench.account)
            try require(
                atOnce.items == 0 && atOnce.itemBytes == 0 && atOnce.zones == 0
                    && atOnce.otherBytes == 1200 * (StoredItem.overhead + 1) + 3 * StoreRules.answerCost,
                "what counts at once: \(atOnce)")
            try await bench.put(1, "new")
            try await bench.sweep()
            try requireEqual(try await bench.page().numbers, [1], "what is there")
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try require(usage.items == 1 && usage.otherBytes == 4 * StoreRules.answerCost, "what counts: \(usage)")
        },
        Rule("Many deletions are forgotten, and counted") { bench in
            for start in stride(from: 0, to: 1200, by: 400) {
                _ = try await bench.write((start..<start + 400).map { ItemStoreBench.deleting($0, replaces: 0) })
            }
            bench.clock.advance(days: 91)
            try await bench.sweep()
            try requireEqual(try await bench.page().items, [], "what is there")
            let usage = try await bench.store.usage(of: ItemStoreBench.account)
            try require(usage.items == 0 && usage.itemBytes == 0, "what counts: \(usage)")
        },
        Rule("The observer is told every change in its order") { bench in
            try await bench.put(1)
            try await bench.put(1, replaces: 1)
            let head = try await bench.head()
            let epoch = head?.epoch ?? Data()
            try await bench.store.removeZone(ItemStoreBench.zone(1), of: ItemStoreBench.account)
            _ = try await bench.write([ItemStoreBench.putting(1, "a", replaces: 5)])
            let zone = ItemStoreBench.zone(1)
            try requireEqual(
                bench.changes,
                [
                    .moved(ZoneHead(zone: zone, epoch: epoch, head: 1)),
                    .moved(ZoneHead(zone: zone, epoch: epoch, head: 2)), .gone(zone),
                ], "what it was told")
        },
    ]
}
