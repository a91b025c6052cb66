public import Foundation
import Synchronization

/// A document: reads and saves a file in the background, hears of what others do to it, and keeps what was not saved.
///
/// A subclass overrides ``load(fromContents:ofType:)`` and ``contents(forType:)`` (D-14, D-37) and calls
/// ``updateChangeCount(_:)`` after each change (D-22); it is saved by itself then. The file is read again when another
/// program or device has changed it, unless there are changes that are not saved: those win, and the other version is kept
/// as a conflict version (``NSFileVersion``).
///
/// Used on the main actor; attributes can be read on any thread.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uidocument>
@MainActor
@preconcurrency
open class UIDocument: PresentedDocument, UIUserActivityRestoring {
    /// The kind of a change.
    public enum ChangeKind: Int, Sendable {
        /// Something was done.
        case done = 0
        /// Something was undone.
        case undone = 1
        /// Something was done again.
        case redone = 2
        /// The document is as it was saved.
        case cleared = 3
    }

    /// The purpose of a save.
    public enum SaveOperation: Int, Sendable {
        /// A new file (D-20), or another one.
        case forCreating = 0
        /// The document's own file.
        case forOverwriting = 1
    }

    var lastState: State = .closed
    private var undo: UndoManager?
    private var undoObservation: DocumentUndo?
    private struct Transfer {
        var progress = Progress(totalUnitCount: 1)
        /// Nil while there is none.
        var isUpload: Bool?

        init() { progress.completedUnitCount = 1 }
    }

    private let progressStore = UncheckedMutex(Transfer())
    /// Errors that the app may be showing, until it says that it is done with them. Policy: the oldest are forgotten.
    private var shownErrors: [any Error] = []

    /// A document that is closed (D-18). A URL that is not a file's is a mistake (``BatonExceptions``).
    public init(fileURL url: URL) {
        if !url.isFileURL || url.path.isEmpty {
            BatonExceptions.raiseInvalidArgument("UIDocument was made with “\(url.absoluteString)”, no URL of a file.")
        }
        super.init(presentedFileURL: url)
        core.connect(self)
    }

    // MARK: Attributes

    /// Where the file is (D-24). It follows the file when that is moved.
    nonisolated open var fileURL: URL { snapshot.fileURL ?? URL(fileURLWithPath: "/") }
    /// The file's name without its extension.
    nonisolated open var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }
    /// The identifier of the file's type.
    nonisolated open var fileType: String? { snapshot.fileType }
    /// When the file was changed last; nil until it was read or saved.
    nonisolated open var fileModificationDate: Date? { snapshot.modificationDate }
    /// The condition of the document.
    nonisolated open var documentState: State {
        let snapshot = snapshot
        var state: State = snapshot.isOpen ? .normal : .closed
        if snapshot.isInConflict { state.insert(.inConflict) }
        if snapshot.hasSavingError { state.insert(.savingError) }
        if snapshot.isEditingDisabled { state.insert(.editingDisabled) }
        if snapshot.transfer != nil { state.insert(.progressAvailable) }
        return state
    }
    /// The progress of the download or upload that ``State/progressAvailable`` stands for, in hundredths; complete when there is none.
    /// Each download and upload has an object of its own. Any thread may read it.
    nonisolated open var progress: Progress { progressStore.withLock { $0.progress } }

    func follow(_ transfer: DocumentTransfer?) {
        progressStore.withLock { store in
            if let transfer, store.isUpload != transfer.isUpload {
                store.progress = Progress(totalUnitCount: 100)
                store.progress.isCancellable = false
                store.progress.isPausable = false
            }
            store.isUpload = transfer?.isUpload
            store.progress.completedUnitCount = transfer.map { Int64($0.percent) } ?? store.progress.totalUnitCount
        }
    }
    /// Whether there is something to save.
    open var hasUnsavedChanges: Bool { snapshot.isEdited }

    // MARK: Opening, saving, closing

    /// Reads the file. Requests are performed one after the other.
    ///
    /// An open document is read again, unless it has changes that are not saved.
    /// - Parameter completionHandler: gets whether it was read, on the main actor (D-19).
    open func open(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        core.request(.open) { completionHandler?($0 == nil) }
    }

    /// As ``open(completionHandler:)``.
    @discardableResult
    open func open() async -> Bool {
        await withCheckedContinuation { continuation in open { continuation.resume(returning: $0) } }
    }

    /// Saves (D-20). With `forCreating` the document is at that URL from then on, and open (D-21).
    ///
    /// Every save goes through this, also an automatic one, that of closing, and that before another program reads the file: an
    /// override calls `super`, and the handler in the end.
    /// - Parameter completionHandler: gets whether it was saved, on the main actor.
    open func save(
        to url: URL, for saveOperation: SaveOperation, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let target = DocumentCore.Target(url: url == fileURL ? nil : url)
        core.request(.save(creating: saveOperation == .forCreating), target) { completionHandler?($0 == nil) }
    }

    /// As ``save(to:for:completionHandler:)``.
    @discardableResult
    open func save(to url: URL, for saveOperation: SaveOperation) async -> Bool {
        await withCheckedContinuation { continuation in
            save(to: url, for: saveOperation) { continuation.resume(returning: $0) }
        }
    }

    /// Saves if there is something to save, by ``save(to:for:completionHandler:)``. Called by itself 3 s after the last change, 15 s
    /// after the first at the latest, when the app is left or is to end, when the document is closed, and before another program reads
    /// its file.
    open func autosave(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        core.request(.autosave) { completionHandler?($0 == nil) }
    }

    /// As ``autosave(completionHandler:)``.
    @discardableResult
    open func autosave() async -> Bool {
        await withCheckedContinuation { continuation in autosave { continuation.resume(returning: $0) } }
    }

    /// Saves if there is something to save, and closes. If that fails the document stays open.
    open func close(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        core.request(.close) { completionHandler?($0 == nil) }
    }

    /// As ``close(completionHandler:)``.
    @discardableResult
    open func close() async -> Bool {
        await withCheckedContinuation { continuation in close { continuation.resume(returning: $0) } }
    }

    /// Reads a file into the open document, and forgets what is not saved. Editing is disabled meanwhile.
    open func revert(toContentsOf url: URL, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        core.request(.revert, DocumentCore.Target(url: url)) { completionHandler?($0 == nil) }
    }

    /// As ``revert(toContentsOf:completionHandler:)``.
    @discardableResult
    open func revert(toContentsOf url: URL) async -> Bool {
        await withCheckedContinuation { continuation in
            revert(toContentsOf: url) { continuation.resume(returning: $0) }
        }
    }

    // MARK: For subclasses: content

    /// Takes over what was read (D-15), also when a new version has arrived (D-17).
    /// - Parameters:
    ///   - contents: `Data`, or a ``FileWrapper`` of a package.
    ///   - typeName: of the file.
    open func load(fromContents contents: Any, ofType typeName: String?) throws {
        throw DocumentErrors.cocoa(.featureUnsupported, "The document class does not override load.", fileURL)
    }

    /// The content to save (D-16): `Data` or a ``FileWrapper``.
    open func contents(forType typeName: String) throws -> Any {
        throw DocumentErrors.cocoa(.featureUnsupported, "The document class does not override contents.", fileURL)
    }

    /// The type that the document is saved as: that of the file.
    open var savingFileType: String? { fileType }

    /// The extension for a type, without a dot.
    open func fileNameExtension(forType typeName: String?, saveOperation: SaveOperation) -> String {
        typeName.flatMap(core.environment.filenameExtension) ?? fileURL.pathExtension
    }

    /// Attributes that the file is given, e.g. `posixPermissions`. None by default.
    open func fileAttributesToWrite(to url: URL, for saveOperation: SaveOperation) throws -> [AnyHashable: Any] { [:] }

    // MARK: For subclasses: states and errors

    /// The person must not change anything until ``enableEditing()``. Overrides call `super`.
    open func disableEditing() { core.input(.editingDisabled(true)) }
    /// The person may change something again. Overrides call `super`.
    open func enableEditing() { core.input(.editingDisabled(false)) }

    /// Something could not be read or saved. Overrides call ``finishedHandlingError(_:recovered:)`` in the end.
    /// - Parameter userInteractionPermitted: whether it may be shown: not while the app is in the background. If the app is left
    ///   meanwhile, ``userInteractionNoLongerPermitted(forError:)`` says so.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        finishedHandlingError(error, recovered: false)
    }

    /// The error was shown, or was not worth it. Overrides call `super`.
    open func finishedHandlingError(_ error: any Error, recovered: Bool) {
        guard let index = shownErrors.firstIndex(where: { ($0 as NSError) == (error as NSError) }) else { return }
        shownErrors.remove(at: index)
    }

    func note(shown error: any Error) {
        shownErrors.append(error)
        if shownErrors.count > 16 { shownErrors.removeFirst() }
    }

    func takeShown() -> [any Error] {
        defer { shownErrors = [] }
        return shownErrors
    }

    /// The app is about to be left: do not wait for the person. Overrides call `super`.
    open func userInteractionNoLongerPermitted(forError error: any Error) {}

    // MARK: Changes

    /// Says that something was changed (D-22).
    open func updateChangeCount(_ change: ChangeKind) {
        switch change {
        case .done: core.input(.counted(.done))
        case .undone: core.input(.counted(.undone))
        case .redone: core.input(.counted(.redone))
        case .cleared: core.input(.cleared)
        }
    }

    /// Stands for the changes made until now.
    open func changeCountToken(for saveOperation: SaveOperation) -> Any { core.update { $0.token() } }

    /// The content that the token stands for was saved. Changes made since then stay unsaved.
    open func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperation) {
        guard let token = changeCountToken as? ChangeCounter.Token else {
            BatonExceptions.raiseInvalidArgument("The change count token does not come from changeCountToken(for:).")
            return
        }
        core.update { $0.clear(with: token) }
    }

    /// Made at first use. Its undo and redo count as changes by themselves.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    // Apple's type: apps send it messages without a question mark.
    open var undoManager: UndoManager! {
        get {
            if undo == nil { self.undoManager = UndoManager() }
            return undo
        }
        set {
            undo = newValue
            undoObservation = newValue.map { (manager: UndoManager) in
                DocumentUndo(manager) { [weak self] change in self?.core.input(.counted(change)) }
            }
        }
    }

    func forgetUndo() { undo?.removeAllActions() }
    func endUndoGroup() { undo?.endEventGroup() }

    // MARK: Activity

    /// The key of ``fileURL`` in the activity's `userInfo` (H-58).
    nonisolated public class var userActivityURLKey: String { DocumentActivity.urlKey }

    /// The document's activity (H-63): made by itself for a document in iCloud whose type has
    /// `NSUbiquitousDocumentUserActivityType` (H-56), and invalidated when it is closed (H-65). Any thread (H-64).
    nonisolated open var userActivity: NSUserActivity? {
        get { activity.activity }
        set { activity.set(newValue, for: self) }
    }

    /// Adds ``fileURL`` (H-58). Overrides call `super`.
    open func updateUserActivityState(_ activity: NSUserActivity) {
        activity.addUserInfoEntries(from: [Self.userActivityURLKey: fileURL])
    }

    /// Take over the state that the activity describes. The default does nothing; overrides call `super`.
    open func restoreUserActivityState(_ activity: NSUserActivity) {}

    /// Calls a handler, on the thread that makes the change, when the document gets another activity (H-64).
    /// - Parameter keyPath: `\.userActivity`; nothing else can be observed.
    nonisolated public func observe(
        _ keyPath: KeyPath<UIDocument, NSUserActivity?>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (UIDocument, NSKeyValueObservedChange<NSUserActivity?>) -> Void
    ) -> NSKeyValueObservation { NSKeyValueObservation(activity, self, options, changeHandler) }

    // MARK: For subclasses: files, in the background

    /// Runs something that uses the file, after all that was asked for before, in the background.
    nonisolated open func performAsynchronousFileAccess(_ block: @escaping @Sendable () -> Void) {
        core.fileQueue.async(execute: block)
    }

    /// Reads the file, and hands it to ``load(fromContents:ofType:)`` on the main actor. In the background, under a claim.
    nonisolated open func read(from url: URL) throws {
        let wrapper = try FileWrapper(url: url.resolvingSymlinksInPath(), options: .immediate)
        let type = core.environment.type(url)
        try MainQueue.sync {
            try self.core.load {
                try self.load(fromContents: wrapper.regularFileContents ?? wrapper, ofType: type)
            }
        }
    }

    /// Writes so that the file is whole at any time: beside it first, then in its place. In the background, under a claim.
    nonisolated open func writeContents(
        _ contents: Any, andAttributes additionalFileAttributes: [AnyHashable: Any]?, safelyTo url: URL,
        for saveOperation: SaveOperation
    ) throws {
        let target = url.resolvingSymlinksInPath()
        let temporary = target.deletingLastPathComponent().appendingPathComponent(".baton-save-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        try writeContents(contents, to: temporary, for: saveOperation, originalContentsURL: target)
        try DocumentReplacement.put(temporary, at: target, attributes: additionalFileAttributes)
    }

    /// Writes `Data` or a ``FileWrapper`` to a URL where nothing is.
    nonisolated open func writeContents(
        _ contents: Any, to url: URL, for saveOperation: SaveOperation, originalContentsURL: URL?
    ) throws {
        let wrapper: FileWrapper
        switch contents {
        case let data as Data: wrapper = FileWrapper(regularFileWithContents: data)
        case let data as NSData: wrapper = FileWrapper(regularFileWithContents: Data(referencing: data))
        case let given as FileWrapper: wrapper = given
        default:
            throw DocumentErrors.cocoa(
                .fileWriteUnknown, "contents(forType:) returned neither Data nor a FileWrapper.", url)
        }
        try wrapper.write(to: url, originalContentsURL: originalContentsURL)
    }
}

extension UIDocument: ActivityResponder {}

extension UIDocument: nonisolated ProgressReporting {}
