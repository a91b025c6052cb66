import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton documents off`
struct DocumentsOffCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switch iCloud documents off for an app on this device.",
        discussion: """
            The app finds no iCloud then, and its documents are not synced here. Nothing is deleted, neither here nor on other \
            devices.
            """)

    @Argument(help: "Its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws { try await session.switchDocuments(app, on: false) }
}

/// `baton documents on`
struct DocumentsOnCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Switch iCloud documents on again for an app on this device.",
        discussion: "Changes made meanwhile, here and on other devices, are synced then.")

    @Argument(help: "Its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws { try await session.switchDocuments(app, on: true) }
}

extension CommandSession {
    fileprivate func switchDocuments(_ app: String, on: Bool) async throws {
        // A program in development is in no list of apps.
        let bundleID = (try? await AppReference.bundleID(app, self)) ?? app
        let containers = try await call(
            DocumentsMethods.switchDocuments,
            .with {
                $0.bundleID = bundleID
                $0.on = on
            }, timeout: .seconds(60)
        ).containers
        let name = TerminalText.escape(bundleID)
        try emit(
            json: [
                "bundle_id": .string(bundleID), "on": .boolean(on),
                "containers": .array(containers.map(DocumentReport.json)),
            ],
            text: on
                ? "iCloud documents are on for \(name) on this device."
                : "iCloud documents are off for \(name) on this device. Its files stay where they are: "
                    + containers.map(\.path).joined(separator: ", ") + ". “baton documents on” switches them on again.")
    }
}
