import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton kv`
struct KeyValueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kv", abstract: "Look into an app's key-value store, and write to it, as the app would.",
        discussion: """
            For development: it reads the store of any app here, and writes to those of programs in development and of apps \
            of your own teams. Apps that use the \
            store are notified of changes made here, on this device and on the account's others.
            """,
        subcommands: [
            KeyValueGetCommand.self, KeyValueSetCommand.self, KeyValueListCommand.self, KeyValueWatchCommand.self,
            KeyValueRemoveCommand.self, KeyValueDeleteStoreCommand.self,
        ])
}

/// The option that selects a store.
struct KeyValueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store's app: a bundle identifier, or the name of an app or program.", valueName: "app"),
        completion: DynamicCompletion.apps)
    var app: String

    /// A program in development need not run now.
    func bundleID(_ session: CommandSession) async throws -> String {
        do {
            return try await AppReference.bundleID(app, session)
        } catch let error as BatonError where error.reason == "app_not_found" && BundleID.isValid(app) {
            return try await isProgram(session) ? AppReference.developmentIdentifier(app) : app
        }
    }

    /// Whether it is short for a program in development that has a store here, and no store has just that name.
    private func isProgram(_ session: CommandSession) async throws -> Bool {
        guard !app.contains("."), try await !hasStore(app, session) else { return false }
        return try await hasStore(AppReference.developmentIdentifier(app), session)
    }

    private func hasStore(_ bundleID: String, _ session: CommandSession) async throws -> Bool {
        do {
            try await session.keyValues(of: bundleID, watch: false) { _ in }
            return true
        } catch let error as BatonError where error.reason == "app_not_found" {
            return false
        }
    }
}

extension CommandSession {
    /// All that a store holds, and its changes then if they are wanted.
    func keyValues(
        of bundleID: String, watch: Bool, create: Bool = false,
        _ body: (Baton_Control_V1_KeyValueList) async throws -> Void
    ) async throws {
        let request = Baton_Control_V1_ReadKeyValuesRequest.with {
            $0.bundleID = bundleID
            $0.watch = watch
            $0.create = create
        }
        var wasAnswered = false
        var items: [Baton_Control_V1_KeyValueItem] = []
        for try await var list in try await stream(ControlMethods.readKeyValues, request) {
            items += list.items
            if list.more { continue }
            list.items = items
            items = []
            wasAnswered = true
            try await body(list)
        }
        guard wasAnswered, !watch else {
            throw BatonError(
                .unavailable, reason: "stream_ended",
                "The daemon ended the list of keys. It may be restarting; try again.")
        }
    }
}
