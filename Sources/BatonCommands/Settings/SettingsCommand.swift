import ArgumentParser

/// `baton settings`
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "View and change settings.",
        discussion: "A change takes effect at once. The file is settings.json in the folder of the configuration.",
        subcommands: [
            SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsResetCommand.self,
        ])
}
