import ArgumentParser
import BatonWire
import Foundation

/// `baton cloud status`
struct CloudStatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the account's cloud and whether this device is connected to it.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let status = try await session.call(CloudControlMethods.getCloudStatus, .init())
        // A full account is a reason why documents do not come. A slow cloud holds this command up for five seconds at most.
        let usage =
            status.state == .connected
            ? try? await session.call(CloudControlMethods.getCloudUsage, .init(), timeout: .seconds(5)) : nil
        let isFull = usage.map(CloudUsageCommand.isFull) ?? false
        try session.emit(
            json: [
                "state": .string(Self.name(status.state)), "url": .init(nonEmpty: status.url),
                "fingerprint": .init(nonEmpty: Self.hexadecimal(status.fingerprint)),
                "software_version": .init(nonEmpty: status.softwareVersion),
                "connected_since_ms": .init(nonZero: status.connectedSince),
                "last_connected_ms": .init(nonZero: status.lastConnected),
                "retry_time_ms": .init(nonZero: status.retryTime),
                "failure_reason": .init(nonEmpty: status.failureReason), "failure": .init(nonEmpty: status.failure),
                "full": usage == nil ? .null : .boolean(isFull),
            ],
            text: text(status) + (isFull ? "\n" + CloudUsageCommand.full : ""))
    }

    private func text(_ status: Baton_Control_V1_GetCloudStatusResponse) -> String {
        switch status.state {
        case .noAccount: return "This device belongs to no account. Make one with “baton account create”."
        case .noCloud: return "This account has no cloud. Give it one with “baton cloud login URL”."
        default: break
        }
        var lines: [String] = []
        if !status.url.isEmpty { lines.append("Cloud        \(TerminalText.escape(status.url))") }
        if !status.fingerprint.isEmpty { lines.append("Certificate  \(Self.hexadecimal(status.fingerprint))") }
        let now = Date()
        switch status.state {
        case .connected:
            lines.append("Connection   since \(TimeFormat.age(milliseconds: status.connectedSince, now: now))")
        case .connecting: lines.append("Connection   being made")
        default:
            let last = TimeFormat.age(milliseconds: status.lastConnected, now: now)
            lines.append("Connection   none" + (status.lastConnected > 0 ? ", last \(last)" : ""))
        }
        if !status.failure.isEmpty, status.state != .connected {
            lines.append("Why          \(TerminalText.escape(status.failure))")
        }
        if status.state == .waiting, status.retryTime > 0 {
            lines.append("Next try     in \(TimeFormat.remaining(milliseconds: status.retryTime, now: now))")
        }
        return lines.joined(separator: "\n")
    }

    static func name(_ state: Baton_Control_V1_GetCloudStatusResponse.State) -> String {
        switch state {
        case .noAccount: "no_account"
        case .noCloud: "no_cloud"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting: "waiting"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
