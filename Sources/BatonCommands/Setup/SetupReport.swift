import BatonWire

/// The report of `baton setup` at its end: what is there now, what is not well, and what to do on the other machine.
struct SetupReport: Sendable {
    let session: CommandSession

    func text(
        _ status: Baton_Control_V1_GetStatusResponse, _ launch: DaemonLauncher.Launch, _ checks: [DoctorCheck],
        isRecovered: Bool = false
    ) -> String {
        let name = TerminalText.escape(status.deviceName)
        var lines = ["This device is “\(name)”, in account \(ShownIdentifier.text(status.accountID))."]
        switch launch {
        case .running: break
        case .unit: lines.append("The daemon starts when you log in.")
        case .process(_, let command):
            lines.append("Nothing starts the daemon when you log in. \(UserUnit.adviceForLogin(command))")
        }
        // How it starts was just said.
        let rest = checks.filter { $0.verdict != .ok && $0.name != "start at login" }
        if !rest.isEmpty {
            lines += ["", "Not everything is there (“baton doctor” repeats the checks):"]
            lines += rest.flatMap { $0.lines(session) }
        }
        if isRecovered {
            lines += ["", RecoveryQuestions.next]
        } else if status.devicesKnown == 0 {
            lines += [
                "", "On each of your other machines, install Baton and run: baton setup --join",
                "Here, at the same time: baton pair",
            ]
        } else {
            lines += [
                "", "“baton offers” lists what your other devices are doing, “baton continue” carries on with it.",
            ]
        }
        return lines.joined(separator: "\n")
    }
}
