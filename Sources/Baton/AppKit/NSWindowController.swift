import Foundation

/// Has a window for a document.
@MainActor
@preconcurrency
open class NSWindowController: NSResponder {
    /// The document that it shows. Held weakly: the controller of documents holds it.
    open weak var document: NSDocument? { didSet { synchronizeWindowTitleWithDocumentName() } }
    /// The window.
    open var window: NSWindow? { didSet { window?.windowController = self } }

    /// A controller without a window.
    public required init() { super.init() }

    /// A controller of a window.
    public convenience init(window: NSWindow?) {
        self.init()
        self.window = window
        window?.windowController = self
    }

    /// Whether the window shows that there is something to save.
    open func setDocumentEdited(_ dirtyFlag: Bool) { window?.isDocumentEdited = dirtyFlag }

    /// Shows the window, and makes it main.
    open func showWindow(_ sender: Any?) { window?.makeKeyAndOrderFront(sender) }

    /// Goes on with the next responder, or else with the document.
    @discardableResult
    open override func presentError(_ error: any Error) -> Bool {
        guard nextResponder == nil, let document else { return super.presentError(error) }
        return document.presentError(willPresentError(error))
    }

    /// Whether the document is closed with this window, also while it has others. False at first.
    open var shouldCloseDocument = false

    /// Closes the window, and with ``shouldCloseDocument`` the document.
    open func close() {
        window?.close()
        if shouldCloseDocument, let document {
            document.close()
        } else {
            document?.removeWindowController(self)
        }
    }

    func documentWasClosed() {
        window?.close()
        document = nil
    }

    /// The title of the window. By default the document's name.
    open func windowTitle(forDocumentDisplayName displayName: String) -> String { displayName }

    /// Has the window say what the document's name and file are, and whether it is edited.
    open func synchronizeWindowTitleWithDocumentName() {
        guard let document, let window else { return }
        window.title = windowTitle(forDocumentDisplayName: document.displayName ?? "")
        window.representedURL = document.fileURL
        window.isDocumentEdited = document.isDocumentEdited
        // The document may have got its activity while the person used the window.
        if window.isMainWindow, window.userActivity == nil { document.userActivity?.becomeCurrent() }
    }
}
