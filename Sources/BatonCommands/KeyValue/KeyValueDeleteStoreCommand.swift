import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton kv delete-store`
struct KeyValueDeleteStoreCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "delete-store", abstract: "Delete the store of a program in development on this device.",
        discussion: """
            The account's other devices and its cloud keep their copies of the store, which come back when the program \
            runs here again. An installed app keeps its store until it is uninstalled.
            """)

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let bundleID = try await store.bundleID(session)
        var (keys, waiting) = (0, 0)
        try await session.keyValues(of: bundleID, watch: false) { list in
            keys = list.items.count
            waiting = list.synced ? list.items.count(where: \.waiting) : keys
        }
        let loss =
            waiting == 0
            ? "" : "\(Self.count(waiting)) may be on this device only, and would be lost. "
        try await session.confirm(
            "\(loss)Delete the key-value store of \(TerminalText.escape(bundleID)) with \(Self.count(keys))?",
            assumeYes: yes)
        _ = try await session.call(ControlMethods.deleteKeyValueStore, .with { $0.bundleID = bundleID })
        try session.emit(
            json: ["bundle_id": .string(bundleID), "deleted_keys": .integer(Int64(keys))],
            text: "The key-value store of \(TerminalText.escape(bundleID)) is deleted on this device.")
    }

    private static func count(_ keys: Int) -> String { keys == 1 ? "1 key" : "\(keys) keys" }
}
