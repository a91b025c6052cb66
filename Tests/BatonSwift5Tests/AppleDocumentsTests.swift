// Code as apps and tutorials for Apple's systems have it, in the language mode of Swift 5. It is compiled, and hardly run.
import Baton
import Testing

final class SketchDocument: UIDocument {
    private(set) var fileWrapper: FileWrapper?
    lazy var layers: [String] = decodeLayers()
    override func contents(forType typeName: String) throws -> Any {
        let root = fileWrapper ?? FileWrapper(directoryWithFileWrappers: [:])
        let data = try JSONEncoder().encode(layers)
        if let old = root.fileWrappers?["layers.json"] { root.removeFileWrapper(old) }
        let child = FileWrapper(regularFileWithContents: data)
        child.preferredFilename = "layers.json"
        root.addFileWrapper(child)
        fileWrapper = root
        return root
    }
    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let wrapper = contents as? FileWrapper else { throw CocoaError(.fileReadCorruptFile) }
        fileWrapper = wrapper
    }
    private func decodeLayers() -> [String] {
        guard let data = fileWrapper?.fileWrappers?["layers.json"]?.regularFileContents else { return [] }
        return (try? JSONDecoder().decode([String].self, from: data)) ?? []
    }
    override func save(
        to url: URL, for saveOperation: UIDocument.SaveOperation,
        completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        super.save(to: url, for: saveOperation) { success in
            completionHandler?(success)
        }
    }
    override func close(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        super.close { success in completionHandler?(success) }
    }
    override func writeContents(
        _ contents: Any, andAttributes additionalFileAttributes: [AnyHashable: Any]? = nil, safelyTo url: URL,
        for saveOperation: UIDocument.SaveOperation
    ) throws {
        try super.writeContents(contents, andAttributes: additionalFileAttributes, safelyTo: url, for: saveOperation)
    }
    override func read(from url: URL) throws { try super.read(from: url) }
    override func presentedItemDidMove(to newURL: URL) {
        super.presentedItemDidMove(to: newURL)
        print(newURL)
    }
    override func presentedItemDidGain(_ version: NSFileVersion) { super.presentedItemDidGain(version) }
    override func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable (Error?) -> Void) {
        super.accommodatePresentedItemDeletion(completionHandler: completionHandler)
    }
    override func autosave(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        super.autosave(completionHandler: completionHandler)
    }
    override var hasUnsavedChanges: Bool { super.hasUnsavedChanges }
    override func updateChangeCount(_ change: UIDocument.ChangeKind) { super.updateChangeCount(change) }
}

@MainActor
final class Library {
    var documents: [SketchDocument] = []
    func create(named name: String) async throws -> SketchDocument {
        guard
            let container = await Task.detached(operation: {
                FileManager.default.url(forUbiquityContainerIdentifier: "iCloud.com.example.sketch")
            }).value
        else { throw CocoaError(.ubiquitousFileUnavailable) }
        let url = container.appendingPathComponent("Documents").appendingPathComponent(name).appendingPathExtension(
            "sketch")
        let document = SketchDocument(fileURL: url)
        guard await document.save(to: url, for: .forCreating) else { throw CocoaError(.fileWriteUnknown) }
        documents.append(document)
        return document
    }
    func delete(_ document: SketchDocument) {
        document.close { closed in
            guard closed else { return }
            let url = document.fileURL
            DispatchQueue.global(qos: .userInitiated).async {
                var error: NSError?
                NSFileCoordinator(filePresenter: nil).coordinate(
                    writingItemAt: url, options: .forDeleting, error: &error
                ) { url in
                    try? FileManager.default.removeItem(at: url)
                }
            }
        }
    }
    func rename(_ document: SketchDocument, to name: String) {
        let old = document.fileURL
        let new = old.deletingLastPathComponent().appendingPathComponent(name).appendingPathExtension(old.pathExtension)
        document.performAsynchronousFileAccess {
            let coordinator = NSFileCoordinator(filePresenter: document)
            coordinator.coordinate(
                writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: nil
            ) { from, to in
                do {
                    coordinator.item(at: from, willMoveTo: to)
                    try FileManager.default.moveItem(at: from, to: to)
                    coordinator.item(at: from, didMoveTo: to)
                } catch { print(error) }
            }
        }
    }
}

final class OutlineDocument: NSDocument {
    struct Item: Codable {
        var title: String
        var children: [Item]
    }
    var items: [Item] = []

    override class var autosavesInPlace: Bool { true }
    override class var preservesVersions: Bool { true }
    override class var autosavesDrafts: Bool { true }
    override class var readableTypes: [String] { ["com.example.outline", "public.json"] }
    override class func isNativeType(_ type: String) -> Bool { type == "com.example.outline" }

    override func makeWindowControllers() {
        let window = NSWindow()
        window.title = displayName
        let controller = OutlineWindowController(window: window)
        addWindowController(controller)
        controller.shouldCloseDocument = true
    }

    override func data(ofType typeName: String) throws -> Data {
        guard typeName == "com.example.outline" else {
            throw NSError(domain: NSOSStatusErrorDomain, code: -4, userInfo: nil)
        }
        return try JSONEncoder().encode(items)
    }
    override func read(from data: Data, ofType typeName: String) throws {
        items = try JSONDecoder().decode([Item].self, from: data)
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["count": items.count])
    }
    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        print(activity.userInfo?[NSUserActivityDocumentURLKey] as? URL as Any)
    }
    override func save(
        to url: URL, ofType typeName: String, for saveOperation: NSDocument.SaveOperationType
    ) async throws {
        try await super.save(to: url, ofType: typeName, for: saveOperation)
    }
    override func close() {
        super.close()
    }
    override func presentedItemDidMove(to newURL: URL) { super.presentedItemDidMove(to: newURL) }
    override func presentedItemDidChange() { super.presentedItemDidChange() }

    func rename(_ item: Int, to title: String) {
        let old = items[item].title
        undoManager?.registerUndo(withTarget: self) { $0.rename(item, to: old) }
        undoManager?.setActionName("Rename")
        items[item].title = title
        updateChangeCount(.changeDone)
    }
}

final class OutlineWindowController: NSWindowController, NSWindowDelegate {
    override func showWindow(_ sender: Any?) {
        super.showWindow(sender)
        window?.delegate = self
        document?.userActivity?.becomeCurrent()
    }
    func windowWillClose(_ notification: Notification) {}
}

final class OutlineDocumentController: NSDocumentController {
    override func openDocument(
        withContentsOf url: URL, display displayDocument: Bool,
        completionHandler: @escaping @MainActor @Sendable (NSDocument?, Bool, Error?) -> Void
    ) {
        super.openDocument(withContentsOf: url, display: displayDocument) { document, already, error in
            self.noteNewRecentDocumentURL(url)
            completionHandler(document, already, error)
        }
    }
    override var maximumRecentDocumentCount: Int { 5 }
    override func typeForContents(of url: URL) throws -> String { try super.typeForContents(of: url) }
}

final class OutlineAppDelegate: NSObject, NSApplicationDelegate {
    let controller = OutlineDocumentController()
    func applicationDidFinishLaunching(_ aNotification: Notification) {
        NSUserActivity(activityType: "com.example.outline.browse").becomeCurrent()
    }
    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let url = userActivity.userInfo?[NSUserActivityDocumentURLKey] as? URL else { return false }
        NSDocumentController.shared.openDocument(withContentsOf: url, display: true) { document, _, error in
            if let document { restorationHandler([document]) } else if let error { NSApp.presentError(error) }
        }
        return true
    }
    func application(_ application: NSApplication, open urls: [URL]) {
        Task {
            for url in urls {
                let (document, alreadyOpen) = try await NSDocumentController.shared.openDocument(
                    withContentsOf: url, display: true)
                print(document, alreadyOpen)
            }
        }
    }
    func applicationSupportsSecureRestorableState(_ app: NSApplication) -> Bool { true }
    func applicationShouldOpenUntitledFile(_ sender: NSApplication) -> Bool { true }
}

final class FolderPresenter: NSObject, NSFilePresenter {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    private let lock = NSLock()
    var hasChanges = false

    init(_ url: URL) {
        presentedItemURL = url
        super.init()
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
    }
    func start() { NSFileCoordinator.addFilePresenter(self) }
    func stop() { NSFileCoordinator.removeFilePresenter(self) }

    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        lock.lock()
        writer { self.lock.unlock() }
    }
    func savePresentedItemChanges() async throws {
        hasChanges = false
    }
    func accommodatePresentedItemDeletion() async throws {}
    func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
    func presentedSubitemDidAppear(at url: URL) { print(url) }
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> {
        [.ubiquitousItemIsUploadedKey, .ubiquitousItemDownloadingStatusKey]
    }
}

final class OldPresenter: NSObject, NSFilePresenter {
    var presentedItemURL: URL? { nil }
    var presentedItemOperationQueue: OperationQueue { .main }
    func savePresentedItemChanges(completionHandler: @escaping (Error?) -> Void) { completionHandler(nil) }
    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { reader(nil) }
}

func copyCoordinated(_ source: URL, to destination: URL, presenter: NSFilePresenter?) throws {
    let coordinator = NSFileCoordinator(filePresenter: presenter)
    var coordinationError: NSError?
    var thrown: Error?
    coordinator.coordinate(
        readingItemAt: source, options: .withoutChanges, writingItemAt: destination, options: .forReplacing,
        error: &coordinationError
    ) { from, to in
        do { try FileManager.default.copyItem(at: from, to: to) } catch { thrown = error }
    }
    if let error = coordinationError ?? thrown { throw error }
    coordinator.coordinate(writingItemAt: source, options: .forMoving, error: nil) { url in
        coordinator.item(at: url, willMoveTo: destination)
        coordinator.item(at: url, didMoveTo: destination)
    }
}

func readLater(_ url: URL) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        let intent = NSFileAccessIntent.readingIntent(with: url, options: [])
        let queue = OperationQueue()
        NSFileCoordinator().coordinate(with: [intent], queue: queue) { error in
            if let error {
                continuation.resume(throwing: error)
                return
            }
            continuation.resume(with: Result { try Data(contentsOf: intent.url) })
        }
    }
}

func publish(_ url: URL) throws -> URL {
    var expires: NSDate?
    let published = try FileManager.default.url(forPublishingUbiquitousItemAt: url, expiration: &expires)
    print(expires as Any)
    return published
}

func moveToCloud(_ local: URL) async throws {
    try await Task.detached {
        guard let container = FileManager.default.url(forUbiquityContainerIdentifier: nil) else {
            throw CocoaError(.ubiquitousFileUnavailable)
        }
        let documents = container.appendingPathComponent("Documents", isDirectory: true)
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        try FileManager.default.setUbiquitous(
            true, itemAt: local, destinationURL: documents.appendingPathComponent(local.lastPathComponent))
    }.value
}

func status(_ url: URL) throws -> Bool {
    let values = url.ubiquitousItemResourceValues()
    return values.ubiquitousItemDownloadingStatus == .current && values.isUbiquitousItem == true
}

@Suite struct AppleDocumentsTests {
    @Test("a presenter that writes its answers as async is asked for them (D-6)")
    func presenter() async throws {
        let presenter = FolderPresenter(FileManager.default.temporaryDirectory)
        presenter.hasChanges = true
        let asked: NSFilePresenter = presenter
        let error: Error? = await withCheckedContinuation { continuation in
            asked.savePresentedItemChanges { continuation.resume(returning: $0) }
        }
        #expect(error == nil && !presenter.hasChanges)
    }
}
