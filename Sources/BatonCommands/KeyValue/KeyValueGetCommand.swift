import ArgumentParser
import BatonCore
import BatonWire

/// `baton kv get`
struct KeyValueGetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a key.",
        discussion: """
            To a pipe or a file a text is written as it is, and a line feed after it; on a terminal its control \
            characters are escaped.
            """)

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let key = KeyValueLimits.canonical(key)
        try await session.keyValues(of: try await store.bundleID(session), watch: false) { list in
            guard let item = list.items.first(where: { $0.key == key }) else {
                throw BatonError(
                    .notFound, reason: "no_such_key",
                    "The store has no key “\(key.shortened(toBytes: 80))”. “baton kv list” shows those that it has.")
            }
            let value = try PropertyValue(item.value)
            if session.isJSON {
                try session.emitLine(KeyValueReport.json(item).description)
            } else {
                try session.emitContent(KeyValueReport.text(value))
            }
        }
    }
}
