/// The identity of an app: its bundle identifier and the team that signed it.
///
/// Teams are compared by the whole fingerprint of their key, never by the 10 characters alone: a Team ID has 50 bits,
/// which an attacker with enough time could match with another key (H-3).
package struct AppIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
    package var bundleID: BundleID
    package var team: TeamIdentity

    package init(bundleID: BundleID, team: TeamIdentity) {
        self.bundleID = bundleID
        self.team = team
    }

    /// `TEAM.bundle`, the form of an App ID (H-91).
    package var description: String { "\(team.id).\(bundleID)" }
}

/// A team: the 10 characters that people see, and the SHA-256 of the public key that programs compare.
package struct TeamIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
    package let id: TeamID
    /// SHA-256 of the team's public key; empty for the development team.
    package let fingerprint: [UInt8]

    /// - Throws: `invalid_argument` when the ID is not the one that follows from the fingerprint.
    package init(id: TeamID, fingerprint: [UInt8]) throws(BatonError) {
        if id == .development, fingerprint.isEmpty {
            self = .development
            return
        }
        guard fingerprint.count == 32, id == Self.derivedID(fingerprint: fingerprint) else {
            throw BatonError(
                .invalidArgument, reason: "team_mismatch",
                "The Team ID \(id) does not follow from the key that came with it.")
        }
        self.init(unchecked: id, fingerprint: fingerprint)
    }

    /// - Precondition: `fingerprint` is a SHA-256, 32 bytes.
    package init(fingerprint: [UInt8]) {
        precondition(fingerprint.count == 32, "a team's fingerprint is a SHA-256")
        self.init(unchecked: Self.derivedID(fingerprint: fingerprint), fingerprint: fingerprint)
    }

    private init(unchecked id: TeamID, fingerprint: [UInt8]) {
        self.id = id
        self.fingerprint = fingerprint
    }

    package static let development = TeamIdentity(unchecked: .development, fingerprint: [])

    /// The identifier follows from the fingerprint, so that it alone spreads teams over a table; ``==`` compares both.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    package var isDevelopment: Bool { self == .development }
    package var description: String { id.rawValue }

    private static func derivedID(fingerprint: [UInt8]) -> TeamID {
        TeamID(unchecked: String(Base32.encode(fingerprint).prefix(10)))
    }
}
