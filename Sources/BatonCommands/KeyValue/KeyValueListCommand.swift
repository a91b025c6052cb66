import ArgumentParser
import BatonWire

/// `baton kv list`
struct KeyValueListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys, their values, and which device set them.",
        discussion: "“waiting” marks values that the account's cloud does not have yet.")

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await session.keyValues(of: try await store.bundleID(session), watch: false) { list in
            try session.emit(json: KeyValueReport.json(list), text: KeyValueReport.text(list, session))
        }
    }
}
