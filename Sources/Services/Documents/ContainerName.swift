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

    private init(team: TeamIdentity, known identifier: String) {
        self.team = team
        self.identifier = identifier
    }

    /// The team of what is the person's and no app's. No key has this fingerprint, so no app can name it.
    private static let person = TeamIdentity(fingerprint: [UInt8](repeating: 0, count: 32))

    /// The person's own.
    package static let drive = ContainerName(team: person, known: "iCloud.baton.Drive")

    private static let folderPrefix = "iCloud.baton.folder."

    /// A folder that the person keeps equal on several devices, wherever it is on each.
    /// - Parameter name: 1 to 60 letters, digits, “-” and “_” of ASCII, beginning with a letter or digit; nil for any other.
    package static func folder(_ name: String) -> ContainerName? {
        guard name.utf8.count <= 60, !name.contains("."), BundleID.isValid(name) else { return nil }
        return ContainerName(team: person, known: folderPrefix + name)
    }

    /// The name of a folder of the person; nil for every other container.
    package var folderName: String? {
        guard team == Self.person, identifier.hasPrefix(Self.folderPrefix) else { return nil }
        return String(identifier.dropFirst(Self.folderPrefix.count))
    }

    /// - Parameter teamName: as ``teamName``.
    init?(teamName: String, identifier: String) {
        guard teamName != "development" else {
            self.init(team: .development, identifier: identifier)
            return
        }
        let digits = teamName.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, teamName.utf8.count == 64, teamName == teamName.lowercased() else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        self.init(team: TeamIdentity(fingerprint: bytes), identifier: identifier)
    }

    /// The identifier of a bundle behind a prefix, so that it is a safe name of a folder.
    package static func isValid(_ identifier: String) -> Bool {
        guard let dot = identifier.firstIndex(of: "."), identifier.utf8.count <= 200 else { return false }
        let prefix = identifier[..<dot]
        guard prefix == "iCloud" || TeamID.isValid(String(prefix)) else { return false }
        return BundleID.isValid(String(identifier[identifier.index(after: dot)...]))
    }

    /// The team's whole fingerprint, since two teams may have containers of one identifier.
    var teamName: String {
        guard !team.isDevelopment else { return "development" }
        return Self.hexadecimal(team.fingerprint)
    }

    package var zone: ZoneName { ZoneName(kind: .documents, name: "\(teamName)/\(identifier)") }

    /// Below the folder of all containers.
    package var directory: String { "\(team.id.rawValue)/\(identifier)" }

    package var description: String { identifier }

    package static func < (left: Self, right: Self) -> Bool {
        left.identifier == right.identifier
            ? left.team != right.team && left.teamName < right.teamName : left.identifier < right.identifier
    }

    static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = digit(byte >> 4)
                digits[2 * index + 1] = digit(byte & 15)
            }
            return bytes.count * 2
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

extension ZoneName.Kind {
    /// One container's tree.
    package static let documents = Self("documents")
}
