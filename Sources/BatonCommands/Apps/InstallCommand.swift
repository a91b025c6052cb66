import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton install`
struct InstallCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install a signed app, or upgrade it.")

    @Argument(help: "Path to Name.app.", completion: .directory)
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let path = session.context.absolutePath(path)
        let answer = try await session.call(
            ControlMethods.installApp, .with { $0.path = path }, timeout: .seconds(300))
        try session.emit(
            json: [
                "app": AppReport.json(answer.app), "replaced_version": .init(nonEmpty: answer.replacedVersion),
                "ended": .boolean(answer.ended),
            ],
            text: text(answer))
        guard !session.isJSON else { return }
        for sentence in await SchemeRivals.sentences(path, of: answer.app.identity.bundleID, session) {
            try session.remark(sentence)
        }
    }

    private func text(_ answer: Baton_Control_V1_InstallAppResponse) -> String {
        let replaced =
            answer.replacedVersion.isEmpty ? "" : ", in place of \(TerminalText.escape(answer.replacedVersion))"
        let ended = answer.ended ? " It was running and was ended; “baton launch” starts the new version." : ""
        return "Installed \(AppReport.title(answer.app)) of team \(answer.app.identity.teamID)\(replaced).\(ended)"
    }
}
