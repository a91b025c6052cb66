import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton uninstall`
struct UninstallCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Remove an app, and its data unless --keep-data is given.")

    @Argument(help: "Its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String

    @Flag(name: .long, help: "Keep its container (Documents, Library ...).")
    var keepData = false

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let bundleID = try await AppReference.bundleID(app, session)
        let documents = try await RemainingDocuments.of(bundleID, session)
        let warning = documents.warning
        try await session.confirm(
            (warning.isEmpty ? "" : warning + "\n")
                + "Remove \(TerminalText.escape(bundleID)) and everything \(warning.isEmpty ? "" : "else ")that it has stored?",
            assumeYes: yes || keepData)
        _ = try await session.call(
            ControlMethods.uninstallApp,
            .with {
                $0.bundleID = bundleID
                $0.keepData = keepData
            }, timeout: .seconds(60))
        try session.emit(
            json: [
                "bundle_id": .string(bundleID), "kept_data": .boolean(keepData), "documents": documents.json,
            ],
            text: (warning.isEmpty ? "" : warning + "\n")
                + "Removed \(TerminalText.escape(bundleID))\(keepData ? "; its data was kept" : " and its data").")
    }
}
