import BatonCloud
import BatonCore
import Foundation

extension ItemStoreConformance {
    static let together: [Rule] = [
        Rule("Writers at once leave no gap that a reader could skip") { bench in
            let (writers, each) = (6, 20)
            try await bench.put(0, "start")
            try await withThrowingTaskGroup(of: [ItemID: UInt64].self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for number in 0..<each { try await bench.put(1000 * (writer + 1) + number, "w") }
                        return [:]
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        var seen: [ItemID: UInt64] = [:]
                        var cursor: ZoneCursor?
                        while seen.count < writers * each + 1 {
                            let page = try await bench.page(after: cursor, items: 7)
                            let versions = page.items.map(\.version)
                            let position = cursor?.position ?? 0
                            let expected = (0..<versions.count).map { position + 1 + UInt64($0) }
                            try requireEqual(versions, expected, "in order, without a gap, and nothing again")
                            for item in page.items { seen[item.id] = item.version }
                            cursor = page.cursor
                            await Task.yield()
                        }
                        return seen
                    }
                }
                for try await seen in group where !seen.isEmpty {
                    try requireEqual(Set(seen.values).count, writers * each + 1, "what a reader has")
                }
            }
        },
        Rule("When several writers replace the same version, one wins") { bench in
            for round in 1...10 {
                let outcomes = try await withThrowingTaskGroup(of: WriteOutcome.self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            try await bench.write([
                                ItemStoreBench.putting(1, "\(writer)", replaces: UInt64(round - 1))
                            ])
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try requireEqual(outcomes.count { $0 == .written([UInt64(round)]) }, 1, "winners")
            }
        },
        Rule("A batch that comes many times at once is written once") { bench in
            let key = bench.key()
            let outcomes = try await withThrowingTaskGroup(of: WriteOutcome.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await bench.write([ItemStoreBench.putting(1, "a")], key: key) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try requireEqual(outcomes, Array(repeating: .written([1]), count: 8), "the answers")
        },
    ]
}
