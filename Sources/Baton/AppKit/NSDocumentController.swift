public import Foundation
import Synchronization

/// Has the list of the app's documents, and opens files with the class that their type names.
///
/// The class of a type is `NSDocumentClass` in `CFBundleDocumentTypes`, as in `MyApp.MyDocument` or `MyDocument`.
@MainActor
@preconcurrency
open class NSDocumentController: NSObject {
    private static var first: NSDocumentController?

    /// The one controller of the app: the first that was made. An app that makes one of its own subclass, before it uses this one,
    /// has that.
    public class var shared: NSDocumentController { first ?? NSDocumentController() }

    /// The open documents, in the order in which they were added.
    open private(set) var documents: [NSDocument] = []
    private(set) var classes: [String: NSDocument.Type] = [:]
    /// Files that are being opened: two requests for one file give one document.
    private var opening: [URL: Task<NSDocument, any Error>] = [:]

    private lazy var recent = RecentDocuments(file: RecentDocuments.ofThisApp)

    /// A controller with an empty list. The first becomes ``shared``.
    public override init() {
        super.init()
        if Self.first == nil { Self.first = self }
    }

    // MARK: Types

    /// Names the class of a type in the program, where the `Info.plist` cannot. Not Apple's.
    open func register(_ documentClass: NSDocument.Type, forType typeName: String) { classes[typeName] = documentClass }

    /// The class of a type.
    open func documentClass(forType typeName: String) -> NSDocument.Type? {
        if let known = classes[typeName] { return known }
        guard let name = DocumentTypes.main.entry(for: typeName)?.documentClass else { return nil }
        // A class without its module's name is one of the program's own.
        let program = ProcessInfo.processInfo.processName
        return [name, program + "." + name].lazy.compactMap { NSClassFromString($0) as? NSDocument.Type }.first
    }

    /// The type of the first document type in the `Info.plist`.
    open var defaultType: String? { DocumentTypes.main.entries.first?.contentTypes.first }

    /// The identifier of the type of what is at a URL.
    open func typeForContents(of url: URL) throws -> String {
        guard let type = DocumentEnvironment.shared.type(url) else {
            throw DocumentErrors.cocoa(.fileReadUnknown, "“\(url.lastPathComponent)” has no known type.", url)
        }
        return type
    }

    /// The name of a type for people: `CFBundleTypeName`, or that of the uniform type; nil for one that is not known.
    open func displayName(forType typeName: String) -> String? {
        if let name = DocumentTypes.main.entry(for: typeName)?.name, !name.isEmpty { return name }
        return UTType(typeName)?.localizedDescription
    }

    /// The names of the document classes in the `Info.plist`, each once.
    open var documentClassNames: [String] {
        var names: [String] = []
        for name in DocumentTypes.main.entries.compactMap(\.documentClass) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    // MARK: Documents

    /// The folder of the current document's file, or else of the document that was opened or saved last; nil without one.
    open var currentDirectory: String? {
        (currentDocument?.fileURL ?? recentDocumentURLs.first)?.deletingLastPathComponent().path
    }

    /// The document of a window.
    open func document(for window: NSWindow) -> NSDocument? {
        documents.first { document in document.windowControllers.contains { $0.window === window } }
    }

    /// The document of a file, if it is open.
    open func document(for url: URL) -> NSDocument? {
        let path = url.resolvingSymlinksInPath().standardizedFileURL.path
        return documents.first { $0.fileURL?.resolvingSymlinksInPath().standardizedFileURL.path == path }
    }

    /// The document of the main window.
    open var currentDocument: NSDocument? { NSWindow.main?.windowController?.document }

    /// Adds a document to the list.
    open func addDocument(_ document: NSDocument) {
        if !documents.contains(where: { $0 === document }) { documents.append(document) }
    }

    /// Takes a document off the list.
    open func removeDocument(_ document: NSDocument) { documents.removeAll { $0 === document } }

    private var untitledType: String? { defaultType ?? classes.keys.sorted().first }

    /// Whether the app has documents at all.
    var hasDocumentTypes: Bool { untitledType.flatMap(documentClass(forType:)) != nil }

    /// A new document of the default type.
    @discardableResult
    open func openUntitledDocumentAndDisplay(_ displayDocument: Bool) throws -> NSDocument {
        guard let type = untitledType, hasDocumentTypes else {
            throw DocumentErrors.cocoa(.featureUnsupported, "The app has no document types.", nil)
        }
        let document = try makeUntitledDocument(ofType: type)
        addDocument(document)
        display(document, displayDocument)
        return document
    }

    /// Makes and shows a new document of the default type. An error is shown by ``presentError(_:)``.
    /// - Parameter sender: not used.
    open func newDocument(_ sender: Any?) {
        do { try openUntitledDocumentAndDisplay(true) } catch { presentError(error) }
    }

    /// Asks the person for a file, and opens it. An error is shown by ``presentError(_:)``.
    ///
    /// A confined app may not use the file that the person names: it gets a copy, in its `Documents`.
    /// - Parameter sender: not used.
    open func openDocument(_ sender: Any?) {
        // Ends with the person's answer, and the opening of the file.
        Task {
            do {
                guard let url = try await askForDocument() else { return }
                openDocument(withContentsOf: url, display: true) { _, _, error in
                    if let error { self.presentError(error) }
                }
            } catch {
                presentError(error)
            }
        }
    }

    /// Asks the person for a file, as ``openDocument(_:)`` does, and does not open it.
    /// - Parameter completionHandler: gets the file, on the main actor, or nil if the person wants none.
    open func beginOpenPanel(completionHandler: @escaping @MainActor @Sendable ([URL]?) -> Void) {
        // Ends with the person's answer.
        Task {
            do {
                completionHandler(try await askForDocument().map { [$0] })
            } catch {
                presentError(error)
                completionHandler(nil)
            }
        }
    }

    /// Makes a document of a file, without adding it to the list. Opening calls it on a subclass of the controller, while the file
    /// is held for reading.
    open func makeDocument(withContentsOf url: URL, ofType typeName: String) throws -> NSDocument {
        let document = try documentClassOrError(forType: typeName, url).init()
        try document.readNow(from: url, ofType: typeName)
        return document
    }

    /// Makes a document of a type without a file, without adding it to the list.
    open func makeUntitledDocument(ofType typeName: String) throws -> NSDocument {
        let document = try documentClassOrError(forType: typeName, nil).init()
        document.fileType = typeName
        return document
    }

    /// Makes a document from another file's content, without adding it to the list: ``NSDocument/duplicate()`` calls it.
    /// - Parameters:
    ///   - urlOrNil: the file that is the document's; nil for none.
    ///   - contentsURL: where the content is read.
    open func makeDocument(
        for urlOrNil: URL?, withContentsOf contentsURL: URL, ofType typeName: String
    ) throws -> NSDocument {
        let document = try documentClassOrError(forType: typeName, contentsURL).init()
        try document.read(from: contentsURL, ofType: typeName)
        document.fileType = typeName
        document.fileURL = urlOrNil
        document.updateChangeCount(.changeReadOtherContents)
        return document
    }

    /// Makes a document without a file from a file's content, adds it to the list and shows it.
    /// - Parameters:
    ///   - duplicateByCopying: whether the file stays; false removes it.
    ///   - displayNameOrNil: the document's name; nil for the file's.
    @discardableResult
    open func duplicateDocument(
        withContentsOf url: URL, copying duplicateByCopying: Bool, displayName displayNameOrNil: String?
    ) throws -> NSDocument {
        let document = try makeDocument(for: nil, withContentsOf: url, ofType: typeForContents(of: url))
        if !duplicateByCopying { try FileManager.default.removeItem(at: url) }
        add(duplicate: document, named: displayNameOrNil ?? url.deletingPathExtension().lastPathComponent)
        return document
    }

    func add(duplicate document: NSDocument, named name: String) {
        document.copyName = name
        addDocument(document)
        display(document, true)
    }

    private func documentClassOrError(forType type: String, _ url: URL?) throws -> NSDocument.Type {
        if let documentClass = documentClass(forType: type) { return documentClass }
        throw DocumentErrors.cocoa(
            .fileReadUnknown,
            "The app has no class for documents of the type \(type). Name it as NSDocumentClass in its Info.plist.", url
        )
    }

    /// Opens a file, or finds the document that has it open.
    /// - Parameters:
    ///   - displayDocument: whether its windows are made and shown.
    ///   - completionHandler: gets the document and whether it was open, or an error, on the main actor.
    open func openDocument(
        withContentsOf url: URL, display displayDocument: Bool,
        completionHandler: @escaping @MainActor @Sendable (NSDocument?, Bool, (any Error)?) -> Void
    ) {
        // Ends by itself when the file was read; the app hears of it by the handler.
        Task {
            do {
                let (document, wasOpen) = try await openDocument(withContentsOf: url, display: displayDocument)
                completionHandler(document, wasOpen, nil)
            } catch {
                completionHandler(nil, false, error)
            }
        }
    }

    /// As ``openDocument(withContentsOf:display:completionHandler:)``.
    open func openDocument(withContentsOf url: URL, display displayDocument: Bool) async throws -> (NSDocument, Bool) {
        if let document = document(for: url) {
            display(document, displayDocument)
            return (document, true)
        }
        let key = url.standardizedFileURL
        let isFirst = opening[key] == nil
        // Ends by itself; all who ask for this file wait for it.
        let task = opening[key] ?? Task { try await self.makeDocument(withContentsOf: url) }
        opening[key] = task
        defer { if isFirst { opening[key] = nil } }
        let document = try await task.value
        display(document, displayDocument)
        return (document, !isFirst)
    }

    private func makeDocument(withContentsOf url: URL) async throws -> NSDocument {
        let type = try typeForContents(of: url)
        let document: NSDocument
        if Swift.type(of: self) == NSDocumentController.self {
            document = try documentClassOrError(forType: type, url).init()
            try await document.open(contentsOf: url, ofType: type)
        } else {
            document = try await makeHeld(url, type)
        }
        addDocument(document)
        noteNewRecentDocument(document)
        return document
    }

    /// By the subclass's own method, while the file is held; downloaded first if it is not on this device.
    private func makeHeld(_ url: URL, _ type: String) async throws -> NSDocument {
        let environment = DocumentEnvironment.shared
        let access = DocumentFileAccess(
            runtime: environment.coordination(), host: nil,
            makeAvailable: { [makeAvailable = environment.makeAvailable] in try makeAvailable($0, false) })
        return try await withCheckedThrowingContinuation { continuation in
            Self.reading.async {
                let made = Mutex<NSDocument?>(nil)
                let result = Result {
                    try access.read(url) { url in
                        let document = try MainQueue.sync {
                            try DocumentEnvironment.$scoped.withValue(environment) {
                                try self.makeDocument(withContentsOf: url, ofType: type)
                            }
                        }
                        made.withLock { $0 = document }
                    }
                }
                let document = made.withLock { $0 }
                let failure = CocoaError(.userCancelled)
                continuation.resume(with: result.flatMap { _ in document.map { .success($0) } ?? .failure(failure) })
            }
        }
    }

    /// Waits for files, and copies them, off the cooperative pool. Bounded by the files that the app opens at once.
    nonisolated static let reading = DispatchQueue(label: "baton.documents.opening")

    func display(_ document: NSDocument, _ isDisplayed: Bool) {
        guard isDisplayed else { return }
        if document.windowControllers.isEmpty { document.makeWindowControllers() }
        document.showWindows()
    }

    // MARK: Recent documents

    /// How many files ``recentDocumentURLs`` has at most: 10.
    open var maximumRecentDocumentCount: Int { 10 }

    /// The files that were opened or saved last, the newest first, without those that are gone. Kept in the app's container; an app
    /// without one forgets them when it ends.
    open var recentDocumentURLs: [URL] {
        let existing = recent.urls.filter { FileManager.default.fileExists(atPath: $0.path) }
        return Array(existing.prefix(maximumRecentDocumentCount))
    }

    /// A document was opened or saved: called by itself. A subclass that wants some of them left out overrides it.
    open func noteNewRecentDocument(_ document: NSDocument) {
        if let url = document.fileURL { noteNewRecentDocumentURL(url) }
    }

    /// A file was opened or saved.
    open func noteNewRecentDocumentURL(_ url: URL) { recent.note(url) }

    /// Forgets the recent documents.
    /// - Parameter sender: not used.
    open func clearRecentDocuments(_ sender: Any?) { recent.clear() }

    // MARK: Errors

    /// Shows ``willPresentError(_:)`` of an error by ``NSApplication/presentError(_:)``.
    /// - Returns: whether the app has recovered from it.
    @discardableResult
    open func presentError(_ error: any Error) -> Bool { NSApplication.shared.presentError(willPresentError(error)) }

    /// The error that is shown instead. By default the error itself.
    open func willPresentError(_ error: any Error) -> any Error { error }

    /// Closes all documents. Those that cannot be saved stay open.
    /// - Returns: whether all are closed.
    open func closeAllDocuments() async -> Bool {
        for document in documents {
            try? await document.autosave(withImplicitCancellability: false)
            if !document.isDocumentEdited { document.close() }
        }
        return documents.allSatisfy { !$0.isDocumentEdited }
    }

    /// Whether there is something to save in a document.
    open var hasEditedDocuments: Bool { documents.contains(where: \.isDocumentEdited) }

    /// Saves the documents in which there is something to save, by ``NSDocument/save(_:)``: those without a file one after the other, each
    /// when the person has answered for the one before.
    /// - Parameter sender: given to the documents.
    open func saveAllDocuments(_ sender: Any?) {
        var drafts: [NSDocument] = []
        for document in documents where document.isDocumentEdited {
            if document.fileURL == nil { drafts.append(document) } else { document.save(sender) }
        }
        // Ends with the person's answers. A terminal shows one question at a time.
        Task { [drafts] in
            for document in drafts where document.isDocumentEdited {
                document.save(sender)
                await document.asking?.value
            }
        }
    }
}
