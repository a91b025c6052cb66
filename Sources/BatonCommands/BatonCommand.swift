import ArgumentParser
import BatonCore

/// `baton`, the root of every verb.
struct BatonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baton",
        abstract: "Carry on with what you are doing on another of your machines.",
        discussion: """
            “baton setup” is where to begin, “baton doctor” checks what Baton needs.
            “baton explain” says why something is not seen, launched, offered, found, backed up or synchronised.
            “baton --generate-completion-script bash|zsh|fish” prints completions for a shell.
            Exit statuses and JSON keys: docs/cli.md.
            """,
        version: BuiltVersion.text,
        groupedSubcommands: [
            CommandGroup(name: "Beginning", subcommands: [SetupCommand.self, DoctorCommand.self]),
            CommandGroup(
                name: "Devices",
                subcommands: [AccountCommand.self, PairCommand.self, DevicesCommand.self, DeviceCommand.self]),
            CommandGroup(
                name: "Activities",
                subcommands: [ActivitiesCommand.self, OffersCommand.self, ContinueCommand.self, NoticesCommand.self]),
            CommandGroup(
                name: "Apps",
                subcommands: [
                    InstallCommand.self, UninstallCommand.self, AppsCommand.self, LaunchCommand.self, QuitCommand.self,
                    KeyValueCommand.self,
                ]),
            CommandGroup(
                name: "Opening",
                subcommands: [
                    OpenCommand.self, HandlersCommand.self, DefaultCommand.self, TypeCommand.self,
                    QuestionsCommand.self,
                    AnswerCommand.self,
                ]),
            CommandGroup(
                name: "Documents",
                subcommands: [
                    DocumentsCommand.self, RecordsCommand.self, FolderCommand.self, DownloadCommand.self,
                    EvictCommand.self,
                    VersionsCommand.self,
                    ConflictsCommand.self, SyncCommand.self,
                ]),
            CommandGroup(name: "Backup", subcommands: [BackupCommand.self]),
            CommandGroup(
                name: "Search", subcommands: [SearchCommand.self, IndexCommand.self, ForgetCommand.self]),
            CommandGroup(
                name: "AirDrop",
                subcommands: [
                    SendCommand.self, ReceiveCommand.self, NearbyCommand.self, AirDropCommand.self,
                    ContactsCommand.self, TransfersCommand.self,
                ]),
            CommandGroup(
                name: "Signing",
                subcommands: [TeamCommand.self, SignCommand.self, VerifyCommand.self]),
            CommandGroup(name: "Cloud", subcommands: [CloudCommand.self]),
            CommandGroup(name: "People", subcommands: [PeopleCommand.self, CardsCommand.self]),
            CommandGroup(name: "Requests", subcommands: [AskCommand.self]),
            CommandGroup(name: "Places", subcommands: [SuggestionsCommand.self, DirectionsCommand.self]),
            CommandGroup(name: "Reminders", subcommands: [RemindersCommand.self]),
            CommandGroup(
                name: "Today",
                subcommands: [
                    TodayCommand.self, PredictionsCommand.self, ContextCommand.self, PlacesCommand.self,
                    LocationCommand.self,
                ]),
            CommandGroup(name: "Media", subcommands: [MediaCommandLine.self]),
            CommandGroup(name: "Web", subcommands: [BrowseCommand.self, LinksCommand.self, ExtractCommand.self]),
            CommandGroup(
                name: "This device",
                subcommands: [SettingsCommand.self, LockCommand.self, UnlockCommand.self]),
            CommandGroup(
                name: "Diagnostics",
                subcommands: [StatusCommand.self, LogCommand.self, ExplainCommand.self]),
        ])

    @OptionGroup var options: GlobalOptions
}
