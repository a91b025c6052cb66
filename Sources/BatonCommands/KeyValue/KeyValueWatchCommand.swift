import ArgumentParser
import BatonWire

/// `baton kv watch`
struct KeyValueWatchCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the store's keys, and then each change as it comes.",
        discussion:
            "Anywhere but on a terminal it is printed as JSON lines: all keys at first, then those that changed.")

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await session.keyValues(of: try await store.bundleID(session), watch: true) { list in
            if session.isJSON || !session.context.terminal.isOutputInteractive {
                try session.emitLine(KeyValueReport.json(list).description)
            } else {
                try session.emitLine(KeyValueReport.text(list, session))
            }
        }
    }
}
