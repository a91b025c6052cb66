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

    /// Kept apart from the process, whose handler it is in.
    private final class Ending: Sendable {
        let status = Mutex<Int32?>(nil)
        let signal = Lines()
    }

    /// - Parameters:
    ///   - command: the first is looked for in PATH when it is no path.
    ///   - errorFile: where standard error goes instead of ``errors``.
    package init(
        _ command: [String], environment: [String: String] = [:], directory: String? = nil, errorFile: String? = nil
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
        Self.read(outputPipe.fileHandleForReading, into: output)
        if errorFile == nil { Self.read(errorPipe.fileHandleForReading, into: errors) }
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

    package func write(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }
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
    private static func read(_ handle: FileHandle, into lines: Lines) {
        Thread.detachNewThread {
            var buffer: [UInt8] = []
            while case let data = handle.availableData, !data.isEmpty {
                buffer += data
                while let end = buffer.firstIndex(of: 0x0A) {
                    lines.append(String(decoding: buffer[..<end], as: UTF8.self))
                    buffer.removeSubrange(...end)
                }
            }
            if !buffer.isEmpty { lines.append(String(decoding: buffer, as: UTF8.self)) }
            lines.end()
        }
    }
}
