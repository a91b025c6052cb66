import CGTK4
import DesktopProtocol
import Foundation
import GTKSupport

/// One of several options, as in a share sheet.
@MainActor
final class ChoiceWindow: HelperWindow {
    private let window: OpaquePointer?

    init(_ question: DesktopQuestion, _ answer: @escaping @MainActor (DesktopAnswer) -> Void) {
        let window = Widgets.window(title: ShownText.safe(question.app)) { answer(.cancelled) }
        self.window = window
        guard let window else { return }
        let rows = question.options.map { option in
            Widgets.row(option.title, icon: Picture.icon(of: option)) { answer(.option(id: option.id)) }
        }
        let content = Widgets.box(
            isVertical: true, spacing: 8, margin: 16,
            [
                Widgets.label(question.app, style: "title-4"), Widgets.label(question.title),
                Widgets.scrolled(Widgets.box(isVertical: true, spacing: 2, rows)),
                Widgets.button("Cancel") { answer(.cancelled) },
            ])
        gtk_window_set_child(window, content)
        gtk_window_set_default_size(window, 360, -1)
        gtk_window_present(window)
        if let first = rows.first ?? nil { _ = gtk_widget_grab_focus(first) }
    }

    func close() { if let window { gtk_window_destroy(window) } }
}

/// A line of text.
@MainActor
final class TextWindow: HelperWindow {
    private let window: OpaquePointer?

    init(_ question: DesktopQuestion, _ answer: @escaping @MainActor (DesktopAnswer) -> Void) {
        let window = Widgets.window(title: ShownText.safe(question.app)) { answer(.cancelled) }
        self.window = window
        guard let window, let entry = gtk_entry_new() else { return }
        gtk_editable_set_text(entry, question.suggestion)
        gtk_entry_set_activates_default(entry, 1)
        let accept = Widgets.button("OK", style: "suggested-action") {
            // No text is no answer.
            let text = gtk_editable_get_text(entry).map { String(cString: $0) } ?? ""
            if !text.isEmpty { answer(.text(value: text)) }
        }
        let content = Widgets.box(
            isVertical: true, spacing: 8, margin: 16,
            [
                Widgets.label(question.app, style: "title-4"), Widgets.label(question.title), entry,
                Widgets.box(
                    isVertical: false, spacing: 8, [Widgets.button("Cancel") { answer(.cancelled) }, accept]),
            ])
        gtk_window_set_child(window, content)
        gtk_window_set_default_size(window, 360, -1)
        gtk_window_set_default_widget(window, accept)
        gtk_window_present(window)
        _ = gtk_widget_grab_focus(entry)
    }

    func close() { if let window { gtk_window_destroy(window) } }
}

/// The path of a file or a folder: the desktop's own dialog where it has one, else GTK's.
@MainActor
final class FileDialog: HelperWindow {
    private static let accepted: Int32 = -3
    private let dialog: OpaquePointer?

    init(_ question: DesktopQuestion, _ answer: @escaping @MainActor (DesktopAnswer) -> Void) {
        let isFolder = question.kind == .directory
        let title = "\(ShownText.safe(question.app)): \(ShownText.safe(question.title))"
        dialog = gtk_file_chooser_native_new(title, nil, isFolder ? 2 : 0, isFolder ? "_Select" : "_Open", "_Cancel")
        guard let dialog else { return }
        Self.set(suggestion: question.suggestion, of: dialog)
        GTK.connect(dialog, .response) { response in
            answer(response == Self.accepted ? Self.path(chosenIn: dialog) : .cancelled)
            return true
        }
        gtk_native_dialog_show(dialog)
    }

    /// The nearest folder that there is.
    private static func set(suggestion: String, of dialog: OpaquePointer) {
        guard suggestion.hasPrefix("/") else { return }
        var url = URL(fileURLWithPath: suggestion)
        var isFolder: ObjCBool = false
        while !(FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue) {
            guard url.path != "/" else { return }
            url.deleteLastPathComponent()
        }
        let folder = g_file_new_for_path(url.path)
        defer { g_object_unref(UnsafeMutableRawPointer(folder)) }
        // Where that fails, the dialog begins somewhere else.
        _ = gtk_file_chooser_set_current_folder(dialog, folder, nil)
    }

    private static func path(chosenIn dialog: OpaquePointer) -> DesktopAnswer {
        guard let file = gtk_file_chooser_get_file(dialog) else { return .cancelled }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        // A file that is not on a disk has no path.
        guard let path = g_file_get_path(file) else { return .cancelled }
        defer { g_free(path) }
        return .text(value: String(cString: path))
    }

    func close() {
        guard let dialog else { return }
        gtk_native_dialog_destroy(dialog)
        g_object_unref(UnsafeMutableRawPointer(dialog))
    }
}
