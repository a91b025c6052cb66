import Baton
import Foundation

/// The probe as an app with documents: all that it has of Handoff is the document type in its `Info.plist`, and a selection.
final class DocumentProbe: UIResponder, UIApplicationDelegate {
    private let own = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? "/nonexistent"
    private let list = ProbeListController()
    private var documents: URL?
    private var document: ProbeDocument?
    private var observation: NSKeyValueObservation?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        CommandPipe(path: own + "/commands").read { line in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.perform(line) } }
        }
        ProbeLog.print(["event": "ready"])
        Thread.detachNewThread {
            let url = FileManager.default.url(forUbiquityContainerIdentifier: nil)?.appendingPathComponent("Documents")
            DispatchQueue.main.async { MainActor.assumeIsolated { self.found(url) } }
        }
        return true
    }

    private func found(_ url: URL?) {
        documents = url
        ProbeLog.print(["event": "container", "path": url?.path ?? ""])
    }

    /// Also a document that is continued here: the app has no method for continuing.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        open(url)
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        ProbeLog.print(["event": "didFail", "code": "\((error as NSError).code)"])
    }

    // MARK: Commands

    private func perform(_ line: String) {
        guard let command = try? JSONDecoder().decode(ProbeCommand.self, from: Data(line.utf8)) else {
            return ProbeLog.print(["event": "error", "message": "Not a command: \(line.prefix(200))"])
        }
        switch command.do {
        case "new": make(command)
        case "open": documents.map { open($0.appendingPathComponent(command.title ?? "")) }
        case "write":
            document?.content.lines.append(command.title ?? "")
            document?.updateChangeCount(.done)
            document?.autosave { ProbeLog.print(["event": "saved", "saved": "\($0)"]) }
        case "edit":
            document?.content.lines.append(command.title ?? "")
            document?.updateChangeCount(.done)
            ProbeLog.print(["event": "edited"])
        case "select": list.select(command.number ?? 0)
        case "leave": move(false, own + "/Documents/")
        case "enter": documents.map { move(true, $0.path + "/") }
        case "thread": tellFromThread()
        case "close": document?.close { ProbeLog.print(["event": "closed", "closed": "\($0)"]) }
        default: ProbeLog.print(["event": "error", "message": "Unknown: \(command.do)"])
        }
    }

    private func make(_ command: ProbeCommand) {
        guard let url = documents?.appendingPathComponent(command.title ?? "") else { return }
        let document = show(ProbeDocument(fileURL: url))
        document.content = ProbeDocument.Content(
            title: url.lastPathComponent, lines: [], picture: ProbeValues.data(command.bytes ?? 0))
        document.save(to: url, for: .forCreating) { isSaved in
            ProbeLog.print(["event": "created", "path": document.fileURL.path, "saved": "\(isSaved)"])
            self.list.userActivity = document.userActivity
        }
    }

    private func open(_ url: URL) {
        let document = show(ProbeDocument(fileURL: url))
        document.open { isOpen in
            ProbeLog.print(["event": "opened", "path": document.fileURL.path, "open": "\(isOpen)"])
            if isOpen { self.list.userActivity = document.userActivity }
        }
    }

    private func show(_ document: ProbeDocument) -> ProbeDocument {
        self.document = document
        document.list = list
        observation = document.observe(\.userActivity, options: [.new]) { _, change in
            ProbeLog.print(["event": "activity", "type": change.newValue??.activityType ?? "none"])
        }
        return document
    }

    /// Into iCloud or out of it, off the main thread.
    private func move(_ flag: Bool, _ folder: String) {
        guard let url = document?.fileURL else { return }
        let destination = URL(fileURLWithPath: folder + url.lastPathComponent)
        Thread.detachNewThread {
            do {
                try FileManager.default.setUbiquitous(flag, itemAt: url, destinationURL: destination)
                ProbeLog.print(["event": "moved", "path": destination.path])
            } catch {
                ProbeLog.print(["event": "error", "message": "\(error)"])
            }
        }
    }

    /// The document's activity, used from another thread.
    private func tellFromThread() {
        guard let document else { return }
        Thread.detachNewThread {
            let activity = document.userActivity
            activity?.needsSave = true
            ProbeLog.print([
                "event": "thread", "main": "\(Thread.isMainThread)", "type": activity?.activityType ?? "none",
            ])
        }
    }
}

/// A model of several parts, in a file of its own form.
final class ProbeDocument: UIDocument {
    struct Content: Codable, Sendable {
        var title = ""
        var lines: [String] = []
        var picture = Data()
    }

    var content = Content()
    weak var list: ProbeListController?

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
        content = try PropertyListDecoder().decode(Content.self, from: data)
        let isWhole = content.picture == ProbeValues.data(content.picture.count)
        ProbeLog.print([
            "event": "loaded", "type": typeName ?? "", "title": content.title,
            "lines": content.lines.joined(separator: "|"), "bytes": "\(content.picture.count)", "isWhole": "\(isWhole)",
        ])
    }

    override func contents(forType typeName: String) throws -> Any {
        ProbeLog.print(["event": "contents", "type": typeName])
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(content)
    }

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        ProbeLog.print(["event": "documentError", "isRead": "\(error is DecodingError)"])
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        list?.restoreUserActivityState(activity)
    }
}

/// Another object than the document, which shares its activity: what the person has selected (H-63).
final class ProbeListController: UIViewController {
    private var selection = 0

    func select(_ number: Int) {
        selection = number
        userActivity?.needsSave = true
        ProbeLog.print(["event": "selected", "number": "\(number)"])
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["selection": selection])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        selection = activity.userInfo?["selection"] as? Int ?? -1
        let url = activity.userInfo?[UIDocument.userActivityURLKey] as? URL
        ProbeLog.print(["event": "restored", "selection": "\(selection)", "path": url?.path ?? ""])
    }
}
