import ArgumentParser

/// `baton backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back this device up to a disk, a share or your cloud, and restore from backups of your devices.",
        discussion: """
            “baton backup target DIR”, or “baton backup target cloud”, is where to begin; from then on a backup is made every day.
            Everything at the target is sealed for the devices of your account and its recovery key. “baton explain backup” says when the \
            last one was made, and why the next one waits.
            """,
        subcommands: [
            BackupTargetCommand.self, BackupNowCommand.self, BackupListCommand.self, BackupStatusCommand.self,
            BackupVerifyCommand.self, BackupRestoreCommand.self, BackupForgetCommand.self, BackupIncludeCommand.self,
            BackupExcludeCommand.self, BackupWhyCommand.self,
        ])
}
