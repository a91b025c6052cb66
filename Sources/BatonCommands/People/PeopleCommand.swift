import ArgumentParser

/// `baton people`
struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List people and the apps that reach them, and write to them or call them.",
        discussion: """
            A person that only an app knows is listed as “from APP”. An app is on a card if it was used with the person, or if it \
            says that it can reach people and the card has an address for it.
            PERSON is a name, a part of one, an address, or an identifier of “baton people --json”.
            """,
        subcommands: [
            PeopleListCommand.self, PeopleShowCommand.self, PeopleMessageCommand.self, PeopleCallCommand.self,
            PeopleVideoCommand.self, PeopleDefaultCommand.self, PeopleAccessCommand.self,
        ], defaultSubcommand: PeopleListCommand.self)
}
