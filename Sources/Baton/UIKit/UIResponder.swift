public import Foundation

/// An object of the user interface that takes part in an activity: a window, a view, a controller, the application.
///
/// Unlike on Apple's systems `init()` is `required`, because ``UIApplicationDelegate/main()`` has no Objective-C
/// runtime that could make an app delegate. A subclass with initializers of its own adds `required init()`.
@MainActor
@preconcurrency
open class UIResponder: NSObject, UIUserActivityRestoring {
    private var managed = ManagedActivity()

    /// A responder without an activity.
    public required override init() { super.init() }

    deinit {
        managed.activity?.dissociate(ObjectIdentifier(self))
    }

    /// The next object in the chain; nil unless a subclass says otherwise.
    open var next: UIResponder? { nil }

    /// In the last object of a chain, or its window: the one that is first there.
    private weak var first: UIResponder?

    /// The window of the object's chain, or else the last object of it: it has one first responder. A chain that goes round ends somewhere.
    private var root: UIResponder {
        var root = self
        for _ in 0..<1_000 {
            guard !(root is UIWindow), let next = root.next else { break }
            root = next
        }
        return root
    }

    /// Whether the object is the one of its window that gets what the person types. The objects of a chain without a window have one
    /// together.
    open var isFirstResponder: Bool { root.first === self }

    /// Whether the object may become the first responder. False unless a subclass says otherwise; true for a text field.
    open var canBecomeFirstResponder: Bool { false }

    /// Whether the object may cease to be the first responder. True unless a subclass says otherwise.
    open var canResignFirstResponder: Bool { true }

    /// Makes the object the first responder, in place of the one before. Overrides call `super`.
    /// - Returns: false where the object may not become it, or the other does not cease to be it.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        guard canBecomeFirstResponder else { return false }
        let root = root
        if let other = root.first, !other.canResignFirstResponder || !other.resignFirstResponder() { return false }
        root.first = self
        return true
    }

    /// The object is the first responder no more. Overrides call `super`.
    /// - Returns: false where it stays so.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        if isFirstResponder { root.first = nil }
        return true
    }

    /// The undo manager of the next responder that has one, up to the window, which has one of its own. A controller of a
    /// document overrides this with the document's.
    open var undoManager: UndoManager? { next?.undoManager }

    /// The activity that this object takes part in (H-45).
    ///
    /// Setting it hands the management of the activity to Baton: before it is sent, and so without a delegate's
    /// `userActivityWillSave` (H-53), its `userInfo` is emptied (H-49) and each responder that shares it (H-48) gets
    /// ``updateUserActivityState(_:)``, in the order in which they were associated. Set `needsSave` of the activity when
    /// the state changes (H-47). Nil dissociates the object (H-51). An activity that has lost its last responder,
    /// because each was dissociated or is gone, is invalidated (H-52). Becoming current is the app's part, but for a document's
    /// activity that a ``UIViewController`` is given.
    open var userActivity: NSUserActivity? {
        get { managed.activity }
        set { managed.replace(by: newValue, for: self) }
    }

    /// Add this object's state to the activity with `addUserInfoEntries(from:)` (H-50).
    ///
    /// Called on the main actor each time the activity is about to be sent, also after a restart of the daemon. The
    /// default does nothing.
    open func updateUserActivityState(_ activity: NSUserActivity) {}

    /// Take over the state that the activity describes (H-72). The default does nothing; overrides call `super`.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}
}

extension UIResponder: ActivityResponder {}
