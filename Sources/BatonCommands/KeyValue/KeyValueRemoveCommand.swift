import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton kv remove`
struct KeyValueRemoveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key and its value, on every device.",
        discussion: "Removing a key that is not there changes nothing, and is no error.")

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await KeyValueSetCommand.write(.with { $0.key = key }, store, session, "is not there any more.")
    }
}
