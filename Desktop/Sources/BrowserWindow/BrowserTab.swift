import CGTK4
import CWebKitGTK
import GTKSupport
import WindowProtocol

/// One tab of the window.
@MainActor
final class BrowserTab {
    static let count = 4

    /// The notebook's page, and its handle there.
    let content: OpaquePointer
    let label: OpaquePointer

    private let page: WebPage
    private let entry: OpaquePointer
    private let spinner: OpaquePointer
    private let message: OpaquePointer
    private let notice: OpaquePointer
    private let failure: OpaquePointer
    private var shown: WindowTab?

    init?(
        index: Int, send: @escaping @MainActor (WindowEvent) -> Void, titleChanged: @escaping @MainActor () -> Void
    ) {
        guard let page = WebPage(), let label = gtk_label_new(""), let entry = gtk_entry_new(),
            let back = gtk_button_new_from_icon_name("go-previous-symbolic"), let go = gtk_button_new_with_label("Go"),
            let bar = gtk_box_new(0, 6), let spinner = gtk_spinner_new(), let message = gtk_label_new(""),
            let notice = gtk_box_new(0, 12), let failure = gtk_label_new(""), let overlay = gtk_overlay_new(),
            let content = gtk_box_new(1, 0)
        else { return nil }
        (self.page, self.label, self.entry) = (page, label, entry)
        (self.spinner, self.message, self.notice, self.failure) = (spinner, message, notice, failure)
        self.content = content

        gtk_widget_set_tooltip_text(back, "Back")
        gtk_widget_set_hexpand(entry, 1)
        gtk_widget_add_css_class(bar, "toolbar")
        for widget in [back, entry, go] { gtk_box_append(bar, widget) }

        // The notice stands in the middle of the page, which can be used below it.
        gtk_widget_add_css_class(notice, "osd")
        gtk_widget_add_css_class(notice, "toolbar")
        gtk_widget_set_halign(notice, Self.center)
        gtk_widget_set_valign(notice, Self.center)
        gtk_widget_set_can_target(notice, 0)
        gtk_widget_set_visible(notice, 0)
        for widget in [spinner, message] { gtk_box_append(notice, widget) }

        gtk_widget_add_css_class(failure, "background")
        gtk_label_set_wrap(failure, 1)
        gtk_label_set_max_width_chars(failure, 60)
        gtk_widget_set_visible(failure, 0)

        gtk_overlay_set_child(overlay, page.view)
        gtk_overlay_add_overlay(overlay, failure)
        gtk_overlay_add_overlay(overlay, notice)
        gtk_widget_set_vexpand(overlay, 1)
        gtk_box_append(content, bar)
        gtk_box_append(content, overlay)

        let address = { gtk_editable_get_text(entry).map { String(cString: $0) } ?? "" }
        for (widget, signal) in [(entry, GTK.Signal.activate), (go, .clicked)] {
            GTK.connect(widget, signal) { _ in
                send(.go(tab: index, address: address()))
                return true
            }
        }
        GTK.connect(back, .clicked) { [weak page] _ in
            page?.goBack()
            return true
        }
        page.changed = { change in
            switch change {
            case .loaded(let request, let title): send(.loaded(request: request, title: title))
            case .failed(let request, let why): send(.failed(request: request, why: why))
            case .navigated(let url): send(.navigated(tab: index, url: url))
            case .title: break
            }
            titleChanged()
        }
    }

    /// `GTK_ALIGN_CENTER`.
    private static let center: UInt32 = 3

    /// The page's title; while a page is on its way, the message that says so.
    var windowTitle: String {
        if let message = shown?.message, !message.isEmpty { return message }
        return page.title.isEmpty ? shown?.title ?? "" : page.title
    }

    func load(_ url: String, request: UInt64) { page.load(url, request: request) }

    func show(_ tab: WindowTab) {
        let before = shown
        shown = tab
        if tab.title != before?.title { gtk_label_set_text(label, tab.title) }
        // The text that the person is typing stays until the page is another one.
        if tab.address != before?.address { gtk_editable_set_text(entry, tab.address) }
        if tab.failure != before?.failure {
            gtk_label_set_text(failure, tab.failure)
            gtk_widget_set_visible(failure, tab.failure.isEmpty ? 0 : 1)
        }
        let isContinuing = !tab.message.isEmpty
        if tab.message != before?.message {
            gtk_label_set_text(message, tab.message)
            gtk_spinner_set_spinning(spinner, isContinuing ? 1 : 0)
            gtk_widget_set_visible(notice, isContinuing ? 1 : 0)
        }
        if tab.overlayAlpha != before?.overlayAlpha { gtk_widget_set_opacity(notice, tab.overlayAlpha) }
    }
}
