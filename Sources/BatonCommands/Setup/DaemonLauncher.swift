import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Starts the daemon of a home, by the person's systemd or by itself, and takes that back.
struct DaemonLauncher: Sendable {
    let session: CommandSession

    enum Launch: Sendable, Equatable {
        /// It ran already.
        case running
        case unit(wasEnabled: Bool, wasActive: Bool)
        /// - Parameter command: starts it at login.
        case process(Int32, command: [String])

        /// For `--json`.
        var name: String {
            switch self {
            case .running: "running"
            case .unit: "unit"
            case .process: "process"
            }
        }
    }

    private static let patience = Duration.seconds(20)

    /// Returns when the daemon answers.
    /// - Throws: when the home cannot be written, another daemon has it, or the daemon does not start; nothing has been
    ///   changed then.
    func launch() async throws -> Launch {
        if try await status() != nil { return .running }
        let (machine, locations) = (session.context.machine, try session.locations)
        if try await blocking({ Doctor.holder(of: locations, on: machine) }) != nil, try await otherAnswers() {
            return .running
        }
        let (environment, home) = (session.context.environment, session.chosenHome)
        let folder = ProgramFolder.of(session.context.executable)
        let log = locations.state + "/batond.log"
        let launch = try await blocking { () throws -> Launch in
            try Self.check(locations, machine)
            let unit = UserUnit(machine: machine, environment: environment)
            if home == nil, case .installed(let isEnabled, let isActive) = unit.state {
                do {
                    try unit.enable()
                } catch {
                    unit.restore(isEnabled: isEnabled, isActive: isActive)
                    throw error
                }
                return .unit(wasEnabled: isEnabled, wasActive: isActive)
            }
            guard let program = machine.find("batond", in: folder, environment: environment) else {
                throw BatonError(
                    .notFound, reason: "no_daemon_program",
                    "The program “batond” is neither beside “baton” nor in PATH. Install it there, and run this again.")
            }
            let command = [program] + (home.map { ["--home", $0] } ?? [])
            return .process(try machine.start(command, environment: environment, log: log), command: command)
        }
        do {
            try await waitForAnswer(launch, log: log)
        } catch {
            await undo(launch)
            throw error
        }
        return launch
    }

    /// Puts everything back as it was before ``launch()``.
    func undo(_ launch: Launch) async {
        let (machine, environment) = (session.context.machine, session.context.environment)
        try? await blocking {
            switch launch {
            case .running: break
            case .unit(let isEnabled, let isActive):
                UserUnit(machine: machine, environment: environment).restore(isEnabled: isEnabled, isActive: isActive)
            case .process(let process, _): machine.end(process)
            }
        }
    }

    /// Nil when no daemon runs.
    func status() async throws -> Baton_Control_V1_GetStatusResponse? {
        do {
            return try await session.call(ControlMethods.getStatus, .init(), timeout: .seconds(5))
        } catch let error as BatonError where error.reason == "daemon_not_running" {
            return nil
        } catch let error as BatonError where error.code == .deadlineExceeded {
            throw Self.silent(Doctor.holder(of: try session.locations, on: session.context.machine))
        }
    }

    private static func check(_ locations: Locations, _ machine: any Machine) throws {
        if let obstacle = Doctor.obstacle(to: locations, on: machine) {
            throw BatonError(
                .failedPrecondition, reason: "home_not_writable",
                "\(obstacle). Make it yours and its disk writable, or name another home with --home.")
        }
        if let process = Doctor.holder(of: locations, on: machine) { throw silent(process) }
    }

    private static func silent(_ process: Int32?) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "daemon_silent",
            "A daemon has this home already and does not answer. End it"
                + (process.map { " with “kill \($0)”" } ?? "") + ", and run this again.")
    }

    private func otherAnswers() async throws -> Bool {
        let end = ContinuousClock.now + session.context.startingPatience
        while ContinuousClock.now < end {
            if try await status() != nil { return true }
            // sleeps: nothing signals the moment in which the daemon's socket is there.
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    private func waitForAnswer(_ launch: Launch, log: String) async throws {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if try await status() != nil { return }
            if case .process(let process, _) = launch, session.context.machine.processName(process) != "batond" {
                break
            }
            // sleeps: nothing signals the moment in which the daemon's socket is there.
            try await Task.sleep(for: .milliseconds(50))
        }
        let said = session.context.machine.text(of: log)?.split(separator: "\n").last.map(String.init) ?? ""
        let why =
            switch launch {
            case .process where !said.isEmpty: said.hasPrefix("batond: ") ? String(said.dropFirst(8)) : said
            case .process: "It said nothing: see “\(log)”."
            default: "“journalctl --user -u batond” says why."
            }
        throw BatonError(.failedPrecondition, reason: "daemon_not_started", "The daemon did not start. \(why)")
    }
}
