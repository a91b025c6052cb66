import Foundation
import Synchronization

/// The surroundings of sharing.
struct SharingTools: Sendable {
    /// The path of a program in the search path.
    var find: @Sendable (String) -> String?
    /// Runs a program, never through a shell, with the input in its standard input. Throws when it fails.
    var run: @Sendable (_ program: String, _ arguments: [String], _ input: Data) async throws -> Void
    /// Whether programs that the app starts are confined as it is, and can reach neither the desktop's apps nor files.
    var isConfined: @Sendable () -> Bool
    var variables: @Sendable () -> [String: String]
    var presenter: @Sendable (AppRuntime) -> any QuestionPresenter
    /// The daemon, which copies what the person picks for an app that may not read it.
    var daemon: @Sendable (AppRuntime) -> any QuestionPresenter
    var activities: [any SystemActivityProvider]

    static let process = SharingTools(
        find: { find($0, in: ProcessInfo.processInfo.environment["PATH"] ?? "") },
        run: { try await run($0, $1, $2) },
        isConfined: { hasNoNewPrivileges },
        variables: { ProcessInfo.processInfo.environment },
        presenter: { runtime in
            if TerminalPresenter.isAvailable { TerminalPresenter.shared } else { DaemonPresenter(runtime: runtime) }
        },
        daemon: { DaemonPresenter(runtime: $0) }, activities: SystemActivities.all)

    static func find(_ name: String, in path: String) -> String? {
        path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The restrictions that a process under Landlock has set, and that its children cannot undo.
    private static var hasNoNewPrivileges: Bool {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return status?.contains("NoNewPrivs:\t1") ?? false
    }

    private static func run(_ program: String, _ arguments: [String], _ input: Data) async throws {
        let file = try TemporaryFiles.make(input, named: "input", type: .data)
        defer { TemporaryFiles.remove(file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        // A file, and no pipe: a program that keeps the clipboard does not hold up this one.
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { waiter.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { waiter.resume(throwing: error) }
        }
        guard status == 0 else {
            throw SharingError.failed(
                "\(URL(fileURLWithPath: program).lastPathComponent) could not do it (status \(status)).")
        }
    }
}
