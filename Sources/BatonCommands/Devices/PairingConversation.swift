import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// Carries a person through a pairing: shows what the daemon reports, asks about the code, hands on the verdict.
struct PairingConversation: Sendable {
    enum Purpose: Sendable {
        case account
        case contact
    }

    let session: CommandSession
    let client: any ConnectClient
    /// Whether `baton setup` asks for it: then the other device is a machine where Baton may be new.
    var isSetup = false
    var purpose = Purpose.account

    private enum Input: Sendable {
        case event(Baton_Control_V1_PairingEvent)
        case eventsEnded
        case line(String)
        case linesEnded
    }

    /// Both sources feed one loop, since the pairing may end (the other side refused, the time ran out) while the
    /// person still looks at the code.
    func run(_ events: ConnectResponses<Baton_Control_V1_PairingEvent>) async throws {
        // Bound 32: the daemon sends a handful of events, and lines come as fast as a person answers. On overflow the
        // newest are dropped; a verdict that is lost only leaves the pairing to its time limit.
        let (inputs, continuation) = AsyncThrowingStream.makeStream(
            of: Input.self, bufferingPolicy: .bufferingOldest(32))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Another device that has an account of its own.
                var rival: Baton_Control_V1_PairingSponsor?
                var own: [String] = []
                do {
                    for try await event in events {
                        if case .sponsor(let sponsor) = event.kind, !sponsor.sameAccount { rival = sponsor }
                        if case .waiting(let waiting) = event.kind { own = waiting.addresses }
                        continuation.yield(.event(event))
                    }
                    continuation.yield(.eventsEnded)
                } catch {
                    continuation.finish(throwing: explained(error, rival, own))
                }
            }
            defer { group.cancelAll() }
            var isReading = false
            var inputHasEnded = false
            /// The code that awaits an answer.
            var shown: String?
            for try await input in inputs {
                switch input {
                case .event(let event):
                    // An answer that comes now would be one to a code that counts no more.
                    if case .attemptEnded = event.kind { shown = nil }
                    if try report(event) { return }
                    guard case .code(let code) = event.kind else { continue }
                    // Another one when an attempt failed and the next began: it needs an answer of its own.
                    shown = code.code
                    if inputHasEnded { throw nobodyConfirmed }
                    if isReading { continue }
                    isReading = true
                    // Only now: an answer that was typed before the code was seen is no comparison.
                    group.addTask {
                        for await line in session.context.input.lines() { continuation.yield(.line(line)) }
                        continuation.yield(.linesEnded)
                    }
                case .line(let line):
                    if let code = shown, try await confirm(line, code) { shown = nil }
                case .linesEnded:
                    inputHasEnded = true
                    // The prompt is open still.
                    try say("")
                    if shown != nil { throw nobodyConfirmed }
                case .eventsEnded:
                    throw BatonError(
                        .aborted, reason: "pairing_ended", "The pairing ended without a result. Start it again on both."
                    )
                }
            }
        }
    }

    /// - Returns: true when all is done.
    private func report(_ event: Baton_Control_V1_PairingEvent) throws -> Bool {
        if session.isJSON { try session.emitLine(Self.json(event).description) }
        switch event.kind {
        case .waiting(let waiting) where purpose == .contact:
            try say(
                "Waiting for the other device: run “baton contacts add” there too. This device's label is \(waiting.label)."
            )
        case .waiting(let waiting):
            let command = isSetup ? "baton setup --join" : "baton pair"
            let place = isSetup ? "install Baton on it, and run “\(command)” there" : "run “\(command)” there too"
            try say(
                "Waiting for the other device: \(place). This device's label is \(TerminalText.escape(waiting.label)).")
            if !waiting.addresses.isEmpty {
                let addresses = waiting.addresses.map(TerminalText.escape).joined(separator: " or ")
                try say("Without multicast, run there: \(command) --address \(addresses)")
            }
            if isSetup { try showCode(command, waiting.addresses.first) }
        case .looking:
            try say("Waiting for a device that has an account: run “baton pair” there too.")
        case .sponsor(let sponsor):
            try say(text(sponsor))
        case .attemptEnded(let end):
            try say("\n\(TerminalText.escape(end.message))")
        case .candidates(let candidates):
            let labels = candidates.labels.map(TerminalText.escape).joined(separator: ", ")
            try say("Several devices wait: \(labels). Run “\(command) --label LABEL” with the one you mean.")
        case .code(let code):
            try say("\n    \(session.paint(.bold, Self.spaced(code.code)))\n")
            if !session.isJSON {
                try session.prompt("Does the other device show the same code? Type y or n, or the code that it shows:")
            }
        case .done(let done) where purpose == .contact:
            try say(
                "“\(TerminalText.escape(done.deviceName))” is a contact now. With “baton airdrop contacts” on both, each can send to the other."
            )
            return true
        case .done(let done):
            try say(
                "Paired with “\(TerminalText.escape(done.deviceName))”, in account \(ShownIdentifier.text(done.accountID))."
            )
            return true
        case nil:
            break
        }
        return false
    }

    /// The command to type on the other machine, for its camera.
    private func showCode(_ command: String, _ address: String?) throws {
        guard !session.isJSON, session.context.terminal.isOutputInteractive,
            let code = QRCode(command + (address.map { " --address \($0)" } ?? "")),
            session.context.terminal.width.map({ $0 >= code.size + 4 }) ?? false
        else { return }
        try session.emitLine(code.terminalLines().joined(separator: "\n"))
    }

    /// - Parameter shown: the code that the person saw. A yes is sent as this code, so that it can never stand for one
    ///   that replaced it meanwhile.
    /// - Returns: true when that was an answer.
    private func confirm(_ line: String, _ shown: String) async throws -> Bool {
        switch Answer(line) {
        case .yes: try await send(.with { $0.typedCode = shown })
        case .code(let code): try await send(.with { $0.typedCode = code })
        case .no:
            // The answer does not matter: ending this command ends the pairing.
            try? await send(.init())
            throw CommandFailure.declined(
                "\(unsuccessful) If the codes differed, an attacker may be between them: try on a network "
                    + "that you trust.")
        case .unclear:
            try say("Please answer y or n, or type the six digits that the other device shows.")
            return false
        }
        try say("Confirmed here; waiting for the other device.")
        return true
    }

    private func send(_ request: Baton_Control_V1_ConfirmPairingRequest) async throws {
        _ = try await client.unary(ControlMethods.confirmPairing, request, timeout: .seconds(15))
    }

    /// Neither of two devices that have accounts joins the other.
    private func text(_ sponsor: Baton_Control_V1_PairingSponsor) -> String {
        let label = TerminalText.escape(sponsor.label)
        guard sponsor.sameAccount else {
            return
                "The device with the label \(label) has an account too, as this one does, so neither can join the other. "
                + afterTwoAccounts
        }
        let name =
            sponsor.deviceName.isEmpty ? "The device with the label \(label)" : TerminalText.escape(sponsor.deviceName)
        return "\(name) is paired with this device already: both are in the same account, see “baton devices”. "
            + "To let a third device in, run “baton pair” there."
    }

    /// The steps on each of two devices that have accounts.
    private var afterTwoAccounts: String {
        let rest =
            isSetup ? "“baton setup --join” there and “baton pair” on the other one" : "“baton pair” on both again"
        return "If it is yours, run “baton account leave” on one of the two, then \(rest)."
    }

    /// In the end a person who waited for a device that could not join learns why it could not.
    /// - Parameter own: the addresses at which this device waited.
    private func explained(
        _ error: any Error, _ rival: Baton_Control_V1_PairingSponsor?, _ own: [String]
    ) -> any Error {
        guard let error = error as? BatonError, error.reason == "pairing_timeout" else { return error }
        guard let rival else {
            guard let port = own.first?.split(separator: ":").last, own.first?.contains(":") == true else {
                return error
            }
            return BatonError(
                error.code, reason: error.reason,
                error.message
                    + " If that device did not find this one, let TCP port \(port) through the firewall here: "
                    + "“baton doctor” says how.")
        }
        return BatonError(
            error.code, reason: error.reason,
            "No device joined in time. The device with the label \(rival.label) has an account too, as this one does. "
                + afterTwoAccounts)
    }

    private var command: String { purpose == .contact ? "baton contacts add" : "baton pair" }
    private var unsuccessful: String {
        purpose == .contact ? "No contact was added." : "The devices were not paired."
    }
    private var nobodyConfirmed: CommandFailure {
        CommandFailure.declined("The code was not confirmed. \(unsuccessful)")
    }

    private func say(_ line: String) throws {
        if !session.isJSON { try session.emitLine(line) }
    }

    /// `123 456`, easier to compare.
    private static func spaced(_ code: String) -> String {
        let code = TerminalText.escape(code)
        return code.count == 6 ? "\(code.prefix(3)) \(code.suffix(3))" : code
    }

    static func json(_ event: Baton_Control_V1_PairingEvent) -> JSONValue {
        switch event.kind {
        case .waiting(let waiting):
            ["event": "waiting", "label": .string(waiting.label), "addresses": .init(strings: waiting.addresses)]
        case .looking:
            ["event": "looking"]
        case .sponsor(let sponsor):
            [
                "event": "sponsor", "label": .string(sponsor.label), "same_account": .boolean(sponsor.sameAccount),
                "device_name": .init(nonEmpty: sponsor.deviceName),
            ]
        case .attemptEnded(let end):
            ["event": "attempt_ended", "reason": .string(end.reason), "message": .string(end.message)]
        case .candidates(let candidates):
            ["event": "candidates", "labels": .init(strings: candidates.labels)]
        case .code(let code):
            ["event": "code", "code": .string(code.code)]
        case .done(let done):
            [
                "event": "done", "account_id": .init(nonEmpty: done.accountID), "device_id": .string(done.deviceID),
                "device_name": .string(done.deviceName),
            ]
        case nil:
            ["event": "unknown"]
        }
    }
}
