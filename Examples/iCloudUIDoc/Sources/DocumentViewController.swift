import Baton
import Foundation

/// Parts 4 and 5: shows the document in a text view, and saves what was typed there when a button is pressed.
@MainActor
final class DocumentViewController {
    private let screen: Screen
    private var document: MonkeyDocument?
    private var observer: (any NSObjectProtocol)?
    /// The text view.
    private var text = ""

    init(screen: Screen) { self.screen = screen }

    /// Part 4. A text that comes from iCloud later takes the place of the one that is being typed: the example resolves no
    /// conflicts (D-25).
    func display(_ document: MonkeyDocument) {
        self.document = document
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = NotificationCenter.default.addObserver(
            forName: .monkeyDocumentModified, object: document, queue: nil
        ) { _ in
            // Posted by `load`, which the document calls on the main actor.
            MainActor.assumeIsolated { self.documentModified() }
        }
        showText()
    }

    private func documentModified() {
        screen.notify("The document was changed at \(Self.time())")
        showText()
    }

    private func showText() {
        text = document?.documentString ?? ""
        screen.show("text", ["text": text], text)
    }

    /// The person types; the document does not know yet.
    func type(_ text: String) { self.text = text }

    /// Part 5: the button “UpdateChangeCount”. The document saves itself, soon.
    func updateChangeCount() {
        guard let document else {
            return screen.show("error", ["message": "There is no document."], "There is no document.")
        }
        document.documentString = text
        document.updateChangeCount(.done)
        screen.show("updated", ["text": text], "The document will be saved.")
    }

    func show() {
        screen.show("text", ["text": text], text)
        let state = document.map { $0.hasUnsavedChanges ? "changed" : "saved" } ?? "none"
        screen.show("state", ["state": state], "The document: \(state).")
    }

    func close() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
        document = nil
        text = ""
    }

    private static func time() -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: Date())
        return [parts.hour, parts.minute, parts.second].map { part in
            let text = String(part ?? 0)
            return text.count < 2 ? "0" + text : text
        }.joined(separator: ":")
    }
}
