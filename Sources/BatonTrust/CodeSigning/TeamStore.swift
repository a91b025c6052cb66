package import BatonCore
import Files
import Glibc

/// A person's team keys: one file each, `<TEAM ID>.team`, readable by its owner only (0600).
///
/// Works on files alone, so teams can be made and apps signed where no daemon runs. Every method blocks.
package struct TeamStore: Sendable {
    private let path: String
    private static let maximumCount = 1000

    /// - Parameter directory: made (0700) when the first team is.
    package init(directory: String) { path = directory }

    package func create(name: String) throws(BatonError) -> TeamKey {
        let team = try TeamKey(name: name)
        try save(team)
        return team
    }

    /// Sorted by name, then Team ID.
    package func list() throws(BatonError) -> [TeamKey] {
        guard access(path, F_OK) == 0 else { return [] }
        let directory = try DirectoryHandle(path: path)
        var teams: [TeamKey] = []
        for name in try directory.names(limit: Self.maximumCount) {
            let name = String(decoding: name, as: UTF8.self)
            guard name.hasSuffix(".team"), let id = TeamID(rawValue: String(name.dropLast(5))) else { continue }
            teams.append(try read(id, in: directory))
        }
        return teams.sorted { ($0.name, $0.identity.id) < ($1.name, $1.identity.id) }
    }

    package func load(_ id: TeamID) throws(BatonError) -> TeamKey {
        guard access(path, F_OK) == 0 else { throw Self.unknown(id.rawValue) }
        return try read(id, in: try DirectoryHandle(path: path))
    }

    /// The team with this Team ID or name.
    package func load(named text: String) throws(BatonError) -> TeamKey {
        if let id = TeamID(rawValue: text), let team = try? load(id) { return team }
        let matches = try list().filter { $0.name == text }
        guard let team = matches.first else { throw Self.unknown(text) }
        guard matches.count == 1 else {
            throw BatonError(
                .invalidArgument, reason: "team_ambiguous",
                "\(matches.count) teams have this name. Use a Team ID: "
                    + "\(matches.map(\.identity.id.rawValue).joined(separator: ", ")).")
        }
        return team
    }

    /// The secret text of a team, for another of the person's machines.
    package func export(_ id: TeamID) throws(BatonError) -> String { try load(id).text }

    /// Adds a team from its secret text. The same team may be imported again, which changes its name at most.
    package func importTeam(_ text: String) throws(BatonError) -> TeamKey {
        let team = try TeamKey(text: text)
        try save(team)
        return team
    }

    private func save(_ team: TeamKey) throws(BatonError) {
        try makeDirectory()
        try DirectoryHandle(path: path).replaceFile(
            team.identity.id.rawValue + ".team", with: Array(team.text.utf8), mode: 0o600)
    }

    private func read(_ id: TeamID, in directory: DirectoryHandle) throws(BatonError) -> TeamKey {
        guard let stamp = try directory.stamp(of: id.rawValue + ".team") else { throw Self.unknown(id.rawValue) }
        guard stamp.permissions & 0o077 == 0 else {
            throw BatonError(
                .failedPrecondition, reason: "team_file_exposed",
                "Others can read the key of team \(id). Run “chmod 600 \(path)/\(id).team”, and consider a new team.")
        }
        let bytes = try directory.file(id.rawValue + ".team").contents(limit: TeamKey.maximumTextLength)
        let team = try TeamKey(text: String(decoding: bytes, as: UTF8.self))
        guard team.identity.id == id else {
            throw BatonError(
                .dataLoss, reason: "team_file_mismatch",
                "The file of team \(id) holds the key of \(team.identity.id). Rename it, or import it again.")
        }
        return team
    }

    private func makeDirectory() throws(BatonError) {
        var parent = ""
        for component in path.split(separator: "/") {
            parent += "/" + component
            guard mkdir(parent, 0o700) == 0 || errno == EEXIST || access(parent, F_OK) == 0 else {
                throw FileFailure.error("make", parent)
            }
        }
    }

    private static func unknown(_ text: String) -> BatonError {
        BatonError(
            .notFound, reason: "team_unknown",
            "There is no team “\(PrintableName.escaped(text))” here. See “baton team list”; make one with "
                + "“baton team create”.")
    }
}
