import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton status`
struct StatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the daemon runs, and its state.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let status = try await session.call(ControlMethods.getStatus, .init())
        // A line of several: the others count without it.
        let cloud = (try? await session.call(CloudControlMethods.getCloudStatus, .init())) ?? .init()
        try session.emit(json: Self.json(status, cloud), text: text(status, cloud, session))
    }

    static func json(
        _ status: Baton_Control_V1_GetStatusResponse, _ cloud: Baton_Control_V1_GetCloudStatusResponse
    ) -> JSONValue {
        [
            "software_version": .string(status.softwareVersion), "protocol_version": .init(status.protocolVersion),
            "process_id": .init(status.processID), "started_ms": .init(nonZero: status.started),
            "account_id": .init(nonEmpty: status.accountID), "device_id": .init(nonEmpty: status.deviceID),
            "device_name": .init(nonEmpty: status.deviceName), "revoked": .boolean(status.revoked),
            "devices_connected": .init(status.devicesConnected), "devices_known": .init(status.devicesKnown),
            "apps_installed": .init(status.appsInstalled), "apps_running": .init(status.appsRunning),
            "activities": .init(status.activities), "offers": .init(status.offers),
            "link_port": .init(nonZero: status.linkPort), "taken_port": .init(nonZero: status.takenPort),
            "discovery": .init(nonEmpty: status.discovery),
            "home": .init(nonEmpty: status.home), "interfaces": .init(strings: status.interfaces),
            "sandbox": .init(nonEmpty: status.sandbox), "sandboxed": .boolean(status.sandboxed),
            "desktop_bus_problem": .init(nonEmpty: status.desktopBusProblem),
            "taken_names": .init(nonEmpty: status.takenNames),
            "desktop_helper": .init(nonEmpty: status.desktopHelper),
            "desktop_helper_available": .boolean(status.desktopHelperAvailable),
            "cloud_state": .string(CloudStatusCommand.name(cloud.state)), "cloud": .init(nonEmpty: cloud.url),
        ]
    }

    private func text(
        _ status: Baton_Control_V1_GetStatusResponse, _ cloud: Baton_Control_V1_GetCloudStatusResponse,
        _ session: CommandSession
    ) -> String {
        let now = session.context.clock.now
        let account =
            status.accountID.isEmpty
            ? "none (“baton account create” makes one, “baton pair” joins one)"
            : ShownIdentifier.text(status.accountID) + (status.revoked ? " (this device was revoked)" : "")
        let started = TimeFormat.age(milliseconds: status.started, now: now)
        let interfaces = status.interfaces.isEmpty ? "all interfaces" : status.interfaces.joined(separator: ", ")
        let others = status.otherStages.map { ($0.name, $0.finding) }
        let lines: [(String, String)] = [
            ("Daemon", "running as process \(status.processID), started \(started), version \(status.softwareVersion)"),
            ("Account", account),
            (
                "Device",
                status.deviceName.isEmpty
                    ? "not named yet" : "\(status.deviceName) (\(ShownIdentifier.text(status.deviceID)))"
            ),
            ("Others", "\(status.devicesConnected) connected of \(status.devicesKnown)"),
            ("Apps", "\(status.appsInstalled) installed, \(status.appsRunning) running"),
            ("Sandbox", status.sandbox.isEmpty ? "unknown" : status.sandbox),
            (
                "Desktop",
                status.desktopBusProblem.isEmpty
                    ? status.takenNames.isEmpty ? "apps have entries, and names on the session bus" : status.takenNames
                    : "apps have entries, but no names on the session bus: \(status.desktopBusProblem)"
            ),
            ("Windows", status.desktopHelper.isEmpty ? "unknown" : status.desktopHelper),
            ("Activities", "\(status.activities) here, \(status.offers) offered by others"),
            ("Network", "port \(Self.port(status)), \(interfaces)"),
            ("Discovery", discovery(status)),
            ("Cloud", Self.text(cloud, now: now)),
            ("Home", status.home),
        ]
        return (lines + others).flatMap { name, value in
            TerminalText.wrap(
                TerminalText.escape(value), to: session.context.terminal.width, indentation: 12,
                first: TerminalText.pad(name, to: 12))
        }.joined(separator: "\n")
    }

    private static func port(_ status: Baton_Control_V1_GetStatusResponse) -> String {
        status.takenPort == 0
            ? "\(status.linkPort)"
            : "\(status.linkPort) for now (\(status.takenPort) is taken, and no firewall's rule fits a port that changes)"
    }

    /// The daemon reports what is in the way, and nothing when there is nothing.
    private func discovery(_ status: Baton_Control_V1_GetStatusResponse) -> String {
        if !status.discovery.isEmpty { return status.discovery }
        return status.accountID.isEmpty || status.revoked
            ? "off, since this device has no account" : "on: this device is announced, and looks for the others"
    }

    private static func text(_ cloud: Baton_Control_V1_GetCloudStatusResponse, now: Date) -> String {
        switch cloud.state {
        case .noAccount, .noCloud: return "none (“baton cloud login” gives the account one)"
        case .connected:
            return "\(cloud.url), connected since \(TimeFormat.age(milliseconds: cloud.connectedSince, now: now))"
        case .connecting: return "\(cloud.url), connecting"
        case .unspecified, .UNRECOGNIZED: return "unknown"
        case .waiting:
            return "\(cloud.url), not connected" + (cloud.failure.isEmpty ? "" : ": \(cloud.failure)")
        }
    }
}
