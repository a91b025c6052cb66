import Foundation
import Logging

/// AppKit's counterpart of ``UIApplication``: the app as a whole (H-101).
///
/// An app has one of the two: the one whose ``delegate`` was set last hears of activities. A program that has a main loop
/// of its own sets the delegate, does not call ``run()``, and must let the main queue run for the delegate to be called.
@MainActor
@preconcurrency
open class NSApplication: NSResponder {
    let runtime: AppRuntime
    private(set) var isTerminating = false
    private struct ShownWindow {
        weak var window: NSWindow?
    }
    /// Bounded by the app's windows: those that are gone are forgotten.
    private var shown: [ShownWindow] = []
    /// The delegate has said that it decides later.
    private var isAwaitingReply = false

    /// Not for apps: use ``shared``.
    public required init() {
        runtime = .current
        super.init()
    }

    init(runtime: AppRuntime) {
        self.runtime = runtime
        super.init()
    }

    /// The one application of the process.
    public class var shared: NSApplication { AppRuntime.current.appKitApplication }

    /// Hears of the app's life and of activities to continue (H-66). Held weakly.
    ///
    /// Setting it attaches the process to the daemon as one that can continue activities; that is repeated by itself
    /// after each restart of the daemon.
    open weak var delegate: (any NSApplicationDelegate)? {
        didSet { runtime.setHost(self, hasDelegate: delegate != nil) }
    }

    /// Whether ``run()`` was called.
    public private(set) var isRunning = false

    /// Whether a person is using the app; false until it was launched, and while it is stopped from its terminal (Ctrl-Z).
    public private(set) var isActive = false

    /// Launches the app and runs the main run loop, and with it the main queue. Does not return.
    open func run() {
        ImportRun.runIfRequested()
        isRunning = true
        let signals = ProcessSignals(
            terminate: { self.terminate(nil) },
            suspend: { stop in
                self.deactivate()
                self.runtime.setInFront(false)
                self.finishSaving(then: stop)
            },
            resume: {
                self.activate()
                self.runtime.setInFront(true)
            })
        UIApplication.forgetLaunchVariables()
        finishLaunching()
        while true {
            withExtendedLifetime(signals) { RunLoop.main.run() }
        }
    }

    /// Notifies the delegate that the app is being launched and was launched, and makes the app active. ``run()`` calls it.
    open func finishLaunching() {
        post(Self.willFinishLaunchingNotification) { $0.applicationWillFinishLaunching($1) }
        post(Self.didFinishLaunchingNotification) { $0.applicationDidFinishLaunching($1) }
        activate()
    }

    /// Makes the app active. Baton sees no screen: a program with windows calls this when one of
    /// them comes to the front.
    open func activate() {
        guard !isActive else { return }
        isActive = true
        post(Self.didBecomeActiveNotification) { $0.applicationDidBecomeActive($1) }
    }

    /// As ``activate()``. AppKit's older form.
    /// - Parameter flag: not used.
    open func activate(ignoringOtherApps flag: Bool) { activate() }

    /// Makes the app inactive.
    open func deactivate() {
        guard isActive else { return }
        post(Self.willResignActiveNotification) { $0.applicationWillResignActive($1) }
        isActive = false
    }

    /// Whether files in the app's Inbox can be read: false while the device is locked.
    open var isProtectedDataAvailable: Bool { runtime.isProtectedDataAvailable }

    /// Shows an error to the person. There is no screen: after the delegate's `application(_:willPresentError:)` it is logged.
    /// - Returns: whether the app has recovered from it: false.
    @discardableResult
    open override func presentError(_ error: any Error) -> Bool {
        let shown = delegate?.application(self, willPresentError: error) ?? error
        if (shown as? CocoaError)?.code != .userCancelled { runtime.logger.error("\(shown.localizedDescription)") }
        return false
    }

    /// Asks the delegate (`applicationShouldTerminate`), has documents with ``NSDocument/autosavesInPlace`` saved, calls
    /// `applicationWillTerminate`, and ends the process. Saves are waited for, for 4 seconds at most.
    ///
    /// The daemon asks in the same way (`baton quit`, an update), and does not take no for an answer: it kills an app that has not
    /// ended within 5 seconds.
    /// - Parameter sender: not used.
    open func terminate(_ sender: Any?) {
        guard !isTerminating, !isAwaitingReply else { return }
        switch delegate?.applicationShouldTerminate(self) ?? .terminateNow {
        case .terminateCancel: return
        case .terminateLater: isAwaitingReply = true
        case .terminateNow: terminateNow()
        }
    }

    /// The decision of a delegate that answered `terminateLater`. Ignored unless it was asked.
    open func reply(toApplicationShouldTerminate shouldTerminate: Bool) {
        guard isAwaitingReply else { return }
        isAwaitingReply = false
        if shouldTerminate { terminateNow() }
    }

    private func terminateNow() {
        isTerminating = true
        NotificationCenter.default.post(name: DocumentCore.ending, object: self)
        finishSaving { [self] in
            post(Self.willTerminateNotification) { $0.applicationWillTerminate($1) }
            runtime.environment.exit(0)
        }
    }

    /// Calls back when what documents have begun to save is saved, or its time is over.
    private func finishSaving(then completion: @escaping @MainActor @Sendable () -> Void) {
        runtime.application.backgroundTasks.finish(within: runtime.environment.backgroundGrace, then: completion)
    }

    func noteShown(_ window: NSWindow) {
        shown.removeAll { $0.window == nil || $0.window === window }
        shown.append(ShownWindow(window: window))
    }

    /// The windows that were shown, from the one that was shown last.
    var shownWindows: [NSWindow] { shown.compactMap(\.window).reversed() }

    /// The windows that are shown.
    var visibleWindows: [NSWindow] { shown.compactMap(\.window).filter(\.isVisible) }

    /// A window was closed.
    func windowClosed() {
        guard let delegate, visibleWindows.isEmpty,
            delegate.applicationShouldTerminateAfterLastWindowClosed(self)
        else { return }
        terminate(nil)
    }

    /// Notifies the delegate, and then the observers.
    private func post(_ name: NSNotification.Name, _ tell: (any NSApplicationDelegate, Notification) -> Void) {
        let notification = Notification(name: name, object: self)
        if let delegate { tell(delegate, notification) }
        NotificationCenter.default.post(notification)
    }
}

extension NSApplication: ApplicationHost {
    func tookAtLaunch(_ request: String) -> Bool { false }

    func willContinue(type: String) -> Bool? {
        guard let delegate else { return nil }
        return OptionalMethod.willContinue.call(on: delegate) {
            delegate.application(self, willContinueUserActivityWithType: type)
        }
    }

    func continueActivity(_ activity: NSUserActivity) -> Bool? {
        guard let delegate else { return nil }
        var isRestored = false
        return OptionalMethod.continueActivity.call(on: delegate) {
            delegate.application(self, continue: activity) { objects in
                guard !isRestored else { return }
                isRestored = true
                for object in objects { object.restoreUserActivityState(activity) }
            }
        }
    }

    func didFail(type: String, error: any Error) -> Bool {
        guard let delegate else { return false }
        let called: Void? = OptionalMethod.didFail.call(on: delegate) {
            delegate.application(self, didFailToContinueUserActivityWithType: type, error: error)
        }
        return called != nil
    }

    func open(_ opened: OpenedURL, request: String) -> Bool? {
        guard let delegate else { return nil }
        activate()
        let called: Void? = OptionalMethod.openURL.call(on: delegate) {
            delegate.application(self, open: [opened.url])
        }
        if called != nil { return true }
        return opened.url.isFileURL ? openFile(opened.url, delegate) : nil
    }

    func didUpdate(_ activity: NSUserActivity) { delegate?.application(self, didUpdate: activity) }

    func protectedDataChanges(isAvailable: Bool) {
        if isAvailable {
            post(Self.protectedDataDidBecomeAvailableNotification) {
                $0.applicationProtectedDataDidBecomeAvailable($1)
            }
        } else {
            post(Self.protectedDataWillBecomeUnavailableNotification) {
                $0.applicationProtectedDataWillBecomeUnavailable($1)
            }
        }
    }

    /// Without a delegate, the host program decides when it ends.
    func terminate() {
        if delegate != nil { terminate(nil) }
    }
}
