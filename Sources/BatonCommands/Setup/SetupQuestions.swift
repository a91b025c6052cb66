import BatonCore
import Foundation

/// What `baton setup` must ask a person, and what the options have answered already.
struct SetupQuestions: Sendable {
    let session: CommandSession
    let command: SetupCommand

    struct Answers: Sendable {
        /// The first of the person's devices makes the account.
        var isFirst: Bool
        var name: String
    }

    /// How often an answer may be unclear.
    private static let attempts = 3

    /// - Throws: `usage` where nobody can be asked and the options do not say everything.
    func check() throws {
        if isPersonThere { return }
        guard command.new || command.join else {
            throw CommandFailure.usage(
                "Nobody can be asked here: say --new for the first of your devices, --join for a further one.")
        }
        guard command.name != nil || command.yes else {
            throw CommandFailure.usage("Nobody can be asked here: name this device with --name, or say --yes.")
        }
    }

    func ask() async throws -> Answers {
        let isFirst = command.new ? true : command.join ? false : try await askWhetherFirst()
        return Answers(isFirst: isFirst, name: try await askName())
    }

    /// Whether another device shall join now.
    func wantsDevice() async throws -> Bool {
        let answer = try await line("Let another device join now? [Y/n] ")
        return answer.map { $0.isEmpty || Answer($0) == .yes } ?? false
    }

    private func askWhetherFirst() async throws -> Bool {
        for _ in 0..<Self.attempts {
            let answer = try await line(
                "Is this the first of your devices, or does it join one that is set up? [first/join] ")
            switch answer?.lowercased() {
            case "f", "first", "new": return true
            case "j", "join": return false
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
        guard let answer = try await line("Name of this device [\(TerminalText.escape(host))]: ") else {
            throw Self.unanswered
        }
        return answer.isEmpty ? host : answer
    }

    var isPersonThere: Bool { session.context.terminal.isInputInteractive && !session.isJSON && !command.yes }

    /// A line without the blanks around it; nil at the end of the input.
    private func line(_ question: String) async throws -> String? {
        try session.context.standardError.write(question)
        var lines = session.context.input.lines().makeAsyncIterator()
        return await lines.next()?.trimmingCharacters(in: .whitespaces)
    }

    private static let unanswered = CommandFailure.declined("Nothing was changed.")
}
