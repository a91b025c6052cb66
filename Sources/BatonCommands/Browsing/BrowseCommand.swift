import ArgumentParser

/// `baton browse`
struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Offer web pages to your other devices.",
        discussion: """
            “baton browse URL” offers one page; the browser extension, which “baton browse install” sets up, offers the \
            page that you are on.
            """,
        subcommands: [BrowsePageCommand.self, BrowseInstallCommand.self, BrowseHostCommand.self],
        defaultSubcommand: BrowsePageCommand.self)

    @OptionGroup var options: GlobalOptions
}
