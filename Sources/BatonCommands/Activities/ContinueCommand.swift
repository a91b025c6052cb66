import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton continue`
struct ContinueCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Continue another device's offer here.",
        discussion: """
            Says in one line where it is open now, once the other device knows. With --json each step is printed, one a line.
            """)

    @Argument(
        help: "The offer, or a unique beginning of it (default: the newest).", completion: DynamicCompletion.offers)
    var offer: String?

    @Flag(name: .shortAndLong, help: "Print each step, with its time.")
    var verbose = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try NonEmptyArgument.check(
            offer, "The offer is an empty text. Name one that “baton offers” lists, or leave it out for the newest.")
    }

    func run(in session: CommandSession) async throws {
        let events = try await session.stream(
            ControlMethods.continueOffer, .with { $0.offerID = offer ?? "" })
        let isBrief = !verbose && !session.isJSON
        let (continued, signal) = AsyncStream.makeStream(
            of: Baton_Control_V1_ContinuationEvent.self, bufferingPolicy: .bufferingOldest(1))
        let outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await follow(events, session) { signal.yield($0) } }
            group.addTask {
                var outcome = Outcome()
                // The app has the activity: the other device is notified without this command.
                for await event in continued {
                    outcome.place = event
                    break
                }
                try await Task.sleep(for: session.context.acknowledgementPatience)
                return outcome
            }
            return try await group.next() ?? Outcome()
        }
        if isBrief, let place = outcome.place {
            return try session.emitLine(Self.sentence(place, outcome.last))
        }
        if outcome.last == nil {
            try session.remark("The other device has not confirmed it yet; it will be notified when it can be reached.")
        }
    }

    private struct Outcome: Sendable {
        /// Where it is open now.
        var place: Baton_Control_V1_ContinuationEvent?
        /// The last step; nil when the other device has not been heard of.
        var last: Baton_Control_V1_ContinuationEvent.Step?
    }

    /// - Parameter settled: nil while the other device has not confirmed it.
    static func sentence(
        _ event: Baton_Control_V1_ContinuationEvent, _ settled: Baton_Control_V1_ContinuationEvent.Step?
    ) -> String {
        let page = (try? WebPage(event.pageURL))?.shownHost
        let app = event.appName.isEmpty ? "The app" : TerminalText.escape(event.appName)
        let place = page.map { "\(TerminalText.escape($0)) is open here" } ?? "\(app) has it here"
        let device = event.deviceName.isEmpty ? "the other device" : TerminalText.escape(event.deviceName)
        return switch settled {
        case .acknowledged: "\(place); \(device) knows."
        case .notAcknowledged: "\(place); \(device) could not be notified."
        default: "\(place); \(device) has not confirmed it yet, and is notified when it can be reached."
        }
    }

    /// - Returns: how it ended, as far as the daemon said.
    private func follow(
        _ events: ConnectResponses<Baton_Control_V1_ContinuationEvent>, _ session: CommandSession,
        onContinued: (Baton_Control_V1_ContinuationEvent) -> Void
    ) async throws -> Outcome {
        var outcome = Outcome()
        for try await event in events {
            if session.isJSON {
                try session.emitLine(Self.json(event).description)
            } else if verbose {
                try session.emitLine(text(event, session))
            }
            switch event.step {
            case .continued, .pageOpened:
                outcome.place = event
                onContinued(event)
            case .acknowledged, .notAcknowledged:
                outcome.last = event.step
                return outcome
            case .failed: throw failure(event)
            default: break
            }
        }
        guard outcome.place != nil else {
            throw BatonError(
                .aborted, reason: "continuation_ended",
                "The continuation ended without a result. “baton log” says how far it came.")
        }
        return outcome
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
        let elapsed = TimeFormat.milliseconds(microseconds: event.elapsed)
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
