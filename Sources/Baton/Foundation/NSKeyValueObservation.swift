/// A change for an observer. Linux has no key-value observing: Baton has it for the activity of a document alone (H-64).
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// Apple's number.
    public let rawValue: UInt
    /// From Apple's number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The change has the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The change has the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The handler is called at once, too.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// One change of an observed value.
public struct NSKeyValueObservedChange<Value> {
    /// With ``NSKeyValueObservingOptions/new``.
    public let newValue: Value?
    /// With ``NSKeyValueObservingOptions/old``; nil in the first call.
    public let oldValue: Value?
}

/// Ends an observation when it is invalidated or let go.
public final class NSKeyValueObservation: Sendable {
    private let activity: DocumentActivity
    private let id: UInt64

    init<Document: AnyObject & Sendable>(
        _ activity: DocumentActivity, _ document: Document, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Document, NSKeyValueObservedChange<NSUserActivity?>) -> Void
    ) {
        self.activity = activity
        id = activity.observe { [weak document] old, new in
            guard let document else { return }
            handler(
                document,
                NSKeyValueObservedChange(
                    newValue: options.contains(.new) ? .some(new) : nil,
                    oldValue: options.contains(.old) ? .some(old) : nil))
        }
        if options.contains(.initial) {
            handler(
                document,
                NSKeyValueObservedChange(
                    newValue: options.contains(.new) ? .some(activity.activity) : nil, oldValue: nil))
        }
    }

    deinit { activity.removeObserver(id) }

    /// The handler is not called any more.
    public func invalidate() { activity.removeObserver(id) }
}
