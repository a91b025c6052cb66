import ArgumentParser
import BatonCore

/// Parses a command line, runs the command, says what went wrong.
package struct CommandRunner: Sendable {
    private let context: CommandContext

    package init(context: CommandContext = .system()) { self.context = context }

    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit status.
    package func run(_ arguments: [String]) async -> CommandStatus {
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        do {
            var command = try await BatonCommand.asyncParseAsRoot(arguments)
            if let verb = command as? any Verb {
                try await verb.run(in: CommandSession(context: context, options: verb.options))
            } else {
                // A noun without a verb, or `help`: throws the text to show.
                try command.run()
            }
            return .success
        } catch {
            return report(error, asJSON: wantsJSON, arguments)
        }
    }

    /// A hint about a negative number, or a word to leave out of a search, which look like options; nil when there is none.
    private static func hint(_ arguments: [String]) -> String? {
        let given = Array(arguments.prefix { $0 != "--" })
        if given.first(where: { !$0.hasPrefix("-") }) == "search",
            let word = given.first(where: { $0.hasPrefix("-") && $0.dropFirst().first?.isLetter == true })
        {
            return "To leave a word out, write the whole search in quotes: baton search 'dim sum \(word)'"
        }
        let found = zip(given, given.dropFirst()).first { before, text in
            !before.hasPrefix("-") && text.hasPrefix("-") && Double(text) != nil
        }
        guard let number = found?.1 else { return nil }
        return "A value that begins with a hyphen stands behind “--”, after everything else: … -- \(number)"
    }

    private func report(_ error: any Error, asJSON: Bool, _ arguments: [String]) -> CommandStatus {
        if error is CommandFailure || error is BatonError || error is CancellationError {
            return report(CommandFailure(error), asJSON: asJSON)
        }
        let text = BatonCommand.fullMessage(for: error)
        switch BatonCommand.exitCode(for: error) {
        case .success:
            // Help, the version, a completion script.
            do {
                let examples = text.contains("USAGE:") ? HelpExamples.section(arguments) : nil
                try context.standardOutput.write(
                    (text.hasSuffix("\n") ? text : text + "\n") + (examples.map { "\n\($0)" } ?? ""))
                return .success
            } catch {
                return report(CommandFailure(error), asJSON: asJSON)
            }
        case .validationFailure:
            if let suggestion = VerbSuggestion(arguments, root: VerbTree(BatonCommand.self)) {
                return report(CommandFailure.usage(suggestion.message), asJSON: asJSON)
            }
            let hint = Self.hint(arguments)
            if asJSON {
                let message = [BatonCommand.message(for: error), hint].compactMap { $0 }.joined(separator: " ")
                return report(CommandFailure.usage(message), asJSON: true)
            }
            try? context.standardError.write([text, hint].compactMap { $0 }.joined(separator: "\n") + "\n")
            return .usage
        default:
            return report(CommandFailure(error), asJSON: asJSON)
        }
    }

    /// Bytes. A server may say as much as fits into an answer.
    private static let maximumMessage = 1000

    private func report(_ failure: CommandFailure, asJSON: Bool) -> CommandStatus {
        // Behind an unanswered question, or a line that is drawn over.
        if failure.error != nil, context.openLine.isOpen { try? context.standardError.write("\n") }
        if asJSON {
            if let json = failure.json { try? context.standardError.write("\(json)\n") }
        } else if let error = failure.error {
            let message = TerminalText.escape(error.message.shortened(toBytes: Self.maximumMessage))
            let lines = TerminalText.wrap(message, to: context.terminal.errorWidth, indentation: 7, first: "baton: ")
            try? context.standardError.write(lines.joined(separator: "\n") + "\n")
        }
        return failure.status
    }
}

extension VerbTree {
    /// - Parameter command: with those below it.
    fileprivate init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        self.init(
            name: command._commandName, verbs: configuration.subcommands.map { VerbTree($0) },
            hasDefault: configuration.defaultSubcommand != nil)
    }
}
