import BatonConcurrency
import Foundation
import ServiceLifecycle
import SessionBus
import Subprocess
import SystemPackage

/// Follows the sinks of PulseAudio or PipeWire with `pactl`, where it is installed.
struct SoundFollower: Service {
    /// The list is asked for at most so often.
    private static let patience = Duration.milliseconds(200)
    private static let outputLimit = 1 << 20

    let environment: [String: String]
    let tell: @Sendable (ContextObservation) -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard let program = Self.find("pactl", in: environment) else {
                tell(.input(.sound, .absent, detail: "“pactl” is not installed."))
                return
            }
            var retry = ServerRetry()
            while !Task.isCancelled {
                if await follow(program) { retry.reset() }
                guard !Task.isCancelled else { return }
                tell(.input(.sound, .absent, detail: "There is no sound server."))
                try? await Task.sleep(for: retry.next())
            }
        }
    }

    private static func find(_ name: String, in environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").prefix(64)
        return folders.lazy.map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    private func configuration(_ program: String, _ arguments: [String]) -> Configuration {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(1))]
        var variables: [Environment.Key: String] = [:]
        for (name, value) in environment {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        return Configuration(
            executable: .path(FilePath(program)), arguments: Arguments(arguments), environment: .custom(variables),
            platformOptions: options)
    }

    /// Until the server ends, or the task.
    /// - Returns: false where there is no server.
    private func follow(_ program: String) async -> Bool {
        guard await list(program) else { return false }
        _ = try? await Subprocess.run(
            configuration(program, ["subscribe"]), input: .none, output: .sequence, error: .discarded
        ) { execution in
            // Each line is a change of something. The details are queried.
            for try await _ in execution.standardOutput {
                try await Task.sleep(for: Self.patience)
                guard await list(program) else { return }
            }
        }
        return true
    }

    /// - Returns: false where there is no server.
    private func list(_ program: String) async -> Bool {
        let result = try? await Subprocess.run(
            configuration(program, ["-f", "json", "list", "sinks"]), output: .bytes(limit: Self.outputLimit),
            error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return false }
        guard let things = SoundSinks.headphones(Data(result.standardOutput)) else {
            tell(.input(.sound, .failed, detail: "“pactl” says what is not understood."))
            return true
        }
        tell(.connected(.sound, things))
        return true
    }
}
