import Baton
import Foundation

/// The entry point: finds the container and the document in it, and hands the view controller what is typed.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// One name for the variable that the chapter spells in two ways (X-10).
    private let monkeyDocFilename = "test.txt"

    private let screen = Screen()
    private let viewController: DocumentViewController
    private var iCloudUrl: URL?
    private var document: MonkeyDocument?
    private var query: NSMetadataQuery?
    private var observers: [any NSObjectProtocol] = []
    private var stateObserver: (any NSObjectProtocol)?
    private var accountObserver: (any NSObjectProtocol)?

    required init() {
        viewController = DocumentViewController(screen: screen)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        readCommands()
        screen.show("ready", [:], "Type a command; README.md lists them.")
        accountObserver = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
        ) { _ in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.findContainer() } }
        }
        findContainer()
        return true
    }

    /// The person may have entered or left an account meanwhile.
    func applicationWillEnterForeground(_ application: UIApplication) { findContainer() }

    // MARK: Part 1, the container

    /// Asks on a thread of its own, since the answer is waited for.
    private func findContainer() {
        Thread.detachNewThread {
            let url = FileManager.default.url(forUbiquityContainerIdentifier: nil)
            DispatchQueue.main.async { MainActor.assumeIsolated { self.foundContainer(url) } }
        }
    }

    private func foundContainer(_ url: URL?) {
        let isNew = iCloudUrl != url
        iCloudUrl = url
        guard let url else {
            let hint = "Check the entitlements, the bundle identifier, the Team ID, the signature, and the account."
            return screen.show("alert", ["message": "No iCloud. \(hint)"], "iCloud is not available. \(hint)")
        }
        guard isNew else { return }
        screen.show("container", ["path": url.path], "Container: \(url.path)")
        findDocument()
    }

    // MARK: Part 3, finding and opening the document

    private func findDocument() {
        endQuery()
        let query = NSMetadataQuery()
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.predicate = NSPredicate(format: "%K == %@", NSMetadataItemFSNameKey, monkeyDocFilename)
        observers.append(
            NotificationCenter.default.addObserver(
                forName: .NSMetadataQueryDidFinishGathering, object: query, queue: nil
            ) { _ in
                // Posted on the main queue, as the query has none of its own.
                MainActor.assumeIsolated { self.queryDidFinishGathering() }
            })
        self.query = query
        query.start()
    }

    private func queryDidFinishGathering() {
        guard let query else { return }
        query.disableUpdates()
        query.stop()
        loadDocument(query)
        endQuery()
    }

    private func endQuery() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
        query = nil
    }

    private func loadDocument(_ query: NSMetadataQuery) {
        if query.resultCount == 1, let item = query.result(at: 0) as? NSMetadataItem,
            let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL
        {
            return open(MonkeyDocument(fileURL: url), event: "opened")
        }
        createDocument()
    }

    private func createDocument() {
        guard let iCloudUrl else { return }
        let url = iCloudUrl.appendingPathComponent("Documents").appendingPathComponent(monkeyDocFilename)
        let document = MonkeyDocument(fileURL: url)
        document.save(to: url, for: .forCreating) { isSaved in
            guard isSaved else { return self.failed("The document could not be made.") }
            self.open(document, event: "created")
        }
    }

    private func open(_ document: MonkeyDocument, event: String) {
        document.open { isOpen in
            guard isOpen else { return self.failed("The document could not be opened.") }
            self.document = document
            self.screen.show(event, ["path": document.fileURL.path], "The document was \(event).")
            self.followState(of: document)
            self.viewController.display(document)
        }
    }

    private func failed(_ message: String) { screen.show("error", ["message": message], message) }

    /// The person may delete the document among those of the account: then there is none (D-33).
    private func followState(of document: MonkeyDocument) {
        if let stateObserver { NotificationCenter.default.removeObserver(stateObserver) }
        stateObserver = NotificationCenter.default.addObserver(
            forName: UIDocument.stateChangedNotification, object: document, queue: nil
        ) { _ in
            // Posted on the main actor.
            MainActor.assumeIsolated { self.documentStateChanged() }
        }
    }

    private func documentStateChanged() {
        guard let document else { return }
        if document.documentState.contains(.inConflict) { screen.notify("Two devices have changed the document.") }
        guard document.documentState.contains(.closed) else { return }
        self.document = nil
        viewController.close()
        screen.show("deleted", [:], "The document was deleted. “find” makes another.")
    }

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
        case ("type", 2): viewController.type(parts[1])
        case ("update", 1): viewController.updateChangeCount()
        case ("find", 1): findDocument()
        case ("show", 1): viewController.show()
        case ("quit", 1): quit()
        default: failed("Not a command: \(line)")
        }
    }

    private func quit() {
        guard let document else { return end() }
        self.document = nil
        document.close { _ in self.end() }
    }

    private func end() {
        screen.show("end", [:], "")
        exit(0)
    }
}
