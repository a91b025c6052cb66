import BatonCloud
import BatonCore
import Foundation

/// The duties of a store that was opened again, on its own data or on a copy of them.
extension ItemStoreConformance {
    package static let restarts: [Rule] = [
        Rule("After a restart cursors go on, and the next version is far from all that were given out") { bench in
            try await bench.put(1)
            let cursor = try await bench.page().cursor
            try await bench.restart()
            try requireEqual(try await bench.page(after: cursor).items, [], "nothing since")
            let version = try await bench.put(2)
            try require(version > 1 << 32, "the first version of another start: \(version)")
            try requireEqual(try await bench.put(3), version + 1, "the next")
            try requireEqual(try await bench.page(after: cursor).numbers, [2, 3], "what changed since")
            try requireEqual(try await bench.put(9, zone: 2), 1, "the versions of a new zone")
        },
        Rule("A cursor of a time that is lost is refused, before and after others write; one of before goes on") {
            bench in
            try await bench.put(1)
            let before = try await bench.page().cursor
            let putBack = try await bench.copy()
            for number in 2...4 { try await bench.put(number) }
            let lost = try await bench.page().cursor
            try await putBack()
            for _ in 0..<3 {
                try await requireLost(lost, bench)
                _ = try await bench.put(9, replaces: bench.version(of: 9))
                try await requireLost(lost, bench)
                try requireEqual(try await bench.page(after: before).numbers, [9], "what changed since")
                try await bench.restart()
            }
        },
        Rule("A cursor of a start that is lost is refused") { bench in
            try await bench.put(1)
            let putBack = try await bench.copy()
            try await bench.restart()
            try await bench.put(2)
            let lost = try await bench.page().cursor
            try await putBack()
            try await requireLost(lost, bench)
            try await bench.put(3)
            try await requireLost(lost, bench)
        },
        Rule("A reader that knows of a version that is lost must start over, whatever its cursor") { bench in
            try await bench.put(1)
            var reader = try await bench.page().cursor
            let putBack = try await bench.copy()
            reader.known = try await bench.put(2)
            try requireEqual(try await bench.page(after: reader).numbers, [2], "while it is there")
            try await putBack()
            try await requireLost(reader, bench)
            let version = try await bench.put(3)
            try require(version != reader.known, "a version is given out twice")
            try await requireLost(reader, bench)
            reader.known = version
            try requireEqual(try await bench.page(after: reader).numbers, [3], "to who knows what is there")
            reader.known = version - 1
            try await requireLost(reader, bench)
        },
    ]

    private static func requireLost(_ cursor: ZoneCursor, _ bench: ItemStoreBench) async throws {
        do {
            _ = try await bench.page(after: cursor)
        } catch let error as BatonError
            where ["cursor_of_another_time", "cursor_from_the_future"].contains(error.reason)
        {
            return
        }
        throw ConformanceFailure(description: "a cursor of a lost time was taken")
    }
}

extension ItemStoreBench {
    fileprivate func version(of item: Int) async throws -> UInt64 {
        try await store.items([Self.item(item)], in: Self.zone(1), of: Self.account).first?.version ?? 0
    }
}
