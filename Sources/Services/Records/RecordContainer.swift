package import BatonCore
package import Sync

/// Names a container of records: its team, and an identifier as in `iCloud.com.example.App`.
package struct RecordContainer: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let team: TeamIdentity
    package let identifier: String

    /// - Parameter identifier: nil for what is not a prefix, a point, and an identifier: it is part of a file's name.
    package init?(team: TeamIdentity, identifier: String) {
        guard let dot = identifier.firstIndex(of: "."), identifier.utf8.count <= 200,
            identifier[..<dot] == "iCloud" || TeamID.isValid(String(identifier[..<dot])),
            BundleID.isValid(String(identifier[identifier.index(after: dot)...]))
        else { return nil }
        self.team = team
        self.identifier = identifier
    }

    /// The team's whole fingerprint, since two teams may have containers of one identifier.
    package var teamName: String {
        guard !team.isDevelopment else { return "development" }
        return team.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func team(named name: String) -> TeamIdentity? {
        guard name != "development" else { return .development }
        let digits = name.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, name.utf8.count == 64, name == name.lowercased() else { return nil }
        return TeamIdentity(
            fingerprint: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    // MARK: Zones of the account

    /// The zone of the account in which one of its zones syncs.
    func zone(_ name: RecordZoneName) -> ZoneName {
        ZoneName(kind: .records, name: "\(teamName)/\(identifier)/\(name.rawValue)")
    }

    /// The container and the zone that a zone of the account is for; nil for what is neither.
    static func parse(_ zone: ZoneName) -> (container: RecordContainer, zone: RecordZoneName)? {
        let parts = zone.name.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard zone.kind == .records, parts.count == 3, let team = team(named: parts[0]),
            let container = RecordContainer(team: team, identifier: parts[1]),
            let name = RecordZoneName(synced: parts[2])
        else { return nil }
        return (container, name)
    }

    // MARK: The file

    /// Below the folder of all replicas.
    var file: String { "\(teamName)/\(identifier).sqlite" }

    init?(file: String) {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[1].hasSuffix(".sqlite"), let team = Self.team(named: parts[0]) else { return nil }
        self.init(team: team, identifier: String(parts[1].dropLast(".sqlite".count)))
    }

    package var description: String { identifier }

    package static func < (left: Self, right: Self) -> Bool {
        (left.identifier, left.teamName) < (right.identifier, right.teamName)
    }
}

/// Names a zone of a container.
package struct RecordZoneName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// There in each container, and never deleted.
    package static let standard = RecordZoneName(known: "_defaultZone")
    /// Which zones the container has: a record for each. No app sees it.
    static let zones = RecordZoneName(known: "_zones")

    /// One that an app may name: 1 to 255 printable ASCII characters, not beginning with an underscore, and the default zone.
    package init?(_ name: String) {
        guard RecordNames.isName(name) || name == Self.standard.rawValue else { return nil }
        rawValue = name
    }

    /// One that syncs.
    init?(synced name: String) {
        if name == Self.zones.rawValue { self = .zones } else { self.init(name) }
    }

    private init(known name: String) { rawValue = name }

    package var description: String { rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The rules of names.
enum RecordNames {
    /// Names of records and zones: 1 to 255 printable ASCII characters, not beginning with an underscore.
    static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "_")
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Names of fields, columns, record types and tables.
    static func isField(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.utf8.contains(0)
    }
}

extension ZoneName.Kind {
    /// One zone of a container of records.
    package static let records = Self("records")
}
