import Foundation

/// A virtual screen, for programs with windows. Needs Debian's `xvfb`.
package final class VirtualScreen: Sendable {
    /// As in `:7`.
    package let display: String
    private let server: ChildProcess

    package init() async throws {
        // The server picks a number that is free and prints it. No key repeats itself, however slow the machine is.
        server = try ChildProcess(["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-r"])
        let server = server
        let number = try await within(.seconds(20), "Xvfb") { try await server.output.first { $0 } }
        guard let number else { throw IntegrationFailure("Xvfb does not run (dev/setup --tests installs it).") }
        display = ":\(number.found)"
    }

    package func end() async { await server.end() }
}
