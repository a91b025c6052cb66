import ArgumentParser

/// `baton team`
struct TeamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team",
        abstract: "Make and keep the keys that sign apps.",
        discussion: "Apps of one team can continue each other's activities. No daemon is needed for any of this.",
        subcommands: [
            TeamCreateCommand.self, TeamListCommand.self, TeamExportCommand.self, TeamImportCommand.self,
        ])
}
