import Foundation

/// The tasks, a line each, in the app's `Documents`.
struct TodoList {
    private(set) var lines: [String] = []

    private var file: URL {
        let home = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? NSHomeDirectory()
        return URL(fileURLWithPath: home).appendingPathComponent("Documents/todo.txt")
    }

    init() {
        lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    mutating func append(_ request: TodoRequest) {
        lines.append("\(ISO8601DateFormatter().string(from: request.due)) \(request.name)")
        do {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file, options: .atomic)
        } catch {
            print("not saved: \(error.localizedDescription)")
        }
    }
}
