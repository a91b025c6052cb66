import ArgumentParser
import BatonWire

/// `baton kv watch`
struct KeyValueWatchCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the store's keys, and then each change as it comes.",
        discussion: """
            Anywhere but on a terminal it is printed as JSON lines: all keys at first, then those whose value is another. \
            That the account's cloud has a value now is no change of it: “baton kv list” shows that.
            """)

    @Flag(name: .long, help: "Make the store of a program in development that has not run on this device.")
    var create = false

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var shown = KeyValuesShown()
        try await session.keyValues(of: try await store.bundleID(session), watch: true, create: create) { list in
            guard let list = shown.news(in: list) else { return }
            if session.isJSON || !session.context.terminal.isOutputInteractive {
                try session.emitLine(KeyValueReport.json(list).description)
            } else {
                try session.emitLine(KeyValueReport.text(list, session))
            }
        }
    }
}
