import CGTK4
import FormProtocol
import GTKSupport

/// The form of AddressField: a field for an address, one for a message, and below each what is offered for it. A click takes it, or Tab
/// and Return.
@MainActor
final class FormWindow {
    /// As many as the app is offered.
    private static let maximumOffers = 3

    private let entries: [FormField: OpaquePointer]
    private let buttons: [FormField: [OpaquePointer]]
    /// The app has changed a text, and not the person.
    private var isWriting = false

    /// - Returns: nil where GTK makes no window.
    init?(send: @escaping @MainActor (FormEvent) -> Void) {
        guard let window = gtk_window_new(), let box = gtk_box_new(1, 8) else { return nil }
        var (entries, buttons): ([FormField: OpaquePointer], [FormField: [OpaquePointer]]) = ([:], [:])
        for (field, title) in [(FormField.address, "Address"), (.message, "Message")] {
            guard let entry = gtk_entry_new() else { return nil }
            gtk_entry_set_placeholder_text(entry, title)
            gtk_box_append(box, entry)
            entries[field] = entry
            for _ in 0..<Self.maximumOffers {
                guard let button = gtk_button_new_with_label("") else { return nil }
                gtk_widget_set_visible(button, 0)
                gtk_box_append(box, button)
                buttons[field, default: []].append(button)
            }
        }
        self.entries = entries
        self.buttons = buttons
        gtk_widget_set_margin_top(box, 16)
        gtk_widget_set_margin_bottom(box, 16)
        gtk_widget_set_margin_start(box, 16)
        gtk_widget_set_margin_end(box, 16)
        connect(window, send)
        gtk_window_set_title(window, "Address Field")
        gtk_window_set_default_size(window, 480, -1)
        gtk_window_set_child(window, box)
        gtk_window_present(window)
        if let first = entries[.address] { _ = gtk_widget_grab_focus(first) }
    }

    private func connect(_ window: OpaquePointer, _ send: @escaping @MainActor (FormEvent) -> Void) {
        for (field, entry) in entries {
            GTK.connect(entry, .changed) { [weak self] _ in
                guard let self, !isWriting else { return true }
                send(.edited(field: field, text: Self.text(of: entry)))
                return true
            }
            guard let focus = gtk_event_controller_focus_new() else { continue }
            GTK.connect(focus, .enter) { _ in
                send(.focused(field: field))
                return true
            }
            gtk_widget_add_controller(entry, focus)
        }
        for (field, buttons) in buttons {
            for (place, button) in buttons.enumerated() {
                GTK.connect(button, .clicked) { _ in
                    send(.took(field: field, offer: place))
                    return true
                }
            }
        }
        GTK.connect(window, .closeRequest) { _ in
            send(.closed)
            return true
        }
    }

    func offer(_ texts: [String], for field: FormField) {
        for (place, button) in (buttons[field] ?? []).enumerated() {
            let isShown = texts.indices.contains(place)
            if isShown { gtk_button_set_label(button, texts[place]) }
            gtk_widget_set_visible(button, isShown ? 1 : 0)
        }
    }

    /// The person goes on behind it.
    func write(_ text: String, into field: FormField) {
        guard let entry = entries[field] else { return }
        isWriting = true
        gtk_editable_set_text(entry, text)
        isWriting = false
        _ = gtk_widget_grab_focus(entry)
        gtk_editable_set_position(entry, -1)
    }

    private static func text(of entry: OpaquePointer) -> String {
        gtk_editable_get_text(entry).map { String(cString: $0) } ?? ""
    }
}
