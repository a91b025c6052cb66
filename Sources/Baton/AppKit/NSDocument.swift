public import Foundation
import Synchronization

/// AppKit's document (H-101), over the same core as ``UIDocument``: reads and saves a file, hears of what others do to it.
///
/// A subclass overrides ``read(from:ofType:)-(Data,_)`` and ``data(ofType:)``, or their forms with a ``FileWrapper`` or a
/// URL, and calls ``updateChangeCount(_:)``. With ``autosavesInPlace`` changes are saved by themselves. There is no screen:
/// panels, printing and menus are not here, and windows are objects without one.
///
/// Reading and writing happen on the main actor while the file is held in the background.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nsdocument>
@MainActor
@preconcurrency
open class NSDocument: PresentedDocument, NSUserActivityRestoring {
    private var undo: UndoManager?
    private var undoObservation: DocumentUndo?
    private var givenName: String?
    /// Asks the person where to save. Ends when the save has begun.
    var asking: Task<Void, Never>?
    /// A duplicate has this name until it has a file.
    var copyName: String?
    /// The windows' controllers.
    open private(set) var windowControllers: [NSWindowController] = []

    /// An empty document. Subclasses with initializers of their own add `required init()`.
    public required init() {
        super.init(presentedFileURL: nil)
        core.connect(self)
        core.savesAutomatically = Self.autosavesInPlace
    }

    /// A new document of a type. It has no file until it is saved.
    public convenience init(type typeName: String) throws {
        self.init()
        fileType = typeName
    }

    /// A document of a file, which is read at once, on this thread.
    ///
    /// It is read without coordination, and looked at once more afterwards, so that nothing that others wrote meanwhile is missed.
    /// Content that is in iCloud and not on this device is not waited for: ``NSDocumentController`` does that.
    /// - Throws: what reading throws; there is no document then.
    public convenience init(contentsOf url: URL, ofType typeName: String) throws {
        self.init()
        try readNow(from: url, ofType: typeName)
    }

    func readNow(from url: URL, ofType typeName: String) throws {
        try core.performNow(.open, DocumentCore.Target(url: url, type: typeName))
    }

    // MARK: Attributes

    /// The file; nil until the document is saved. Any thread may read it.
    nonisolated open var fileURL: URL? {
        get { snapshot.fileURL }
        set { core.snapshot.withLock { $0.fileURL = newValue } }
    }
    /// The identifier of the file's type.
    nonisolated open var fileType: String? {
        get { snapshot.fileType }
        set { core.snapshot.withLock { $0.fileType = newValue } }
    }
    /// When the file was changed last; nil until it was read or saved.
    nonisolated open var fileModificationDate: Date? {
        get { snapshot.modificationDate }
        set { core.snapshot.withLock { $0.modificationDate = newValue } }
    }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The name for people: set, or the file's, or a duplicate's, or ``defaultDraftName()``. Never nil; setting nil takes the file's again.
    open var displayName: String! {
        get { givenName ?? fileURL?.deletingPathExtension().lastPathComponent ?? copyName ?? defaultDraftName() }
        set { givenName = newValue }
    }
    /// The name of a document that has none: “Untitled”.
    open func defaultDraftName() -> String { "Untitled" }
    /// Whether there is something to save.
    open var isDocumentEdited: Bool { snapshot.isEdited }
    /// As ``isDocumentEdited``.
    open var hasUnautosavedChanges: Bool { snapshot.isEdited }
    /// Whether a person must decide between versions.
    open var isInConflict: Bool { snapshot.isInConflict }
    /// Whether changes are saved to the file by themselves. False unless a subclass says otherwise.
    open class var autosavesInPlace: Bool { false }
    /// Types that the class reads: those of the `Info.plist`.
    open class var readableTypes: [String] { DocumentTypes.main.entries.flatMap(\.contentTypes) }
    /// Types that the class writes.
    open class var writableTypes: [String] { readableTypes }
    /// Whether a type is one that the class writes.
    open class func isNativeType(_ type: String) -> Bool { writableTypes.contains(type) }
    /// Whether earlier versions are kept. Not asked: an item in iCloud has versions, another file none.
    open class var preservesVersions: Bool { autosavesInPlace }
    /// Whether a document without a file is saved by itself. Not asked: it is saved once it has one.
    open class var autosavesDrafts: Bool { false }
    /// Whether the app has made the file for the person, who has not named it yet. Baton does not look at it.
    open var isDraft = false

    /// Whether documents of a type may be read on another thread. Not asked: content is read on the main actor.
    open class func canConcurrentlyReadDocuments(ofType typeName: String) -> Bool { false }

    // MARK: For subclasses: content

    /// Takes over the content of a file.
    open func read(from data: Data, ofType typeName: String) throws { throw unsupported("read(from:ofType:)") }

    /// Takes over a file or package. By default a regular file's content is handed to the form with `Data`.
    open func read(from fileWrapper: FileWrapper, ofType typeName: String) throws {
        guard let data = fileWrapper.regularFileContents else { throw unsupported("read(from:ofType:)") }
        try read(from: data, ofType: typeName)
    }

    /// Takes over what is at a URL. By default it is read, and handed to the form with a ``FileWrapper``.
    open func read(from url: URL, ofType typeName: String) throws {
        try read(from: FileWrapper(url: url.resolvingSymlinksInPath(), options: .immediate), ofType: typeName)
    }

    /// The content to save.
    open func data(ofType typeName: String) throws -> Data { throw unsupported("data(ofType:)") }

    /// The content to save, as a file or package. By default a file with ``data(ofType:)``.
    open func fileWrapper(ofType typeName: String) throws -> FileWrapper {
        FileWrapper(regularFileWithContents: try data(ofType: typeName))
    }

    /// Writes the document's content to a URL where nothing of value is: the system puts it in its place. By default what
    /// ``fileWrapper(ofType:)`` gives. Every save goes through it, on the main actor.
    open func write(to url: URL, ofType typeName: String) throws {
        try fileWrapper(ofType: typeName).write(to: url, originalContentsURL: nil)
    }

    /// As ``write(to:ofType:)``, which it calls.
    /// - Parameters:
    ///   - saveOperation: what the save is for.
    ///   - absoluteOriginalContentsURL: the file as it was saved last, if there is one.
    open func write(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        originalContentsURL absoluteOriginalContentsURL: URL?
    ) throws { try write(to: url, ofType: typeName) }

    /// Attributes for the file, e.g. its mode: by `FileAttributeKey.rawValue`. None by default. Asked at each save, after
    /// ``write(to:ofType:)``.
    /// - Parameter absoluteOriginalContentsURL: the file as it was saved last, if there is one.
    open func fileAttributesToWrite(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        originalContentsURL absoluteOriginalContentsURL: URL?
    ) throws -> [String: Any] { [:] }

    /// The types that the person may save the document as: by default ``writableTypes``. A document without a type is saved as the first.
    open func writableTypes(for saveOperation: SaveOperationType) -> [String] { Self.writableTypes }

    /// Whether a save may call ``write(to:ofType:)`` on another thread. Not asked: content is written on the main actor.
    open func canAsynchronouslyWrite(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType
    ) -> Bool { false }

    /// Says, from within ``write(to:ofType:)``, that the person may go on while the rest is written. Without effect: content is written on the
    /// main actor, and the file is put in its place in the background.
    nonisolated open func unblockUserInteraction() {}

    /// The extension for a type, without a dot.
    open func fileNameExtension(forType typeName: String, saveOperation: SaveOperationType) -> String? {
        core.environment.filenameExtension(typeName)
    }

    private func unsupported(_ name: String) -> any Error {
        DocumentErrors.cocoa(.featureUnsupported, "The document class does not override \(name).", fileURL)
    }

    // MARK: Opening, saving, closing

    /// Reads a file into this new document. An error is thrown, and not presented.
    open func open(contentsOf url: URL, ofType typeName: String) async throws {
        try await perform(.open, DocumentCore.Target(url: url, type: typeName, isShownByCaller: true))
    }

    /// Reads a file again, on this thread, and forgets what is not saved.
    ///
    /// While a save or another access of the document is under way, the file is read when that has ended; what fails then goes to
    /// ``presentError(_:)``.
    /// - Throws: what reading throws; the document is as before.
    open func revert(toContentsOf url: URL, ofType typeName: String) throws {
        try core.performNow(.revert, DocumentCore.Target(url: url, type: typeName))
    }

    /// Saves to a URL.
    ///
    /// Every save goes through this, also an automatic one, that of closing, and that before another program reads the file: those with
    /// `autosaveInPlaceOperation`. An override calls `super`, and the handler in the end.
    /// - Parameter completionHandler: gets the error, on the main actor.
    open func save(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        completionHandler: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        var target = DocumentCore.Target(url: url, type: typeName, operation: saveOperation.rawValue)
        switch saveOperation {
        case .saveOperation, .autosaveInPlaceOperation:
            if url == fileURL { target.url = nil }
            // A deleted file does not come back by itself.
            let isCreating = !snapshot.isOpen && saveOperation == .saveOperation
            core.request(.save(creating: isCreating), target, completionHandler)
        case .saveAsOperation, .autosaveAsOperation:
            core.request(.save(creating: true), target) { [weak self] error in
                if error == nil, let self { NSDocumentController.shared.noteNewRecentDocument(self) }
                completionHandler(error)
            }
        case .saveToOperation, .autosaveElsewhereOperation: saveCopy(url, typeName, completionHandler)
        }
    }

    /// As ``save(to:ofType:for:completionHandler:)``.
    open func save(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            save(to: url, ofType: typeName, for: saveOperation) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Saves to the document's file; one without a file as ``saveAs(_:)`` does. An error goes to ``presentError(_:)``.
    open func save(_ sender: Any?) {
        guard let fileURL, let fileType else { return saveAs(sender) }
        save(to: fileURL, ofType: fileType, for: .saveOperation) { _ in }
    }

    /// Moves the file, by a coordinated write, and ``fileURL`` with it. What is not saved stays so, and is saved to the new place.
    /// - Parameters:
    ///   - url: where nothing may be yet, in a folder that exists.
    ///   - completionHandler: gets the error, on the main actor.
    open func move(to url: URL, completionHandler: (@MainActor @Sendable ((any Error)?) -> Void)? = nil) {
        core.move(to: url) { completionHandler?($0) }
    }

    /// A new document without a file, with this one's content and “copy” behind its name, which is listed and shown. There is something to
    /// save in it.
    /// - Throws: what writing and reading throw; there is no new document then.
    @discardableResult
    open func duplicate() throws -> NSDocument {
        let type = savedType(for: .saveToOperation)
        let place = try TemporaryFiles.place(fileName(ofType: type, for: .saveToOperation))
        defer { TemporaryFiles.remove(place) }
        try write(to: place, ofType: type, for: .saveToOperation, originalContentsURL: fileURL)
        let controller = NSDocumentController.shared
        let document = try controller.makeDocument(for: nil, withContentsOf: place, ofType: type)
        controller.add(duplicate: document, named: "\(displayName ?? "") copy")
        return document
    }

    /// As ``autosave(withImplicitCancellability:completionHandler:)``.
    open func autosave(withImplicitCancellability isCancellable: Bool) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            autosave(withImplicitCancellability: isCancellable) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Saves if there is something to save and a file to save to, by ``save(to:ofType:for:completionHandler:)``. With
    /// ``autosavesInPlace`` it is called by itself, as ``UIDocument/autosave(completionHandler:)``.
    /// - Parameter completionHandler: gets the error, on the main actor.
    open func autosave(
        withImplicitCancellability isCancellable: Bool,
        completionHandler: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) { core.request(.autosave, nil, completionHandler) }

    /// Closes the windows and the document, and takes it off the controller's list.
    ///
    /// With ``autosavesInPlace`` what is not saved is saved; otherwise it is lost: ask ``isDocumentEdited`` first.
    open func close() {
        endUndoGroup()
        if !Self.autosavesInPlace { core.input(.cleared) }
        core.request(.close) { [weak self] error in
            guard let self, error == nil else { return }
            for controller in windowControllers { controller.documentWasClosed() }
            windowControllers = []
            activity.close(for: self)
            NSDocumentController.shared.removeDocument(self)
        }
    }

    // MARK: Changes

    /// Says that something was changed.
    open func updateChangeCount(_ change: ChangeType) {
        switch change {
        case .changeDone: core.input(.counted(.done))
        case .changeUndone: core.input(.counted(.undone))
        case .changeRedone: core.input(.counted(.redone))
        case .changeCleared: core.input(.cleared)
        case .changeReadOtherContents: core.update { $0.taint() }
        case .changeAutosaved: break
        }
    }

    /// Whether the document has an undo manager. True at first.
    open var hasUndoManager = true

    /// Made at first use. Its undo and redo count as changes by themselves.
    open var undoManager: UndoManager? {
        get {
            if undo == nil, hasUndoManager { self.undoManager = UndoManager() }
            return undo
        }
        set {
            undo = newValue
            undoObservation = newValue.map { manager in
                DocumentUndo(manager) { [weak self] change in self?.core.input(.counted(change)) }
            }
        }
    }

    func forgetUndo() { undo?.removeAllActions() }
    func endUndoGroup() { undo?.endEventGroup() }

    /// Something could not be read or saved: called for every failure but those that opening and reverting throw. Shows ``willPresentError(_:)`` of it by
    /// ``NSDocumentController/presentError(_:)``.
    /// - Returns: whether the app has recovered from it.
    @discardableResult
    open func presentError(_ error: any Error) -> Bool {
        NSDocumentController.shared.presentError(willPresentError(error))
    }

    /// The error that is shown instead. By default the error itself.
    open func willPresentError(_ error: any Error) -> any Error { error }

    // MARK: Windows

    /// Makes the windows' controllers. By default one with a window without a screen.
    open func makeWindowControllers() { addWindowController(NSWindowController(window: NSWindow())) }

    /// The document gets a controller.
    open func addWindowController(_ windowController: NSWindowController) {
        guard !windowControllers.contains(where: { $0 === windowController }) else { return }
        windowControllers.append(windowController)
        windowController.document = self
        coreDidChange()
    }

    /// The document loses a controller.
    open func removeWindowController(_ windowController: NSWindowController) {
        windowControllers.removeAll { $0 === windowController }
        windowController.document = nil
    }

    /// Shows the windows: the first becomes main.
    open func showWindows() {
        for controller in windowControllers.reversed() { controller.showWindow(nil) }
    }

    // MARK: Activity

    /// As ``UIDocument/userActivity``. It becomes current when a window of the document becomes main (H-61).
    nonisolated open var userActivity: NSUserActivity? {
        get { activity.activity }
        set { activity.set(newValue, for: self) }
    }

    /// Adds ``fileURL`` (H-58). Overrides call `super`.
    open func updateUserActivityState(_ activity: NSUserActivity) {
        if let fileURL { activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: fileURL]) }
    }

    /// Take over the state that the activity describes. The default does nothing; overrides call `super`.
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}
}

extension NSDocument: ActivityResponder {}
