import Foundation
import Logging

extension NSApplication {
    /// A delegate's answer when the system asks whether the app may end.
    public enum TerminateReply: UInt, Sendable {
        /// It goes on.
        case terminateCancel = 0
        /// It ends.
        case terminateNow = 1
        /// The delegate says so later, with ``NSApplication/reply(toApplicationShouldTerminate:)``.
        case terminateLater = 2
    }

    /// How files were opened.
    public enum DelegateReply: UInt, Sendable {
        /// They are open.
        case success = 0
        /// The person does not want them.
        case cancel = 1
        /// They are not open.
        case failure = 2
    }

    /// How the files of `application(_:openFiles:)` were opened. Only logged: the caller has its answer by then.
    public func reply(toOpenOrPrint reply: DelegateReply) {
        if reply == .failure { runtime.logger.warning("The app could not open the files that it was given.") }
    }

    /// A file, for a delegate without `application(_:open:)`: its older methods, and without these the app's documents.
    /// - Returns: nil if nothing of the app opens files of its type.
    func openFile(_ url: URL, _ delegate: any NSApplicationDelegate) -> Bool? {
        let called: Void? = OptionalMethod.openFiles.call(on: delegate) {
            delegate.application(self, openFiles: [url.path])
        }
        if called != nil { return true }
        if let isOpen = OptionalMethod.openFile.call(on: delegate, { delegate.application(self, openFile: url.path) }) {
            return isOpen
        }
        let controller = NSDocumentController.shared
        guard let type = try? controller.typeForContents(of: url), controller.documentClass(forType: type) != nil else {
            return nil
        }
        let container = runtime.environment.sharing.variables()["BATON_CONTAINER"]
        // Ends when the file can be opened; an error is shown.
        Task {
            do {
                let own = try await controller.documentURL(given: url, container: container)
                controller.openDocument(withContentsOf: own, display: true) { _, _, error in
                    if let error { controller.presentError(error) }
                }
            } catch {
                controller.presentError(error)
            }
        }
        return true
    }

    /// The person has turned to the app once more, as by a click on its icon. A program with windows calls this: there is no
    /// dock that would show this to Baton. Asks the delegate; unless that says no, and if no window is visible, the app's last
    /// document is shown, or a new one is made. Not Apple's.
    public func reopen() {
        activate()
        let hasVisibleWindows = !visibleWindows.isEmpty
        guard delegate?.applicationShouldHandleReopen(self, hasVisibleWindows: hasVisibleWindows) ?? true,
            !hasVisibleWindows
        else { return }
        let controller = NSDocumentController.shared
        if let document = controller.documents.last {
            controller.display(document, true)
        } else if controller.hasDocumentTypes {
            controller.newDocument(nil)
        }
    }
}
