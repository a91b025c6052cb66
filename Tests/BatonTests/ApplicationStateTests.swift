import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// The callbacks of an app that is used, left and ended.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ApplicationStateTests {
    private static let notifications = [
        UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
        UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
        UIApplication.willEnterForegroundNotification, UIApplication.willTerminateNotification,
    ]

    @Test("a launched app is active; each step to another state is told to the delegate, then to observers")
    func steps() async throws {
        try await withApp { app in
            let application = app.runtime.application
            let delegate = StateDelegate()
            let observers = Observers(of: application, Self.notifications, delegate.journal)
            #expect(application.applicationState == .inactive)
            application.launch(delegate: delegate, options: nil)
            #expect(application.applicationState == .active)
            application.transition(to: .background)
            application.transition(to: .background)
            application.transition(to: .inactive)
            #expect(application.applicationState == .inactive)
            application.transition(to: .active)
            application.transition(to: .inactive)
            application.transition(to: .background)
            application.transition(to: .active)
            _ = try await app.nextAttach()
            #expect(
                delegate.journal.all == [
                    "didFinishLaunching inactive", "UIApplicationDidFinishLaunchingNotification",
                    "didBecomeActive active", "UIApplicationDidBecomeActiveNotification",
                    "willResignActive active", "UIApplicationWillResignActiveNotification",
                    "didEnterBackground background", "UIApplicationDidEnterBackgroundNotification",
                    "willEnterForeground background", "UIApplicationWillEnterForegroundNotification",
                    "didBecomeActive active", "UIApplicationDidBecomeActiveNotification",
                    "willResignActive active", "UIApplicationWillResignActiveNotification",
                    "didEnterBackground background", "UIApplicationDidEnterBackgroundNotification",
                    "willEnterForeground background", "UIApplicationWillEnterForegroundNotification",
                    "didBecomeActive active", "UIApplicationDidBecomeActiveNotification",
                ])
            withExtendedLifetime(observers) {}
        }
    }

    @Test("an app that ends is left first, and its observers hear of the end before the process is gone")
    func ends() async throws {
        try await withApp { app in
            let application = app.runtime.application
            let delegate = StateDelegate()
            application.launch(delegate: delegate, options: nil)
            _ = try await app.nextAttach()
            let start = delegate.journal.all.count
            let observers = Observers(of: application, Self.notifications, delegate.journal)
            application.terminate()
            #expect(try await app.exits.next() == 0)
            #expect(
                Array(delegate.journal.all.dropFirst(start)) == [
                    "willResignActive active", "UIApplicationWillResignActiveNotification",
                    "didEnterBackground background", "UIApplicationDidEnterBackgroundNotification",
                    "willTerminate background", "UIApplicationWillTerminateNotification",
                ])
            withExtendedLifetime(observers) {}
        }
    }

    @Test("an app that was left says so though it shows nothing, and so does one that comes back (P-15)")
    func left() async throws {
        try await withApp { app in
            let (application, runtime) = (app.runtime.application, app.runtime)
            application.transition(to: .active)
            #expect(runtime.nextContext() == nil)
            application.transition(to: .background)
            #expect(runtime.nextContext() == AppContext(isInFront: false, showing: nil))
            #expect(runtime.nextContext() == nil)
            // The daemon was started again meanwhile.
            _ = runtime.takeAttachment(limit: 1)
            #expect(runtime.nextContext() == AppContext(isInFront: false, showing: nil))
            application.transition(to: .active)
            #expect(runtime.nextContext() == AppContext(isInFront: true, showing: nil))
        }
    }

    @Test("a program with a main loop of its own says itself when a person is using it")
    func ownLoop() async throws {
        try await withApp { app in
            let delegate = StateDelegate()
            try await app.attach(delegate: delegate)
            let application = app.runtime.application
            #expect(application.applicationState == .inactive && delegate.journal.all.isEmpty)
            application.transition(to: .active)
            #expect(delegate.journal.all == ["didBecomeActive active"])
        }
    }
}

private final class StateDelegate: NSObject, UIApplicationDelegate {
    let journal = Journal()

    private func note(_ event: String, _ application: UIApplication) {
        journal.note("\(event) \(application.applicationState)")
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        note("didFinishLaunching", application)
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { note("didBecomeActive", application) }
    func applicationWillResignActive(_ application: UIApplication) { note("willResignActive", application) }
    func applicationDidEnterBackground(_ application: UIApplication) { note("didEnterBackground", application) }
    func applicationWillEnterForeground(_ application: UIApplication) { note("willEnterForeground", application) }
    func applicationWillTerminate(_ application: UIApplication) { note("willTerminate", application) }
}
