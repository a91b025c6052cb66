import Foundation
import Glibc
import Synchronization

/// A process that a test started: what it prints, what it is told, and how it ended.
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

    /// What ends a message on standard input and output.
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
        let process = Process()
        let (inputPipe, outputPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: command[0].contains("/") ? command[0] : "/usr/bin/env")
        process.arguments = command[0].contains("/") ? Array(command.dropFirst()) : command
        var inherited = ProcessInfo.processInfo.environment
        for name in ["BATON_HOME", "BATON_SOCKET", "BATON_SCRIPT", "BATON_CONTAINER"] { inherited[name] = nil }
        process.environment = inherited.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        if let errorFile {
            // Not FileManager.createFile, which puts a new file in the place of what is there, even of /dev/null.
            let descriptor = open(errorFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw IntegrationFailure("\(errorFile) cannot be written.") }
            process.standardError = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            errors.end()
        }
        let ending = Ending()
        process.terminationHandler = { process in
            let status = process.terminationStatus
            ending.status.withLock { $0 = process.terminationReason == .exit ? status : 128 + status }
            ending.signal.end()
        }
        try Self.withoutBlockedSignals { try process.run() }
        processID = process.processIdentifier
        input = inputPipe.fileHandleForWriting
        self.ending = ending
        self.framing = framing
        Self.read(outputPipe.fileHandleForReading, framing, into: output)
        if errorFile == nil { Self.read(errorPipe.fileHandleForReading, .lines, into: errors) }
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

    /// A process inherits the signals that the calling thread blocks, and a thread of the pool blocks most of them.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

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
