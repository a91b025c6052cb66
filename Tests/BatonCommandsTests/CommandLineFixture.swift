import BatonCommands
import BatonCore
import Foundation
import Synchronization

/// Runs the command line in this process, against a ``FakeDaemon``.
struct CommandLineFixture {
    let daemon = FakeDaemon()
    let machine = FakeMachine()
    let output = CapturedText()
    let errors = CapturedText()
    /// Standard input and output as bytes.
    let bytes = GivenBytes()
    var input: [String] = []
    /// In place of `input`: lines that are typed once standard error shows something.
    var typed: [PromptedLines.Step] = []
    var readingTime = 0.0
    var terminal = Terminal.none
    var environment = ["BATON_HOME": "/tmp/baton-command-line-fixture"]
    var workingDirectory = "/somewhere"
    /// The arguments as bytes.
    var argumentBytes: [[UInt8]] = []
    var isDaemonRunning = true
    var isOutputClosed = false
    var startingPatience = Duration.zero
    var acknowledgementPatience = Duration.seconds(30)
    /// Addresses of names; others are unknown.
    var hosts: [String: [String]] = [:]
    var ownAddresses: Set<String> = []

    @discardableResult
    func run(_ arguments: String...) async -> CommandStatus { await run(arguments) }

    @discardableResult
    func run(_ arguments: [String]) async -> CommandStatus {
        let (daemon, machine, isRunning) = (daemon, machine, isDaemonRunning)
        var context = CommandContext(
            environment: environment, workingDirectory: workingDirectory, terminal: terminal,
            standardOutput: isOutputClosed ? ClosedOutput() : output,
            standardError: errors,
            input: typed.isEmpty ? GivenLines(texts: input) : PromptedLines(errors: errors, steps: typed),
            timeZone: TimeZone(secondsFromGMT: 3600) ?? .gmt,
            clock: WallClock { Date(timeIntervalSince1970: 1_800_000_000) },
            makeClient: { _ in
                if isRunning || machine.runsDaemon { return daemon }
                throw BatonError(.unavailable, reason: "daemon_not_running", "The daemon does not run. Run “batond”.")
            })
        context.acknowledgementPatience = acknowledgementPatience
        context.lookingPatience = .zero
        context.startingPatience = startingPatience
        context.recoveryPatience = .seconds(60)
        context.recoveryPause = .zero
        context.progressPause = .zero
        context.readingTime = readingTime
        context.discardTypedInput = {}
        context.machine = machine
        context.executable = "/usr/bin/baton"
        context.findHost = { [hosts, ownAddresses] in (hosts[$0] ?? [], ownAddresses) }
        context.argumentBytes = { [argumentBytes] in argumentBytes }
        context.readInput = { [bytes] in Array(bytes.given.prefix($0 + 1)) }
        context.writeOutput = { [bytes] in bytes.write($0) }
        return await CommandRunner(context: context).run(arguments)
    }

    /// The last line that was printed, as the JSON object that it must be.
    func json(_ text: CapturedText) throws -> [String: Any] {
        let line = text.text.split(separator: "\n").last.map(String.init) ?? ""
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
}

final class CapturedText: TextSink {
    private let written = Mutex("")

    var text: String { written.withLock { $0 } }

    func write(_ text: String) { written.withLock { $0 += text } }
}

final class GivenBytes: Sendable {
    private let state = Mutex<(given: [UInt8], written: [UInt8])>(([], []))

    var given: [UInt8] { state.withLock { $0.given } }
    var written: [UInt8] { state.withLock { $0.written } }

    func set(_ bytes: [UInt8]) { state.withLock { $0.given = bytes } }
    func write(_ bytes: [UInt8]) { state.withLock { $0.written += bytes } }
}

/// A pipe whose reader has gone.
struct ClosedOutput: TextSink {
    func write(_ text: String) throws { throw CommandFailure.outputClosed }
}

struct GivenLines: LineSource {
    let texts: [String]

    func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(text) }
            continuation.finish()
        }
    }
}

/// A person who reads standard error, and types a line when it shows what they wait for.
struct PromptedLines: LineSource {
    struct Step: Sendable {
        /// The next text on standard error, behind that of the step before.
        let text: String
        let line: String

        init(_ text: String, _ line: String) {
            self.text = text
            self.line = line
        }
    }

    let errors: CapturedText
    let steps: [Step]

    func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        // Ends with the stream.
        let task = Task { [errors, steps] in
            var read = 0
            for step in steps {
                while !Task.isCancelled {
                    let rest = errors.text.dropFirst(read)
                    if let found = rest.range(of: step.text) {
                        read += rest.distance(from: rest.startIndex, to: found.upperBound)
                        break
                    }
                    await Task.yield()
                }
                continuation.yield(step.line)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
