public import Foundation

/// The properties of a scene, also while it is not connected.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiscenesession>
@MainActor
@preconcurrency
open class UISceneSession: NSObject {
    /// Names the session until it is destroyed, over launches of the app.
    public let persistentIdentifier: String
    /// The purpose of the scene.
    public let role: Role
    /// How the scene was made.
    public internal(set) var configuration: UISceneConfiguration
    /// The scene, while it is connected.
    open internal(set) weak var scene: UIScene?
    /// The app's own: a property list of 1 MiB at most, which is kept in the app's container over launches. Anything else is
    /// logged, and lost with the process.
    open var userInfo: [String: Any]? { didSet { changed?() } }
    /// The last result of ``UISceneDelegate/stateRestorationActivity(for:)``. It is kept in the app's container, and here again
    /// when the app is launched.
    open internal(set) var stateRestorationActivity: NSUserActivity?
    /// The values to keep have changed.
    var changed: (() -> Void)?

    init(role: Role, configuration: UISceneConfiguration, persistentIdentifier: String = UUID().uuidString) {
        self.role = role
        self.configuration = configuration
        self.persistentIdentifier = persistentIdentifier
        super.init()
    }

    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The role's text.
        public let rawValue: String
        /// A role of this text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The app's own windows.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }
}

/// How a scene is made: of which class, with which delegate.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uisceneconfiguration>
@MainActor
@preconcurrency
open class UISceneConfiguration: NSObject {
    /// As in the manifest; nil for none.
    public let name: String?
    /// The purpose of the scene.
    public let role: UISceneSession.Role
    /// A subclass of ``UIScene``; nil for ``UIWindowScene``.
    open var sceneClass: AnyClass?
    /// A ``UIResponder`` that conforms to ``UISceneDelegate``; nil for none.
    open var delegateClass: AnyClass?

    /// The configuration of this name in the manifest, or one to be filled in.
    /// - Parameter name: nil for the first one of the role.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        let declared = SceneManifest.ofThisApp?.configuration(named: name, role: sessionRole.rawValue)
        sceneClass = declared?.sceneClass
        delegateClass = declared?.delegateClass
        super.init()
    }
}

/// Why a scene was not made.
public struct UISceneError: Error, CustomNSError, LocalizedError, Hashable, Sendable {
    /// As Apple numbers them.
    public enum Code: Int, Sendable {
        /// The manifest does not have `UIApplicationSupportsMultipleScenes`.
        case multipleScenesNotSupported = 0
        /// There is no such session, or the app has no scenes.
        case requestDenied = 1
    }
    /// The error.
    public let code: Code
    /// Apple's.
    public static let errorDomain = "UISceneErrorDomain"
    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }
    /// For the person.
    public var errorDescription: String? {
        switch code {
        case .multipleScenesNotSupported: "The app has one window only."
        case .requestDenied: "The window cannot be opened or closed."
        }
    }
}
