package import BatonCore

/// The result of launching an app: the process that is to attach.
package struct LaunchedProcess: Hashable, Sendable {
    package var id: Int32
    /// It ran before, without being attached: about to attach, or about to end. When it ends the app is launched again.
    package var wasRunning: Bool

    package init(id: Int32, wasRunning: Bool) {
        self.id = id
        self.wasRunning = wasRunning
    }
}

/// Processes of apps that ended, for launches that have yet to say which process they found: the notice that it ended may
/// come first.
package struct EndedProcesses: Sendable {
    private struct Entry: Sendable {
        var app: AppIdentity
        var id: Int32
        var message: String
    }

    /// Bound; the oldest go first. A launch answers within moments.
    private static let maximum = 64
    private var entries: [Entry] = []

    package init() {}

    package mutating func append(_ app: AppIdentity, _ id: Int32, message: String) {
        entries.append(Entry(app: app, id: id, message: message))
        entries.removeFirst(max(0, entries.count - Self.maximum))
    }

    /// The message about its end; nil for a process that did not end lately.
    package func message(_ app: AppIdentity?, _ id: Int32) -> String? {
        entries.last { $0.app == app && $0.id == id }?.message
    }
}
