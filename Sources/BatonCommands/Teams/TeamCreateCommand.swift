import ArgumentParser
import BatonTrust

/// `baton team create`
struct TeamCreateCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a team: a key, and the Team ID that follows from it.")

    @Argument(help: "The team's name; only you see it.")
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let (store, name) = (try session.teams, name)
        let team = try await blocking { try store.create(name: name) }
        try session.emit(
            json: TeamReport.json(team),
            text: """
                Team \(TeamReport.title(team)) was made.
                Its key cannot be made again: keep a copy in a safe place, with “baton team export”.
                """)
    }
}
