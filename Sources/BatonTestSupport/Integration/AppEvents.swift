import Foundation

/// The log of an app on a device: an object of texts a line, as MonkeyBrowser and HandoffProbe print.
package final class AppEvents: Sendable {
    package typealias Event = [String: String]

    private let file: FileFollower

    package init(log path: String) throws { file = try FileFollower(path) }

    /// How many lines there are; a search can begin here.
    package var count: Int { file.lines.count }
    package var all: [Event] { file.lines.all.compactMap(Self.event) }

    /// The first event from the line `start` on that matches. Waits for it.
    @discardableResult
    package func first(
        from start: Int = 0, limit: Duration = .seconds(20), _ what: String,
        where matches: @escaping @Sendable (Event) -> Bool
    ) async throws -> Event {
        let lines = file.lines
        return try await within(limit, "the app's event “\(what)”") {
            let found = try await lines.first(from: start) { line in
                Self.event(line).flatMap { matches($0) ? $0 : nil }
            }
            guard let found else { throw IntegrationFailure("The app's log ended before “\(what)”.") }
            return found.found
        }
    }

    @discardableResult
    package func first(
        _ name: String, from start: Int = 0, limit: Duration = .seconds(20), _ fields: Event = [:]
    ) async throws -> Event {
        try await first(from: start, limit: limit, "\(name) \(fields)") { event in
            event["event"] == name && fields.allSatisfy { event[$0.key] == $0.value }
        }
    }

    package func end() async { await file.end() }

    private static func event(_ line: String) -> Event? {
        try? JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }
}
