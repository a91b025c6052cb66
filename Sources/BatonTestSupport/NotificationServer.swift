import Foundation

/// A notification server of the test's own on a session bus, which can misbehave. Needs Debian's `python3-dbus` and
/// `python3-gi`.
package final class NotificationServer: Sendable {
    /// A call that the server received, or an action of its own.
    package struct Event: Decodable, Sendable {
        package var event: String
        package var id: UInt32?
        package var replaces: UInt32?
        package var application: String?
        package var icon: String?
        package var summary: String?
        package var body: String?
        package var actions: [String]?
        package var hints: [String: String]?
        package var timeout: Int32?
    }

    private let process: ChildProcess

    /// - Parameters:
    ///   - mode: how it answers `Notify`; see ``set(_:)``.
    ///   - capabilities: what it says that it can.
    package init(
        on bus: SessionBus, mode: String = "", capabilities: String = "actions,body,body-markup,persistence"
    ) async throws {
        process = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/notification_server.py", mode, capabilities],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await first("ready")
    }

    package var events: [Event] { process.output.all.compactMap(Self.event) }

    /// The first event from the index on that matches. Waits for it.
    @discardableResult
    package func first(
        _ name: String, from start: Int = 0, limit: Duration = .seconds(20),
        where matches: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> (event: Event, next: Int) {
        let (lines, errors) = (process.output, process.errors)
        return try await within(limit, "the notification server's “\(name)”; it said: \(errors.all)") {
            let found = try await lines.first(from: start) { line -> Event? in
                guard let event = Self.event(line), event.event == name, matches(event) else { return nil }
                return event
            }
            guard let found else { throw IntegrationFailure("The notification server ended: \(errors.all)") }
            return (found.found, found.next)
        }
    }

    /// The person uses a button.
    package func invoke(_ id: UInt32, _ action: String = "continue") { process.write("invoke \(id) \(action)") }
    /// The person closes a notification.
    package func close(_ id: UInt32, reason: Int = 2) { process.write("close \(id) \(reason)") }
    /// `zero`, `huge`, `same`, `error`, `silent`, `closing`, `dying`, or nothing for good manners.
    package func set(_ mode: String) { process.write("mode \(mode)") }
    package func end() async { await process.kill() }

    private static func event(_ line: String) -> Event? {
        try? JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }
}
