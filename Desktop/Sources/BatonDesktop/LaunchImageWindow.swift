import CGTK4
import DesktopProtocol

/// The picture of an app that is launched (U-23).
@MainActor
final class LaunchImageWindow: HelperWindow {
    /// The window's width; a larger picture is made smaller.
    private static let maximumWidth: Int32 = 800
    private static let maximumHeight: Int32 = 600

    private let window: OpaquePointer

    /// - Parameter closed: called when the person closes it.
    /// - Returns: nil for a picture that cannot be shown.
    init?(_ image: DesktopImage, closed: @escaping @MainActor () -> Void) {
        let path = image.path(scale: Self.screenScale)
        guard let picture = Picture.launchImage(path) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(picture.texture)) }
        guard let window = Widgets.window(title: ShownText.safe(image.app), closed: closed),
            let content = gtk_picture_new_for_paintable(picture.texture)
        else { return nil }
        self.window = window
        gtk_picture_set_can_shrink(content, 1)
        gtk_window_set_decorated(window, 0)
        let scale = Int32(DesktopImage.scale(ofFile: path))
        let size = Self.size(width: picture.width / scale, height: picture.height / scale)
        gtk_window_set_default_size(window, size.width, size.height)
        gtk_window_set_child(window, content)
        gtk_window_present(window)
    }

    /// Pixels of a point of the first screen, where a new window is likely to be.
    private static var screenScale: Int {
        guard let display = gdk_display_get_default(), let monitors = gdk_display_get_monitors(display),
            let monitor = g_list_model_get_item(monitors, 0)
        else { return 1 }
        defer { g_object_unref(monitor) }
        return Int(gdk_monitor_get_scale_factor(OpaquePointer(monitor)))
    }

    /// The picture's, or the largest of its shape.
    private static func size(width: Int32, height: Int32) -> (width: Int32, height: Int32) {
        let factor = min(1, Double(maximumWidth) / Double(width), Double(maximumHeight) / Double(height))
        return (max(1, Int32(Double(width) * factor)), max(1, Int32(Double(height) * factor)))
    }

    func close() { gtk_window_destroy(window) }
}
