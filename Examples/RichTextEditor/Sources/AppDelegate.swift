import Baton
import Foundation

/// The entry point of a document-based app. It has no method that continues activities: AppKit opens the document (H-62).
@main
final class AppDelegate: NSResponder, NSApplicationDelegate {
    private let screen = Screen()
    private var container: URL?
    private var controller: NSDocumentController { .shared }

    private var document: RichTextDocument? {
        (controller.currentDocument ?? controller.documents.last) as? RichTextDocument
    }

    func applicationDidFinishLaunching(_ notification: Notification) {
        controller.register(RichTextDocument.self, forType: RichTextDocument.type)
        RichTextDocument.observer = { [weak self] document, event in self?.show(document, event) }
        readCommands()
        screen.show("ready", [:], "Type a command; README.md lists them.")
        findContainer()
    }

    /// A document of this device that another program opens with this one.
    func application(_ application: NSApplication, open urls: [URL]) {
        for url in urls { open(url) }
    }

    func application(
        _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        failed("The document could not be continued: \(error.localizedDescription)")
    }

    private func findContainer() {
        // Waits, so not here.
        Thread.detachNewThread {
            let url = FileManager.default.url(forUbiquityContainerIdentifier: nil)
            DispatchQueue.main.async { MainActor.assumeIsolated { self.foundContainer(url) } }
        }
    }

    private func foundContainer(_ url: URL?) {
        container = url
        guard let url else {
            return screen.show("alert", [:], "iCloud is not available: documents stay on this device.")
        }
        screen.show("container", ["path": url.path], "Container: \(url.path)")
    }

    // MARK: Documents

    /// A name is one in the container; a path is one anywhere.
    private func url(_ name: String) -> URL? {
        if name.hasPrefix("/") { return URL(fileURLWithPath: name) }
        return container?.appendingPathComponent("Documents").appendingPathComponent(name)
    }

    private func make(_ name: String) {
        guard let url = url(name) else { return failed("iCloud is not available. Give a whole path.") }
        do {
            let document = try RichTextDocument(type: RichTextDocument.type)
            controller.addDocument(document)
            document.save(to: url, ofType: RichTextDocument.type, for: .saveAsOperation) { error in
                if let error { return self.failed(error.localizedDescription) }
                document.makeWindowControllers()
                document.showWindows()
                self.show(document, "created")
            }
        } catch {
            failed(error.localizedDescription)
        }
    }

    private func open(_ name: String) {
        guard let url = url(name) else { return failed("iCloud is not available. Give a whole path.") }
        open(url)
    }

    private func open(_ url: URL) {
        controller.openDocument(withContentsOf: url, display: true) { document, _, error in
            if let error { return self.failed(error.localizedDescription) }
            if let document = document as? RichTextDocument { self.show(document, "opened") }
        }
    }

    private func show(_ document: RichTextDocument, _ event: String) {
        let activity = document.userActivity?.activityType ?? ""
        screen.show(
            event,
            [
                "name": document.displayName ?? "", "path": document.fileURL?.path ?? "", "text": document.text.plain,
                "selection": String(document.selection), "activity": activity,
                "edited": String(document.isDocumentEdited),
            ],
            "\(document.displayName ?? ""): \(styled(document.text))")
    }

    private func styled(_ text: RichText) -> String {
        text.runs.map { $0.isBold ? "\u{1B}[1m\($0.text)\u{1B}[0m" : $0.text }.joined()
    }

    private func failed(_ message: String) { screen.show("error", ["message": message], message) }

    // MARK: Commands

    /// Reads on a thread of its own, since reading waits; it ends with the process. An app that the system has launched is
    /// given no commands, and goes on.
    private func readCommands() {
        Thread.detachNewThread {
            var isTold = false
            while let line = readLine() {
                isTold = true
                DispatchQueue.main.async { MainActor.assumeIsolated { self.perform(line) } }
            }
            guard isTold else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { self.perform("quit") } }
        }
    }

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("new", 2): return make(parts[1])
        case ("open", 2): return open(parts[1])
        case ("quit", 1): return quit()
        default: break
        }
        guard let document else { return failed("Open a document first, or: not a command: \(line)") }
        switch (parts.first, parts.count) {
        case ("type", 2): edit(document) { $0.type(parts[1], isBold: false) }
        case ("bold", 2): edit(document) { $0.type(parts[1], isBold: true) }
        case ("select", 2): edit(document) { $0.select(Int(parts[1]) ?? 0) }
        case ("show", 1): show(document, "document")
        case ("close", 1):
            document.close()
            screen.show("closed", [:], "Closed.")
        default: failed("Not a command: \(line)")
        }
    }

    private func edit(_ document: RichTextDocument, _ change: (RichTextDocument) -> Void) {
        change(document)
        show(document, "edited")
    }

    private func quit() {
        // Ends when the documents are saved.
        Task {
            _ = await controller.closeAllDocuments()
            screen.show("end", [:], "")
            exit(0)
        }
    }
}
