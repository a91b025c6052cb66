package import BatonCore
package import Sync

/// Names a container: its team, and an identifier as in `iCloud.com.example.App` or `TEAMID.com.example.App` (D-3).
package struct ContainerName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let team: TeamIdentity
    package let identifier: String

    /// - Parameter identifier: one that ``isValid(_:)``.
    package init?(team: TeamIdentity, identifier: String) {
        guard Self.isValid(identifier) else { return nil }
        self.team = team
        self.identifier = identifier
    }

    /// The identifier of a bundle behind a prefix, so that it is a safe name of a folder.
    package static func isValid(_ identifier: String) -> Bool {
        guard let dot = identifier.firstIndex(of: "."), identifier.utf8.count <= 200 else { return false }
        let prefix = identifier[..<dot]
        guard prefix == "iCloud" || TeamID.isValid(String(prefix)) else { return false }
        return BundleID.isValid(String(identifier[identifier.index(after: dot)...]))
    }

    /// The team's whole fingerprint, since two teams may have containers of one identifier.
    private var teamName: String {
        guard !team.isDevelopment else { return "development" }
        return team.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    package var zone: ZoneName { ZoneName(kind: .documents, name: "\(teamName)/\(identifier)") }

    /// Below the folder of all containers.
    package var directory: String { "\(team.id.rawValue)/\(identifier)" }

    package var description: String { identifier }

    package static func < (left: Self, right: Self) -> Bool {
        (left.identifier, left.teamName) < (right.identifier, right.teamName)
    }
}

extension ZoneName.Kind {
    /// One container's tree.
    package static let documents = Self("documents")
}
