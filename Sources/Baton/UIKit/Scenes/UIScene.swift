public import Foundation

/// One of an app's user interfaces, with a life of its own.
///
/// An app has scenes if its `Info.plist` has `UIApplicationSceneManifest`, or its delegate implements
/// `application(_:configurationForConnecting:options:)`. URLs, pages and activities then go to a scene, and the app delegate
/// hears of launches and of the end only. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiscene>
@MainActor
@preconcurrency
open class UIScene: UIResponder {
    /// The properties of the scene beyond its life.
    public let session: UISceneSession

    /// Hears of the scene's life. The scene holds it.
    open var delegate: (any UISceneDelegate)?

    /// Whether a person is using the scene.
    open internal(set) var activationState = ActivationState.unattached

    /// The name that a person reads.
    open var title: String?

    /// A text that the person reads beside the name. Kept, and shown by the app alone.
    open var subtitle = ""

    /// For which content the scene is the one to show it; see ``NSUserActivity/targetContentIdentifier``.
    open var activationConditions = UISceneActivationConditions()

    let runtime = AppRuntime.current

    /// Made by the system, as the configuration says.
    public required init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// Not for apps: the system makes scenes.
    public required init() {
        let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
        session = UISceneSession(role: .windowApplication, configuration: configuration)
        super.init()
    }

    /// Whether a person is using a scene.
    public enum ActivationState: Int, Sendable {
        /// It is not connected.
        case unattached = -1
        /// The person is using it.
        case foregroundActive = 0
        /// On its way between the two others.
        case foregroundInactive = 1
        /// The person does not see it.
        case background = 2
    }

    /// How ``open(_:options:completionHandler:)`` opens.
    @MainActor
    @preconcurrency
    open class OpenExternalURLOptions: NSObject {
        /// Only if an installed app claims the page as a universal link.
        open var universalLinksOnly = false
    }

    /// Where a URL came from.
    @MainActor
    @preconcurrency
    open class OpenURLOptions: NSObject {
        /// The bundle identifier of the app that sent it; nil unless it is of the same team.
        public let sourceApplication: String?
        /// A property list that the sender attached. Nil for a URL that the app was launched for.
        public let annotation: Any?
        /// False: the file is a copy in the app's Inbox, to be moved before it is changed.
        public let openInPlace: Bool

        init(_ opened: OpenedURL) {
            sourceApplication = opened.sourceApplication
            annotation = opened.annotation
            openInPlace = opened.openInPlace
            super.init()
        }
    }

    /// Why a scene is connected. There are no notifications and no shortcuts here.
    @MainActor
    @preconcurrency
    open class ConnectionOptions: NSObject {
        /// URLs and files to open; `scene(_:openURLContexts:)` is not called for them.
        public internal(set) var urlContexts: Set<UIOpenURLContext> = []
        /// The app that sent them.
        public internal(set) var sourceApplication: String?
        /// The type of an activity of another device, which follows in the continuation callbacks.
        public internal(set) var handoffUserActivityType: String?
        /// Activities to continue, such as a page that is a universal link; `scene(_:continue:)` is not called for them.
        public internal(set) var userActivities: Set<NSUserActivity> = []
    }
}

extension UIScene {
    /// Opens a URL, as ``UIApplication/open(_:options:completionHandler:)`` does.
    /// - Parameter completion: called on the main actor, later; false if nothing opens the URL.
    public func open(
        _ url: URL, options: OpenExternalURLOptions?,
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        UIApplication.shared.open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false], completionHandler: completion)
    }

    /// As ``open(_:options:completionHandler:)``.
    /// - Returns: false if nothing opens the URL.
    @discardableResult
    public func open(_ url: URL, options: OpenExternalURLOptions?) async -> Bool {
        await UIApplication.shared.open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false])
    }
}

/// A URL that a scene is to open.
@MainActor
@preconcurrency
open class UIOpenURLContext: NSObject {
    /// As it was sent. Check everything that comes from it (U-17).
    public let url: URL
    /// Where it came from.
    public let options: UIScene.OpenURLOptions

    init(_ opened: OpenedURL) {
        url = opened.url
        options = UIScene.OpenURLOptions(opened)
        super.init()
    }
}

extension UIScene {
    /// Posted before the scene's delegate hears of its connection.
    nonisolated public class var willConnectNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillConnectNotification")
    }
    /// Posted when the scene is gone.
    nonisolated public class var didDisconnectNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidDisconnectNotification")
    }
    /// Posted when the person uses the scene, after its delegate's method has returned.
    nonisolated public class var didActivateNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidActivateNotification")
    }
    /// Posted when the scene is about to be used no longer, after its delegate's method has returned.
    nonisolated public class var willDeactivateNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillDeactivateNotification")
    }
    /// Posted when the scene is about to leave the background, after its delegate's method has returned.
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillEnterForegroundNotification")
    }
    /// Posted when the scene is in the background, after its delegate's method has returned.
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidEnterBackgroundNotification")
    }
}

/// A scene with windows.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiwindowscene>
@MainActor
@preconcurrency
open class UIWindowScene: UIScene {
    /// In the order in which they were added.
    open private(set) var windows: [UIWindow] = []

    /// The window that was made key last.
    open var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

    func add(_ window: UIWindow) {
        if !windows.contains(where: { $0 === window }) { windows.append(window) }
    }

    func remove(_ window: UIWindow) { windows.removeAll { $0 === window } }
}
