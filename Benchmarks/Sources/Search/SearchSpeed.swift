import Foundation
import GRDB
import Spotlight

/// What search costs with many items: putting them in, beside one bare table of FTS5; looking; the size of the file, and the memory.
struct SearchSpeed {
    private static let batch = 500
    private static let wordsOfTitle = 5
    private static let wordsOfText = 60
    private static let looks = 100

    private let count: Int
    private var random = SeededGenerator(seed: 2)
    private let words: [String]

    init(count: Int) {
        self.count = count
        let syllables = "ka lo mi ter sun ra vel do pin gar es tu bel no fi zor".split(separator: " ").map(String.init)
        words = (0..<40_000).map { number in
            var (rest, word) = (number + 16, "")
            while rest > 0 {
                word += syllables[rest % 16]
                rest /= 16
            }
            return word
        }
    }

    /// Some words are in most texts, and most in few.
    private mutating func word() -> String {
        let share = Double.random(in: 0..<1, using: &random)
        return words[min(Int(pow(Double(words.count), share)) - 1, words.count - 1)]
    }

    private mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    private mutating func items(_ batch: Int) -> [(id: String, title: String, text: String)] {
        (0..<Self.batch).map { ("\(batch * Self.batch + $0)", text(Self.wordsOfTitle), text(Self.wordsOfText)) }
    }

    mutating func run(folder: String) async throws {
        let before = Self.residentKilobytes()
        let fixture = try SearchFixture(folder: folder)
        let bare = try DatabasePool(path: folder + "/bare.sqlite")
        try await bare.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE bare USING fts5(id UNINDEXED, title, body, tokenize = 'porter')")
        }
        try await bare.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        var (journaled, indexed, bareTime, bytes) = (UInt64(0), UInt64(0), UInt64(0), 0)
        for number in 0..<count / Self.batch {
            let items = items(number)
            bytes += items.reduce(0) { $0 + $1.title.utf8.count + $1.text.utf8.count }
            let begin = monotonicNanoseconds()
            try await fixture.journal(items)
            let durable = monotonicNanoseconds()
            try await fixture.service.applyJournal()
            let end = monotonicNanoseconds()
            try await bare.write { db in
                let statement = try db.cachedStatement(sql: "INSERT INTO bare VALUES (?, ?, ?)")
                for item in items { try statement.execute(arguments: [item.id, item.title, item.text]) }
            }
            journaled += durable - begin
            indexed += end - begin
            bareTime += monotonicNanoseconds() - end
        }
        func rate(_ nanoseconds: UInt64) -> Int { Int(Double(count) * 1e9 / Double(max(nanoseconds, 1))) }
        Lines.print([
            "event": "indexed", "items": count, "text_bytes": bytes, "journaled_per_s": rate(journaled),
            "indexed_per_s": rate(indexed), "bare_per_s": rate(bareTime), "file_bytes": try Self.size(fixture.files.index),
            "bare_bytes": try Self.size(folder + "/bare.sqlite"),
        ])
        try await look(fixture, bare)
        var calls: [Double] = []
        for number in 0..<20 {
            let begin = monotonicNanoseconds()
            // In place of what is there: an app has no more.
            try await fixture.journal([("\(number)", "quokka \(number)", text(Self.wordsOfText))])
            try await fixture.service.applyJournal()
            calls.append(Double(monotonicNanoseconds() - begin) / 1e6)
        }
        Lines.print([
            "event": "call", "p95_ms": Self.percentile(calls, 0.95), "resident_kb": Self.residentKilobytes() - before,
        ])
        fixture.service.close()
    }

    private mutating func look(_ fixture: SearchFixture, _ bare: DatabasePool) async throws {
        let kinds: [(name: String, make: (inout Self) -> String, isTyping: Bool)] = [
            ("two words, the second begun", { $0.word() + " " + $0.word().prefix(3) }, true),
            ("one letter", { String($0.word().prefix(1)) }, true),
            ("a frequent word", { $0.words[Int.random(in: 0..<5, using: &$0.random)] }, false),
            ("two words", { $0.word() + " " + $0.word() }, false),
            ("a mistyped word", { String($0.word().dropLast()) + "qx" }, false),
        ]
        for kind in kinds {
            var (times, bareTimes) = ([Double](), [Double]())
            for _ in 0..<Self.looks {
                let query = kind.make(&self)
                let begin = monotonicNanoseconds()
                _ = try await fixture.identifiers(query, isTyping: kind.isTyping, limit: 20)
                let end = monotonicNanoseconds()
                let expression =
                    query.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ") + (kind.isTyping ? "*" : "")
                _ = try await bare.read { db in
                    try String.fetchAll(
                        db, sql: "SELECT id FROM bare WHERE bare MATCH ? ORDER BY bm25(bare) LIMIT 20",
                        arguments: [expression])
                }
                times.append(Double(end - begin) / 1e6)
                bareTimes.append(Double(monotonicNanoseconds() - end) / 1e6)
            }
            Lines.print([
                "event": "look", "what": kind.name, "p50_ms": Self.percentile(times, 0.5),
                "p95_ms": Self.percentile(times, 0.95), "bare_p95_ms": Self.percentile(bareTimes, 0.95),
            ])
        }
        var times: [Double] = []
        for _ in 0..<Self.looks {
            let query = word() + " " + word().prefix(3)
            let begin = monotonicNanoseconds()
            _ = try await fixture.service.identifiers(query, limit: 20)
            times.append(Double(monotonicNanoseconds() - begin) / 1e6)
        }
        Lines.print([
            "event": "look", "what": "GNOME Shell's question", "p50_ms": Self.percentile(times, 0.5),
            "p95_ms": Self.percentile(times, 0.95),
        ])
    }

    private static func percentile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }

    private static func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
    }
}
