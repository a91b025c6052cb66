import ArgumentParser
import BatonCore
import BatonTrust

/// `baton team list`
struct TeamListCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your teams.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let store = try session.teams
        let teams = try await blocking { try store.list() }
        try session.emit(json: ["teams": .array(teams.map(TeamReport.json))], text: text(teams, session))
    }

    private func text(_ teams: [TeamKey], _ session: CommandSession) -> String {
        guard !teams.isEmpty else { return "No teams. Make one with “baton team create NAME”." }
        var table = session.table([.init("TEAM"), .init("NAME", isFlexible: true)])
        for team in teams { table.add(team.identity.id.rawValue, team.name) }
        return table.render()
    }
}
