import Foundation

/// The windows on a ``VirtualScreen``, and a person at its keyboard. Needs Debian's `xdotool`.
package struct ScreenWindows: Sendable {
    private let display: String

    package init(on screen: VirtualScreen) { display = screen.display }

    /// - Parameter title: of the window, whole.
    /// - Returns: its number, once it is visible.
    package func shown(_ title: String) async throws -> String {
        try await within(.seconds(20), "the window “\(title)”") {
            while true {
                if let window = try await find(title) { return window }
                try await Task.sleep(for: .milliseconds(50))  // sleeps: xdotool waits for windows in the same way
            }
        }
    }

    /// Returns once no such window is visible.
    package func gone(_ title: String) async throws {
        try await within(.seconds(20), "the window “\(title)” to go") {
            while try await find(title) != nil {
                try await Task.sleep(for: .milliseconds(50))  // sleeps: a closed window causes no event
            }
        }
    }

    package func find(_ title: String) async throws -> String? {
        try await run(["search", "--onlyvisible", "--name", "^\(title)$"]).first
    }

    /// Presses keys, by their names in X11, one after the other.
    package func press(_ keys: [String], in window: String) async throws {
        try await run(["windowfocus", "--sync", window])
        try await press(keys)
    }

    /// Presses keys in the window that has the focus.
    package func press(_ keys: [String]) async throws {
        if !keys.isEmpty { try await run(["key", "--delay", "50"] + keys) }
    }

    /// Types text as a person does.
    package func type(_ text: String) async throws { try await run(["type", "--delay", "20", text]) }

    /// Clicks into a window, at points from its upper left corner.
    package func click(_ window: String, x: Int, y: Int) async throws {
        try await run(["mousemove", "--window", window, "\(x)", "\(y)", "click", "1"])
    }

    @discardableResult
    private func run(_ arguments: [String]) async throws -> [String] {
        let program = try ChildProcess(["xdotool"] + arguments, environment: ["DISPLAY": display])
        let status = try await within(.seconds(10), "xdotool \(arguments[0])") { try await program.status() }
        guard status != 127 else { throw IntegrationFailure("xdotool is missing (dev/setup --tests installs it).") }
        try await program.output.waitForEnd()
        return program.output.all
    }
}
