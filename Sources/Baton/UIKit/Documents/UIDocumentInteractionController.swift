public import Foundation
import Logging

/// Hears of menus and of what becomes of the document. Every method is optional; on the main actor.
@MainActor
@preconcurrency
public protocol UIDocumentInteractionControllerDelegate: NSObjectProtocol {
    /// The controller above which to preview. Not asked: the desktop shows the file.
    func documentInteractionControllerViewControllerForPreview(
        _ controller: UIDocumentInteractionController
    ) -> UIViewController
    /// The file is about to be previewed.
    func documentInteractionControllerWillBeginPreview(_ controller: UIDocumentInteractionController)
    /// The desktop was given the file to preview, or could not be.
    func documentInteractionControllerDidEndPreview(_ controller: UIDocumentInteractionController)
    /// The menu of apps is about to be shown.
    func documentInteractionControllerWillPresentOpenInMenu(_ controller: UIDocumentInteractionController)
    /// The menu of apps is gone.
    func documentInteractionControllerDidDismissOpenInMenu(_ controller: UIDocumentInteractionController)
    /// The menu of what can be done is about to be shown.
    func documentInteractionControllerWillPresentOptionsMenu(_ controller: UIDocumentInteractionController)
    /// The menu of what can be done is gone.
    func documentInteractionControllerDidDismissOptionsMenu(_ controller: UIDocumentInteractionController)
    /// An app is about to be given the document.
    /// - Parameter application: its bundle identifier.
    func documentInteractionController(
        _ controller: UIDocumentInteractionController, willBeginSendingToApplication application: String?)
    /// An app was given the document, or could not be.
    func documentInteractionController(
        _ controller: UIDocumentInteractionController, didEndSendingToApplication application: String?)
}

extension UIDocumentInteractionControllerDelegate {
    /// A controller of no window.
    public func documentInteractionControllerViewControllerForPreview(
        _ controller: UIDocumentInteractionController
    ) -> UIViewController { UIViewController() }
    /// Does nothing.
    public func documentInteractionControllerWillBeginPreview(_ controller: UIDocumentInteractionController) {}
    /// Does nothing.
    public func documentInteractionControllerDidEndPreview(_ controller: UIDocumentInteractionController) {}
    /// Does nothing.
    public func documentInteractionControllerWillPresentOpenInMenu(_ controller: UIDocumentInteractionController) {}
    /// Does nothing.
    public func documentInteractionControllerDidDismissOpenInMenu(_ controller: UIDocumentInteractionController) {}
    /// Does nothing.
    public func documentInteractionControllerWillPresentOptionsMenu(_ controller: UIDocumentInteractionController) {}
    /// Does nothing.
    public func documentInteractionControllerDidDismissOptionsMenu(_ controller: UIDocumentInteractionController) {}
    /// Does nothing.
    public func documentInteractionController(
        _ controller: UIDocumentInteractionController, willBeginSendingToApplication application: String?
    ) {}
    /// Does nothing.
    public func documentInteractionController(
        _ controller: UIDocumentInteractionController, didEndSendingToApplication application: String?
    ) {}
}

/// Hands a file to another app, which finds a copy in its Inbox. Keep it while a menu is shown. On the main
/// actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uidocumentinteractioncontroller>
@MainActor
@preconcurrency
open class UIDocumentInteractionController: NSObject {
    /// The file.
    open var url: URL?
    /// Its type; nil for what its name says.
    open var uti: String?
    /// Its name for the person; nil for the file's.
    open var name: String?
    /// A property list that the other app gets with the file.
    open var annotation: Any?
    /// Hears what happens. Held weakly.
    open weak var delegate: (any UIDocumentInteractionControllerDelegate)?

    private let runtime = AppRuntime.current
    private var asking: Task<Void, Never>?
    private var sheet: (controller: UIActivityViewController, host: UIViewController)?

    /// For a file.
    public convenience init(url: URL) {
        self.init()
        self.url = url
    }

    /// For no file yet.
    public required override init() { super.init() }

    private var type: UTType {
        uti.flatMap { UTType($0) } ?? url.flatMap { UTType(filenameExtension: $0.pathExtension) } ?? .data
    }

    private var shownName: String { name ?? url?.lastPathComponent ?? "" }

    /// Shows the apps that open the file. Waits up to 2 seconds for the daemon's answer.
    /// - Returns: false if there is none; then nothing is shown.
    @discardableResult
    open func presentOpenInMenu(from rect: CGRect, in view: UIResponder, animated: Bool) -> Bool {
        guard let url, url.isFileURL, asking == nil else { return false }
        let apps = runtime.waitForDocumentApps(type)
        guard !apps.isEmpty else { return false }
        delegate?.documentInteractionControllerWillPresentOpenInMenu(self)
        let question = PersonQuestion(
            kind: .shareSheet, title: "Open “\(shownName)” in", options: apps.map(\.name))
        let presenter = SharingContext(runtime: runtime).presenter
        // Ends with the person's answer; cancelled by dismissMenu.
        asking = Task { [weak self] in
            let answer = try? await presenter.ask(question)
            guard let self, !Task.isCancelled else { return }
            asking = nil
            delegate?.documentInteractionControllerDidDismissOpenInMenu(self)
            if case .option(let number)? = answer, apps.indices.contains(number) { await send(url, to: apps[number]) }
        }
        return true
    }

    private func send(_ url: URL, to app: AppRuntime.DocumentApp) async {
        delegate?.documentInteractionController(self, willBeginSendingToApplication: app.bundleIdentifier)
        do {
            let isHandled = try await runtime.openDocument(
                url, in: app.bundleIdentifier, annotation: AppRuntime.annotation(annotation))
            if !isHandled { runtime.logger.warning("\(runtime.notOpened(by: app.name, url.lastPathComponent))") }
        } catch {
            runtime.logger.warning("The file was not handed over: \(error.localizedDescription)")
        }
        delegate?.documentInteractionController(self, didEndSendingToApplication: app.bundleIdentifier)
    }

    /// Shows everything that can be done with the file: the share sheet.
    /// - Returns: false without a file.
    @discardableResult
    open func presentOptionsMenu(from rect: CGRect, in view: UIResponder, animated: Bool) -> Bool {
        guard let url, url.isFileURL, sheet == nil, FileManager.default.isReadableFile(atPath: url.path) else {
            return false
        }
        delegate?.documentInteractionControllerWillPresentOptionsMenu(self)
        let controller = UIActivityViewController(activityItems: [url], applicationActivities: nil)
        controller.title = name
        controller.completionWithItemsHandler = { [weak self] _, _, _, _ in
            guard let self else { return }
            sheet = nil
            delegate?.documentInteractionControllerDidDismissOptionsMenu(self)
        }
        let host = UIViewController()
        sheet = (controller, host)
        host.present(controller, animated: animated)
        return true
    }

    /// Shows the file with the desktop's program for it.
    /// - Returns: false without a file. A desktop that cannot show it is written to the log.
    @discardableResult
    open func presentPreview(animated: Bool) -> Bool {
        guard let url, url.isFileURL else { return false }
        delegate?.documentInteractionControllerWillBeginPreview(self)
        // Ends with the deadline of opening, and calls the delegate.
        Task { [runtime] in
            _ = await runtime.open(url, universalLinksOnly: false)
            delegate?.documentInteractionControllerDidEndPreview(self)
        }
        return true
    }

    /// Takes the menu away.
    open func dismissMenu(animated: Bool) {
        if let asking {
            asking.cancel()
            self.asking = nil
            delegate?.documentInteractionControllerDidDismissOpenInMenu(self)
        }
        sheet?.host.dismiss(animated: animated)
    }
}
