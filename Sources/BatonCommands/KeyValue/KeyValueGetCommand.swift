import ArgumentParser
import BatonCore
import BatonWire

/// `baton kv get`
struct KeyValueGetCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Print the value of a key.")

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
                    "The store has no key “\(key.prefix(80))”. “baton kv list” shows those that it has.")
            }
            let value = try PropertyValue(item.value)
            try session.emit(json: KeyValueReport.json(item), text: KeyValueReport.text(value))
        }
    }
}
