import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton airdrop`
struct AirDropCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "airdrop", abstract: "Show or change who may see this device.",
        discussion: """
            off: no device can send to this one. contacts: the account's own devices and contacts \
            (“baton contacts”) can. everyone: for ten minutes any \
            device nearby can ask to send; then it is as before. “baton receive” shows who asks.
            """)

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case off, contacts, everyone

        var message: Baton_Control_V1_AirDropVisibility {
            switch self {
            case .off: .off
            case .contacts: .contacts
            case .everyone: .everyone
            }
        }
    }

    @Argument(help: "off, contacts or everyone; without it the present state is shown.")
    var visibility: Choice?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let state =
            if let visibility {
                try await session.call(
                    AirDropMethods.setAirDropVisibility, .with { $0.visibility = visibility.message })
            } else {
                try await session.call(AirDropMethods.getAirDrop, .init())
            }
        try session.emit(
            json: AirDropReport.json(state), text: AirDropReport.text(state, now: session.context.clock.now))
    }
}

/// How AirDrop's state, progress and outcomes are shown.
enum AirDropReport {
    static func name(_ visibility: Baton_Control_V1_AirDropVisibility) -> String {
        switch visibility {
        case .off: "off"
        case .contacts: "contacts"
        case .everyone: "everyone"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    static func json(_ state: Baton_Control_V1_AirDropState) -> JSONValue {
        [
            "visibility": .string(name(state.visibility)), "until_ms": .init(nonZero: state.until),
            "port": .init(nonZero: UInt64(state.port)), "problem": .init(nonEmpty: state.problem),
            "accepts_own_devices": .boolean(state.acceptsOwnDevices),
        ]
    }

    static func text(_ state: Baton_Control_V1_AirDropState, now: Date) -> String {
        var lines: [String] = []
        switch state.visibility {
        case .off: lines.append("No device can send to this one.")
        case .contacts: lines.append("The account's own devices and contacts can send to this device.")
        case .everyone:
            let left = max(0, Double(state.until) / 1000 - now.timeIntervalSince1970)
            let minutes = Int((left / 60).rounded(.up))
            lines.append(
                "Everyone nearby can ask to send to this device, for \(minutes == 1 ? "1 minute" : "\(minutes) minutes")."
            )
            if state.otherPort {
                lines.append("The usual port is taken: a firewall must let TCP port \(state.port) in.")
            }
        case .unspecified, .UNRECOGNIZED: lines.append("This version of Baton does not know the daemon's state.")
        }
        if state.acceptsOwnDevices, state.visibility != .off {
            lines.append("Own devices send without asking (“baton settings set airdrop-own-devices ask” changes that).")
        }
        if !state.problem.isEmpty { lines.append(TerminalText.escape(state.problem)) }
        return lines.joined(separator: "\n")
    }

    static func json(_ outcome: Baton_Control_V1_TransferOutcome) -> JSONValue {
        [
            "result": .string(outcome.result), "reason": .init(nonEmpty: outcome.reason),
            "message": .init(nonEmpty: outcome.message), "items": .init(UInt64(outcome.items)),
            "bytes": .init(outcome.bytes), "paths": .init(strings: outcome.paths),
            "bundle_id": .init(nonEmpty: outcome.bundleID),
        ]
    }

    static func json(_ progress: Baton_Control_V1_TransferProgress) -> JSONValue {
        [
            "bytes": .init(progress.bytes), "total_bytes": .init(nonZero: progress.total),
            "files": .init(UInt64(progress.items)), "total_files": .init(UInt64(progress.totalItems)),
            "waiting": .boolean(progress.waiting),
        ]
    }

    /// Empty when nothing is left out.
    static func leftOut(_ count: UInt32) -> String {
        count == 0
            ? "" : " \(count == 1 ? "1 link or special file is" : "\(count) links and special files are") left out."
    }

    static func items(_ count: UInt32) -> String { count == 1 ? "1 item" : "\(count) items" }

    static func error(_ outcome: Baton_Control_V1_TransferOutcome, peer: String) -> BatonError {
        switch outcome.result {
        case "declined":
            BatonError(.permissionDenied, reason: "declined", "\(peer) declined.")
        case "expired":
            BatonError(
                .deadlineExceeded, reason: "expired",
                "\(peer) did not answer in time. Send it again when a person is there to accept it.")
        case "cancelled":
            BatonError(.canceled, reason: "cancelled", "The transfer was cancelled.")
        default:
            BatonError(
                BatonError.Code(rawValue: outcome.code) ?? .unavailable,
                reason: outcome.reason.isEmpty ? "transfer_failed" : outcome.reason,
                outcome.message.isEmpty ? "The transfer failed. Send it again." : outcome.message)
        }
    }
}

/// Progress in one line: bytes, rate, time left.
struct TransferMeter {
    private let start: Date
    /// Bytes that had come before.
    private let first: UInt64

    init(start: Date, _ first: Baton_Control_V1_TransferProgress = .init()) {
        self.start = start
        // The first part says how fast it is; of an interrupted transfer much is there already.
        self.first = first.bytes > 1 << 20 ? first.bytes : 0
    }

    /// - Parameter peer: the device that it waits for when the connection is lost, as within a sentence.
    func line(
        _ progress: Baton_Control_V1_TransferProgress, with peer: String = "the other device", now: Date
    )
        -> String
    {
        let seconds = max(0.001, now.timeIntervalSince(start))
        let rate = Double(progress.bytes - min(first, progress.bytes)) / seconds
        var parts = [ByteSize.text(progress.bytes)]
        if progress.total > 0 {
            parts[0] =
                "\(ProgressBar.text(progress.bytes, of: progress.total))  \(parts[0]) of \(ByteSize.text(progress.total))"
        }
        if progress.totalItems > 1 { parts.append("\(progress.items) of \(progress.totalItems) files") }
        guard !progress.waiting else { return (parts + ["waiting for \(peer) …"]).joined(separator: ", ") }
        parts.append("\(ByteSize.text(UInt64(rate)))/s")
        if progress.total > progress.bytes, rate > 1 {
            let left = Double(progress.total - progress.bytes) / rate
            parts.append("\(Self.duration(left)) left")
        }
        return parts.joined(separator: ", ")
    }

    private static func duration(_ seconds: Double) -> String {
        let seconds = Int(min(seconds.rounded(.up), 360_000))
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
}
