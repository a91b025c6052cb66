public import Foundation

/// Names a task that ``UIApplication/beginBackgroundTask(withName:expirationHandler:)`` has begun.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The task's number; 0 for none.
    public let rawValue: Int
    /// From a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// No task.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

extension UIApplication {
    /// Says that something is under way which is to end before the app does. Any thread.
    ///
    /// An app in the background goes on running here, for as long as it likes. But when it is asked to end (`SIGTERM`, `baton quit`,
    /// an update) or to stop (Ctrl-Z), it does so only after its tasks: `applicationWillTerminate` waits for them for 4 seconds.
    /// After that the handlers of those that still run are called, and the app ends: the daemon kills it a second later.
    /// - Parameters:
    ///   - taskName: for people who look for a fault; not used.
    ///   - handler: called on the main actor when the time is over. It stops the work, and ends the task.
    /// - Returns: `.invalid` when no task may begin: the time is over, or 1,000 run.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)>
    public nonisolated func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        backgroundTasks.begin(handler).map(UIBackgroundTaskIdentifier.init(rawValue:)) ?? .invalid
    }

    /// As ``beginBackgroundTask(withName:expirationHandler:)``, without a name.
    public nonisolated func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { beginBackgroundTask(withName: nil, expirationHandler: handler) }

    /// The task has ended. Every task is to be ended, also by its handler. Nothing happens for one that is not running. Any thread.
    public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        backgroundTasks.end(identifier.rawValue)
    }

    /// How long tasks may go on, in seconds: `greatestFiniteMagnitude`, unless the app was asked to end and waits for them.
    public var backgroundTimeRemaining: TimeInterval {
        guard let remaining = backgroundTasks.remaining else { return .greatestFiniteMagnitude }
        return Double(remaining.components.seconds) + Double(remaining.components.attoseconds) / 1e18
    }

    /// Whether the app may do something in the background: always, since nothing is stopped there.
    public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }
}

/// Whether an app may do something in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// Not allowed on this device.
    case restricted = 0
    /// Not allowed by the person.
    case denied = 1
    /// Allowed.
    case available = 2
}
