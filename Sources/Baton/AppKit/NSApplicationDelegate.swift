public import Foundation

/// AppKit's counterpart of ``UIApplicationDelegate``: hears of the app's life, and is where activities of other devices
/// arrive (H-66, H-101). Every method is optional and called on the main actor, in the same order and as often.
///
/// A method that a subclass adds to a class which conforms without it is not found, since Swift settles that where the
/// conformance is declared: implement it in the class that conforms.
@MainActor
@preconcurrency
public protocol NSApplicationDelegate: NSObjectProtocol {
    /// The app is about to have been launched.
    func applicationWillFinishLaunching(_ notification: Notification)

    /// The app has been launched.
    func applicationDidFinishLaunching(_ notification: Notification)

    /// The app has become active: the person is using it.
    func applicationDidBecomeActive(_ notification: Notification)

    /// The app is about to be active no longer.
    func applicationWillResignActive(_ notification: Notification)

    /// Whether the app may end. Without this method it may.
    func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply

    /// Whether the app ends when its last ``NSWindow`` was closed. Without this method it does not.
    func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool

    /// The person has turned to the running app once more: ``NSApplication/reopen()``.
    /// - Returns: false if the delegate has done what is to be done. Without this method true.
    func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows flag: Bool) -> Bool

    /// The app is about to end, because it or the daemon asked for it. Not called after a crash.
    func applicationWillTerminate(_ notification: Notification)

    /// The device is about to be locked: files in the app's Inbox cannot be read in a moment.
    func applicationProtectedDataWillBecomeUnavailable(_ notification: Notification)

    /// The device was unlocked: files in the app's Inbox can be read again.
    func applicationProtectedDataDidBecomeAvailable(_ notification: Notification)

    /// URLs and files to open: the app was launched for them, or runs. A file is a copy in the app's Inbox.
    func application(_ application: NSApplication, open urls: [URL])

    /// Files to open, by their paths. Only called where `application(_:open:)` is not implemented. Call
    /// ``NSApplication/reply(toOpenOrPrint:)`` in the end.
    func application(_ sender: NSApplication, openFiles filenames: [String])

    /// A file to open, by its path. Only called where `application(_:open:)` and `application(_:openFiles:)` are not implemented.
    /// Without all three, an app with a class for the file's type opens it as a document.
    /// - Returns: whether it is open.
    func application(_ sender: NSApplication, openFile filename: String) -> Bool

    /// An error is about to be shown.
    /// - Returns: what is shown in its place. Without this method the error itself.
    func application(_ application: NSApplication, willPresentError error: any Error) -> any Error

    /// The person has chosen to continue an activity of this type; its data may not have come yet (H-68).
    /// - Returns: true if the app itself shows that something is coming (H-69); false, or without this method, the
    ///   system does.
    func application(_ application: NSApplication, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// The activity has come (H-70). Keep it, show it, and make it current on this device too (H-75).
    ///
    /// - Parameters:
    ///   - userActivity: a new object, with its data, without a delegate.
    ///   - restorationHandler: sends `restoreUserActivityState` to each object it is given, at once (H-71). Calling it is
    ///     optional; it may be kept and called later, then on the main thread. Only the first call counts.
    /// - Returns: true if the app has taken the activity. False, or without this method, the device that offered it is
    ///   not informed that it was continued.
    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool

    /// The activity cannot be continued (H-74). Without this method the system informs the person.
    /// - Parameter error: of `NSCocoaErrorDomain`, a code from 4608 to 4863; its `localizedDescription` is for the person.
    func application(
        _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// An activity that responders manage was brought up to date: the last chance to add to it before it is sent.
    func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity)

    /// There are no remote notifications: the answer to ``NSApplication/registerForRemoteNotifications()``.
    func application(
        _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
}

extension NSApplicationDelegate {
    /// Does nothing.
    public func applicationWillFinishLaunching(_ notification: Notification) {}

    /// Does nothing.
    public func applicationDidFinishLaunching(_ notification: Notification) {}

    /// Does nothing.
    public func applicationDidBecomeActive(_ notification: Notification) {}

    /// Does nothing.
    public func applicationWillResignActive(_ notification: Notification) {}

    /// Lets the app end.
    public func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply { .terminateNow }

    /// Lets the app go on.
    public func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool { false }

    /// Leaves it to the system.
    public func applicationShouldHandleReopen(_ sender: NSApplication, hasVisibleWindows flag: Bool) -> Bool { true }

    /// Marks the method as not implemented.
    public func application(_ sender: NSApplication, openFiles filenames: [String]) {
        OptionalMethod.openFiles.noteAbsent(on: self)
    }

    /// Marks the method as not implemented.
    public func application(_ sender: NSApplication, openFile filename: String) -> Bool {
        OptionalMethod.openFile.noteAbsent(on: self)
        return false
    }

    /// Leaves the error as it is.
    public func application(_ application: NSApplication, willPresentError error: any Error) -> any Error { error }

    /// Does nothing.
    public func applicationWillTerminate(_ notification: Notification) {}

    /// Does nothing.
    public func applicationProtectedDataWillBecomeUnavailable(_ notification: Notification) {}

    /// Does nothing.
    public func applicationProtectedDataDidBecomeAvailable(_ notification: Notification) {}

    /// Marks the method as not implemented.
    public func application(_ application: NSApplication, open urls: [URL]) {
        OptionalMethod.openURL.noteAbsent(on: self)
    }

    /// Marks the method as not implemented.
    public func application(
        _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        OptionalMethod.willContinue.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented.
    public func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        OptionalMethod.continueActivity.noteAbsent(on: self)
        return false
    }

    /// Marks the method as not implemented: the system informs the person.
    public func application(
        _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        OptionalMethod.didFail.noteAbsent(on: self)
    }

    /// Does nothing.
    public func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {}

    /// Does nothing.
    public func application(
        _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}
}

extension NSApplicationDelegate where Self: NSResponder {
    /// The start of an app whose delegate is marked `@main`: makes the delegate and runs the app. Does not return.
    ///
    /// Only for delegates that are an ``NSResponder``: Swift can make no object of a class that does not promise an
    /// initializer. Any other delegate starts in a `main.swift`, by `NSApplication.shared.delegate` and
    /// ``NSApplication/run()``.
    public static func main() {
        ImportRun.runIfRequested()
        let delegate = Self()
        NSApplication.shared.delegate = delegate
        // The application holds its delegate weakly.
        withExtendedLifetime(delegate) { NSApplication.shared.run() }
    }
}
