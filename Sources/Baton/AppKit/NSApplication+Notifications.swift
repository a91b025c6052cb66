public import Foundation

extension NSApplication {
    /// Posted when the app is about to have been launched, after the delegate's method has returned.
    nonisolated public class var willFinishLaunchingNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationWillFinishLaunchingNotification")
    }

    /// Posted when the app was launched, after the delegate's method has returned.
    nonisolated public class var didFinishLaunchingNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationDidFinishLaunchingNotification")
    }

    /// Posted when the app has become active, after the delegate's method has returned.
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationDidBecomeActiveNotification")
    }

    /// Posted when the app is about to be active no longer, after the delegate's method has returned.
    nonisolated public class var willResignActiveNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationWillResignActiveNotification")
    }

    /// Posted when the app is about to end, after the delegate's method has returned.
    nonisolated public class var willTerminateNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationWillTerminateNotification")
    }

    /// Posted when the device is about to be locked, after the delegate's method has returned.
    nonisolated public class var protectedDataWillBecomeUnavailableNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationProtectedDataWillBecomeUnavailableNotification")
    }

    /// Posted when the device was unlocked, after the delegate's method has returned.
    nonisolated public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationProtectedDataDidBecomeAvailableNotification")
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The one application of the process.
@MainActor
@preconcurrency
public var NSApp: NSApplication { NSApplication.shared }
