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

    /// Shows the window, and makes it main.
    open func showWindow(_ sender: Any?) { window?.makeKeyAndOrderFront(sender) }

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
