import BatonCore
import BatonTrust

/// A signed bundle as the command line shows it.
enum BundleReport {
    static func json(_ bundle: VerifiedBundle, path: String) -> JSONValue {
        [
            "path": .string(path), "bundle_id": .string(bundle.identity.bundleID.rawValue),
            "team_id": .string(bundle.identity.team.id.rawValue), "name": .string(bundle.info.name),
            "version": .init(nonEmpty: bundle.info.version), "build": .string(bundle.info.build.description),
            "activity_types": .init(strings: bundle.info.activityTypes.sorted().map(\.rawValue)),
            "files": .init(bundle.resources.entries.count),
        ]
    }

    static func title(_ bundle: VerifiedBundle) -> String {
        let version = bundle.info.version.isEmpty ? "" : " \(bundle.info.version)"
        return TerminalText.escape("\(bundle.info.name)\(version) (\(bundle.identity.bundleID))")
    }
}
