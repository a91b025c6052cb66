import ArgumentParser

/// `baton browse host`: the program that a browser starts for the extension.
struct BrowseHostCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Speak with the browser extension over standard input and output.",
        shouldDisplay: false)

    @Argument(parsing: .postTerminator, help: "Arguments that the browser passes on.")
    var caller: [String] = []

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try BrowserCaller.check(caller)
        let context = session.context
        try await BrowserHostService(
            .init(
                publisher: .init(makeClient: { try session.client() }), read: context.readChunk,
                write: context.writeOutput)
        ).run()
    }
}
