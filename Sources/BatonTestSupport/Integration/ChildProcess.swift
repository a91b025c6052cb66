import Foundation
import Glibc
import Synchronization

/// A process that a test started: its output, its input, and how it ended.
package final class ChildProcess: Sendable {
    package let processID: Int32
    /// Standard output.
    package let output = Lines()
    /// Standard error, unless it goes to a file.
    package let errors = Lines()
    private let input: FileHandle
    private let ending: Ending
    private let framing: Framing

    /// Kept apart from the process, whose handler it is in.
    private final class Ending: Sendable {
        let status = Mutex<Int32?>(nil)
        let signal = Lines()
    }

    /// The end of a message on standard input and output.
    package enum Framing: Sendable {
        case lines
        /// As on a browser's debugging pipe.
        case zeros
        /// Lengths of 32 bits before them, as browsers speak with native messaging hosts.
        case lengths
        /// Lengths in decimal digits and a colon before them, as Firefox's Marionette speaks.
        case counted

        fileprivate func bytes(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8)
            return switch self {
            case .lines: bytes + [0x0A]
            case .zeros: bytes + [0]
            case .lengths: withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) } + bytes
            case .counted: Array("\(bytes.count):".utf8) + bytes
            }
        }

        /// The first message, if it is there as a whole.
        fileprivate func take(from buffer: inout [UInt8]) -> String? {
            let (start, end, next): (Int, Int, Int)
            switch self {
            case .lines, .zeros:
                guard let index = buffer.firstIndex(of: self == .lines ? 0x0A : 0) else { return nil }
                (start, end, next) = (0, index, index + 1)
            case .lengths:
                guard buffer.count >= 4 else { return nil }
                let length = buffer.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
                guard buffer.count >= 4 + length else { return nil }
                (start, end, next) = (4, 4 + length, 4 + length)
            case .counted:
                guard let colon = buffer.firstIndex(of: UInt8(ascii: ":")),
                    let length = Int(String(decoding: buffer[..<colon], as: UTF8.self)),
                    buffer.count > colon + length
                else { return nil }
                (start, end, next) = (colon + 1, colon + 1 + length, colon + 1 + length)
            }
            defer { buffer.removeSubrange(..<next) }
            return String(decoding: buffer[start..<end], as: UTF8.self)
        }
    }

    /// - Parameters:
    ///   - command: the first is looked for in PATH when it is no path.
    ///   - errorFile: where standard error goes instead of ``errors``.
    ///   - framing: of standard input and output; each message is one of ``output``.
    package init(
        _ command: [String], environment: [String: String] = [:], directory: String? = nil, errorFile: String? = nil,
        framing: Framing = .lines
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        // env looks the command up, and changes the directory.
        let isDirect = command[0].contains("/") && directory == nil
        let path = isDirect ? command[0] : "/usr/bin/env"
        let arguments = isDirect ? command : ["env"] + (directory.map { ["--chdir=\($0)"] } ?? []) + command
        var variables = ProcessInfo.processInfo.environment
        for name in ["BATON_HOME", "BATON_SOCKET", "BATON_SCRIPT", "BATON_CONTAINER"] { variables[name] = nil }
        variables.merge(environment) { $1 }
        let (inputPipe, outputPipe) = (try ChildPipe(), try ChildPipe())
        var errorPipe: ChildPipe?
        let errorDescriptor: Int32
        if let errorFile {
            // Not FileManager.createFile, which puts a new file in the place of what is there, even of /dev/null.
            errorDescriptor = open(errorFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard errorDescriptor >= 0 else { throw IntegrationFailure("\(errorFile) cannot be written.") }
            errors.end()
        } else {
            let pipe = try ChildPipe()
            errorPipe = pipe
            errorDescriptor = pipe.writing
        }
        defer {
            close(inputPipe.reading)
            close(outputPipe.writing)
            close(errorDescriptor)
        }
        processID = try Self.spawn(
            path, arguments, variables.map { "\($0)=\($1)" },
            descriptors: [inputPipe.reading, outputPipe.writing, errorDescriptor])
        let ending = Ending()
        self.ending = ending
        self.framing = framing
        input = FileHandle(fileDescriptor: inputPipe.writing, closeOnDealloc: true)
        Self.read(FileHandle(fileDescriptor: outputPipe.reading, closeOnDealloc: true), framing, into: output)
        if let errorPipe {
            Self.read(FileHandle(fileDescriptor: errorPipe.reading, closeOnDealloc: true), .lines, into: errors)
        }
        let child = processID
        // Waiting waits, so it has a thread of its own; it ends with the process.
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            ending.status.withLock { $0 = signal == 0 ? (status >> 8) & 0xFF : 128 + signal }
            ending.signal.end()
        }
    }

    /// A pipe. The child closes its unused ends when it starts.
    private struct ChildPipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard ChildProcess.starting.withLock({ _ in pipe(&ends) }) == 0 else {
                throw IntegrationFailure("There are no descriptors left.")
            }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    /// Not Foundation's `Process`, which traps now and then in a process that starts many. The child has nothing open but
    /// these three, a process group of its own, and no signal blocked or ignored: it inherits what the calling thread
    /// blocks, and a thread of the pool blocks most.
    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String], descriptors: [Int32]
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (index, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(index))
        }
        return try starting.withLock { _ in try spawn(path, arguments, environment, &actions) }
    }

    /// While a child is started no pipe is made, which it would keep open.
    private static let starting = Mutex(())

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String], _ actions: inout posix_spawn_file_actions_t
    ) throws -> Int32 {
        // One that is gone by then does no harm.
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var (argv, envp) = (arguments.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            throw IntegrationFailure("\(path) cannot be started: \(String(cString: strerror(result))).")
        }
        return child
    }

    package var isRunning: Bool { ending.status.withLock { $0 } == nil }

    /// The exit status, or 128 and the signal.
    package func status() async throws -> Int32 {
        try await ending.signal.waitForEnd()
        return ending.status.withLock { $0 } ?? -1
    }

    /// Only while it runs: its number may be another's afterwards.
    package func send(_ signal: Int32) {
        if isRunning { Glibc.kill(processID, signal) }
    }

    package func write(_ message: String) { write(bytes: framing.bytes(message)) }
    package func write(bytes: [UInt8]) { try? input.write(contentsOf: Data(bytes)) }
    package func closeInput() { try? input.close() }

    /// At once.
    package func kill() async {
        send(SIGKILL)
        _ = try? await status()
    }

    /// Politely, and after five seconds not.
    package func end() async {
        closeInput()
        send(SIGTERM)
        do {
            _ = try await within(.seconds(5), "process \(processID) to end") { try await self.status() }
        } catch {
            send(SIGKILL)
            _ = try? await status()
        }
    }

    /// Reading waits, so it has a thread of its own; it ends with the process.
    private static func read(_ handle: FileHandle, _ framing: Framing, into lines: Lines) {
        Thread.detachNewThread {
            var buffer: [UInt8] = []
            while case let data = handle.availableData, !data.isEmpty {
                buffer += data
                while let message = framing.take(from: &buffer) { lines.append(message) }
            }
            if !buffer.isEmpty { lines.append(String(decoding: buffer, as: UTF8.self)) }
            lines.end()
        }
    }
}
