import BatonCloud
import BatonCore
import Foundation

/// Random histories: each step's answer is compared with that of a model in which everything is kept in one list.
package enum ItemStoreHistory {
    /// - Parameter bench: made with the seed of the history.
    package static func run(on bench: ItemStoreBench, steps: Int) async throws {
        var history = History()
        for step in 0..<steps {
            do {
                try await history.step(bench)
            } catch {
                throw ConformanceFailure(description: "step \(step): \(error)")
            }
        }
    }

    private struct Entry {
        var version: UInt64
        var item: Int
        var content: ItemContent?
        var tombstone: Data?
        var written: Int
    }

    /// A zone of the model: every change that it ever had.
    private struct ModelZone {
        var number: Int
        var log: [Entry] = []
        var horizon: UInt64 = 0
        var forgotten: Set<UInt64> = []

        func newest(_ item: Int) -> Entry? {
            log.last { $0.item == item }.flatMap { forgotten.contains($0.version) ? nil : $0 }
        }
        var newest: [Entry] {
            Set(log.map(\.item)).compactMap(newest).sorted { $0.version < $1.version }
        }
    }

    private struct Bookmark {
        var zone: Int
        var incarnation: Int
        var cursor: ZoneCursor
        /// The reader's knowledge: versions by item.
        var known: [Int: UInt64]
    }

    private struct Batch {
        var zone: Int
        var key: Data
        var writes: [ItemWrite]
        var versions: [UInt64]
    }

    private struct History {
        var zones: [Int: ModelZone] = [:]
        var incarnations = 0
        var day = 0
        var bookmarks: [Bookmark] = []
        var batches: [Batch] = []

        mutating func step(_ bench: ItemStoreBench) async throws {
            switch bench.number(below: 100) {
            case ..<50: try await write(bench)
            case ..<60: try await writeAgain(bench)
            case ..<90: try await read(bench)
            case ..<93: try await removeZone(bench)
            default:
                bench.clock.advance(days: 30)
                day += 30
                batches = []
                try await bench.sweep()
                forget()
            }
        }

        private mutating func write(_ bench: ItemStoreBench) async throws {
            let zone = bench.number(below: 2)
            let items = Set((0...bench.number(below: 3)).map { _ in bench.number(below: 8) }).sorted()
            let writes = items.map { item in
                let current = zones[zone]?.newest(item)?.version ?? 0
                let replaces = bench.number(below: 5) == 0 ? UInt64(bench.number(below: 12)) : current
                return bench.number(below: 4) == 0
                    ? ItemStoreBench.deleting(
                        item, saying: bench.number(below: 2) == 0 ? "\(bench.number(below: 1000))" : nil,
                        replaces: replaces)
                    : ItemStoreBench.putting(item, "\(bench.number(below: 1000))", replaces: replaces)
            }
            let key = bench.key()
            let outcome = try await bench.write(writes, zone: zone, key: key)
            let conflicts = zip(items, writes).filter { (zones[zone]?.newest($0)?.version ?? 0) != $1.replaces }
            guard conflicts.isEmpty else {
                guard case .conflicts(let told) = outcome else {
                    throw ConformanceFailure(description: "a conflict was missed")
                }
                try requireEqual(
                    told.map(\.version), conflicts.map { zones[zone]?.newest($0.0)?.version ?? 0 }, "conflicts")
                try requireEqual(
                    told.map(\.content), conflicts.map { zones[zone]?.newest($0.0)?.content }, "winners")
                try requireEqual(
                    told.map(\.tombstone), conflicts.map { zones[zone]?.newest($0.0)?.tombstone }, "what was said")
                return
            }
            if zones[zone] == nil {
                incarnations += 1
                zones[zone] = ModelZone(number: incarnations)
            }
            var versions: [UInt64] = []
            for (item, write) in zip(items, writes) {
                let version = UInt64(zones[zone]?.log.count ?? 0) + 1
                versions.append(version)
                zones[zone]?.log.append(
                    Entry(
                        version: version, item: item, content: write.content, tombstone: write.tombstone, written: day))
            }
            try requireEqual(outcome, .written(versions), "the answer")
            batches.append(Batch(zone: zone, key: key, writes: writes, versions: versions))
        }

        private func writeAgain(_ bench: ItemStoreBench) async throws {
            guard !batches.isEmpty else { return }
            let batch = batches[bench.number(below: batches.count)]
            let outcome = try await bench.write(batch.writes, zone: batch.zone, key: batch.key)
            try requireEqual(outcome, .written(batch.versions), "the answer to a repetition")
        }

        private mutating func removeZone(_ bench: ItemStoreBench) async throws {
            let zone = bench.number(below: 2)
            try await bench.store.removeZone(ItemStoreBench.zone(zone), of: ItemStoreBench.account)
            zones[zone] = nil
        }

        /// A reader goes on from where it was, or a new one begins.
        private mutating func read(_ bench: ItemStoreBench) async throws {
            let place = bench.number(below: bookmarks.count + 1)
            guard place < bookmarks.count else { return try await begin(bench) }
            var bookmark = bookmarks[place]
            guard let zone = zones[bookmark.zone], zone.number == bookmark.incarnation else {
                bookmarks.remove(at: place)
                try await requireRefusal("cursor_of_another_time", .outOfRange, "a zone that is gone") {
                    try await bench.page(after: bookmark.cursor, zone: bookmark.zone)
                }
                return
            }
            let page: ChangePage
            do {
                page = try await bench.page(after: bookmark.cursor, zone: bookmark.zone, items: 3)
            } catch let error as BatonError where error.reason == "cursor_expired" {
                try require(zone.horizon > bookmark.cursor.position, "the cursor was good")
                bookmarks.remove(at: place)
                return
            }
            try check(page, after: bookmark.cursor.position, zone)
            Self.take(page, &bookmark)
            if !page.hasMore { try requireEqual(bookmark.known, Self.alive(zone), "what a reader has at the end") }
            bookmarks[place] = bookmark
        }

        private mutating func begin(_ bench: ItemStoreBench) async throws {
            let number = bench.number(below: 2)
            guard let zone = zones[number] else {
                try await requireRefusal("unknown_zone", .notFound, "no zone") { try await bench.page(zone: number) }
                return
            }
            let page = try await bench.page(zone: number, items: 3)
            try check(page, after: 0, zone)
            var bookmark = Bookmark(zone: number, incarnation: zone.number, cursor: page.cursor, known: [:])
            Self.take(page, &bookmark)
            if bookmarks.count < 6 { bookmarks.append(bookmark) }
        }

        private func check(_ page: ChangePage, after position: UInt64, _ zone: ModelZone) throws {
            let expected = zone.newest.filter { $0.version > position }
            try requireEqual(page.numbers, expected.prefix(3).map(\.item), "the items of a page")
            try requireEqual(page.items.map(\.version), expected.prefix(3).map(\.version), "their versions")
            try requireEqual(page.items.map(\.content), expected.prefix(3).map(\.content), "their contents")
            try requireEqual(page.hasMore, expected.count > 3, "whether there is more")
        }

        private static func take(_ page: ChangePage, _ bookmark: inout Bookmark) {
            for (number, item) in zip(page.numbers, page.items) {
                bookmark.known[number] = item.content == nil ? nil : item.version
            }
            bookmark.cursor = page.cursor
        }

        private static func alive(_ zone: ModelZone) -> [Int: UInt64] {
            zone.newest.reduce(into: [:]) { $0[$1.item] = $1.content == nil ? nil : $1.version }
        }

        /// Deletions of more than 90 days ago.
        private mutating func forget() {
            for number in zones.keys {
                guard var zone = zones[number] else { continue }
                for entry in zone.newest where entry.content == nil && entry.written < day - 90 {
                    zone.forgotten.insert(entry.version)
                    zone.horizon = max(zone.horizon, entry.version)
                }
                zones[number] = zone
            }
        }
    }
}
