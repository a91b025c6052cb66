import Foundation

extension UIApplication {
    /// A key of the options with which the app was launched.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's text.
        public let rawValue: String

        /// A key of this text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app was launched to continue an activity. The value is a dictionary with the key ``userActivityType``.
        public static let userActivityDictionary = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")

        /// The app was launched to open a URL: the value is a `URL` (U-14).
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")

        /// The bundle identifier of the app that sent the URL, a `String`. Absent unless it is of the same team.
        public static let sourceApplication = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")

        /// Never there: no app is launched for a remote notification.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")

        /// Never there: no app is launched for a location.
        public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")

        /// The file of ``url`` may be changed where it is, a `Bool`. Not Apple's, which reports it only when the file is opened.
        static let openInPlace = LaunchOptionsKey(rawValue: "BatonLaunchOptionsOpenInPlaceKey")

        /// In the dictionary of ``userActivityDictionary``: the activity's type, a `String`.
        public static let userActivityType = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    }

    nonisolated static let launchPageVariable = "BATON_LAUNCH_PAGE"
    nonisolated static let launchInPlaceVariable = "BATON_LAUNCH_IN_PLACE"
    /// How the daemon gives an app which it launches the reason.
    nonisolated static let launchActivityTypeVariable = "BATON_LAUNCH_ACTIVITY_TYPE"

    nonisolated static let launchURLVariable = "BATON_LAUNCH_URL"
    nonisolated static let launchSourceVariable = "BATON_LAUNCH_SOURCE"
    /// The request that the app is launched for: `open` is not called for it when a launch callback returns false.
    nonisolated static let launchRequestVariable = "BATON_LAUNCH_REQUEST"

    /// Programs that the app starts were not launched for the same.
    nonisolated static func forgetLaunchVariables() {
        for name in [
            launchActivityTypeVariable, launchURLVariable, launchSourceVariable, launchRequestVariable,
            launchPageVariable, launchInPlaceVariable,
        ] {
            unsetenv(name)
        }
    }

    /// Nil for a launch by hand, as on Apple's systems.
    nonisolated static func launchOptions(environment: [String: String]) -> [LaunchOptionsKey: Any]? {
        if let type = environment[launchActivityTypeVariable], !type.isEmpty {
            return [.userActivityDictionary: [LaunchOptionsKey.userActivityType: type] as [AnyHashable: Any]]
        }
        guard let url = environment[launchURLVariable].flatMap({ URL(string: $0) }) else { return nil }
        var options: [LaunchOptionsKey: Any] = [.url: url]
        options[.sourceApplication] = environment[launchSourceVariable]
        if environment[launchInPlaceVariable] != nil { options[.openInPlace] = true }
        return options
    }
}
