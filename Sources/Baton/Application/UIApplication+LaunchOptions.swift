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

        /// In the dictionary of ``userActivityDictionary``: the activity's type, a `String`.
        public static let userActivityType = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    }

    /// How the daemon tells an app which it launches what for.
    nonisolated static let launchActivityTypeVariable = "BATON_LAUNCH_ACTIVITY_TYPE"

    /// Nil for a launch by hand, as on Apple's systems.
    nonisolated static func launchOptions(environment: [String: String]) -> [LaunchOptionsKey: Any]? {
        guard let type = environment[launchActivityTypeVariable], !type.isEmpty else { return nil }
        return [.userActivityDictionary: [LaunchOptionsKey.userActivityType: type] as [AnyHashable: Any]]
    }
}
