import CGTK4
import GTKSupport

/// Something that is shown until it is closed.
@MainActor
protocol HelperWindow: AnyObject {
    /// Once. Nothing is called back any more.
    func close()
}

/// The parts of windows.
@MainActor
enum Widgets {
    private static let escape: Int32 = 0xFF1B

    /// A window that its person closes with Escape or its button, which only calls back.
    /// - Parameter pressed: called with each key that no widget has taken; true if it is taken, Escape too.
    static func window(
        title: String, closed: @escaping @MainActor () -> Void,
        pressed: @escaping @MainActor (Int32) -> Bool = { _ in false }
    ) -> OpaquePointer? {
        guard let window = gtk_window_new() else { return nil }
        gtk_window_set_title(window, title)
        GTK.connect(window, .closeRequest) { _ in
            closed()
            return true
        }
        if let keys = gtk_event_controller_key_new() {
            GTK.connect(keys, .keyPressed) { key in
                if pressed(key) { return true }
                guard key == escape else { return false }
                closed()
                return true
            }
            gtk_widget_add_controller(window, keys)
        }
        return window
    }

    static func box(isVertical: Bool, spacing: Int32, margin: Int32 = 0, _ children: [OpaquePointer?]) -> OpaquePointer?
    {
        guard let box = gtk_box_new(isVertical ? 1 : 0, spacing) else { return nil }
        gtk_widget_set_margin_top(box, margin)
        gtk_widget_set_margin_bottom(box, margin)
        gtk_widget_set_margin_start(box, margin)
        gtk_widget_set_margin_end(box, margin)
        for child in children { if let child { gtk_box_append(box, child) } }
        return box
    }

    /// - Parameter text: of an app; shown as text, and never as markup.
    static func label(_ text: String, style: String? = nil) -> OpaquePointer? {
        guard let label = gtk_label_new(ShownText.safe(text)) else { return nil }
        gtk_label_set_wrap(label, 1)
        gtk_label_set_max_width_chars(label, 48)
        gtk_label_set_xalign(label, 0)
        gtk_widget_set_hexpand(label, 1)
        if let style { gtk_widget_add_css_class(label, style) }
        return label
    }

    static func button(
        _ title: String, style: String? = nil, _ clicked: @escaping @MainActor () -> Void
    ) -> OpaquePointer? {
        guard let button = gtk_button_new_with_label(title) else { return nil }
        if let style { gtk_widget_add_css_class(button, style) }
        connect(button, clicked)
        return button
    }

    /// A button that is a row with a picture.
    static func row(_ title: String, icon: OpaquePointer?, _ clicked: @escaping @MainActor () -> Void) -> OpaquePointer?
    {
        guard let button = gtk_button_new() else { return nil }
        gtk_button_set_child(button, box(isVertical: false, spacing: 12, margin: 4, [icon, label(title)]))
        gtk_widget_add_css_class(button, "flat")
        name(button, ShownText.safe(title))
        connect(button, clicked)
        return button
    }

    /// Says what assistive technology calls a widget.
    private static func name(_ widget: OpaquePointer, _ name: String) {
        // The type of strings, and GTK's number of the property “label”.
        var (value, property) = (GValue(), UInt32(4))
        g_value_init(&value, 16 << 2)
        g_value_set_string(&value, name)
        gtk_accessible_update_property_value(widget, 1, &property, &value)
        g_value_unset(&value)
    }

    private static func connect(_ button: OpaquePointer, _ clicked: @escaping @MainActor () -> Void) {
        GTK.connect(button, .clicked) { _ in
            clicked()
            return true
        }
    }

    /// A child that is too high scrolls.
    static func scrolled(_ child: OpaquePointer?) -> OpaquePointer? {
        guard let window = gtk_scrolled_window_new() else { return nil }
        gtk_scrolled_window_set_child(window, child)
        // Never to the side; downwards when it must.
        gtk_scrolled_window_set_policy(window, 2, 1)
        gtk_scrolled_window_set_propagate_natural_height(window, 1)
        gtk_scrolled_window_set_max_content_height(window, 480)
        gtk_widget_set_vexpand(window, 1)
        return window
    }
}
