import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton receive`
struct ReceiveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Answer devices that want to send, and show what arrives.",
        discussion: """
            Stays until it is interrupted. A single file goes to the app that takes its type, anything else to the \
            downloads. “baton airdrop everyone” lets devices of other people ask. With --json the answers are read from \
            standard input: “yes” or “no”, one a line, for the questions in their order.
            """)

    @Flag(help: "Accept everything without asking, for as long as this runs.")
    var accept = false

    @Option(name: .long, help: "The folder where files go.", completion: .directory)
    var to: String?

    @Flag(help: "End after the first transfer.")
    var once = false

    @Flag(help: "For devices without Baton: opens a one-time address at which a browser uploads files.")
    var web = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !web || !accept && !once else {
            throw ValidationError("--web takes neither --accept nor --once: whoever has the address uploads, once.")
        }
    }

    func run(in session: CommandSession) async throws {
        if web {
            let directory = to.map { session.context.absolutePath($0) } ?? ""
            return try await WebTransferConversation(session: session, paths: [], directory: directory).run()
        }
        if !accept { try session.requirePersonOrJSON("Answer devices that want to send?") }
        let directory = to.map { session.context.absolutePath($0) } ?? ""
        let events = try await session.stream(
            AirDropMethods.watchReceiving,
            .with {
                $0.accept = accept
                $0.directory = directory
            })
        try await ReceivingConversation(session: session, accept: accept, directory: directory, once: once).run(events)
    }
}

extension CommandSession {
    /// A program that reads JSON answers with `AnswerAsk` itself.
    fileprivate func requirePersonOrJSON(_ question: String) throws {
        guard context.terminal.isInputInteractive || isJSON else {
            throw CommandFailure.usage("\(question) Nobody can be asked here: use --accept, or --json.")
        }
    }
}

/// Shows questions and transfers, and hands on the person's answers.
struct ReceivingConversation: Sendable {
    let session: CommandSession
    let accept: Bool
    let directory: String
    let once: Bool

    private enum Input: Sendable {
        case event(Baton_Control_V1_ReceivingEvent)
        case line(String)
    }

    func run(_ events: ConnectResponses<Baton_Control_V1_ReceivingEvent>) async throws {
        // Policy: a person who types more than 32 lines ahead loses the rest.
        let (inputs, continuation) = AsyncThrowingStream.makeStream(of: Input.self, bufferingPolicy: .unbounded)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await event in events { continuation.yield(.event(event)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            if !accept {
                group.addTask { for await line in session.context.input.lines() { continuation.yield(.line(line)) } }
            }
            defer { group.cancelAll() }
            var questions: [String] = []
            var senders: [String: String] = [:]
            var progress = ReceivingProgress(columns: session.context.terminal.width)
            for try await input in inputs {
                switch input {
                case .line(let line):
                    progress.interrupt()
                    guard let id = questions.first else { continue }
                    questions.removeFirst()
                    try await answer(id, accepts: Answer(line) == .yes)
                case .event(let event):
                    if try show(event, &questions, &senders, &progress) { return }
                }
            }
            throw BatonError(
                .unavailable, reason: "stream_ended", "The daemon ended the list. It may be restarting; try again.")
        }
    }

    private func answer(_ id: String, accepts: Bool) async throws {
        do {
            _ = try await session.call(
                AirDropMethods.answerAsk,
                .with {
                    $0.transferID = id
                    $0.accept = accepts
                    $0.directory = directory
                })
        } catch let error as BatonError where error.reason == "unknown_transfer" {
            try session.remark(error.message)
        }
    }

    /// - Returns: true when all is done.
    private func show(
        _ event: Baton_Control_V1_ReceivingEvent, _ questions: inout [String], _ senders: inout [String: String],
        _ progress: inout ReceivingProgress
    ) throws -> Bool {
        if session.isJSON { try session.emitLine(Self.json(event).description) }
        switch event.event {
        case .ready(let ready):
            let state = AirDropReport.text(ready.state, now: session.context.clock.now)
            try session.remark(state)
        case .asked(let asked):
            senders[event.transferID] = asked.sender
            if accept { return false }
            progress.interrupt()
            questions.append(event.transferID)
            try session.remark(Self.question(asked))
            if !session.isJSON { try session.context.standardError.write("Accept? [y/N] ") }
        case .outcome(let outcome):
            questions.removeAll { $0 == event.transferID }
            let sender = senders.removeValue(forKey: event.transferID) ?? "The other device"
            progress.end(event.transferID)
            progress.interrupt()
            if !session.isJSON { try session.emitLine(Self.text(outcome, sender)) }
            return once
        case .progress(let arrived):
            // A question that waits for its answer keeps its line.
            guard !session.isJSON, session.context.terminal.isOutputInteractive, questions.isEmpty else { break }
            let sender = senders[event.transferID] ?? "another device"
            try session.context.standardOutput.write(
                progress.drawing(event.transferID, from: sender, arrived, now: session.context.clock.now))
        case nil: break
        }
        return false
    }

    private static func question(_ asked: Baton_Control_V1_AskSummary) -> String {
        let things = (asked.names + asked.urls).prefix(5).map { TerminalText.escape($0) }.joined(separator: ", ")
        let more = asked.items > 5 ? " and \(asked.items - 5) more" : ""
        let size = asked.bytes > 0 ? " (\(ByteSize.text(asked.bytes)))" : ""
        let who =
            asked.ownDevice
            ? asked.sender
            : asked.contact ? "\(asked.sender), a contact," : "\(asked.sender), a device that this one does not know,"
        return "\(who) wants to send \(things)\(more)\(size)."
    }

    private static func text(_ outcome: Baton_Control_V1_TransferOutcome, _ sender: String) -> String {
        switch outcome.result {
        case "delivered":
            let places = outcome.paths.prefix(10).map { TerminalText.escape($0) }.joined(separator: "\n  ")
            let app = outcome.bundleID.isEmpty ? "" : " Opened in \(outcome.bundleID)."
            return "\(sender) sent \(AirDropReport.items(outcome.items)).\(app)\n  \(places)"
        case "declined": return "Declined what \(sender) wanted to send."
        default:
            return "Nothing came from \(sender): \(outcome.message.isEmpty ? outcome.result : outcome.message)"
        }
    }

    static func json(_ event: Baton_Control_V1_ReceivingEvent) -> JSONValue {
        let id = JSONValue(nonEmpty: event.transferID)
        switch event.event {
        case .ready(let ready): return ["event": "ready", "state": AirDropReport.json(ready.state)]
        case .asked(let asked):
            return [
                "event": "asked", "transfer_id": id, "sender": .string(asked.sender),
                "own_device": .boolean(asked.ownDevice), "contact": .boolean(asked.contact),
                "names": .init(strings: asked.names),
                "urls": .init(strings: asked.urls), "items": .init(UInt64(asked.items)),
                "bytes": .init(nonZero: asked.bytes),
            ]
        case .progress(let progress):
            return ["event": "progress", "transfer_id": id, "progress": AirDropReport.json(progress)]
        case .outcome(let outcome):
            return ["event": "ended", "transfer_id": id, "outcome": AirDropReport.json(outcome)]
        case nil: return ["event": "unknown"]
        }
    }
}
