import BatonCore
import BatonTrust

/// A team as the command line shows it: never its key.
enum TeamReport {
    static func json(_ team: TeamKey) -> JSONValue {
        ["team_id": .string(team.identity.id.rawValue), "name": .string(team.name)]
    }

    /// `Acme (ABCDEFGHIJ)`
    static func title(_ team: TeamKey) -> String { TerminalText.escape("\(team.name) (\(team.identity.id))") }
}

extension CommandSession {
    var teams: TeamStore {
        get throws { TeamStore(directory: try locations.teams) }
    }
}
