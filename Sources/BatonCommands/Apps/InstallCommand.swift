import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton install`
struct InstallCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install a signed app, or upgrade it.")

    @Argument(help: "Path to Name.app.", completion: .directory)
    var path: String

    @Flag(name: .long, help: "Let the app have what it asks for beyond its container, and do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let request = Baton_Control_V1_InstallAppRequest.with { $0.path = session.context.absolutePath(path) }
        var answer = try await install(request, session)
        if !answer.wantedAccess.isEmpty {
            try await session.confirm(question(answer), assumeYes: yes)
            let accepted = answer.wantedAccess
            answer = try await install(
                .with {
                    $0.path = request.path
                    $0.acceptedAccess = accepted
                }, session)
            // The bundle has changed since the person was asked.
            guard answer.wantedAccess.isEmpty else {
                throw CommandFailure.declined("\(path) asks for something else by now. Nothing was changed; try again.")
            }
        }
        try session.emit(
            json: [
                "app": AppReport.json(answer.app), "replaced_version": .init(nonEmpty: answer.replacedVersion),
                "ended": .boolean(answer.ended),
            ],
            text: text(answer))
        guard !session.isJSON else { return }
        for sentence in await SchemeRivals.sentences(request.path, of: answer.app.identity.bundleID, session) {
            try session.remark(sentence)
        }
    }

    private func install(
        _ request: Baton_Control_V1_InstallAppRequest, _ session: CommandSession
    ) async throws -> Baton_Control_V1_InstallAppResponse {
        try await session.call(ControlMethods.installApp, request, timeout: .seconds(300))
    }

    private func question(_ answer: Baton_Control_V1_InstallAppResponse) -> String {
        let lines = answer.wantedAccess.map { "  - " + Self.sentence($0) }
        return
            "\(AppReport.title(answer.app)) of team \(answer.app.identity.teamID) asks for more than its own container:\n"
            + lines.joined(separator: "\n") + "\nInstall it with that?"
    }

    private static func sentence(_ access: String) -> String {
        let words = access.split(separator: " ", maxSplits: 1).map { TerminalText.escape(String($0)) }
        switch (words.first, words.count) {
        case ("unconfined", 1): return "It runs without the sandbox: it can read and change whatever you can."
        case ("read", 2): return "It reads \(words[1]), with all that is in it."
        case ("write", 2): return "It reads and changes \(words[1]), with all that is in it."
        default: return TerminalText.escape(access)
        }
    }

    private func text(_ answer: Baton_Control_V1_InstallAppResponse) -> String {
        let replaced =
            answer.replacedVersion.isEmpty ? "" : ", in place of \(TerminalText.escape(answer.replacedVersion))"
        let ended = answer.ended ? " It was running and was ended; “baton launch” starts the new version." : ""
        return "Installed \(AppReport.title(answer.app)) of team \(answer.app.identity.teamID)\(replaced).\(ended)"
    }
}
