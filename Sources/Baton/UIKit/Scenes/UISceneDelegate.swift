public import Foundation

/// Hears of a scene's life, and is where URLs and activities arrive. Every method is optional and called on the main actor.
///
/// A method that a subclass adds to a class which conforms without it is not found, as with ``UIApplicationDelegate``.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiscenedelegate>
@MainActor
@preconcurrency
public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene is connected. The launch's items are in the options, or follow as they say.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)

    /// The scene is gone.
    func sceneDidDisconnect(_ scene: UIScene)

    /// The person uses the scene.
    func sceneDidBecomeActive(_ scene: UIScene)

    /// The scene is about to be used no longer.
    func sceneWillResignActive(_ scene: UIScene)

    /// The scene is about to leave the background.
    func sceneWillEnterForeground(_ scene: UIScene)

    /// The scene is in the background.
    func sceneDidEnterBackground(_ scene: UIScene)

    /// URLs and files to open, once the scene is in front (U-13). One at a time here.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)

    /// An activity that brings the scene back as it is now. Asked when it goes to the background, and kept for the next launch in
    /// ``UISceneSession/stateRestorationActivity``.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?

    /// The scene is connected, and is to be as ``stateRestorationActivity(for:)`` has kept it. Called after
    /// `scene(_:willConnectTo:options:)`, and only where something was kept.
    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)

    /// The person has chosen to continue an activity of this type; its data may not have come yet.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)

    /// The activity has come.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)

    /// The activity cannot be continued.
    func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// An activity that responders manage was brought up to date: the last chance to add to it.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)
}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Marks the method as not implemented.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        OptionalMethod.sceneOpenURLs.noteAbsent(on: self)
    }
    /// Nil: nothing is kept.
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
    /// Does nothing.
    public func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {}
    /// Marks the method as not implemented.
    public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        OptionalMethod.sceneWillContinue.noteAbsent(on: self)
    }
    /// Marks the method as not implemented.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        OptionalMethod.sceneContinue.noteAbsent(on: self)
    }
    /// Marks the method as not implemented.
    public func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) { OptionalMethod.sceneDidFail.noteAbsent(on: self) }
    /// Does nothing.
    public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {}
}

/// The delegate of a scene with windows.
@MainActor
@preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's window. Optional.
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    /// None.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
