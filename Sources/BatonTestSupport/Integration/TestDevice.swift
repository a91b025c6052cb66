package import BatonClient
package import BatonCore
package import BatonWire
import Foundation
import Glibc
package import SwiftProtobuf
import Synchronization

/// A device: a `batond` process on a machine of ``NetworkNamespaces``, with a home of its own.
package final class TestDevice: Sendable {
    package let name: String
    /// Its index among the namespaces.
    package let machine: Int
    package let home: String
    package let locations: Locations
    private let namespaces: NetworkNamespaces
    private let state: Mutex<State>

    private struct State {
        var daemon: ChildProcess?
        var client: HTTPConnectClient
        var arguments: [String] = []
        /// Never the desktop of the person that runs the tests.
        var environment = [
            "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DBUS_SYSTEM_BUS_ADDRESS": "disabled:", "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
        ]
        /// The beginning of the daemon's command.
        var wrapper: [String] = []
        var followers: [AppEvents] = []
        var children: [ChildProcess] = []
    }

    init(name: String, machine: Int, home: String, namespaces: NetworkNamespaces) throws {
        self.name = name
        self.machine = machine
        self.home = home
        self.namespaces = namespaces
        locations = try Locations(home: home, environment: [:], workingDirectory: "/")
        state = Mutex(State(client: HTTPConnectClient(socketPath: locations.socket)))
        // Before the daemon does, so that what it writes there can be followed from the beginning.
        try FileManager.default.createDirectory(
            atPath: locations.appLogs, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for path in [home, locations.state] { chmod(path, 0o700) }
    }

    // MARK: The daemon

    /// Starts the daemon and returns once its socket answers.
    /// - Parameter arguments: of `batond`; nil for those of the last start.
    package func start(_ arguments: [String]? = nil) async throws {
        let arguments = arguments ?? state.withLock { $0.arguments }
        let events = try FileFollower(locations.eventLog, from: FileFollower.size(locations.eventLog))
        let command = state.withLock { $0.wrapper } + [try Products.path("batond"), "--home", home] + arguments
        let daemon = try ChildProcess(
            namespaces.command(on: machine, command), environment: state.withLock { $0.environment },
            errorFile: daemonLog)
        state.withLock { state in
            state.daemon = daemon
            state.arguments = arguments
            state.client = HTTPConnectClient(socketPath: locations.socket)
        }
        do {
            try await within(.seconds(60), "the daemon of \(name) to answer") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await events.lines.expect { $0.contains(#""event":"ready""#) ? $0 : nil }
                    }
                    group.addTask {
                        let status = try await daemon.status()
                        throw IntegrationFailure(
                            "The daemon of \(self.name) ended with \(status): \(self.daemonErrors)")
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch {
            await events.end()
            throw error
        }
        await events.end()
    }

    /// From the next start on the daemon and its apps heed the permissions of files, as processes of no superuser do.
    package func heedPermissions() { state.withLock { $0.wrapper = Self.withoutOverride } }

    /// The beginning of a command that heeds the permissions of files.
    package static let withoutOverride = [
        "setpriv", "--inh-caps=-dac_override,-dac_read_search", "--bounding-set=-dac_override,-dac_read_search",
    ]

    /// From the next start on.
    package func use(_ bus: SessionBus) { use(["DBUS_SESSION_BUS_ADDRESS": bus.address]) }

    /// From the next start on, variables of the daemon's environment.
    package func use(_ environment: [String: String]) { state.withLock { $0.environment.merge(environment) { $1 } } }

    /// SIGTERM.
    /// - Returns: the exit status.
    @discardableResult
    package func stop() async throws -> Int32 { try await end(with: SIGTERM) }

    /// SIGKILL.
    package func kill() async throws { _ = try await end(with: SIGKILL) }

    package func restart() async throws {
        try await stop()
        try await start()
    }

    private func end(with signal: Int32) async throws -> Int32 {
        guard let daemon = state.withLock({ $0.daemon }) else { return 0 }
        daemon.send(signal)
        let status = try await within(.seconds(20), "the daemon of \(name) to end") { try await daemon.status() }
        state.withLock { $0.daemon = nil }
        return status
    }

    /// The daemon's process, while it runs.
    package var daemon: ChildProcess? { state.withLock { $0.daemon } }
    private var daemonLog: String { home + "/daemon.log" }
    /// The daemon's standard error.
    package var daemonErrors: String { (try? String(contentsOfFile: daemonLog, encoding: .utf8)) ?? "" }

    /// Another daemon on the same home; the test ends it or waits for its end.
    package func secondDaemon() throws -> ChildProcess {
        let process = try ChildProcess(
            namespaces.command(on: machine, [try Products.path("batond"), "--home", home]),
            environment: ["DBUS_SESSION_BUS_ADDRESS": "disabled:"])
        state.withLock { $0.children.append(process) }
        return process
    }

    // MARK: The command line

    /// Runs `baton` with `--home` and `--json` to its end.
    /// - Parameter status: what it must end with; nil for anything.
    @discardableResult
    package func baton(
        _ arguments: String..., expecting status: Int32? = 0, limit: Duration = .seconds(60)
    ) async throws -> CommandResult {
        try await baton(arguments, expecting: status, limit: limit)
    }

    /// - Parameter input: a line for standard input.
    @discardableResult
    package func baton(
        _ arguments: [String], input: String? = nil, expecting status: Int32? = 0, limit: Duration = .seconds(60)
    ) async throws -> CommandResult {
        let process = try startBaton(arguments)
        if let input { process.write(input) }
        process.closeInput()
        let result = try await within(limit, "baton \(arguments.joined(separator: " "))") {
            let status = try await process.status()
            try await process.output.waitForEnd()
            try await process.errors.waitForEnd()
            return CommandResult(
                status: status, lines: process.output.all, errors: process.errors.all.joined(separator: "\n"))
        }
        if let status, result.status != status {
            throw IntegrationFailure(
                "baton \(arguments.joined(separator: " ")) ended with \(result.status) instead of \(status): "
                    + result.errors)
        }
        return result
    }

    /// Starts `baton` for a stream of lines; ended with the device.
    package func startBaton(_ arguments: [String]) throws -> ChildProcess {
        let process = try ChildProcess([try Products.path("baton"), "--home", home, "--json"] + arguments)
        state.withLock { $0.children.append(process) }
        return process
    }

    /// Starts `baton browse host` as a browser does.
    /// - Parameter caller: what the browser passes on.
    package func startBrowserHost(_ caller: [String]) throws -> ChildProcess {
        let process = try ChildProcess(
            [try Products.path("baton"), "--home", home, "browse", "host", "--"] + caller, framing: .lengths)
        state.withLock { $0.children.append(process) }
        return process
    }

    /// The beginning of a command that runs on this device's machine.
    package var prefix: [String] { namespaces.command(on: machine, []) }
    package var address: String { namespaces.addresses[machine] }

    // MARK: Calls

    /// To the daemon as it runs now.
    package var client: HTTPConnectClient { state.withLock { $0.client } }

    package func call<Request: Message & Sendable, Response: Message & Sendable>(
        _ method: ConnectMethod<Request, Response>, _ request: Request = Request(), timeout: Duration = .seconds(30)
    ) async throws -> Response {
        try await client.unary(method, request, timeout: timeout)
    }

    /// To the daemon as it runs now, in the name of a program in development.
    package func app(_ bundleID: String, version: UInt32 = ConnectProtocol.version) -> any ConnectClient {
        client.calling(as: AppClaim(bundleID: bundleID, protocolVersion: version))
    }

    /// A call of a program in development.
    package func call<Request: Message & Sendable, Response: Message & Sendable>(
        as bundleID: String, _ method: ConnectMethod<Request, Response>, _ request: Request = Request()
    ) async throws -> Response {
        try await app(bundleID).unary(method, request, timeout: .seconds(30))
    }

    // MARK: Apps

    /// The events in an app's log, from the first launch on.
    package func events(of bundleID: String) throws -> AppEvents {
        let events = try AppEvents(log: "\(locations.appLogs)/\(bundleID).log")
        state.withLock { $0.followers.append(events) }
        return events
    }

    package func container(of bundleID: String) -> String { "\(locations.containers)/\(bundleID)" }

    // MARK: The end

    func end() async {
        let (daemon, followers, children) = state.withLock { ($0.daemon, $0.followers, $0.children) }
        for child in children where child.isRunning { await child.end() }
        for follower in followers { await follower.end() }
        await daemon?.end()
        endApps()
    }

    /// Apps outlive the daemon that launched them; those of this device run from its home.
    private func endApps() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let processID = Int32(entry),
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(entry)/exe"),
                path.hasPrefix(home + "/")
            else { continue }
            Glibc.kill(processID, SIGKILL)
        }
    }

    /// For a failed test: the ends of what the daemon recorded.
    func account(lines count: Int = 25) -> String {
        let events = (try? String(contentsOfFile: locations.eventLog, encoding: .utf8)) ?? ""
        let newest = events.split(separator: "\n").suffix(count).joined(separator: "\n")
        return "--- \(name)\n\(newest)\n\(daemonErrors.suffix(2000))"
    }
}
