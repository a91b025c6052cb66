import CGTK4
import CWebKitGTK
import GTKSupport
import WindowProtocol

/// The window: four tabs, each with an address field, a web view, and the notice of a page that is on its way.
@MainActor
final class BrowserWindow {
    private let window: OpaquePointer
    private let notebook: OpaquePointer
    private var tabs: [BrowserTab] = []
    private let send: @MainActor (WindowEvent) -> Void
    /// The state is shown, and the person has not turned to another tab.
    private var isShowing = false

    /// - Returns: nil where GTK makes no window.
    init?(send: @escaping @MainActor (WindowEvent) -> Void) {
        guard let window = gtk_window_new(), let notebook = gtk_notebook_new() else { return nil }
        self.window = window
        self.notebook = notebook
        self.send = send
        for index in 0..<BrowserTab.count {
            guard let tab = BrowserTab(index: index, send: send, titleChanged: { [weak self] in self?.showTitle() })
            else { return nil }
            tabs.append(tab)
            gtk_notebook_append_page(notebook, tab.content, tab.label)
        }
        GTK.connect(notebook, .switchPage) { [weak self] index in
            guard let self else { return true }
            if !isShowing { send(.selected(tab: Int(index))) }
            // The notebook turns only after this.
            _ = GTK.after(milliseconds: 0) { [weak self] in self?.showTitle() }
            return true
        }
        GTK.connect(window, .closeRequest) { _ in
            send(.closed)
            return true
        }
        gtk_window_set_title(window, "MonkeyBrowser")
        gtk_window_set_default_size(window, 1000, 720)
        gtk_window_set_child(window, notebook)
        gtk_window_present(window)
    }

    func show(_ state: WindowState) {
        isShowing = true
        for (tab, shown) in zip(tabs, state.tabs) { tab.show(shown) }
        if tabs.indices.contains(state.front), gtk_notebook_get_current_page(notebook) != Int32(state.front) {
            gtk_notebook_set_current_page(notebook, Int32(state.front))
        }
        isShowing = false
        showTitle()
    }

    func load(_ url: String, in index: Int, request: UInt64) {
        guard tabs.indices.contains(index) else {
            return send(.failed(request: request, why: "There is no such tab."))
        }
        tabs[index].load(url, request: request)
    }

    private func showTitle() {
        let front = Int(gtk_notebook_get_current_page(notebook))
        guard tabs.indices.contains(front) else { return }
        gtk_window_set_title(window, tabs[front].windowTitle + " – MonkeyBrowser")
    }
}
