public import Foundation

extension UIApplication {
    /// The scenes of the app.
    public var connectedScenes: Set<UIScene> { Set(scenes.scenes) }

    /// Its windows, hidden ones too, in the order in which they were made; those of scenes last. Apple deprecates it: each scene has its own.
    public var windows: [UIWindow] {
        windowsWithoutScene + scenes.scenes.compactMap { $0 as? UIWindowScene }.flatMap(\.windows)
    }

    /// The sessions of these scenes, and those that earlier launches left, whose scenes are not connected.
    public var openSessions: Set<UISceneSession> { Set(scenes.scenes.map(\.session)).union(scenes.waiting) }

    /// Whether the manifest allows more than one scene.
    public var supportsMultipleScenes: Bool { scenes.manifest?.supportsMultipleScenes ?? false }

    /// Makes a scene, or brings one to the front.
    /// - Parameters:
    ///   - sceneSession: nil for a new scene, or for the one that the activity's target content identifier chooses.
    ///   - userActivity: what the scene is to show: in the options of a new one, or given to `scene(_:continue:)`.
    ///   - options: not used.
    ///   - errorHandler: called with a ``UISceneError`` when it cannot be.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/requestscenesessionactivation(_:useractivity:options:errorhandler:)>
    public func requestSceneSessionActivation(
        _ sceneSession: UISceneSession?, userActivity: NSUserActivity?, options: UIScene.ActivationRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        do { try scenes.activate(sceneSession, userActivity) } catch { errorHandler?(error) }
    }

    /// Disconnects a scene for good.
    /// - Parameter errorHandler: called with a ``UISceneError`` when there is no such scene.
    public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        do { try scenes.destroy(sceneSession) } catch { errorHandler?(error) }
    }
}

extension UIScene {
    /// How a scene is requested.
    @MainActor
    @preconcurrency
    open class ActivationRequestOptions: NSObject {
        /// The scene that asks.
        open var requestingScene: UIScene?
    }
}

/// How a scene is destroyed.
@MainActor
@preconcurrency
open class UISceneDestructionRequestOptions: NSObject {}
