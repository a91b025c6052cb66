import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton ask`
struct AskCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Say in words what you want: a reminder, the way, a call, a message, music, an app.",
        discussion: """
            “This”, “here” and “them” are what the app in front shows. A sentence that could mean two things lists them, and \
            does nothing (exit status 2); one that means nothing is answered with what would work (1).
            Before a call or a message to a person that the app in front names, and not you, you are asked; without a terminal, it is \
            shown and not done (2).
            English is understood best; German and Turkish partly. docs/requests.md has the sentences.
            """)

    @Argument(help: "A sentence; quotes around it are not needed.")
    var text: [String]

    @Flag(name: .long, help: "Only say what it means.")
    var dryRun = false

    @Flag(name: .long, help: "Do not ask before a call or a message to a person that an app names, and not you.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !text.isEmpty else { throw ValidationError("Say what you want, as in “baton ask call this place”.") }
    }

    func run(in session: CommandSession) async throws {
        var answer = try await ask("", session)
        if !answer.confirmation.isEmpty, yes || session.canAsk {
            let action = answer.actions.first?.sentence ?? ""
            try await session.confirm(
                TerminalText.escape(answer.message) + "\n" + TerminalText.escape(action) + "?", assumeYes: yes)
            // The daemon does what was shown, and nothing else.
            answer = try await ask(answer.confirmation, session)
        }
        try session.emit(json: json(answer), text: shown(answer, session))
        switch answer.outcome {
        case .choices: throw CommandFailure(.usage, nil)
        case .notUnderstood, .unspecified, .UNRECOGNIZED: throw CommandFailure(.failure, nil)
        case .done, .meant: break
        }
    }

    private func ask(
        _ confirmation: String, _ session: CommandSession
    ) async throws -> Baton_Control_V1_AskResponse {
        do {
            // Apps may have to be started, which has deadlines of its own in the daemon.
            return try await session.call(
                RequestsMethods.ask,
                .with {
                    $0.text = text.joined(separator: " ")
                    $0.dryRun = dryRun
                    $0.timeZone = session.context.timeZone.identifier
                    $0.confirmation = confirmation
                }, timeout: .seconds(90))
        } catch let error as BatonError where error.reason != "daemon_not_running" {
            // A failure of any kind has one status for scripts: it was not done.
            throw CommandFailure(.failure, error)
        }
    }

    private func shown(_ answer: Baton_Control_V1_AskResponse, _ session: CommandSession) -> String {
        let actions = answer.actions.map { "  " + TerminalText.escape($0.sentence) }
        let message = TerminalText.escape(answer.message)
        switch answer.outcome {
        case .meant: return answer.actions.map { TerminalText.escape($0.sentence) + "." }.joined(separator: "\n")
        case .choices:
            let isOne = !answer.confirmation.isEmpty
            let hint = isOne ? "To do it, repeat the command with --yes." : "Say it with more words."
            return ([message] + actions + [hint]).joined(separator: "\n")
        case .done:
            let results = answer.results.map { result in
                session.paint(.bold, TerminalText.escape(result.title))
                    + session.paint(.faint, "  " + TerminalText.escape(result.origin))
            }
            return (results + [message].filter { !$0.isEmpty }).joined(separator: "\n")
        case .notUnderstood, .unspecified, .UNRECOGNIZED:
            let examples = answer.examples.map { "  baton ask " + TerminalText.escape($0) }
            return ([message + " What would work:"] + examples).joined(separator: "\n")
        }
    }

    private func json(_ answer: Baton_Control_V1_AskResponse) -> JSONValue {
        let outcome =
            switch answer.outcome {
            case .done: "done"
            case .meant: "meant"
            case .choices: "choices"
            case .notUnderstood, .unspecified, .UNRECOGNIZED: "not_understood"
            }
        return [
            "outcome": .string(outcome),
            "actions": .array(
                answer.actions.map { action in
                    [
                        "action": .string(action.action), "sentence": .string(action.sentence),
                        "subject": .init(nonEmpty: action.subject), "when": .init(nonEmpty: action.when),
                        "time_ms": action.hasTime ? .init(action.time) : .null,
                        "telephone": .init(nonEmpty: action.telephone),
                        "bundle_id": .init(nonEmpty: action.bundleID),
                        "activity_id": .init(nonEmpty: action.activityID),
                    ]
                }),
            "message": .init(nonEmpty: answer.message),
            "examples": .array(answer.examples.map { .string($0) }),
            "results": .array(
                answer.results.map { ["title": .string($0.title), "origin": .string($0.origin)] }),
        ]
    }
}
