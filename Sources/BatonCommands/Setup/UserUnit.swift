import BatonCore

/// The unit `batond.service` of the person's own systemd. Every function blocks.
struct UserUnit {
    let machine: any Machine
    let environment: [String: String]

    private static let name = "batond.service"

    enum State: Equatable {
        /// The person has no systemd of their own, as in a container or with another init.
        case noSystemd
        case notInstalled
        case installed(isEnabled: Bool, isActive: Bool)
    }

    var state: State {
        // Also “degraded”, where some other unit failed, ends with another status than 0.
        let running = systemctl("is-system-running")?.output.split(separator: "\n").last ?? ""
        guard ["running", "degraded", "starting", "initializing", "maintenance"].contains(running) else {
            return .noSystemd
        }
        let shown = systemctl("show", Self.name, "--property=LoadState,ActiveState,UnitFileState")?.output ?? ""
        let lines = Set(shown.split(separator: "\n").map(String.init))
        guard lines.contains("LoadState=loaded") else { return .notInstalled }
        return .installed(
            isEnabled: lines.contains("UnitFileState=enabled"), isActive: lines.contains("ActiveState=active"))
    }

    /// Starts the daemon now and at each login.
    func enable() throws(BatonError) {
        let result = systemctl("enable", "--now", Self.name)
        guard result?.status == 0 else {
            throw BatonError(
                .failedPrecondition, reason: "unit_not_started",
                "systemd did not start \(Self.name): \(Self.lastLine(result)). “journalctl --user -u batond” says more."
            )
        }
    }

    /// Puts it back as it was.
    func restore(isEnabled: Bool, isActive: Bool) {
        if !isActive { _ = systemctl("stop", Self.name) }
        if !isEnabled { _ = systemctl("disable", Self.name) }
    }

    /// How the daemon is started at login where no systemd does it.
    static func adviceForLogin(_ command: [String]) -> String {
        let words = command.map { word in
            word.utf8.allSatisfy(Self.isPlain) ? word : BrowserHostFiles.quoted(word)
        }
        return "Put this line into ~/.profile: setsid -f \(words.joined(separator: " ")) >/dev/null 2>&1"
    }

    /// Whether a shell takes a byte as it is, wherever it stands.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func systemctl(_ arguments: String...) -> ProgramResult? {
        machine.run(["systemctl", "--user"] + arguments, environment: environment)
    }

    private static func lastLine(_ result: ProgramResult?) -> String {
        let line = result?.output.split(separator: "\n").last.map(String.init) ?? "systemctl did not end"
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
