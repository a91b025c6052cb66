import BatonRecords
import Foundation
import GRDB

/// An app whose rows are mirrored. Commands, a line each: `fill COUNT`, `await COUNT`, `set TEXT`, `see TEXT`.
enum MirroredRows {
    static func run(folder: String) async throws {
        let pool = try MirrorCosts.open("\(folder)/\(UUID().uuidString).sqlite")
        let sync = try MirrorCosts.sync(pool)
        try await sync.start()
        Lines.print(["event": "ready"])
        for await words in Lines.fromStandardInput() where words.count == 2 {
            let number = Int(words[1]) ?? 0
            switch words[0] {
            case "fill":
                for start in stride(from: 0, to: number, by: 10_000) {
                    try await pool.write { db in
                        let statement = try db.cachedStatement(
                            sql: "INSERT INTO items (id, text, notes, list) VALUES (?, ?, ?, 'l')")
                        for index in start..<min(start + 10_000, number) {
                            try statement.execute(arguments: [
                                UUID().uuidString, "row \(index)", String(repeating: "note ", count: 25),
                            ])
                        }
                    }
                }
                try await sync.sendChanges()
                Lines.print(["event": "filled", "t": monotonicNanoseconds()])
            case "await":
                // Counting takes part of the processor, which the others have two cores of.
                try await until(pool, pause: .milliseconds(50)) {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM items") ?? 0 >= number
                }
                Lines.print(["event": "has", "t": monotonicNanoseconds()])
            case "set":
                let begin = monotonicNanoseconds()
                try await pool.write { db in
                    try db.execute(sql: "UPDATE lists SET title = ? WHERE id = 'l'", arguments: [words[1]])
                }
                Lines.print(["event": "set", "t": begin])
            case "see":
                try await until(pool) {
                    try String.fetchOne($0, sql: "SELECT title FROM lists WHERE id = 'l'") == words[1]
                }
                Lines.print(["event": "seen", "t": monotonicNanoseconds()])
            default: break
            }
        }
    }

    private static func until(
        _ pool: DatabasePool, pause: Duration = .milliseconds(1), _ isSo: @escaping @Sendable (Database) throws -> Bool
    ) async throws {
        while try await !pool.read(isSo) { try await Task.sleep(for: pause) }
    }
}
