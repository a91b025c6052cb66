import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// `baton receive`
struct ReceiveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Answer devices that want to send, and show what arrives.",
        discussion: """
            Stays until it is interrupted. A single file goes to the app that takes its type, anything else to the \
            downloads. “baton airdrop everyone” lets devices of other people ask. Questions come one at a time. With --json \
            they come as they are asked, and answers are read from standard input, one a line: “yes” or “no” and the \
            question's transfer_id.
            """)

    @Flag(help: "Accept everything without asking, for as long as this runs.")
    var accept = false

    @Option(name: .long, help: "The folder where files go.", completion: .directory)
    var to: String?

    @Flag(help: "End after the first transfer that was accepted.")
    var once = false

    @Flag(help: "For devices without Baton: opens a one-time address at which a browser uploads files.")
    var web = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !web || !accept && !once else {
            throw ValidationError(
                "--web takes neither --accept nor --once: any browser with the address can upload, once.")
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
            throw CommandFailure.usage("\(question) There is no terminal to ask on: use --accept, or --json.")
        }
    }
}

/// The lines that a terminal shows of transfers to this device.
private struct ReceivingState {
    var questions: ReceivingQuestions
    var progress: ReceivingProgress
    /// By the identifier of the transfer, as at the beginning of a sentence. Bound: the daemon's, of transfers.
    var senders: [String: String] = [:]
    /// For transfers without a question, which would have said it.
    var leftOut: [String: UInt32] = [:]
}

/// That state, for the tasks that read events and lines.
private final class ReceivingTerminal: Sendable {
    private let state: Mutex<ReceivingState>

    init(_ state: ReceivingState) { self.state = Mutex(state) }

    func withLock<Result: Sendable>(_ body: (inout ReceivingState) -> Result) -> Result {
        state.withLock { body(&$0) }
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
        case line(String, ReceivingQuestions.Mark)
    }

    func run(_ events: ConnectResponses<Baton_Control_V1_ReceivingEvent>) async throws {
        // Bound: the daemon's for events; lines that answer nothing are left out below.
        let (inputs, continuation) = AsyncThrowingStream.makeStream(of: Input.self, bufferingPolicy: .unbounded)
        let state = ReceivingTerminal(
            ReceivingState(
                questions: ReceivingQuestions(readingTime: session.context.readingTime),
                progress: ReceivingProgress(columns: session.context.terminal.width)))
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
                group.addTask {
                    for await line in session.context.input.lines() {
                        let (mark, isAsked) = state.withLock {
                            ($0.questions.mark(session.context.clock.now), $0.questions.shown != nil)
                        }
                        if isAsked || session.isJSON { continuation.yield(.line(line, mark)) }
                    }
                }
            }
            defer { group.cancelAll() }
            for try await input in inputs {
                switch input {
                case .line(let line, _) where session.isJSON: try await answerJSON(line)
                case .line(let line, let mark): try await reply(to: line, mark, state)
                case .event(let event): if try show(event, state) { return }
                }
            }
            throw BatonError(
                .unavailable, reason: "stream_ended", "The daemon ended the list. It may be restarting; try again.")
        }
    }

    // MARK: Answers

    private func reply(
        to line: String, _ mark: ReceivingQuestions.Mark, _ state: ReceivingTerminal
    )
        async throws
    {
        let reply = state.withLock { state in
            state.progress.interrupt()
            return state.questions.reply(line, mark)
        }
        switch reply {
        case .void: return
        case .early:
            try session.remark("That was typed before this question could be read, and is no answer to it.")
            try prompt()
        case .unclear: try prompt()
        case .answer(let id, let accepts):
            do {
                try await answer(id, accepts: accepts)
            } catch let error as BatonError where error.reason == "unknown_transfer" {
                try session.remark(error.message)
            }
            try ask(state.withLock { $0.questions.next(session.context.clock.now) })
        }
    }

    /// “yes ID” or “no ID”: an answer without the question that it answers counts for none.
    private func answerJSON(_ line: String) async throws {
        let words = line.split(whereSeparator: \.isWhitespace)
        let verdict = Answer(String(words.first ?? ""))
        do {
            guard words.count == 2, verdict == .yes || verdict == .no else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_answer",
                    "An answer is “yes” or “no”, a space, and the question's transfer_id.")
            }
            try await answer(String(words[1]), accepts: verdict == .yes)
        } catch let error as BatonError {
            let event: JSONValue = [
                "event": "answer_refused", "transfer_id": words.count == 2 ? .string(String(words[1])) : .null,
                "reason": .string(error.reason), "message": .string(error.message),
            ]
            try session.emitLine(event.description)
        }
    }

    private func answer(_ id: String, accepts: Bool) async throws {
        _ = try await session.call(
            AirDropMethods.answerAsk,
            .with {
                $0.transferID = id
                $0.accept = accepts
                $0.directory = directory
            })
    }

    // MARK: Questions

    private func ask(_ question: ReceivingQuestions.Question?) throws {
        guard let question else { return }
        try session.remark(question.text)
        try prompt()
    }

    private func prompt() throws {
        // A line that was begun before was not meant for this question.
        session.context.discardTypedInput()
        try session.context.standardError.write("Accept? Type y or n, then Enter: ")
    }

    /// - Returns: true when all is done.
    private func show(
        _ event: Baton_Control_V1_ReceivingEvent, _ state: ReceivingTerminal
    ) throws -> Bool {
        if session.isJSON { try session.emitLine(Self.json(event).description) }
        let id = event.transferID
        let now = session.context.clock.now
        switch event.event {
        case .ready(let ready): try session.remark(AirDropReport.text(ready.state, now: now))
        case .asked(let asked):
            let question = state.withLock { state -> ReceivingQuestions.Question? in
                state.senders[id] = ReceivingText.sender(asked)
                guard !accept, !session.isJSON else {
                    state.leftOut[id] = asked.leftOut
                    return nil
                }
                state.progress.interrupt()
                return state.questions.ask(.init(transfer: id, text: ReceivingText.question(asked)), now: now)
            }
            try ask(question)
        case .accepted:
            guard state.withLock({ $0.questions.end(id) }) else { break }
            try session.remark("\nAccepted elsewhere.")
            try ask(state.withLock { $0.questions.next(now) })
        case .outcome(let outcome):
            let (sender, leftOut, wasShown) = state.withLock { state in
                state.progress.end(id)
                state.progress.interrupt()
                return (
                    state.senders.removeValue(forKey: id), state.leftOut.removeValue(forKey: id),
                    state.questions.end(id)
                )
            }
            if !session.isJSON {
                let text = ReceivingText.outcome(outcome, sender ?? "The other device", leftOut: leftOut ?? 0)
                try session.emitLine(wasShown ? "\n" + text : text)
            }
            try ask(state.withLock { $0.questions.next(now) })
            return once && (outcome.result == "delivered" || outcome.result == "failed")
        case .progress(let arrived):
            guard !session.isJSON, session.context.terminal.isOutputInteractive else { break }
            let drawing = state.withLock { state -> String? in
                // A question that waits for its answer keeps its line.
                guard state.questions.shown == nil else { return nil }
                return state.progress.drawing(id, from: state.senders[id] ?? "another device", arrived, now: now)
            }
            if let drawing { try session.context.standardOutput.write(drawing) }
        case nil: break
        }
        return false
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
                "bytes": .init(nonZero: asked.bytes), "left_out": .init(UInt64(asked.leftOut)),
            ]
        case .progress(let progress):
            return ["event": "progress", "transfer_id": id, "progress": AirDropReport.json(progress)]
        case .accepted: return ["event": "accepted", "transfer_id": id]
        case .outcome(let outcome):
            return ["event": "ended", "transfer_id": id, "outcome": AirDropReport.json(outcome)]
        case nil: return ["event": "unknown"]
        }
    }
}
