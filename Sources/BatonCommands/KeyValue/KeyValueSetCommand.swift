import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton kv set`
struct KeyValueSetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set the value of a key.",
        discussion: """
            Without --type the value is a text: baton kv set --app com.example.App testkey 'VALUE IN THE CLOUD'
            A value that begins with a hyphen stands behind “--”: baton kv set --app com.example.App --type integer \
            n -- -5
            """)

    @Argument(help: "The key.")
    var key: String

    @Argument(help: "The value.")
    var value: String

    @Option(
        help: "The value's type: data is base64, dates are as in 2026-01-31T12:00:00Z or 2026-01-31T12:00:00.5+01:00.")
    var type = KeyValueType.string

    @Flag(name: .long, help: "Make the store of a program in development that has not run on this device.")
    var create = false

    @OptionGroup var store: KeyValueOptions
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let value = try type.value(of: value)
        let request = Baton_Control_V1_WriteKeyValueRequest.with {
            $0.key = key
            $0.value = .init(value)
            $0.create = create
        }
        try await Self.write(request, store, session, "was set.")
    }

    static func write(
        _ request: Baton_Control_V1_WriteKeyValueRequest, _ store: KeyValueOptions, _ session: CommandSession,
        _ done: String
    ) async throws {
        var request = request
        request.bundleID = try await store.bundleID(session)
        let item = try await session.call(ControlMethods.writeKeyValue, request).item
        try session.emit(json: KeyValueReport.json(item), text: "“\(TerminalText.escape(item.key))” \(done)")
        if await isEarly(request.bundleID, session) {
            try session.remark(
                "It gives way to an older value of another device until this store has been read from the account. "
                    + "“baton kv list” shows what holds then.")
        }
    }

    /// Whether the account may still have values that go before those that are set here. Without an account nothing does.
    private static func isEarly(_ bundleID: String, _ session: CommandSession) async -> Bool {
        // The value was set, whatever becomes of these questions.
        guard !session.isJSON, let status = try? await session.call(ControlMethods.getStatus, .init()),
            !status.accountID.isEmpty, !status.revoked
        else { return false }
        var isSynced = true
        try? await session.keyValues(of: bundleID, watch: false) { isSynced = $0.synced }
        return !isSynced
    }
}
