import CGTK4
import DesktopProtocol
import GTKSupport

/// Whether an app may do something.
///
/// The window may come to the front while the person types elsewhere. So no answer has the focus, and none can be given before the
/// window has been in front for a moment without a key.
@MainActor
final class PermissionWindow: HelperWindow {
    /// People who type pause for less.
    static let quietMilliseconds: UInt32 = 1000

    private let quiet: UInt32
    private var window: OpaquePointer?
    private var answers: OpaquePointer?
    private var timer: UInt32?

    /// - Parameter quiet: milliseconds without a key; 0 for none.
    init(_ question: DesktopQuestion, quiet: UInt32, _ answer: @escaping @MainActor (DesktopAnswer) -> Void) {
        self.quiet = quiet
        window = Widgets.window(
            title: ShownText.safe(question.app), closed: { answer(.cancelled) },
            pressed: { [weak self] in self?.pressed($0) ?? false })
        let rows = question.options.map { option in
            Widgets.row(option.title, icon: Picture.icon(of: option)) { answer(.option(id: option.id)) }
        }
        answers = Widgets.box(
            isVertical: true, spacing: 2, rows + [Widgets.button("Not now") { answer(.cancelled) }])
        guard let window else { return }
        GTK.connect(window, .isActive) { [weak self] _ in
            self?.wait()
            return true
        }
        // A window gives the focus to the first widget that can have it.
        let title = Widgets.box(isVertical: true, spacing: 0, [Widgets.label(question.title)])
        if let title { gtk_widget_set_focusable(title, 1) }
        let content = Widgets.box(
            isVertical: true, spacing: 8, margin: 16, [Widgets.label(question.app, style: "title-4"), title, answers])
        wait()
        gtk_window_set_child(window, content)
        gtk_window_set_default_size(window, 360, -1)
        gtk_window_present(window)
        if let title { _ = gtk_widget_grab_focus(title) }
    }

    /// The answers can be given a moment from now.
    private func wait() {
        guard let answers, quiet > 0 else { return }
        if let timer { GTK.cancel(timer) }
        gtk_widget_set_sensitive(answers, 0)
        timer = GTK.after(milliseconds: quiet) { [weak self] in
            self?.timer = nil
            if let answers = self?.answers { gtk_widget_set_sensitive(answers, 1) }
        }
    }

    /// - Returns: whether the key is taken: Escape was pressed for another window, too, during the moment.
    private func pressed(_ key: Int32) -> Bool {
        let isWaiting = timer != nil
        if isWaiting || Self.isText(key) { wait() }
        return isWaiting
    }

    /// Letters, digits and their like: none of them chooses an answer, so the person types to another window.
    private static func isText(_ key: Int32) -> Bool {
        let (space, firstFunctionKey, firstOfUnicode): (Int32, Int32, Int32) = (0x20, 0xFE00, 0x100_0000)
        return key != space && key < firstFunctionKey || key >= firstOfUnicode
    }

    func close() {
        let window = window
        if let timer { GTK.cancel(timer) }
        // Nothing is done with it any more as it goes.
        (self.window, answers, timer) = (nil, nil, nil)
        if let window { gtk_window_destroy(window) }
    }
}
