public import Foundation

/// AppKit's counterpart of ``UIResponder``: an object of the user interface that takes part in an activity (H-101).
///
/// Unlike on Apple's systems `init()` is `required`, because ``NSApplicationDelegate/main()`` has no Objective-C runtime
/// that could make an app delegate. A subclass with initializers of its own adds `required init()`.
@MainActor
@preconcurrency
open class NSResponder: NSObject, NSUserActivityRestoring {
    private var managed = ManagedActivity()

    /// A responder without an activity.
    public required override init() { super.init() }

    deinit {
        managed.activity?.dissociate(ObjectIdentifier(self))
    }

    /// The next object in the chain; nil at first. Held weakly.
    open weak var nextResponder: NSResponder?

    /// The undo manager of the next responder that has one. A window has its document's, or one of its own.
    open var undoManager: UndoManager? { nextResponder?.undoManager }

    /// The activity that this object takes part in (H-45); as ``UIResponder/userActivity``, and one activity may have
    /// responders of both kinds.
    ///
    /// On Apple's systems such an activity becomes current when its window becomes main. There are no windows here:
    /// becoming current is the app's part.
    open var userActivity: NSUserActivity? {
        get { managed.activity }
        set { managed.replace(by: newValue, for: self) }
    }

    /// Shows an error to the person: gives ``willPresentError(_:)`` of it to the next responder, the last to the application.
    /// - Returns: whether the app has recovered from it.
    @discardableResult
    open func presentError(_ error: any Error) -> Bool {
        let shown = willPresentError(error)
        return nextResponder?.presentError(shown) ?? NSApplication.shared.presentError(shown)
    }

    /// The error that is shown instead. By default the error itself.
    open func willPresentError(_ error: any Error) -> any Error { error }

    /// Add this object's state to the activity with `addUserInfoEntries(from:)` (H-50).
    ///
    /// Called on the main actor each time the activity is about to be sent, also after a restart of the daemon. The
    /// default does nothing.
    open func updateUserActivityState(_ userActivity: NSUserActivity) {}

    /// Take over the state that the activity describes (H-72). The default does nothing; overrides call `super`.
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}
}

extension NSResponder: ActivityResponder {}
