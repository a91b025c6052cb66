import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// A one-time address for a browser: shows it with its QR code, and how the transfer goes.
struct WebTransferConversation: Sendable {
    let session: CommandSession
    /// The files that a browser may download; empty: it may upload.
    let paths: [String]
    /// Where uploads go; empty for the downloads.
    let directory: String
    var isOnce = false

    func run() async throws {
        let events = try await session.stream(
            AirDropMethods.serveWeb,
            .with {
                $0.paths = paths
                $0.directory = directory
                $0.once = isOnce
            })
        let clock = session.context.clock
        var meter: TransferMeter?
        var screen = RedrawnText(columns: session.context.terminal.width)
        for try await event in events {
            if session.isJSON { try session.emitLine(Self.json(event).description) }
            switch event.event {
            case .address(let address): try show(address)
            case .progress(let progress):
                guard !session.isJSON, session.context.terminal.isOutputInteractive else { continue }
                let running = meter ?? TransferMeter(start: clock.now, progress)
                meter = running
                try session.context.standardOutput.write(
                    screen.replacing(with: running.line(progress, with: "the browser", now: clock.now)))
            case .outcome(let outcome): return try end(outcome)
            case nil: continue
            }
        }
        throw BatonError(
            .unavailable, reason: "stream_ended", "The daemon closed the address. It may be restarting; try again.")
    }

    private func show(_ address: Baton_Control_V1_WebTransferAddress) throws {
        guard !session.isJSON else { return }
        var lines: [String] = []
        if session.context.terminal.isOutputInteractive, let url = address.urls.first, let code = QRCode(url),
            session.context.terminal.width.map({ $0 >= code.size + 4 }) ?? false
        {
            lines += code.terminalLines()
        }
        lines += address.urls.map { TerminalText.escape($0) }
        lines.append("The browser warns of an unknown certificate. Its SHA-256 fingerprint must be:")
        lines += Self.groups(address.fingerprint)
        let end = paths.isEmpty || isOnce ? "after use, or in ten minutes" : "in ten minutes"
        lines.append("The address ends \(end); Ctrl-C ends it now.")
        if address.otherPort {
            lines.append("The usual port is taken: a firewall must let TCP port \(address.port) in.")
        }
        try session.emitLine(lines.joined(separator: "\n"))
    }

    /// As browsers show a fingerprint, in two lines.
    static func groups(_ fingerprint: String) -> [String] {
        let characters = Array(fingerprint.uppercased().prefix(64))
        let pairs = stride(from: 0, to: characters.count, by: 2).map {
            String(characters[$0..<min($0 + 2, characters.count)])
        }
        return stride(from: 0, to: pairs.count, by: 16).map {
            "  " + pairs[$0..<min($0 + 16, pairs.count)].joined(separator: ":")
        }
    }

    private func end(_ outcome: Baton_Control_V1_TransferOutcome) throws {
        switch outcome.result {
        case "delivered":
            guard !session.isJSON else { return }
            let size = " (\(ByteSize.text(outcome.bytes)))"
            let places = outcome.paths.prefix(10).map { "\n  " + TerminalText.escape($0) }.joined()
            let what = paths.isEmpty ? "Received" : "A browser has"
            try session.emitLine("\(what) \(AirDropReport.items(outcome.items))\(size).\(places)")
        case "expired":
            throw BatonError(
                .deadlineExceeded, reason: "expired", "The address was not used in ten minutes. Open a new one.")
        default: throw AirDropReport.error(outcome, peer: "The browser")
        }
    }

    static func json(_ event: Baton_Control_V1_WebTransferEvent) -> JSONValue {
        switch event.event {
        case .address(let address):
            [
                "event": "address", "urls": .init(strings: address.urls), "fingerprint": .string(address.fingerprint),
                "until_ms": .init(address.until), "port": .init(UInt64(address.port)),
            ]
        case .progress(let progress): ["event": "progress", "progress": AirDropReport.json(progress)]
        case .outcome(let outcome): ["event": "ended", "outcome": AirDropReport.json(outcome)]
        case nil: ["event": "unknown"]
        }
    }
}
