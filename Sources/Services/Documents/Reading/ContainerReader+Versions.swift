import BatonCore
import FileSync

/// Versions of a document.
extension ContainerReader {
    struct Version: Sendable {
        var dot: Dot
        var version: FileVersion
        var isCurrent = false
        var isConflict = false
        var isHere = false
    }

    /// The current one first, then conflicts, then older ones.
    func versions(of id: EntryID) -> [Version] {
        guard let entry = planner.state.entries[id], let winner = entry.winner else { return [] }
        let record = planner.state.base[id]
        func isHere(_ version: FileVersion) -> Bool {
            switch version.body {
            case .inline, .kept: true
            case .chunks: record?.hash == version.hash
            }
        }
        var versions = [
            Version(
                dot: winner.dot, version: winner.version, isCurrent: true, isHere: isHere(winner.version))
        ]
        versions += entry.conflicts.map {
            Version(dot: $0.dot, version: $0.version, isConflict: true, isHere: isHere($0.version))
        }
        let older = entry.history.filter { dot, _ in !versions.contains { $0.dot == dot } }
        versions += older.sorted { ($0.value.stamp, $0.key) > ($1.value.stamp, $1.key) }.map {
            Version(dot: $0.key, version: $0.value, isHere: isHere($0.value))
        }
        return versions
    }

    static func versionID(_ dot: Dot) -> String {
        "\(String(dot.actor.rawValue, radix: 16)).\(dot.counter)"
    }

    func version(_ text: String, of id: EntryID) throws(BatonError) -> Version {
        if let version = versions(of: id).first(where: { Self.versionID($0.dot) == text }) { return version }
        throw BatonError(
            .notFound, reason: "unknown_version",
            "The file has no version “\(text.shortened(toBytes: 80))” (any more). “baton versions” lists those that it has."
        )
    }

    /// A current version whose content the cloud does not have yet is read from the disk.
    func localFile(_ id: EntryID, _ version: FileVersion) -> (any RestingContent)? {
        guard planner.state.unstored.contains(version.hash), let record = planner.state.base[id],
            record.hash == version.hash, let (directory, name, _) = disk.find(record.handle)
        else { return nil }
        return try? disk.resting(directory, name, record.handle, content: version.hash)
    }
}
