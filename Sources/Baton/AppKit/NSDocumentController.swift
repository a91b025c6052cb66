public import Foundation

/// Has the list of the app's documents, and opens files with the class that their type names.
///
/// The class of a type is `NSDocumentClass` in `CFBundleDocumentTypes`, as in `MyApp.MyDocument` or `MyDocument`.
@MainActor
@preconcurrency
open class NSDocumentController: NSObject {
    /// The one controller of the app.
    public static let shared = NSDocumentController()

    /// The open documents, in the order in which they were added.
    open private(set) var documents: [NSDocument] = []
    private var classes: [String: NSDocument.Type] = [:]
    /// Files that are being opened: two requests for one file give one document.
    private var opening: [URL: Task<NSDocument, any Error>] = [:]

    /// A controller with an empty list. Apps use ``shared``.
    public override init() { super.init() }

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

    // MARK: Documents

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

    /// A new document of the default type.
    open func openUntitledDocumentAndDisplay(_ displayDocument: Bool) throws -> NSDocument {
        guard let type = defaultType ?? classes.keys.sorted().first, let documentClass = documentClass(forType: type)
        else { throw DocumentErrors.cocoa(.featureUnsupported, "The app has no document types.", nil) }
        let document = documentClass.init()
        document.fileType = type
        addDocument(document)
        display(document, displayDocument)
        return document
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
        guard let documentClass = documentClass(forType: type) else {
            throw DocumentErrors.cocoa(
                .fileReadUnknown,
                "The app has no class for documents of the type \(type). Name it as NSDocumentClass in its Info.plist.",
                url)
        }
        let document = documentClass.init()
        try await document.open(contentsOf: url, ofType: type)
        addDocument(document)
        return document
    }

    private func display(_ document: NSDocument, _ isDisplayed: Bool) {
        guard isDisplayed else { return }
        if document.windowControllers.isEmpty { document.makeWindowControllers() }
        document.showWindows()
    }

    /// Closes all documents. Those that cannot be saved stay open.
    /// - Returns: whether all are closed.
    open func closeAllDocuments() async -> Bool {
        for document in documents {
            try? await document.autosave(withImplicitCancellability: false)
            if !document.isDocumentEdited { document.close() }
        }
        return documents.allSatisfy { !$0.isDocumentEdited }
    }

    // MARK: Handoff

    /// Continues the activity of a document that the app does not continue itself (H-62, H-73): waits up to a minute until
    /// it is on this device, opens it, and has it restore its state.
    /// - Returns: whether the activity has the URL of a document; it is being opened then.
    func continueDocument(
        _ activity: NSUserActivity,
        completion: @escaping @MainActor @Sendable (NSDocument?, (any Error)?) -> Void = { _, _ in }
    ) -> Bool {
        guard let url = DocumentContinuation.url(of: activity) else { return false }
        // Ends when the document is open, or its deadline has passed.
        Task {
            do {
                try await DocumentContinuation.waitUntilAvailable(url)
                let (document, _) = try await openDocument(withContentsOf: url, display: true)
                document.restoreUserActivityState(activity)
                completion(document, nil)
            } catch {
                completion(nil, error)
            }
        }
        return true
    }
}
