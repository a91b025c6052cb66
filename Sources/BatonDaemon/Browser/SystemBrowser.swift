package import BatonCore
import Dispatch
import Glibc
import Handoff
import LaunchServices
import Synchronization

/// Opens pages with the program that the setting `browser` names (H-84).
///
/// The program runs in a session of its own, without a shell, and is reaped however long it lives: some browsers end at
/// once because another process of theirs takes the page, others stay for as long as their window.
package final class SystemBrowser: HandoffBrowser {
    package struct Environment: Sendable {
        /// As the daemon has them.
        var variables: [String: String]
        /// The soft limit of open descriptors that the daemon was given.
        var descriptorLimit: UInt64?
        /// The folder of its log.
        var logs: String
        /// A program that runs for longer than this is taken for the browser itself, which has the page.
        var timeout: Duration

        package init(
            variables: [String: String], descriptorLimit: UInt64?, logs: String, timeout: Duration = .seconds(3)
        ) {
            self.variables = variables
            self.descriptorLimit = descriptorLimit
            self.logs = logs
            self.timeout = timeout
        }
    }

    /// Programs that run at once. Policy: one more is refused; they are not ours to end.
    private static let maximumRunning = 64
    private static let logName = "browser.log"

    private let command: @Sendable () -> String
    private let environment: Environment
    private let recorder: any EventRecorder
    private let running = Mutex(0)
    /// For what blocks, one after the other.
    private let queue = DispatchQueue(label: "development.baton.browser", qos: .userInitiated)

    /// - Parameter command: the setting, as it is now.
    package init(
        command: @escaping @Sendable () -> String, environment: Environment, recorder: any EventRecorder
    ) {
        self.command = command
        self.environment = environment
        self.recorder = recorder
    }

    package var isAvailable: Bool { (try? BrowserCommand(command()))?.isNone == false }

    /// How many programs it started live.
    package var runningCount: Int { running.withLock { $0 } }

    package func open(_ page: WebPage) async throws {
        do {
            try await start(page)
        } catch let error as BatonError {
            recorder.record("handoff", "browser_failed", error.message, ["reason": error.reason])
            throw error
        }
    }

    private func start(_ page: WebPage) async throws {
        let command = try BrowserCommand(command())
        guard !command.isNone else {
            throw BatonError(
                .failedPrecondition, reason: "no_browser",
                "No browser is set. “baton settings reset browser” sets the desktop's.")
        }
        try reserve()
        let (endings, ending) = AsyncStream.makeStream(
            of: AppProcess.Ending.self, bufferingPolicy: .bufferingNewest(1))
        do {
            let process = try await prepare(command, page)
            _ = try await AppProcess.start(
                process, started: { _ in },
                ended: { [self] _, result in
                    release()
                    ending.yield(result)
                    ending.finish()
                })
        } catch {
            release()
            throw error
        }
        guard let result = await first(endings), result.isFailure(wasAsked: false) else { return }
        throw BatonError(
            .unknown, reason: "browser_failed",
            "The browser's program “\(command.program)” failed: \(result.description(wasAsked: false)) What it printed is "
                + "in “\(environment.logs)/\(Self.logName)”; “baton settings set browser \"firefox %u\"” names another one."
        )
    }

    private func reserve() throws(BatonError) {
        let hasRoom = running.withLock { count in
            guard count < Self.maximumRunning else { return false }
            count += 1
            return true
        }
        guard hasRoom else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_browsers",
                "\(Self.maximumRunning) programs that were to open pages still run. Close some windows.")
        }
    }

    private func release() { running.withLock { $0 -= 1 } }

    /// - Returns: how the program ended; nil when it runs on.
    private func first(_ endings: AsyncStream<AppProcess.Ending>) async -> AppProcess.Ending? {
        await withTaskGroup(of: AppProcess.Ending?.self) { group in
            group.addTask {
                for await ending in endings { return ending }
                return nil
            }
            group.addTask { [timeout = environment.timeout] in
                try? await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func prepare(_ command: BrowserCommand, _ page: WebPage) async throws -> AppProcess.Command {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Result {
                        AppProcess.Command(
                            executable: try find(command.program), arguments: command.arguments(opening: page.text),
                            environment: environment.variables, directory: environment.variables["HOME"] ?? "/",
                            descriptorLimit: environment.descriptorLimit,
                            log: try AppLog.open(named: Self.logName, in: environment.logs))
                    })
            }
        }
    }

    /// As a shell finds it: by its path, or in one of the folders of PATH.
    private func find(_ program: String) throws(BatonError) -> String {
        let folders = (environment.variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let candidates = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
        guard let found = candidates.first(where: { $0.hasPrefix("/") && access($0, X_OK) == 0 }) else {
            throw BatonError(
                .failedPrecondition, reason: "browser_not_found",
                "The browser's program “\(program)” was not found. Install it, or name another one with “baton settings "
                    + "set browser”.")
        }
        return found
    }
}
