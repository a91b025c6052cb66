import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// A process of the example Reminders, spoken with by lines.
struct ReminderListsExample: Sendable {
    let process: ChildProcess
    let device: TestDevice
    let path: String

    /// - Parameter schema: the version of the app.
    init(_ device: TestDevice, schema: Int = 1, name: String = "reminders.sqlite", paused: Bool = false) async throws {
        self.device = device
        path = device.home + "/" + name
        process = try ChildProcess(
            [try Products.path("ReminderLists"), "--database", path, "--version", "\(schema)"]
                + (paused ? ["--paused"] : []),
            environment: ["BATON_HOME": device.home])
        try await event("ready")
    }

    /// The first event from a line on.
    @discardableResult
    func event(
        _ name: String, from start: Int = 0,
        where matches: @escaping @Sendable ([String: String]) -> Bool = { _ in true }
    ) async throws -> [String: String] {
        let output = process.output
        return try await within(.seconds(30), "the example's event “\(name)”") {
            let found = try await output.first(from: start) { line -> [String: String]? in
                let event = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                guard let event, event["event"] != "error" else { return event }
                return event["event"] == name && matches(event) ? event : nil
            }
            guard let found else { throw IntegrationFailure("The example ended before “\(name)”.") }
            if let message = found.found["message"], found.found["event"] == "error" {
                throw IntegrationFailure("The example says: \(message)")
            }
            return found.found
        }
    }

    @discardableResult
    func say(_ command: String, expecting name: String = "done") async throws -> [String: String] {
        let start = process.output.count
        process.write(command)
        return try await event(name, from: start)
    }

    /// Statements in one transaction.
    func sql(_ statements: String) async throws {
        try await say("sql " + statements.replacing("\n", with: " "))
    }

    func rows(_ query: String) async throws -> String {
        try await say("query " + query.replacing("\n", with: " "), expecting: "rows")["rows"] ?? ""
    }

    func sync() async throws { try await say("sync", expecting: "synced") }
    func pause() async throws { try await say("pause") }
    func resume() async throws { try await say("resume") }

    func quit() async throws {
        process.write("quit")
        #expect(try await process.status() == 0)
    }

    /// All rows of all tables.
    static let everything = """
        SELECT 'l', id, title, color, '' FROM lists UNION ALL SELECT 't', id, name, '', '' FROM tags UNION ALL
        SELECT 'i', id, text, done, list || ' ' || coalesce(tag, '-') FROM items UNION ALL
        SELECT 'c', list, length(image), '', '' FROM covers ORDER BY 1, 2
        """

    /// Waits until each of them shows the rows.
    static func until(_ examples: [Self], _ query: String, are expected: String) async throws {
        for example in examples {
            try await example.device.until("\(query) on \(example.device.name) to be \(expected)") {
                try await example.rows(query) == expected
            }
        }
    }

    /// Waits until the tables are the same, without broken references.
    static func same(_ one: Self, _ other: Self) async throws {
        try await one.device.until("equal tables") {
            try await one.sync()
            try await other.sync()
            return try await one.rows(everything) == other.rows(everything)
        }
        for example in [one, other] { #expect(try await example.rows("PRAGMA foreign_key_check") == "") }
    }
}
