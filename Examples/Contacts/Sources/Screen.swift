import Foundation

/// Prints what happens: text on a terminal, elsewhere one JSON object a line.
struct Screen: Sendable {
    private let isTerminal = isatty(STDOUT_FILENO) == 1

    /// A reader that goes, as `head` does, does not end the app.
    init() { signal(SIGPIPE, SIG_IGN) }

    func show(_ event: String, _ fields: [String: String], _ text: String) {
        guard !isTerminal else {
            if !text.isEmpty { write(text) }
            return
        }
        var object = fields
        object["event"] = event
        let data = try? JSONSerialization.data(
            withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        write(data.map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }

    private func write(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
}
