/// One thing that happened in the daemon, for `baton log`, `baton explain` and the demo's timeline.
///
/// Records never hold payloads, keys, or what a person typed.
package struct EventRecord: Sendable, Hashable, Codable {
    /// Microseconds since 1970.
    package var time: UInt64
    /// The part of Baton: `handoff`, `launch`, `devices`, `discovery`, `presence`, `pairing`, `daemon`.
    package var category: String
    /// A stable name within the category, e.g. `payload_received`.
    package var event: String
    /// A sentence for a person.
    package var message: String
    /// Details for a program. Keys are stable: `acceptance_id`, `activity_type`, `device_id`, `bundle_id` ...
    package var fields: [String: String]

    package init(time: UInt64, category: String, event: String, message: String, fields: [String: String] = [:]) {
        self.time = time
        self.category = category
        self.event = event
        self.message = message
        self.fields = fields
    }
}

/// Takes the daemon's records. Never blocks and never fails the caller.
package protocol EventRecorder: Sendable {
    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String])
}

/// Drops every record.
package struct NullEventRecorder: EventRecorder {
    package init() {}
    package func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {}
}
