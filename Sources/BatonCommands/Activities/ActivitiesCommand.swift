import ArgumentParser

/// `baton activities`
struct ActivitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activities",
        abstract: "List what the apps on this device are doing, or have saved for search.",
        subcommands: [ActivitiesListCommand.self, ActivitiesOpenCommand.self],
        defaultSubcommand: ActivitiesListCommand.self)
}
