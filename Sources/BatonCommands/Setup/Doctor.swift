import BatonCore
import BatonWire

/// The checks of `baton doctor`, on this machine and on what its daemon says.
struct Doctor: Sendable {
    let machine: any Machine
    let locations: Locations
    let environment: [String: String]
    /// The home that was asked for; nil for the XDG directories.
    let chosenHome: String?
    /// The path of `baton`.
    let executable: String
    /// Nil when the daemon does not answer.
    let status: Baton_Control_V1_GetStatusResponse?
    /// The setting `browser`.
    let browserCommand: String

    /// Every check, the most important first. Blocks.
    func checks() -> [DoctorCheck] {
        [home, daemon, start, account] + ports + [
            firewall, multicast, sessionBus, notifications, fileTypes, pdfFiles, browser, windows, sandbox,
        ]
    }

    // MARK: The daemon

    var home: DoctorCheck {
        if let obstacle = Self.obstacle(to: locations, on: machine) {
            return DoctorCheck(
                "home", .failed, obstacle,
                "Make it yours and its disk writable, or name another home with --home.")
        }
        return DoctorCheck("home", .ok, locations.data)
    }

    /// Why the device cannot keep anything; nil when it can.
    static func obstacle(to locations: Locations, on machine: any Machine) -> String? {
        [locations.data, locations.configuration, locations.state, locations.runtime]
            .compactMap { machine.obstacle(toWritingIn: $0) }.first
    }

    /// The process that has this home, whether it answers or not; nil where none has it.
    static func holder(of locations: Locations, on machine: any Machine) -> Int32? {
        guard let text = machine.text(of: locations.lock), let line = text.split(separator: "\n").first,
            let process = Int32(line), machine.processName(process) == "batond"
        else { return nil }
        return process
    }

    private var daemon: DoctorCheck {
        if let status {
            let finding = "process \(status.processID), version \(status.softwareVersion)"
            guard status.softwareVersion == BatonVersion.current else {
                return DoctorCheck(
                    "daemon", .failed, "\(finding), and this command is version \(BatonVersion.current)",
                    "Restart it: systemctl --user restart batond")
            }
            return DoctorCheck("daemon", .ok, finding)
        }
        if let process = Self.holder(of: locations, on: machine) {
            return DoctorCheck(
                "daemon", .failed, "process \(process) has this home and does not answer",
                "End it with “kill \(process)”, then run “baton setup”.")
        }
        return DoctorCheck("daemon", .failed, "it does not run", "Run “baton setup”, which starts it.")
    }

    private var start: DoctorCheck {
        let name = "start at login"
        if let chosenHome {
            return DoctorCheck(
                name, .missing, "a home of its own has no unit",
                UserUnit.adviceForLogin(["batond", "--home", chosenHome]))
        }
        switch UserUnit(machine: machine, environment: environment).state {
        case .noSystemd:
            return DoctorCheck(name, .missing, "this user has no systemd", UserUnit.adviceForLogin(["batond"]))
        case .notInstalled:
            return DoctorCheck(
                name, .missing, "the unit batond.service is not installed",
                "Install it from Baton's package, or as Packaging/README.md says.")
        case .installed(let isEnabled, _):
            guard isEnabled else {
                return DoctorCheck(
                    name, .missing, "the unit batond.service is off", "Run: systemctl --user enable batond")
            }
            return DoctorCheck(name, .ok, "by the unit batond.service")
        }
    }

    private var account: DoctorCheck {
        guard let status else { return DoctorCheck("account", .unknown, "only the daemon knows") }
        guard !status.accountID.isEmpty else {
            return DoctorCheck("account", .failed, "this device belongs to no account", "Run “baton setup”.")
        }
        guard !status.revoked else {
            return DoctorCheck(
                "account", .failed, "this device was revoked",
                "Run “baton account leave”, then “baton setup --join”.")
        }
        let name = "“\(status.deviceName)” in account \(ShownIdentifier.text(status.accountID))"
        guard status.devicesKnown > 0 else {
            return DoctorCheck(
                "account", .ok, "\(name), with no other device yet",
                "Run “baton setup --join” on another machine and “baton pair” here.")
        }
        return DoctorCheck(
            "account", .ok, "\(name), \(status.devicesConnected) connected of \(status.devicesKnown) others")
    }
}
