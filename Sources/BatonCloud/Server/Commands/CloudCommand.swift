package import ArgumentParser
import BatonCore

/// `baton-cloud`: keeps accounts' sealed data.
package struct CloudCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "baton-cloud", abstract: "Store the sealed data of accounts, and sync it to their devices.",
        discussion: """
            “baton-cloud serve” needs no configuration. It prints the address to call and the fingerprint of its \
            certificate, by which devices know it.
            Exit codes: 0 after a signal, 1 when it cannot start or go on, 64 for wrong usage, 78 for a configuration that \
            cannot be used.
            """,
        version: BatonVersion.current,
        subcommands: [
            ServeCommand.self, CheckConfigurationCommand.self, InviteCommand.self, VerifyCommand.self,
            BackupCommand.self, RestoreCommand.self, RestoredCommand.self, AccountsCommand.self,
        ])

    package init() {}

    /// Parses the arguments of the process, runs, and exits.
    package static func start() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            _ = try parseAsRoot(arguments)
        } catch {
            if exitCode(for: error) == .validationFailure,
                let suggestion = VerbSuggestion(arguments, root: VerbTree(CloudCommand.self), optionsFirst: false)
            {
                exit(withError: ValidationError(suggestion.message))
            }
        }
        await main()
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
