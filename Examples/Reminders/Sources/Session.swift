import BatonRecords
import Foundation
import GRDB

/// Performs what is typed.
struct Session: Sendable {
    let store: ReminderStore
    let sync: RecordSync
    let screen: Screen

    /// - Returns: false when the app is to end.
    func perform(_ line: String) async -> Bool {
        let (command, rest) = Self.split(line)
        let (first, second) = Self.split(rest)
        do {
            switch command {
            case "add": screen.show("added", ["id": try await store.add(second, to: first)], "Added.")
            case "edit":
                try await done { try await store.run("UPDATE items SET text = ? WHERE id = ?", [second, first]) }
            case "done": try await done { try await store.run("UPDATE items SET done = 1 WHERE id = ?", [first]) }
            case "delete": try await done { try await store.run("DELETE FROM items WHERE id = ?", [first]) }
            case "tag": try await done { try await store.tag(first, second) }
            case "cover":
                let image = try Data(contentsOf: URL(fileURLWithPath: second))
                try await done { try await store.cover(first, image) }
            case "show": try await show(ReminderStore.overview)
            case "query": try await show(rest)
            case "sql": try await done { try await store.script(rest) }
            case "sync":
                try await sync.fetchChanges()
                screen.show("synced", [:], "Up to date.")
            case "pause": try await done { await sync.stop() }
            case "resume": try await done { try await sync.start() }
            case "status": status()
            case "quit": return false
            case "": break
            default: screen.show("error", ["message": "Not a command: \(line)"], "Not a command: \(line)")
            }
        } catch {
            screen.show("error", ["message": "\(error)"], "\(error)")
        }
        return true
    }

    private func done(_ body: () async throws -> Void) async throws {
        try await body()
        screen.show("done", [:], "Done.")
    }

    private func show(_ query: String) async throws {
        let rows = try await store.rows(query)
        screen.show("rows", ["rows": rows.joined(separator: "\n")], rows.joined(separator: "\n"))
    }

    private func status() {
        let status = sync.status
        let held = status.held.map { "\($0.table) \($0.key): \($0.reason)" }
        screen.show(
            "status",
            [
                "connected": String(status.isConnected), "waiting": String(status.waiting),
                "held": held.joined(separator: "\n"), "problem": status.problem ?? "",
            ],
            """
            \(status.isConnected ? "The daemon is there" : "The daemon is away"), \(status.waiting) changes wait, \
            \(held.count) rows are held. \(status.problem ?? "")
            """)
    }

    /// Changes of other devices, as they come.
    func tell(_ event: RecordSync.Event) {
        switch event {
        case .applied(let tables, let rows):
            screen.show(
                "applied", ["tables": tables.sorted().joined(separator: ","), "rows": String(rows)],
                "Changed: \(rows) rows.")
        case .sent(let rows): screen.show("sent", ["rows": String(rows)])
        case .held(let rows):
            for row in rows {
                screen.show(
                    "held", ["table": row.table, "key": row.key, "reason": row.reason],
                    "A row of \(row.table) waits: \(row.reason)")
            }
        case .restored(let tables):
            screen.show(
                "restored", ["tables": tables.sorted().joined(separator: ",")],
                "Rows that were missing are back in \(tables.sorted().joined(separator: ", ")).")
        case .waiting(let lines):
            screen.show("waiting", ["lines": String(lines)], "\(lines) changes wait for the daemon.")
        case .connected(let isConnected): screen.show("connected", ["connected": String(isConnected)])
        case .failed(let sentence): screen.show("problem", ["message": sentence], sentence)
        }
    }

    private static func split(_ line: String) -> (String, String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
}
