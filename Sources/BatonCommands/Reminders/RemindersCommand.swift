import ArgumentParser

/// `baton reminders`
struct RemindersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "List, make and answer reminders.",
        discussion: """
            Each is an iCalendar file in the folder that “baton settings get reminders.folder” names, which todoman, vdirsyncer \
            and other programs may share.
            """,
        subcommands: [
            RemindersListCommand.self, RemindersAddCommand.self, RemindersDoneCommand.self, RemindersSnoozeCommand.self,
            RemindersOpenCommand.self, RemindersDeleteCommand.self,
        ],
        defaultSubcommand: RemindersListCommand.self)
}
