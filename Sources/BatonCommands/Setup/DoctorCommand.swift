import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton doctor`
struct DoctorCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything that Baton needs of this machine, and say what to do.",
        discussion: """
            “missing” is a part that Baton does without. The exit status is 0 when nothing has failed, else 1.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let checks = try await Self.checks(session)
        let isHealthy = !checks.contains { $0.verdict == .failed }
        try session.emit(
            json: ["healthy": .boolean(isHealthy), "checks": .array(checks.map(\.json))],
            text: checks.flatMap { $0.lines(session) }.joined(separator: "\n"))
        if !isHealthy { throw CommandFailure(.failure, nil) }
    }

    static func checks(_ session: CommandSession) async throws -> [DoctorCheck] {
        let status = try? await session.call(ControlMethods.getStatus, .init(), timeout: .seconds(5))
        var browser = Doctor.defaultBrowser
        if status != nil { browser = await browserCommand(session) }
        let doctor = Doctor(
            machine: session.context.machine, locations: try session.locations,
            environment: session.context.environment, chosenHome: session.chosenHome,
            executable: session.context.executable, status: status,
            browserCommand: browser)
        return try await blocking { doctor.checks() }
    }

    private static func browserCommand(_ session: CommandSession) async -> String {
        let answer = try? await session.call(ControlMethods.listSettings, .init(), timeout: .seconds(5))
        return answer?.settings.first { $0.name == "browser" }?.value ?? Doctor.defaultBrowser
    }
}
