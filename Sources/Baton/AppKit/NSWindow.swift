public import Foundation

/// A window without a screen: it can be main, has a title, and belongs to a document (H-61, H-64).
///
/// A program with real windows calls ``makeMain()`` and ``resignMain()`` when the person turns to one of them.
@MainActor
@preconcurrency
open class NSWindow: NSResponder {
    /// The window that the person uses; nil if it is not one of this app.
    public internal(set) static weak var main: NSWindow?

    /// The title of it.
    open var title = ""
    /// The file that it shows.
    open var representedURL: URL?
    /// Whether there is something to save.
    open var isDocumentEdited = false
    /// Its controller. Held weakly.
    open weak var windowController: NSWindowController?
    /// Whether it was shown and not closed since.
    open private(set) var isVisible = false

    /// Hears of what becomes of it. Held weakly.
    open weak var delegate: (any NSWindowDelegate)?

    private lazy var ownUndoManager = UndoManager()

    /// That of the delegate, of the document, or else one of its own.
    open override var undoManager: UndoManager? {
        if let given = delegate?.windowWillReturnUndoManager(self) { return given }
        guard let document = windowController?.document else { return ownUndoManager }
        return document.undoManager
    }

    /// A window that is not shown.
    public required init() { super.init() }

    /// Whether it is the one that the person uses.
    open var isMainWindow: Bool { Self.main === self }

    /// Makes it the one that the person uses. Its activity, or else its document's, becomes current (H-61).
    open func makeMain() {
        guard !isMainWindow else { return }
        Self.main?.resignMain()
        Self.main = self
        becomeMain()
    }

    /// It has become main. Overrides call `super`.
    open func becomeMain() {
        (userActivity ?? windowController?.document?.userActivity)?.becomeCurrent()
        tell(Self.didBecomeMainNotification) { $0.windowDidBecomeMain($1) }
    }

    /// It is main no more. Its activity stays current until another's becomes so.
    open func resignMain() {
        guard isMainWindow else { return }
        Self.main = nil
        tell(Self.didResignMainNotification) { $0.windowDidResignMain($1) }
    }

    /// Calls the delegate first, then the observers.
    private func tell(_ name: NSNotification.Name, _ call: (any NSWindowDelegate, Notification) -> Void) {
        if let delegate { call(delegate, Notification(name: name, object: self)) }
        NotificationCenter.default.post(name: name, object: self)
    }

    /// Shows it, and makes it main.
    open func makeKeyAndOrderFront(_ sender: Any?) {
        isVisible = true
        NSApplication.shared.noteShown(self)
        makeMain()
    }

    /// As ``isMainWindow``: there are no panels beside it.
    open var isKeyWindow: Bool { isMainWindow }

    /// As ``makeMain()``.
    open func makeKey() { makeMain() }

    /// Shows it, and does not make it main.
    open func orderFront(_ sender: Any?) {
        isVisible = true
        NSApplication.shared.noteShown(self)
    }

    /// Hides it. It is not closed, and main no more.
    open func orderOut(_ sender: Any?) {
        isVisible = false
        resignMain()
    }

    /// The window shows a file, whose name is its title.
    open func setTitleWithRepresentedFilename(_ filename: String) {
        representedURL = URL(fileURLWithPath: filename)
        title = representedURL?.lastPathComponent ?? filename
    }

    /// Goes on with the next responder, or else with the window's controller.
    @discardableResult
    open override func presentError(_ error: any Error) -> Bool {
        guard nextResponder == nil, let windowController else { return super.presentError(error) }
        return windowController.presentError(willPresentError(error))
    }

    /// Closes it. With the last visible one the app may end (`applicationShouldTerminateAfterLastWindowClosed`).
    open func close() {
        let wasVisible = isVisible
        isVisible = false
        tell(Self.willCloseNotification) { $0.windowWillClose($1) }
        resignMain()
        if wasVisible { NSApplication.shared.windowClosed() }
    }

    /// Closes it as the person does: if its delegate lets it be closed.
    /// - Parameter sender: not used.
    open func performClose(_ sender: Any?) {
        guard delegate?.windowShouldClose(self) ?? true else { return }
        if let windowController { windowController.close() } else { close() }
    }

    /// Posted when a window has become main.
    nonisolated public class var didBecomeMainNotification: NSNotification.Name {
        NSNotification.Name("NSWindowDidBecomeMainNotification")
    }
    /// Posted when a window is main no more.
    nonisolated public class var didResignMainNotification: NSNotification.Name {
        NSNotification.Name("NSWindowDidResignMainNotification")
    }
    /// Posted before a window is closed.
    nonisolated public class var willCloseNotification: NSNotification.Name {
        NSNotification.Name("NSWindowWillCloseNotification")
    }
}
