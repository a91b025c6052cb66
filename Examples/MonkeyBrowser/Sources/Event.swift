import Foundation

/// Something that happened in the app, for its log.
struct Event: Sendable, Equatable {
    var name: String
    var fields: [String: String] = [:]

    static func log(_ message: String) -> Event { Event(name: "log", fields: ["message": message]) }

    /// One line of JSON, its keys sorted.
    var json: String {
        var object = fields
        object["event"] = name
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: object, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? #"{"event":"error"}"#
    }
}

/// Takes events from any thread.
protocol EventLog: Sendable {
    func record(_ event: Event)
}

/// Writes each event as one line of JSON to the standard output, whole and at once.
struct StandardOutputLog: EventLog {
    func record(_ event: Event) {
        FileHandle.standardOutput.write(Data((event.json + "\n").utf8))
    }
}
