import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton explain app`
struct ExplainAppCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Why was this app not launched?")

    @Argument(help: "Its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let apps = try await session.call(ControlMethods.listApps, .init()).apps
        // An app that is not there is what the daemon can explain best.
        let bundleID = (try? AppReference.resolve(app, among: apps)) ?? app
        let isHere = apps.contains { $0.identity.bundleID == bundleID }
        if !isHere, let name = AppReference.closest(to: app, among: apps) {
            try session.remark("Did you mean “\(TerminalText.escape(name))”?")
        }
        try await ExplanationReport.run(.with { $0.app = bundleID }, session)
    }
}
