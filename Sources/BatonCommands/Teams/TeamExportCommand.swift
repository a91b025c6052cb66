import ArgumentParser
import BatonTrust

/// `baton team export`
struct TeamExportCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a team's key to a file, for a backup or another machine of yours.",
        discussion: "Anybody who has the file can sign apps as this team.")

    @Argument(help: "Its Team ID or name.", completion: DynamicCompletion.teams)
    var team: String

    @Argument(help: "The file to make, readable by you only; “-” for standard output.", completion: .file())
    var file: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let (store, reference) = (try session.teams, team)
        let team = try await blocking { try store.load(named: reference) }
        if file == "-" {
            let secret: JSONValue = ["text": .string(team.text)]
            try session.emit(json: TeamReport.json(team).merging(secret), text: String(team.text.dropLast()))
            return
        }
        let path = session.context.absolutePath(file)
        try await blocking { try SecretFile.create(path, contents: team.text) }
        try session.emit(
            json: TeamReport.json(team).merging(["file": .string(path)]),
            text: "The key of \(TeamReport.title(team)) is in \(TerminalText.escape(path)). Keep it secret.")
    }
}
