import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// A desktop whose programs see the entries of one device, and no others.
struct DesktopSession {
    let device: TestDevice
    let environment: [String: String]

    /// - Parameters:
    ///   - directory: of the test, for what programs keep.
    ///   - bus: nil for a desktop without a session bus.
    init(_ device: TestDevice, in directory: String, bus: SessionBus? = nil) {
        self.device = device
        environment = [
            "HOME": directory + "/person", "XDG_CONFIG_HOME": directory + "/person/config",
            "XDG_DATA_HOME": device.home + "/share", "XDG_DATA_DIRS": "/usr/share",
            "XDG_CURRENT_DESKTOP": bus == nil ? "X-Generic" : "GNOME",
            "DBUS_SESSION_BUS_ADDRESS": bus?.address ?? "disabled:",
            // Nothing is there; without the name of one, xdg-open only looks for browsers of a terminal.
            "DISPLAY": ":4242",
        ]
    }

    /// Runs one of the desktop's programs to its end.
    @discardableResult
    func run(_ command: String..., expecting status: Int32? = 0) async throws -> Int32 {
        try await run(command, expecting: status)
    }

    @discardableResult
    func run(_ command: [String], expecting status: Int32?) async throws -> Int32 {
        let program = try ChildProcess(command, environment: environment)
        program.closeInput()
        let found = try await within(.seconds(30), command.joined(separator: " ")) { try await program.status() }
        if let status, found != status {
            throw IntegrationFailure(
                "\(command.joined(separator: " ")) ended with \(found): \(program.errors.all) \(program.output.all)")
        }
        return found
    }

    /// The output of a program.
    func output(of command: String...) async throws -> [String] {
        let program = try ChildProcess(command, environment: environment)
        program.closeInput()
        return try await within(.seconds(30), command.joined(separator: " ")) {
            guard try await program.status() == 0 else {
                throw IntegrationFailure("\(command.joined(separator: " ")): \(program.errors.all)")
            }
            try await program.output.waitForEnd()
            return program.output.all
        }
    }

    /// The names of the device's entries.
    func entries() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: device.locations.desktopEntries)
            .filter { $0.hasSuffix(".desktop") }.sorted()
    }

    private static let scheme = "x-scheme-handler/todolist"

    /// Waits until the desktop's index has these types, and the scheme only if it is one of them: entries follow an
    /// installation a moment later.
    func index(lists types: Set<String>) async throws {
        let path = device.locations.desktopEntries + "/mimeinfo.cache"
        try await within(.seconds(20), "the desktop's index to list \(types)") {
            while true {
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                let lines = text.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
                let listed = Set(lines)
                if types.isSubset(of: listed), types.contains(Self.scheme) == listed.contains(Self.scheme) { return }
                try await Task.sleep(for: .milliseconds(20))  // sleeps: an index does not announce its changes
            }
        }
    }
}
