/// The app's windows, as it has shown them: there is no screen.
extension NSApplication {
    /// The windows that were shown, also those that were closed and are kept. Those that are gone are not among them.
    public var windows: [NSWindow] { shownWindows.reversed() }

    /// The window that the person uses; nil if it is not one of this app.
    public var mainWindow: NSWindow? { NSWindow.main }

    /// As ``mainWindow``: there are no panels beside it.
    public var keyWindow: NSWindow? { NSWindow.main }

    /// The visible windows, the one that the person uses first, then the one that was shown last.
    public var orderedWindows: [NSWindow] {
        let visible = shownWindows.filter(\.isVisible)
        return visible.filter(\.isMainWindow) + visible.filter { !$0.isMainWindow }
    }

    /// The documents in the order of their visible windows. One without such a window is not among them.
    public var orderedDocuments: [NSDocument] {
        var documents: [NSDocument] = []
        for document in orderedWindows.compactMap({ $0.windowController?.document })
        where !documents.contains(where: { $0 === document }) { documents.append(document) }
        return documents
    }
}
