import ArgumentParser
import BatonCore
import BatonTrust

/// `baton sign`
struct SignCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign an app with the key of a team.")

    @Argument(help: "Path to Name.app.", completion: .directory)
    var path: String

    @Option(
        name: .long, help: "Team ID or name (default: your only team).", completion: DynamicCompletion.teams)
    var team: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let (store, reference) = (try session.teams, team)
        let path = session.context.absolutePath(path)
        let bundle = try await blocking {
            try CodeSigner.sign(path, with: try Self.team(reference, in: store))
        }
        try session.emit(
            json: BundleReport.json(bundle, path: path),
            text: "Signed \(BundleReport.title(bundle)) as team \(bundle.identity.team.id).")
    }

    private static func team(_ reference: String?, in store: TeamStore) throws -> TeamKey {
        if let reference { return try store.load(named: reference) }
        let teams = try store.list()
        guard let team = teams.first else {
            throw BatonError(
                .notFound, reason: "no_team", "You have no team to sign with. Make one with “baton team create NAME”.")
        }
        guard teams.count == 1 else {
            throw CommandFailure.usage(
                "You have several teams. Say with --team which one signs: "
                    + teams.map(TeamReport.title).joined(separator: ", ") + ".", reason: "team_ambiguous")
        }
        return team
    }
}
