import ArgumentParser

/// `baton account`
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Make, show, leave or recover the account that your devices share.",
        subcommands: [
            AccountCreateCommand.self, AccountShowCommand.self, AccountLeaveCommand.self,
            AccountRecoveryKeyCommand.self, AccountRecoverCommand.self,
        ])
}
