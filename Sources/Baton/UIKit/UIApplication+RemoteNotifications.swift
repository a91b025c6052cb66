import Foundation

/// The result of an app that was launched to fetch something. UIKit's; see ``UIApplication/registerForRemoteNotifications()``.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// Something new.
    case newData = 0
    /// Nothing new.
    case noData = 1
    /// It could not fetch.
    case failed = 2
}

extension UIApplication {
    /// Asks for remote notifications, of which there are none: the delegate's
    /// `application(_:didFailToRegisterForRemoteNotificationsWithError:)` is called, later, on the main actor.
    ///
    /// An app with CloudKit needs none: ``CKSyncEngine`` and ``CKDatabase/remoteChanges`` hear of changes by themselves.
    ///
    /// Apple: <https://developer.apple.com/documentation/uikit/uiapplication/registerforremotenotifications()>
    public func registerForRemoteNotifications() {
        runtime.onMain { [weak self] in
            guard let self else { return }
            delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: RemoteNotifications.missing)
        }
    }

    /// Does nothing: there are no remote notifications.
    public func unregisterForRemoteNotifications() {}

    /// False: there are no remote notifications.
    public nonisolated var isRegisteredForRemoteNotifications: Bool { false }
}

extension NSApplication {
    /// As ``UIApplication/registerForRemoteNotifications()``.
    public func registerForRemoteNotifications() {
        runtime.onMain { [weak self] in
            guard let self else { return }
            delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: RemoteNotifications.missing)
        }
    }

    /// Does nothing: there are no remote notifications.
    public func unregisterForRemoteNotifications() {}

    /// False: there are no remote notifications.
    public nonisolated var isRegisteredForRemoteNotifications: Bool { false }
}

enum RemoteNotifications {
    /// The error that Apple's systems give where remote notifications are not supported.
    static var missing: any Error {
        NSError(
            domain: NSCocoaErrorDomain, code: 3010,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "There are no remote notifications. Changes of CloudKit and of other devices come by themselves."
            ])
    }
}
