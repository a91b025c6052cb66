import ArgumentParser

/// `baton activities`
struct ActivitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activities",
        abstract: "List the activities of apps on this device, current or saved for search.",
        subcommands: [ActivitiesListCommand.self, ActivitiesOpenCommand.self],
        defaultSubcommand: ActivitiesListCommand.self)
}
