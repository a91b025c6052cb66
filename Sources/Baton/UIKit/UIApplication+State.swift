public import Foundation

extension UIApplication {
    /// Whether a person is using the app.
    public enum State: Int, Sendable {
        /// It runs, and what the person does is meant for it.
        case active = 0
        /// It runs and is not used: it is being launched, or on its way between the other two.
        case inactive = 1
        /// It runs, or is stopped, where the person does not see it.
        case background = 2
    }

    /// Brings the app into a state by Apple's steps, each of which calls the delegate and then the observers of its
    /// notification. Not Apple's.
    ///
    /// There is no screen that shows this to Baton. An app that ``UIApplicationMain(_:_:_:_:)`` has launched is active;
    /// it is in the background while it is stopped from its terminal (Ctrl-Z), and before it ends. A program with windows
    /// calls this when they come to the front, leave it, or are hidden. In an app with scenes every scene takes the step, and
    /// their delegates are called in place of the app's.
    public func transition(to state: State) {
        if applicationState == .active, state != .active {
            if scenes.isInUse { scenes.appWillResignActive() } else { delegate?.applicationWillResignActive(self) }
            post(Self.willResignActiveNotification)
            applicationState = .inactive
        }
        if applicationState == .inactive, state == .background {
            applicationState = .background
            if scenes.isInUse { scenes.appDidEnterBackground() } else { delegate?.applicationDidEnterBackground(self) }
            post(Self.didEnterBackgroundNotification)
        }
        if applicationState == .background, state != .background {
            if scenes.isInUse {
                scenes.appWillEnterForeground()
            } else {
                delegate?.applicationWillEnterForeground(self)
            }
            post(Self.willEnterForegroundNotification)
            applicationState = .inactive
        }
        if applicationState == .inactive, state == .active {
            applicationState = .active
            if scenes.isInUse { scenes.appDidBecomeActive() } else { delegate?.applicationDidBecomeActive(self) }
            post(Self.didBecomeActiveNotification)
            foregroundActivities.cameToForeground()
        }
        updateIdleTimer()
        runtime.setInFront(applicationState != .background)
    }

    func post(_ name: NSNotification.Name, _ options: [LaunchOptionsKey: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: options)
    }

    /// Posted when the app was launched, after the delegate's method has returned; `userInfo` holds the launch options.
    nonisolated public class var didFinishLaunchingNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidFinishLaunchingNotification")
    }

    /// Posted when the app has become active, after the delegate's method has returned.
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    }

    /// Posted when the app is about to be active no longer, after the delegate's method has returned.
    nonisolated public class var willResignActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillResignActiveNotification")
    }

    /// Posted when the app is in the background, after the delegate's method has returned.
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }

    /// Posted when the app is about to leave the background, after the delegate's method has returned.
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    }

    /// Posted when the app is about to end, after the delegate's method has returned.
    nonisolated public class var willTerminateNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillTerminateNotification")
    }

    /// Posted when the device is about to be locked, after the delegate's method has returned.
    nonisolated public class var protectedDataWillBecomeUnavailableNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationProtectedDataWillBecomeUnavailable")
    }

    /// Posted when the device was unlocked, after the delegate's method has returned.
    nonisolated public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable")
    }
}
