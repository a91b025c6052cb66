public import Foundation

/// Hears of what becomes of a window. Every method is optional and called on the main actor.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nswindowdelegate>
@MainActor
@preconcurrency
public protocol NSWindowDelegate: NSObjectProtocol {
    /// Whether a window that ``NSWindow/performClose(_:)`` is to close may be.
    func windowShouldClose(_ sender: NSWindow) -> Bool
    /// It is about to be closed. The notification's object is the window, as with the others.
    func windowWillClose(_ notification: Notification)
    /// It has become the one that the person uses.
    func windowDidBecomeMain(_ notification: Notification)
    /// It is so no more.
    func windowDidResignMain(_ notification: Notification)
    /// Its undo manager, in place of the document's or its own; nil for those.
    func windowWillReturnUndoManager(_ window: NSWindow) -> UndoManager?
}

extension NSWindowDelegate {
    /// Lets it be closed.
    public func windowShouldClose(_ sender: NSWindow) -> Bool { true }
    /// Does nothing.
    public func windowWillClose(_ notification: Notification) {}
    /// Does nothing.
    public func windowDidBecomeMain(_ notification: Notification) {}
    /// Does nothing.
    public func windowDidResignMain(_ notification: Notification) {}
    /// Nil.
    public func windowWillReturnUndoManager(_ window: NSWindow) -> UndoManager? { nil }
}
