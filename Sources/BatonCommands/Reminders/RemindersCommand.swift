import ArgumentParser

/// `baton reminders`
struct RemindersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "List, make and answer reminders.",
        discussion: """
            Each is an iCalendar file in a folder that todoman, vdirsyncer and other programs may share: “reminders” in the \
            folder of Baton's data, unless the setting reminders.folder names another. “baton reminders --json” says which.
            """,
        subcommands: [
            RemindersListCommand.self, RemindersAddCommand.self, RemindersDoneCommand.self, RemindersSnoozeCommand.self,
            RemindersOpenCommand.self, RemindersDeleteCommand.self,
        ],
        defaultSubcommand: RemindersListCommand.self)
}
