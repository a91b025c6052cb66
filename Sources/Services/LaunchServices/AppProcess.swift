import BatonCore
import BatonTrust
package import Files
import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// Starts one process, for an app or for the browser, and learns how it ends.
package enum AppProcess {
    package enum Ending: Sendable, Hashable {
        case code(Int32)
        case signal(Int32)
        /// It is gone, and how is not known.
        case unknown
    }

    package struct Confinement: Sendable {
        /// The program that runs ``ConfinedLaunch``.
        package var helper: String
        package var policy: SandboxPolicy
    }

    package struct Command: Sendable {
        var executable: String
        var arguments: [String]
        var environment: [String: String]
        var directory: String
        /// The soft limit of open descriptors; nil for that of this process.
        var descriptorLimit: UInt64?
        /// Standard input of a program that reads it; nil for one that reads from nothing.
        var input: OpenFile?
        /// Standard output and error; of a program with an input, standard output.
        var log: OpenFile
        /// Nil: the process is started as it is, as the browser is.
        var confinement: Confinement?

        package init(
            executable: String, arguments: [String], environment: [String: String], directory: String,
            descriptorLimit: UInt64?, log: OpenFile, input: OpenFile? = nil, confinement: Confinement? = nil
        ) {
            self.input = input
            self.executable = executable
            self.arguments = arguments
            self.environment = environment
            self.directory = directory
            self.descriptorLimit = descriptorLimit
            self.log = log
            self.confinement = confinement
        }

        /// The program that is started, which becomes the executable where there is a sandbox.
        var program: String { confinement?.helper ?? executable }

        var programArguments: [String] {
            confinement.map { ConfinedLaunch.arguments($0.policy, executable: executable, arguments: arguments) }
                ?? arguments
        }
    }

    /// Starts the process in a session of its own, reading from nothing, printing into the log.
    ///
    /// - Parameters:
    ///   - started: called once it runs, before `ended` can be.
    ///   - ended: called once after it ended.
    /// - Throws: `failed_precondition` with reason `launch_failed` when it could not be started.
    package static func start(
        _ command: Command, started: @escaping @Sendable (Int32) -> Void,
        ended: @escaping @Sendable (Int32, Ending) -> Void
    ) async throws -> Int32 {
        var options = PlatformOptions()
        options.createSession = true
        var environment: [Environment.Key: String] = [:]
        for (name, value) in command.environment {
            if let key = Environment.Key(rawValue: name) { environment[key] = value }
        }
        let configuration = Configuration(
            executable: .path(FilePath(command.program)), arguments: Arguments(command.programArguments),
            environment: .custom(environment),
            workingDirectory: FilePath(command.directory), platformOptions: options)
        var copies: [Int32] = []
        let report: LaunchReport
        do {
            for file in [command.log, command.input ?? command.log] { copies.append(try copy(of: file)) }
            report = try LaunchReport(isWanted: command.confinement != nil)
        } catch {
            for copy in copies { close(copy) }
            throw error
        }
        // Where a program reads its input, the helper reports on standard error.
        let (log, other) = (copies[0], copies[1])
        let (input, error) = command.input == nil ? (report.childEnd, other) : (other, report.childEnd)
        let (executable, descriptorLimit) = (command.executable, command.descriptorLimit)
        return try await withCheckedThrowingContinuation { continuation in
            // An app outlives the call that launched it and the daemon itself, whereas a task that is cancelled kills
            // the process it waits for. So nothing cancels this task, nothing awaits it at shutdown, and it ends with
            // the process; when the daemon ends first, the process goes on in its own session.
            Task {
                let running = Mutex<Int32?>(nil)
                // The caller has heard that the helper did not become the app.
                let isRefused = Mutex(false)
                do {
                    let result = try await Subprocess.run(
                        configuration,
                        input: .fileDescriptor(FileDescriptor(rawValue: input), closeAfterSpawningProcess: true),
                        output: .fileDescriptor(FileDescriptor(rawValue: log), closeAfterSpawningProcess: true),
                        error: .fileDescriptor(FileDescriptor(rawValue: error), closeAfterSpawningProcess: true)
                    ) { execution in
                        let processID = execution.processIdentifier.value
                        // As soon as it runs: the library that starts it has no step in between. If it reads
                        // the limit before that, no harm is done, since a program may raise its own.
                        if let descriptorLimit { limitDescriptors(of: processID, to: descriptorLimit) }
                        if let problem = await report.problem() {
                            isRefused.withLock { $0 = true }
                            return continuation.resume(throwing: launchFailed(executable, because: problem))
                        }
                        running.withLock { $0 = processID }
                        started(processID)
                        continuation.resume(returning: processID)
                    }
                    guard running.withLock({ $0 }) != nil else { return }
                    ended(result.processIdentifier.value, Ending(result.terminationStatus))
                } catch {
                    if let processID = running.withLock({ $0 }) {
                        ended(processID, .unknown)
                    } else if !isRefused.withLock({ $0 }) {
                        report.abandon()
                        continuation.resume(throwing: launchFailed(executable, error))
                    }
                }
            }
        }
    }

    private static func copy(of file: OpenFile) throws(BatonError) -> Int32 {
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileFailure.error("open", file.path) }
        return copy
    }

    private static func limitDescriptors(of processID: Int32, to soft: UInt64) {
        let resource = Int32(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard let prlimit, prlimit(processID, resource, nil, &limit) == 0 else { return }
        limit.rlim_cur = min(rlim_t(soft), limit.rlim_max)
        _ = withUnsafePointer(to: limit) { prlimit(processID, resource, $0, nil) }
    }

    /// By name, since Swift's import of the C library leaves it out.
    private static let prlimit: Prlimit? = dlsym(nil, "prlimit").map { unsafeBitCast($0, to: Prlimit.self) }
    private typealias Prlimit =
        @convention(c) (Int32, Int32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> Int32

    private static func launchFailed(
        _ path: String, _ cause: (any Error)? = nil, because problem: String = ""
    ) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "launch_failed",
            "“\(PrintableName.escaped(path))” could not be started. Is it a program for this machine, with every "
                + "library that it needs?" + (problem.isEmpty ? "" : " " + problem), cause: cause)
    }
}

extension AppProcess.Ending {
    fileprivate init(_ status: TerminationStatus) {
        self =
            switch status {
            case .exited(let code): .code(code)
            case .signaled(let signal): .signal(signal)
            }
    }

    /// - Parameter wasAsked: it was asked to end, so a signal is no crash.
    package func description(wasAsked: Bool) -> String {
        switch self {
        case .code(0): "Exited normally."
        case .code(let code): "Ended with code \(code)."
        case .signal(let signal) where wasAsked: "Ended when asked to (\(Self.name(signal)))."
        case .signal(let signal): "Crashed: \(Self.name(signal))."
        case .unknown: "Ended."
        }
    }

    /// It crashed, or said that it failed.
    package func isFailure(wasAsked: Bool) -> Bool {
        if case .code(let code) = self { code != 0 && !wasAsked } else { isCrash(wasAsked: wasAsked) }
    }

    func isCrash(wasAsked: Bool) -> Bool {
        if case .signal = self { !wasAsked } else { false }
    }

    private static func name(_ signal: Int32) -> String {
        let names = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
            SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
