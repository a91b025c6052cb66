import DesktopProtocol
import Foundation
import Synchronization

/// The helper, as the daemon runs it.
final class HelperFixture: Sendable {
    let process: ChildProcess
    /// Replies that were read.
    private let read = Mutex(0)

    /// - Parameters:
    ///   - display: as in `:7`.
    ///   - idle: seconds without a window after which it ends.
    ///   - scale: pixels of a point.
    ///   - quiet: milliseconds without a key before a permission can be given; nil for those that people have.
    init(display: String, idle: Int = 60, scale: Int = 1, quiet: Int? = nil) throws {
        process = try ChildProcess(
            [try Self.program("baton-desktop"), "--idle", "\(idle)"] + (quiet.map { ["--quiet", "\($0)"] } ?? []),
            environment: Self.environment(display).merging(scale == 1 ? [:] : ["GDK_SCALE": "\(scale)"]) { $1 })
    }

    /// A helper that is ready, on a screen of its own.
    static func with(
        idle: Int = 60, scale: Int = 1, quiet: Int? = nil, _ body: (HelperFixture, ScreenWindows) async throws -> Void
    ) async throws {
        let screen = try await VirtualScreen()
        let outcome: Result<Void, any Error>
        do {
            let helper = try HelperFixture(display: screen.display, idle: idle, scale: scale, quiet: quiet)
            do {
                guard try await helper.reply() == .ready else { throw IntegrationFailure("The helper is not ready.") }
                try await body(helper, ScreenWindows(on: screen))
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            await helper.process.end()
        } catch {
            outcome = .failure(error)
        }
        await screen.end()
        try outcome.get()
    }

    /// - Parameter display: as in `:7`.
    static func environment(_ display: String) -> [String: String] {
        [
            "DISPLAY": display, "GDK_BACKEND": "x11", "WAYLAND_DISPLAY": "", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "GSETTINGS_BACKEND": "memory",
        ]
    }

    /// Beside the program of the tests.
    static func program(_ name: String) throws -> String {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let programs = ([executable] + CommandLine.arguments).map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name).path
        }
        guard let found = programs.first(where: FileManager.default.isExecutableFile) else {
            throw IntegrationFailure("\(name) is not built.")
        }
        return found
    }

    func send(_ request: DesktopRequest) { process.write(bytes: DesktopLines.line(request) ?? []) }

    /// - Returns: nil at the end.
    func reply() async throws -> DesktopReply? {
        let (index, lines) = (read.withLock { $0 }, process.output)
        let next = try await within(.seconds(20), "a reply") { try await lines.first(from: index) { $0 } }
        guard let next else { return nil }
        read.withLock { $0 = next.next }
        guard let reply = DesktopLines.message(DesktopReply.self, in: Array(next.found.utf8)) else {
            throw IntegrationFailure("No reply: \(next.found)")
        }
        return reply
    }

    /// Waits for its end.
    func status() async throws -> Int32 {
        let process = process
        return try await within(.seconds(20), "the helper to end") { try await process.status() }
    }
}
