public import Foundation

extension UIApplication {
    /// A key of the options of ``UIApplication/open(_:options:completionHandler:)``.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's text.
        public let rawValue: String

        /// A key of this text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `true`: only if an installed app claims the page as a universal link; otherwise nothing opens.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// A key of the options of `application(_:open:options:)`.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's text.
        public let rawValue: String

        /// A key of this text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bundle identifier of the app that sent the URL, a `String`. Absent unless it is of the same team.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")

        /// The sender's annotation: a property list (U-15).
        public static let annotation = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")

        /// A `Bool`. False: the file is a copy in the app's Inbox, to be moved before it is changed.
        public static let openInPlace = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// The URL of the app's own settings. Opening it is answered with false: the person settles what an app may do with
    /// `baton settings`, `baton links`, `baton default` and `baton documents`, and no app may claim the scheme.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/opensettingsurlstring>
    public nonisolated static let openSettingsURLString = "app-settings:"

    /// Opens a URL: in the app that claims its scheme or its page, else with the desktop (U-1).
    ///
    /// A page of the app's own site goes to the browser. Not restricted by `LSApplicationQueriesSchemes`.
    /// - Parameters:
    ///   - options: see ``OpenExternalURLOptionsKey``.
    ///   - completion: called on the main actor, later; false if nothing opens the URL, or there is no daemon.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)>
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let universalLinksOnly = options[.universalLinksOnly] as? Bool ?? false
        // Ends with the call's deadline; the completion handler informs the app.
        Task { [runtime] in
            let isOpened = await runtime.open(url, universalLinksOnly: universalLinksOnly)
            if let completion { runtime.onMain { completion(isOpened) } }
        }
    }

    /// Opens a URL: in the app that claims its scheme or its page, else with the desktop.
    /// - Returns: false if nothing opens the URL, or there is no daemon.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await runtime.open(url, universalLinksOnly: options[.universalLinksOnly] as? Bool ?? false)
    }

    /// Opens a URL, without waiting for the outcome.
    /// - Returns: whether something here opens URLs of that scheme.
    @available(*, deprecated, message: "Use open(_:options:completionHandler:).")
    @discardableResult
    public func openURL(_ url: URL) -> Bool {
        guard runtime.canOpen(url) else { return false }
        open(url)
        return true
    }

    /// Whether something here opens URLs of this scheme. Says nothing about universal links.
    ///
    /// False for a scheme that the app's `Info.plist` does not list under `LSApplicationQueriesSchemes`, of which the first
    /// 50 count. Waits for the daemon's answer, up to 2 seconds. May be called from any thread.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/canopenurl(_:)>
    public nonisolated func canOpenURL(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), AppBundle.main.queriedSchemes.contains(scheme) else {
            return false
        }
        return runtime.canOpen(url)
    }
}
