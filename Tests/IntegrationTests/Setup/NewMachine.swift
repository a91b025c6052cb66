import BatonTestSupport
import Foundation
import Glibc

/// A machine on which Baton is installed and nothing of it runs: `baton setup` starts its daemon.
final class NewMachine: Sendable {
    let home: String
    private let index: Int
    private let namespaces: NetworkNamespaces
    private let folder: TemporaryDirectory

    init(_ index: Int, in namespaces: NetworkNamespaces) throws {
        self.index = index
        self.namespaces = namespaces
        folder = try TemporaryDirectory()
        home = folder.file("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
    }

    func file(_ name: String) -> String { folder.file(name) }

    /// Starts `baton` on this machine, without a session bus or a display.
    func start(_ arguments: [String], wrapper: [String] = []) throws -> ChildProcess {
        let command = wrapper + [try Products.path("baton"), "--home", home, "--json"] + arguments
        return try ChildProcess(
            namespaces.command(on: index, command),
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": "",
            ])
    }

    /// Runs any other program on this machine.
    func startProgram(_ command: [String]) throws -> ChildProcess {
        try ChildProcess(namespaces.command(on: index, command))
    }

    @discardableResult
    func baton(_ arguments: String..., wrapper: [String] = []) async throws -> Ended {
        let process = try start(arguments, wrapper: wrapper)
        process.closeInput()
        return try await Self.result(of: process)
    }

    static func result(of process: ChildProcess) async throws -> Ended {
        try await within(.seconds(60), "baton to end") {
            let status = try await process.status()
            try await process.output.waitForEnd()
            try await process.errors.waitForEnd()
            return Ended(
                status: status, lines: process.output.all, errors: process.errors.all.joined(separator: "\n"))
        }
    }

    /// Whether a daemon of this home runs.
    var hasDaemon: Bool { daemon != nil }

    private var daemon: Int32? {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap(Int32.init).first { process in
            let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first?.hasSuffix("/batond") == true && words.dropFirst() == ["--home", home]
        }
    }

    /// Ends the daemon that `baton setup` started.
    func end() async {
        guard let daemon else { return }
        kill(daemon, SIGTERM)
        try? await within(.seconds(10), "the daemon to end") {
            while self.hasDaemon {
                // It is no child of this process.
                try await Task.sleep(for: .milliseconds(20))  // sleeps: the end of such a process causes no event
            }
        }
        if let daemon = self.daemon { kill(daemon, SIGKILL) }
    }

    /// Runs `body` on machines of one network, and ends what it has started.
    static func with(_ count: Int, _ body: ([NewMachine]) async throws -> Void) async throws {
        try await NetworkNamespaces.with(count) { namespaces in
            let machines = try (0..<count).map { try NewMachine($0, in: namespaces) }
            do {
                try await body(machines)
            } catch {
                for machine in machines { await machine.end() }
                throw error
            }
            for machine in machines { await machine.end() }
        }
    }

    /// How a command ended, and what it printed.
    struct Ended: Sendable {
        var status: Int32
        var lines: [String]
        var errors: String

        /// The last line of standard output.
        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try Self.decoder.decode(type, from: Data((lines.last ?? "").utf8))
        }

        /// The error on standard error.
        func failure() throws -> CommandResult.Failure? {
            let line = errors.split(separator: "\n").last ?? ""
            return try Self.decoder.decode([String: CommandResult.Failure].self, from: Data(line.utf8))["error"]
        }

        private static var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
    }
}
