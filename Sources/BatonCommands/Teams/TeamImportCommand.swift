import ArgumentParser
import BatonTrust

/// `baton team import`
struct TeamImportCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add a team from a file that “baton team export” wrote.")

    @Argument(help: "The file; “-” for standard input.", completion: .file())
    var file: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let store = try session.teams
        let text = try await text(session)
        let team = try await blocking { try store.importTeam(text) }
        try session.emit(json: TeamReport.json(team), text: "Added team \(TeamReport.title(team)).")
    }

    private func text(_ session: CommandSession) async throws -> String {
        let limit = TeamKey.maximumTextLength
        guard file == "-" else {
            let path = session.context.absolutePath(file)
            return try await blocking { try SecretFile.read(path, limit: limit) }
        }
        var text = ""
        for await line in session.context.input.lines() {
            text += line + "\n"
            // One over the limit is enough for the import to refuse it.
            if text.utf8.count > limit { break }
        }
        return text
    }
}
