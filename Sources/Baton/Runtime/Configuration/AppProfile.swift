import BatonCore
import Foundation

/// Everything about this process that attaching to the daemon needs, settled at first use.
struct AppProfile: Sendable, Hashable {
    var bundleIdentifier: String
    var displayName: String
    var bundleVersion: String
    var activityTypes: [String]
    /// The bounds of an unregistered process's key-value store.
    var keyValueLimits: String
    /// Nil when no place for a socket is known; `problem` says why.
    var socketPath: String?
    var problem: String?

    /// The configuration wins over the bundle, the bundle over the executable's name.
    init(
        configuration: BatonConfiguration, bundle: AppBundle, executable: String, environment: [String: String]
    ) {
        bundleIdentifier =
            configuration.bundleIdentifier ?? bundle.bundleIdentifier
            ?? AppBundle.developmentIdentifier(executable: executable)
        displayName =
            configuration.displayName ?? bundle.displayName ?? URL(fileURLWithPath: executable).lastPathComponent
        bundleVersion = configuration.bundleVersion ?? bundle.bundleVersion ?? ""
        activityTypes = configuration.activityTypes ?? bundle.activityTypes
        keyValueLimits = bundle.keyValueLimits ?? KeyValueLimits.Profile.classic.rawValue
        do {
            socketPath = try Self.socket(configuration: configuration, environment: environment)
        } catch {
            problem = error.message
        }
    }

    /// The profile of this process. From now on `BatonConfiguration.current` cannot be changed.
    static func ofThisProcess() -> AppProfile {
        AppProfile(
            configuration: .use(), bundle: .main, executable: AppBundle.executablePath,
            environment: ProcessInfo.processInfo.environment)
    }

    private static func socket(
        configuration: BatonConfiguration, environment: [String: String]
    ) throws(BatonError) -> String {
        if let path = configuration.socketPath { return path }
        if let path = environment["BATON_SOCKET"], !path.isEmpty { return path }
        return try Locations(
            home: nil, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath
        ).socket
    }
}
