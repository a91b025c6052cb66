import ArgumentParser
import BatonCore
import BatonWire
import Foundation

/// `baton status`
struct StatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the daemon runs, and what it sees.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let status = try await session.call(ControlMethods.getStatus, .init())
        try session.emit(json: Self.json(status), text: text(status, now: session.context.clock.now))
    }

    static func json(_ status: Baton_Control_V1_GetStatusResponse) -> JSONValue {
        [
            "software_version": .string(status.softwareVersion), "protocol_version": .init(status.protocolVersion),
            "process_id": .init(status.processID), "started_ms": .init(nonZero: status.started),
            "account_id": .init(nonEmpty: status.accountID), "device_id": .init(nonEmpty: status.deviceID),
            "device_name": .init(nonEmpty: status.deviceName), "revoked": .boolean(status.revoked),
            "devices_connected": .init(status.devicesConnected), "devices_known": .init(status.devicesKnown),
            "apps_installed": .init(status.appsInstalled), "apps_running": .init(status.appsRunning),
            "activities": .init(status.activities), "offers": .init(status.offers),
            "link_port": .init(nonZero: status.linkPort), "discovery": .init(nonEmpty: status.discovery),
            "home": .init(nonEmpty: status.home), "interfaces": .init(strings: status.interfaces),
        ]
    }

    private func text(_ status: Baton_Control_V1_GetStatusResponse, now: Date) -> String {
        let account =
            status.accountID.isEmpty
            ? "none (“baton account create” makes one, “baton pair” joins one)"
            : status.accountID + (status.revoked ? " (this device was revoked)" : "")
        let started = Moment.age(milliseconds: status.started, now: now)
        let interfaces = status.interfaces.isEmpty ? "all interfaces" : status.interfaces.joined(separator: ", ")
        return [
            ("Daemon", "running as process \(status.processID), started \(started), version \(status.softwareVersion)"),
            ("Account", account),
            ("Device", status.deviceName.isEmpty ? "not named yet" : "\(status.deviceName) (\(status.deviceID))"),
            ("Others", "\(status.devicesConnected) connected of \(status.devicesKnown)"),
            ("Apps", "\(status.appsInstalled) installed, \(status.appsRunning) running"),
            ("Activities", "\(status.activities) here, \(status.offers) offered by others"),
            ("Network", "port \(status.linkPort), \(interfaces)"),
            ("Discovery", status.discovery.isEmpty ? "unknown" : status.discovery),
            ("Home", status.home),
        ].map { TerminalText.pad($0.0, to: 12) + TerminalText.escape($0.1) }.joined(separator: "\n")
    }
}
