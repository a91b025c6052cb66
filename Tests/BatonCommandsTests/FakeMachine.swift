import BatonCommands
import BatonCore
import Synchronization

/// A machine on which all is well, until a test says otherwise.
final class FakeMachine: Machine {
    struct State {
        /// Results of programs, by the beginning of their command line; the longest counts.
        var programs = ["xdg-mime query default": ProgramResult(status: 0, output: "firefox.desktop\n")]
        var texts: [String: String] = ["/usr/share/mime/globs2": "", "/sys/kernel/security/lsm": "capability,landlock"]
        var obstacles: [String: String] = [:]
        var owners: [Int: PortOwner] = [:]
        var interfaces = [NetworkInterface(name: "eth0", isLoopback: false, hasMulticast: true)]
        var multicastObstacle: String?
        var names: [Int32: String] = [:]
        var installed: Set<String> = ["batond", "baton-desktop", "pdftotext", "xdg-open"]
        /// Commands that were run, and those that were started.
        var ran: [String] = []
        var started: [String] = []
        var ended: [Int32] = []
        var runsDaemon = false
        /// A daemon that was started before answers once its process is looked for.
        var startsWhenLookedFor = false
        /// The daemon's message before it ends, in place of running.
        var daemonFailure: String?
    }

    private let state = Mutex(State())

    static let process: Int32 = 4711

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }
    var now: State { state.withLock { $0 } }
    var runsDaemon: Bool { now.runsDaemon }

    func run(_ command: [String], environment: [String: String]) -> ProgramResult? {
        let line = command.joined(separator: " ")
        return state.withLock { state in
            state.ran.append(line)
            if line.hasPrefix("systemctl --user enable --now"), state.programs["systemctl --user enable"] == nil {
                state.runsDaemon = true
                return ProgramResult(status: 0, output: "")
            }
            return state.programs.filter { line.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
        }
    }

    func find(_ program: String, in folder: String, environment: [String: String]) -> String? {
        now.installed.contains(program) ? "\(folder)/\(program)" : nil
    }

    func text(of path: String) -> String? { now.texts[path] }
    func obstacle(toWritingIn directory: String) -> String? { now.obstacles[directory] }
    func answers(atSocket path: String) -> Bool? { true }
    func owner(ofPort port: Int) -> PortOwner { now.owners[port] ?? .nobody }
    func interfaces() -> [NetworkInterface] { now.interfaces }
    func obstacleToMulticast() -> String? { now.multicastObstacle }
    func processName(_ processID: Int32) -> String? {
        state.withLock { state in
            if state.startsWhenLookedFor { state.runsDaemon = true }
            return state.names[processID]
        }
    }

    func start(_ command: [String], environment: [String: String], log: String) throws(BatonError) -> Int32 {
        state.withLock { state in
            state.started.append(command.joined(separator: " "))
            if let failure = state.daemonFailure {
                state.texts[log] = failure
            } else {
                state.runsDaemon = true
                state.names[Self.process] = "batond"
            }
        }
        return Self.process
    }

    func end(_ processID: Int32) {
        state.withLock { state in
            state.ended.append(processID)
            state.runsDaemon = false
        }
    }

    /// The person has a systemd with Baton's unit.
    func installUnit(enabled: Bool, active: Bool = false) {
        change { state in
            state.programs["systemctl --user is-system-running"] = ProgramResult(status: 1, output: "degraded\n")
            let file = enabled ? "enabled" : "disabled"
            state.programs["systemctl --user show batond.service"] = ProgramResult(
                status: 0,
                output: "LoadState=loaded\nActiveState=\(active ? "active" : "inactive")\nUnitFileState=\(file)\n")
        }
    }
}
