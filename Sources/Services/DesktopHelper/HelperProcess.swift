import BatonConcurrency
import Subprocess
import Synchronization
import SystemPackage

/// One run of `baton-desktop`: requests go to its standard input, replies come from its standard output.
final class HelperProcess: Sendable {
    /// Its status where it could not open the display.
    private static let noDisplay: Int32 = 2

    private let path: String
    private let environment: [String: String]
    private let requests = Mutex(RequestQueue())
    private let added = Signal()
    private let stops = Signal()

    init(path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment
    }

    func send(_ request: DesktopRequest) {
        requests.withLock { $0.add(request) }
        added.send()
    }

    /// Kills it.
    func stop() { stops.send() }

    /// Starts it, and returns when it has ended. To cancel this ends it.
    func run(_ reply: @escaping @Sendable (DesktopReply) -> Void) async -> DesktopHelperStateMachine.Ending {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(1))]
        var variables: [Environment.Key: String] = [:]
        for (name, value) in environment {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        let configuration = Configuration(
            executable: .path(FilePath(path)), environment: .custom(variables), platformOptions: options)
        do {
            let result = try await Subprocess.run(
                configuration, input: .inputWriter, output: .sequence, error: .discarded
            ) { [self, stops] execution in
                try await withThrowingTaskGroup { group in
                    group.addTask { [self] in
                        for await _ in added.stream {
                            while let request = requests.withLock({ $0.next() }) {
                                guard let line = DesktopLines.line(request) else { continue }
                                _ = try await execution.standardInputWriter.write(line)
                            }
                        }
                    }
                    group.addTask {
                        for await _ in stops.stream { try execution.send(signal: .kill) }
                    }
                    defer { group.cancelAll() }
                    let isUnderstood = try await Self.read(execution.standardOutput, reply)
                    if !isUnderstood { try? execution.send(signal: .kill) }
                    return isUnderstood
                }
            }
            guard result.closureResult else { return .failed("it said what the daemon does not understand") }
            switch result.terminationStatus {
            case .exited(0): return .finished
            case .exited(Self.noDisplay): return .failed("it could not open the display")
            case .exited(let code): return .failed("it ended with code \(code)")
            case .signaled(let signal): return .failed("it was ended by signal \(signal)")
            }
        } catch {
            return .failed("it could not be started or reached")
        }
    }

    /// - Returns: false for what is no reply.
    private static func read(
        _ output: SubprocessOutputSequence, _ reply: @Sendable (DesktopReply) -> Void
    ) async throws -> Bool {
        var lines = DesktopLines(limit: DesktopLines.maximumReply)
        for try await buffer in output {
            for line in try lines.take(buffer.withUnsafeBytes { Array($0) }) {
                guard let message = DesktopLines.message(DesktopReply.self, in: line) else { return false }
                reply(message)
            }
        }
        return true
    }
}
