import ArgumentParser

/// `baton links`
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Associated domains: which web pages belong to which apps.",
        discussion: """
            A site's file apple-app-site-association names its apps. “check” and “sign” are for the site's owner and need \
            no daemon; “list” and “refresh” are about the sites that the apps installed here claim.
            """,
        subcommands: [
            LinksCheckCommand.self, LinksSignCommand.self, LinksListCommand.self, LinksRefreshCommand.self,
        ])
}
