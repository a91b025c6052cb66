public import Foundation

/// Hears of the app's life, and is where activities of other devices arrive (H-66). Every method is optional and called
/// on the main actor.
///
/// Order when an activity is continued (H-67): the launch callbacks, if the app had to be launched; `willContinue`; when
/// the data has come `continue`, and `restoreUserActivityState` of each object given to its handler; or `didFail` at any
/// point before `continue`. For one decision of the person each is called at most once, whatever happens to the daemon
/// meanwhile.
///
/// A method that a subclass adds to a class which conforms without it is not found, since Swift settles that where the
/// conformance is declared: implement it in the class that conforms.
@MainActor
@preconcurrency
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The app is about to have been launched. See `application(_:didFinishLaunchingWithOptions:)`.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app has been launched.
    ///
    /// If this or `willFinishLaunching` returns false, `willContinue`, `continue` and `didFail` are not called; if only
    /// one is implemented, its value counts alone. A launch to continue an activity has the option
    /// `userActivityDictionary`; any other launch has none.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// A scene is about to be connected: how is it to be made? Called before each scene.
    ///
    /// With this method an app needs no manifest, and no name of a class that is looked up. In an app with scenes, URLs and
    /// activities go to ``UISceneDelegate``, and so does what of the app's life concerns its scenes.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// Scenes are gone for good.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// A URL or a file to open, once the app is in front (U-11, U-13).
    ///
    /// A file that comes while the app is in the background does not bring it to the front: `applicationState` says so,
    /// and the app may note the file for later.
    ///
    /// The app was launched for it, after the launch callbacks, or runs. Not called for a launch that one of these callbacks
    /// has refused. Check everything that comes from a URL (U-17).
    /// - Parameters:
    ///   - url: as it was sent. A `file:` URL is a copy in the app's `Documents/Inbox` unless `openInPlace` says
    ///     otherwise: the app may read and delete it, and moves it out to change it.
    ///   - options: see ``UIApplication/OpenURLOptionsKey``.
    /// - Returns: whether the app has opened it; the sender is informed.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// The form before `application(_:open:options:)`, called where that is not implemented (U-15).
    /// - Parameter annotation: a property list that the sender attached; empty if there is none.
    func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool

    /// The oldest form, called where neither of the others is implemented.
    func application(_ application: UIApplication, handleOpen url: URL) -> Bool

    /// The person has chosen to continue an activity of this type; its data may not have come yet (H-68).
    /// - Returns: true if the app itself shows that something is coming (H-69); false, or without this method, the
    ///   system does.
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// The activity has come (H-70). Keep it, show it, and make it current on this device too (H-75).
    ///
    /// - Parameters:
    ///   - userActivity: a new object, with its data, without a delegate.
    ///   - restorationHandler: sends `restoreUserActivityState` to each object it is given, at once (H-71). Calling it is
    ///     optional; it may be kept and called later, then on the main thread. Apple does not say what a second call
    ///     does; here only the first counts.
    /// - Returns: true if the app has taken the activity. False, or without this method, the device that offered it is
    ///   not informed that it was continued.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool

    /// The activity cannot be continued (H-74). Without this method the system informs the person.
    /// - Parameter error: of `NSCocoaErrorDomain`, a code from 4608 to 4863; its `localizedDescription` is for the person.
    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// An activity that responders manage was brought up to date: the last chance to add to it before it is sent.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)

    /// There are no remote notifications: the answer to ``UIApplication/registerForRemoteNotifications()``.
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// The app has become active: the person is using it.
    func applicationDidBecomeActive(_ application: UIApplication)

    /// The app is about to be active no longer.
    func applicationWillResignActive(_ application: UIApplication)

    /// The app is in the background; it may be stopped when this returns.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// The app is about to leave the background.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The app is about to end, because the system or the daemon asked it to (`SIGTERM`). It is in the background by then.
    /// Not called after a crash.
    func applicationWillTerminate(_ application: UIApplication)

    /// The device is about to be locked: files in the app's Inbox cannot be read in a moment. Locking waits 3 s at
    /// most for this to return.
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)

    /// The device was unlocked: files in the app's Inbox can be read again.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
}

extension UIApplicationDelegate {
    /// Marks the method as not implemented.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        OptionalMethod.willFinishLaunching.noteAbsent(on: self)
        return true
    }

    /// Marks the method as not implemented.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        OptionalMethod.didFinishLaunching.noteAbsent(on: self)
        return true
    }

    /// Marks the method as not implemented: the manifest says how.
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        OptionalMethod.configurationForConnecting.noteAbsent(on: self)
        return connectingSceneSession.configuration
    }

    /// Does nothing.
    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}

    /// Marks the method as not implemented.
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        OptionalMethod.openURL.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented.
    public func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool {
        OptionalMethod.openURLFromSource.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented.
    public func application(_ application: UIApplication, handleOpen url: URL) -> Bool {
        OptionalMethod.handleOpenURL.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented.
    public func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        OptionalMethod.willContinue.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented.
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        OptionalMethod.continueActivity.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented: the system informs the person.
    public func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        OptionalMethod.didFail.noteAbsent(on: self)
    }

    /// Does nothing.
    public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {}

    /// Does nothing.
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}
}
