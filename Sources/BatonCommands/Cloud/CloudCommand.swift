import ArgumentParser

/// `baton cloud`
struct CloudCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "The account's cloud: where its devices meet when they are not near each other.",
        discussion: """
            The cloud is a baton-cloud server of your own. It keeps sealed data only, and holds no key to it.
            “baton explain sync” says what waits to be sent, and why.
            """,
        subcommands: [
            CloudLogInCommand.self, CloudLogOutCommand.self, CloudStatusCommand.self, CloudUsageCommand.self,
        ], defaultSubcommand: CloudStatusCommand.self)
}
