import ArgumentParser

/// `baton explain`
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show why something is not seen, not launched, not offered, not linked or not synchronised.",
        discussion:
            "Every stage is shown with its verdict and what to do. The exit status is 0 if all is well, else 1.",
        subcommands: [
            ExplainDeviceCommand.self, ExplainAppCommand.self, ExplainActivityCommand.self, ExplainLinksCommand.self,
            ExplainSyncCommand.self, ExplainURLCommand.self, ExplainFileCommand.self, ExplainAirDropCommand.self,
            ExplainSuggestionCommand.self, ExplainPredictionCommand.self, ExplainBackupCommand.self,
            ExplainSearchCommand.self, ExplainRecordsCommand.self,
        ])
}
