import BatonCore
import Foundation

/// The questions that `baton setup` must ask a person, and what the options have answered already.
struct SetupQuestions: Sendable {
    let session: CommandSession
    let command: SetupCommand

    struct Answers: Sendable {
        var way: Way
        var name: String
    }

    /// How this device comes into an account.
    enum Way: Sendable {
        /// The first of the person's devices makes it.
        case first
        case join
        case recover(RecoverySheet)
    }

    /// How often an answer may be unclear.
    private static let attempts = 3

    /// - Throws: `usage` where there is no terminal to ask at and the options do not say everything.
    func check() throws {
        if command.recover { try recovery.check() }
        if isPersonThere { return }
        guard command.new || command.join || command.recover else {
            throw CommandFailure.usage(
                "There is no terminal to ask on: say --new for the first of your devices, --join for a further one, --recover "
                    + "when all are lost.")
        }
        guard command.name != nil || command.yes else {
            throw CommandFailure.usage("There is no terminal to ask on: name this device with --name, or say --yes.")
        }
    }

    func ask() async throws -> Answers {
        let way: Way =
            if command.new { .first } else if command.join { .join } else if command.recover {
                .recover(try await recovery.ask())
            } else { try await askForWay() }
        return Answers(way: way, name: try await askName())
    }

    var recovery: RecoveryQuestions {
        RecoveryQuestions(session: session, cloud: command.cloud, fingerprint: command.fingerprint)
    }

    /// Whether another device shall join now.
    func wantsDevice() async throws -> Bool {
        let answer = try await line("Let another device join now? Type y or n (press Enter for y):")
        return answer.map { $0.isEmpty || Answer($0) == .yes } ?? false
    }

    private func askForWay() async throws -> Way {
        for _ in 0..<Self.attempts {
            let answer = try await line(
                "Is this the first of your devices, does it join one that is set up, or are all your devices lost? Type "
                    + "first, join or recover:")
            switch answer?.lowercased() {
            case "f", "first", "new": return .first
            case "j", "join": return .join
            case "r", "recover", "lost": return .recover(try await recovery.ask())
            case nil: throw Self.unanswered
            default: continue
            }
        }
        throw Self.unanswered
    }

    private func askName() async throws -> String {
        if let name = command.name { return name }
        let host = ProcessInfo.processInfo.hostName
        guard isPersonThere else { return host }
        guard
            let answer = try await line(
                "Name of this device (press Enter for “\(TerminalText.escape(host))”):")
        else {
            throw Self.unanswered
        }
        return answer.isEmpty ? host : answer
    }

    var isPersonThere: Bool { session.context.terminal.isInputInteractive && !session.isJSON && !command.yes }

    /// A line without the blanks around it; nil at the end of the input.
    private func line(_ question: String) async throws -> String? {
        try session.prompt(question)
        var lines = session.context.input.lines().makeAsyncIterator()
        return await lines.next()?.trimmingCharacters(in: .whitespaces)
    }

    private static let unanswered = CommandFailure.declined("Nothing was changed.")
}
