import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton continue`
struct ContinueCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Continue another device's offer here.")

    @Argument(
        help: "The offer, or a unique beginning of it (default: the newest).", completion: DynamicCompletion.offers)
    var offer: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try GivenText.check(
            offer, "The offer is an empty text. Name one that “baton offers” lists, or leave it out for the newest.")
    }

    func run(in session: CommandSession) async throws {
        let events = try await session.stream(
            ControlMethods.continueOffer, .with { $0.offerID = offer ?? "" })
        let (continued, signal) = AsyncStream.makeStream(of: Void.self)
        let isSettled = try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await follow(events, session) { signal.yield() } }
            group.addTask {
                // The app has the activity: the other device is notified without this command.
                for await _ in continued { break }
                try await Task.sleep(for: session.context.acknowledgementPatience)
                return false
            }
            return try await group.next() ?? false
        }
        if !isSettled {
            try session.remark("The other device has not confirmed it yet; it will be notified when it can be reached.")
        }
    }

    /// - Returns: whether there is nothing more to wait for: the other device knows, or was given up.
    private func follow(
        _ events: ConnectResponses<Baton_Control_V1_ContinuationEvent>, _ session: CommandSession,
        onContinued: () -> Void
    ) async throws -> Bool {
        var wasContinued = false
        for try await event in events {
            try session.emitLine(session.isJSON ? Self.json(event).description : text(event, session))
            switch event.step {
            case .continued, .pageOpened:
                wasContinued = true
                onContinued()
            case .acknowledged, .notAcknowledged: return true
            case .failed: throw failure(event)
            default: break
            }
        }
        guard wasContinued else {
            throw BatonError(
                .aborted, reason: "continuation_ended",
                "The continuation ended without a result. “baton log” says how far it came.")
        }
        return false
    }

    private func failure(_ event: Baton_Control_V1_ContinuationEvent) -> CommandFailure {
        let message = event.error.message.isEmpty ? event.message : event.error.message
        return CommandFailure(
            .notContinued,
            BatonError(
                .aborted, reason: "not_continued",
                "The activity was not continued (error \(event.error.code)): \(message)"),
            activityError: event.error.code)
    }

    static func name(_ step: Baton_Control_V1_ContinuationEvent.Step) -> String {
        switch step {
        case .accepted: "accepted"
        case .launching: "launching"
        case .willContinue: "will_continue"
        case .payloadReceived: "payload_received"
        case .continued: "continued"
        case .acknowledged: "acknowledged"
        case .failed: "failed"
        case .notAcknowledged: "not_acknowledged"
        case .pageOpened: "page_opened"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    static func json(_ event: Baton_Control_V1_ContinuationEvent) -> JSONValue {
        [
            "step": .string(name(event.step)), "acceptance_id": .string(event.acceptanceID),
            "elapsed_us": .init(event.elapsed), "message": .string(event.message),
            "app_name": .init(nonEmpty: event.appName), "device_name": .init(nonEmpty: event.deviceName),
            "activity_error": event.hasError ? .init(event.error.code) : .null,
            "page_url": .init(nonEmpty: event.pageURL),
        ]
    }

    private func text(_ event: Baton_Control_V1_ContinuationEvent, _ session: CommandSession) -> String {
        let elapsed = Moment.milliseconds(microseconds: event.elapsed)
        let padding = String(repeating: " ", count: max(0, 12 - elapsed.count))
        let step = TerminalText.pad(Self.name(event.step).replacing("_", with: " "), to: 16)
        let colour: Paint.Colour =
            switch event.step {
            case .failed: .red
            case .notAcknowledged: .yellow
            case .continued, .pageOpened, .acknowledged: .green
            default: .bold
            }
        return "\(padding)\(elapsed)  \(session.paint(colour, step))  \(TerminalText.escape(event.message))"
    }
}
